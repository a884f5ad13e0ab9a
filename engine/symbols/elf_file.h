#pragma once
#include "engine/base/bytes.h"
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::symbols {
/// An ELF file (64 bits, little endian) read section by section. Every offset and size in it is checked against the
/// file's length. Sections are copied with pread rather than mapped: a file that its owner truncates while we look at it
/// then reads short, where a mapping would kill us with SIGBUS; nothing but the headers is read before it is asked for.
/// Source: System V ABI, gABI 4.1 chapters 4 and 5; <elf.h>.
class ElfFile {
public:
    struct Segment {
        std::uint64_t address = 0, offset = 0, fileSize = 0, memorySize = 0;
        bool executable = false;
    };
    struct Section {
        std::string name;
        std::uint32_t type = 0, link = 0;
        std::uint64_t flags = 0, address = 0, offset = 0, size = 0, entrySize = 0;
    };
    /// Reads the headers. Keeps the descriptor until release(). Error for anything that is not such an ELF file.
    static Result<ElfFile> open(Fd file);
    /// The same for an image in memory (the vDSO).
    static Result<ElfFile> inMemory(Bytes image);

    const std::vector<Segment>& segments() const { return m_segments; } ///< PT_LOAD only
    const std::vector<Section>& sections() const { return m_sections; }
    const Section* section(std::string_view name) const;
    const Section* section(std::uint32_t type) const;
    /// The section's bytes, unpacked where they are compressed by zlib or zstd; empty when it has none in the file, lies outside
    /// the file or is malformed.
    Bytes contents(const Section& section) const;
    /// Up to `size` bytes from `offset`; fewer at the file's end.
    Bytes bytes(std::uint64_t offset, std::uint64_t size) const;
    /// What to add to a file offset within [offset, offset + length) to have the address it is linked for: that of the
    /// segment which shares most with the range, an executable one first. None when no segment lies there.
    std::optional<std::uint64_t> displacement(std::uint64_t offset, std::uint64_t length) const;
    /// Where the byte at a linked address lies in the file, if a segment loads it from there.
    std::optional<std::uint64_t> offsetOf(std::uint64_t address) const;
    /// Lower-case hexadecimal, empty when there is none.
    const std::string& buildId() const { return m_buildId; }
    /// Where the program begins; 0: nowhere, as in most libraries.
    std::uint64_t entry() const { return m_entry; }
    /// ET_EXEC, or ET_DYN that says it is a position-independent executable (DF_1_PIE).
    bool isProgram() const { return m_isProgram; }
    /// Names other libraries to load (DT_NEEDED): neither a C library nor a static program.
    bool needsLibraries() const { return m_needsLibraries; }
    /// Where PT_GNU_EH_FRAME lies: finds .eh_frame in files without section headers.
    const std::optional<Segment>& unwindHeader() const { return m_unwindHeader; }
    std::uint64_t size() const { return m_size; }
    /// Closes the file; later reads are empty.
    void release();
    bool isOpen() const { return bool(m_file); }
    /// Another descriptor of the file; none of an image, or after release().
    Fd descriptor() const;
    /// Has DWARF that tells of lines, in itself and not in another file.
    bool hasLines() const;

private:
    Result<void> readHeaders();
    void readSections(std::uint64_t offset, std::uint64_t entry, std::uint64_t count, std::uint64_t names);
    void readBuildId(ByteView notes);
    void readDynamic(ByteView entries);

    Fd m_file;
    Bytes m_image;
    std::uint64_t m_size = 0, m_entry = 0;
    std::vector<Segment> m_segments;
    std::vector<Section> m_sections;
    std::optional<Segment> m_unwindHeader;
    std::string m_buildId;
    bool m_isProgram = false, m_needsLibraries = false;
};
} // namespace dscope::symbols
