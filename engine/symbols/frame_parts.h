#pragma once
#include "engine/symbols/elf_file.h"
#include "engine/symbols/frame_rows.h"
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>
namespace dscope::symbols {
class CfiReader;
class CfiSection;
struct FunctionEntry;
/// The unwind rules of one file, read in parts: those of 64 KiB of code when an address in them is first asked for. Programs use a
/// small part of their large libraries. Not for several threads at once.
///
/// A part is found by the table in .eh_frame_hdr; a file without one, or with a .debug_frame beside, is read as a whole.
/// Source: LSB 5, 10.6.2. Where functions begin and end is read without the rules, which take much more memory.
class FrameParts {
public:
    static constexpr unsigned kPartBits = 16;
    static constexpr std::uint64_t kPart = std::uint64_t{1} << kPartBits; ///< bytes of code
    FrameParts();
    /// By the file's own sections, which are read when they are needed: the file must be there as long as this, and open unless load() was
    /// called. `more`: a .debug_frame of it from elsewhere, of what these do not tell.
    explicit FrameParts(const ElfFile& file, ByteView more = {});
    ~FrameParts();
    FrameParts(FrameParts&&) noexcept;
    FrameParts& operator=(FrameParts&&) noexcept;

    /// Reads now, and at once, what rules need, for callers that need many of them.
    void load();
    /// Nothing is told of most of the file's code.
    bool leavesOutMost(const ElfFile& file);
    /// The rules of the part that the linked address is in: of all functions that reach into it. Good as long as this.
    const FrameRows& around(std::uint64_t address);
    /// Rules that tell of this address, perhaps of no other: the first stacks through a large file would wait for their parts.
    const FrameRows& at(std::uint64_t address);
    /// As FrameRows::function(), for callers that need no rules: none are compiled.
    std::optional<FrameRows::Range> function(std::uint64_t address);
    /// Whether a function may begin there; fast where the file is read in parts.
    bool mayBeginAt(std::uint64_t address);
    /// Whether one begins there that has no caller, as its rules tell from the first instruction on.
    bool isOutermost(std::uint64_t start);
    /// Where the last function before a linked address ends, if no function has the address; 0: no function comes before it.
    std::uint64_t endBefore(std::uint64_t address);
    /// Those of a part, made anew and not kept here, for callers that read one part after the other.
    FrameRows read(std::uint64_t address);
    /// All of the file's, where it is not read in parts; else null.
    const FrameRows* whole() const { return m_whole.get(); }
    /// All of which isOutermost() is true; and of those that begin in [from, to) alone.
    std::vector<std::uint64_t> outermost();
    std::vector<std::uint64_t> outermost(std::uint64_t from, std::uint64_t to);
    /// Whether some entry is of a signal trampoline.
    bool tellsOfSignals();
    std::size_t functions() const { return m_index.size(); } ///< their number, if the file is read in parts
    void forgetParts();                                      ///< what around() and at() gave is no longer good. Not of a closed file
    std::size_t memory() const;                              ///< bytes, about

private:
    struct Function {
        std::int32_t start = 0, entry = 0; ///< of the function and of its entry, from the header's linked address
    };
    using Index = std::vector<Function>;
    bool readIndex(ByteView header, std::uint64_t address);
    Index::const_iterator behind(std::uint64_t address) const; ///< the first function that begins after it
    std::uint64_t linked(std::int32_t offset) const { return m_header + static_cast<std::uint64_t>(std::int64_t{offset}); }
    std::optional<FunctionEntry> entryOf(const Function& function, Bytes& bytes);
    CfiSection& section();
    const ElfFile* m_file = nullptr;
    std::uint64_t m_address = 0;                              // of m_bytes
    Bytes m_bytes;                                            // empty until load(), or something else that asks for all
    std::unique_ptr<CfiSection> m_section;                    // the same
    std::unique_ptr<CfiReader> m_reader;                      // of a file that is read in parts; else null
    std::uint64_t m_header = 0;                               // linked address
    Index m_index;                                            // ascending
    std::map<std::uint64_t, FrameRows> m_parts;               // by address >> kPartBits
    std::unordered_map<std::uint64_t, FrameRows> m_functions; // by start, of parts that were not asked for
    std::unique_ptr<FrameRows> m_whole;                       // null: read in parts
    std::size_t m_partsMemory = 0;
};
} // namespace dscope::symbols
