#pragma once
#include "engine/symbols/elf_file.h"
#include "engine/symbols/frame_rows.h"
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>
namespace dscope::symbols {
class CfiSection;
/// The unwind rules of one file, read in parts: those of 64 KiB of code when an address in them is first asked for. Programs use a
/// small part of their large libraries. Not for several threads at once.
///
/// A part is found by the table in .eh_frame_hdr; a file without one, or with a .debug_frame beside, is read as a whole.
/// Source: LSB 5, 10.6.2.
class FrameParts {
public:
    static constexpr unsigned kPartBits = 16;
    static constexpr std::uint64_t kPart = std::uint64_t{1} << kPartBits; ///< bytes of code
    FrameParts();
    /// By the file's own sections, which are copied. `more`: a .debug_frame of it from elsewhere, of what these do not tell.
    explicit FrameParts(const ElfFile& file, ByteView more = {});
    ~FrameParts();
    FrameParts(FrameParts&&) noexcept;
    FrameParts& operator=(FrameParts&&) noexcept;

    /// Nothing is told of most of the file's code.
    bool leavesOutMost(const ElfFile& file);
    /// The rules of the part that the linked address is in: of all functions that reach into it. Good as long as this.
    const FrameRows& around(std::uint64_t address);
    /// Rules that tell of this address, perhaps of no other: the first stacks through a large file would wait for their parts.
    const FrameRows& at(std::uint64_t address);
    /// As FrameRows::function(), for who needs no rules: none are compiled.
    std::optional<FrameRows::Range> function(std::uint64_t address);
    /// Where the last function before a linked address ends, if no function has the address; 0: no function comes before it.
    std::uint64_t endBefore(std::uint64_t address) const;
    /// Those of a part, made anew and not kept here, for who reads one part after the other.
    FrameRows read(std::uint64_t address);
    /// All of the file's, where it is not read in parts; else null.
    const FrameRows* whole() const { return m_whole.get(); }
    /// Where the functions begin that have no caller, as their rules tell from the first instruction on.
    std::vector<std::uint64_t> outermost() const;
    /// Whether some entry is of a signal trampoline.
    bool tellsOfSignals() const;
    std::size_t functions() const { return m_index.size(); } ///< their number, if the file is read in parts
    void forgetParts();                                      ///< what around() and at() gave is no longer good
    std::size_t memory() const;                              ///< bytes, about

private:
    struct Function {
        std::uint64_t start = 0, entry = 0; ///< linked addresses of the function and of its entry
    };
    using Index = std::vector<Function>;
    bool readIndex(ByteView header, std::uint64_t address);
    Index::const_iterator behind(std::uint64_t address) const; ///< the first function that begins after it
    Bytes m_bytes;
    std::unique_ptr<CfiSection> m_section;                    // null: read as a whole
    Index m_index;                                            // ascending
    std::map<std::uint64_t, FrameRows> m_parts;               // by address >> kPartBits
    std::unordered_map<std::uint64_t, FrameRows> m_functions; // by start, of parts that were not asked for
    std::unique_ptr<FrameRows> m_whole;                       // null: read in parts
    std::size_t m_partsMemory = 0;
};
} // namespace dscope::symbols
