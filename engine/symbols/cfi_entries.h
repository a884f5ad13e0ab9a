#pragma once
#include "engine/symbols/dwarf_reader.h"
#include "engine/symbols/elf_file.h"
#include "engine/symbols/frame_rows.h"
#include <map>
#include <optional>
#include <vector>
namespace dscope::symbols {
/// What the frame description entries of one function group have in common (CIE).
struct CommonEntry {
    std::uint64_t codeFactor = 1;
    std::int64_t dataFactor = 1;
    std::uint64_t returnColumn = 16;
    std::uint8_t pointerEncoding = 0;
    bool augmented = false; ///< entries carry an augmentation length
    bool signal = false;
    ByteView program;
};
/// One function's entry (FDE).
struct FunctionEntry {
    const CommonEntry* common = nullptr;
    std::uint64_t start = 0, size = 0;
    ByteView program;
};
/// Reads single entries of an .eh_frame that is not in memory. The file must be open as long as this is used.
class CfiReader {
public:
    explicit CfiReader(const ElfFile& file) : m_file(&file) { }
    /// The entry that begins at this linked address. It is valid as long as this and `bytes`, which receives the bytes of the entry.
    std::optional<FunctionEntry> functionAt(std::uint64_t address, Bytes& bytes);

private:
    struct Common {
        Bytes bytes;
        std::optional<CommonEntry> entry;
    };
    Bytes bytesAt(std::uint64_t address, std::uint64_t size) const;
    const CommonEntry* common(std::uint64_t address);
    const ElfFile* m_file;
    std::map<std::uint64_t, Common> m_common; ///< by linked address
};
/// Whether a function's return address is undefined from its first instruction on: no function called it.
bool isOutermost(const FunctionEntry& entry);
/// The entries of a section. Malformed ones, and those whose common entry is, are left out. An entry is good as long as this.
class CfiSection {
public:
    explicit CfiSection(const FrameRows::Section& section) : m_section(section) { }
    CfiSection(const CfiSection&) = delete;
    CfiSection& operator=(const CfiSection&) = delete;
    /// All, in the section's order.
    std::vector<FunctionEntry> functions();
    /// The one whose length is told at this linked address; for .eh_frame.
    std::optional<FunctionEntry> functionAt(std::uint64_t address);
    /// Where the functions begin whose return address is undefined from their first instruction on, in the section's order.
    std::vector<std::uint64_t> outermost();
    /// Whether some entry is of a signal trampoline (augmentation 'S').
    bool tellsOfSignals();

    /// The common entry at an offset in the section; null: none is there.
    const CommonEntry* common(std::size_t at);

private:
    struct Entry {
        bool common = false;
        std::size_t start = 0, body = 0, end = 0; ///< offsets in the section
        std::size_t commonAt = 0;                 ///< of a function's: where its common entry starts
    };
    /// None at a terminator, and where nothing more can be read: then `end` of the last is the section's.
    std::optional<Entry> entryAt(std::size_t& at) const;
    std::optional<FunctionEntry> function(const Entry& entry);
    FrameRows::Section m_section;
    std::map<std::size_t, std::optional<CommonEntry>> m_common; // by offset in the section
};
} // namespace dscope::symbols
