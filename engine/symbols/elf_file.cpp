#include "engine/symbols/elf_file.h"
#include <cerrno>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
namespace dscope::symbols {
namespace {
constexpr std::uint64_t kMostSections = 1u << 20;
constexpr std::uint64_t kMostBytes = 1ull << 31; // of one section: larger than any that is real

ElfFile::Segment segmentOf(const Elf64_Phdr& header)
{
    return {header.p_vaddr, header.p_offset, header.p_filesz, header.p_memsz, (header.p_flags & PF_X) != 0};
}
constexpr std::uint32_t kZlib = 1, kZstd = 2; // ELFCOMPRESS_; older headers do not know the second

/// What a compressed section holds; empty where it is not what it says. Source: gABI 4.1, chapter 4, Section Compression.
Bytes unpacked(ByteView held)
{
    // Real ones shrink to a fifth. What claims more than that would take memory for nothing.
    constexpr std::uint64_t kMostTimes = 100, kFew = 16 << 20;
    if (held.size() <= sizeof(Elf64_Chdr)) return {};
    const auto head = readAt<Elf64_Chdr>(held, 0);
    const auto packed = held.subspan(sizeof head);
    if (head.ch_size > kMostBytes || (head.ch_size > kFew && head.ch_size / kMostTimes > packed.size())) return {};
    Bytes bytes(head.ch_size);
    if (head.ch_type == kZlib) {
        uLongf size = bytes.size();
        const auto result
            = ::uncompress(reinterpret_cast<Bytef*>(bytes.data()), &size, reinterpret_cast<const Bytef*>(packed.data()), packed.size());
        return result == Z_OK && size == bytes.size() ? bytes : Bytes();
    }
    if (head.ch_type != kZstd) return {};
    return ::ZSTD_decompress(bytes.data(), bytes.size(), packed.data(), packed.size()) == bytes.size() ? bytes : Bytes();
}
} // namespace

Result<ElfFile> ElfFile::open(Fd file)
{
    struct stat status { };
    if (::fstat(file.get(), &status) != 0) return Error{errno, "cannot stat an ELF file: " + std::string(std::strerror(errno))};
    if (!S_ISREG(status.st_mode)) return Error{0, "not a regular file"};
    ElfFile elf;
    elf.m_file = std::move(file);
    elf.m_size = static_cast<std::uint64_t>(status.st_size);
    DSCOPE_CHECK(elf.readHeaders());
    return elf;
}

Result<ElfFile> ElfFile::inMemory(Bytes image)
{
    ElfFile elf;
    elf.m_size = image.size();
    elf.m_image = std::move(image);
    DSCOPE_CHECK(elf.readHeaders());
    return elf;
}

void ElfFile::release()
{
    m_file.reset();
    m_image = Bytes(); // = {} would keep its memory
}

Fd ElfFile::descriptor() const { return m_file ? Fd(::fcntl(m_file.get(), F_DUPFD_CLOEXEC, 0)) : Fd(); }

bool ElfFile::hasLines() const
{
    const auto* info = section(".debug_info");
    if (!info) info = section(".zdebug_info"); // compressed as GNU's tools did before 2014
    return info && info->type != SHT_NOBITS && info->size > 0;
}

Bytes ElfFile::bytes(std::uint64_t offset, std::uint64_t size) const
{
    if (offset >= m_size) return {};
    size = std::min({size, m_size - offset, kMostBytes});
    if (!m_file) {
        if (offset >= m_image.size()) return {};
        const auto part = ByteView(m_image).subspan(offset, std::min<std::uint64_t>(size, m_image.size() - offset));
        return {part.begin(), part.end()};
    }
    Bytes result(size);
    std::size_t have = 0;
    while (have < size) {
        const auto n = ::pread(m_file.get(), result.data() + have, size - have, static_cast<off_t>(offset + have));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        have += static_cast<std::size_t>(n);
    }
    result.resize(have);
    return result;
}

Result<void> ElfFile::readHeaders()
{
    const auto head = bytes(0, sizeof(Elf64_Ehdr));
    if (head.size() < sizeof(Elf64_Ehdr) || std::memcmp(head.data(), ELFMAG, SELFMAG) != 0) return Error{0, "not an ELF file"};
    const auto header = readAt<Elf64_Ehdr>(head, 0);
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
        return Error{0, "not a 64-bit little-endian ELF file"};
    m_isProgram = header.e_type == ET_EXEC;
    m_entry = header.e_entry;

    if (header.e_phentsize == sizeof(Elf64_Phdr)) {
        const auto table = bytes(header.e_phoff, std::uint64_t{header.e_phnum} * sizeof(Elf64_Phdr));
        for (std::size_t at = 0; at + sizeof(Elf64_Phdr) <= table.size(); at += sizeof(Elf64_Phdr)) {
            const auto program = readAt<Elf64_Phdr>(table, at);
            if (program.p_type == PT_LOAD) m_segments.push_back(segmentOf(program));
            if (program.p_type == PT_GNU_EH_FRAME) m_unwindHeader = segmentOf(program);
            if (program.p_type == PT_NOTE && m_buildId.empty())
                readBuildId(bytes(program.p_offset, std::min<std::uint64_t>(program.p_filesz, 1u << 16)));
            if (program.p_type == PT_DYNAMIC) readDynamic(bytes(program.p_offset, std::min<std::uint64_t>(program.p_filesz, 1u << 16)));
        }
    }

    if (header.e_shentsize == sizeof(Elf64_Shdr)) readSections(header.e_shoff, header.e_shentsize, header.e_shnum, header.e_shstrndx);
    // Files of `objcopy --only-keep-debug` keep their notes in sections whose segments are empty.
    for (const auto& s : m_sections)
        if (m_buildId.empty() && s.type == SHT_NOTE && s.size <= 1u << 16) readBuildId(contents(s));
    return {};
}

void ElfFile::readSections(std::uint64_t offset, std::uint64_t entry, std::uint64_t count, std::uint64_t names)
{
    if (offset == 0) return;
    // With too many sections for 16 bits, the first header tells how many there are. Source: gABI, e_shnum and e_shstrndx.
    const auto first = bytes(offset, entry);
    if (first.size() < entry) return;
    const auto zero = readAt<Elf64_Shdr>(first, 0);
    if (count == 0) count = zero.sh_size;
    if (names == SHN_XINDEX) names = zero.sh_link;
    if (count > kMostSections) return;
    const auto table = bytes(offset, count * entry);
    Bytes texts;
    if (names < table.size() / entry) {
        const auto header = readAt<Elf64_Shdr>(table, names * entry);
        if (header.sh_type != SHT_NOBITS) texts = bytes(header.sh_offset, std::min<std::uint64_t>(header.sh_size, 1u << 24));
    }
    for (std::size_t at = 0; at + entry <= table.size(); at += entry) {
        const auto h = readAt<Elf64_Shdr>(table, at);
        m_sections.push_back(
            {textAt(texts, h.sh_name, 256), h.sh_type, h.sh_link, h.sh_flags, h.sh_addr, h.sh_offset, h.sh_size, h.sh_entsize});
    }
}

void ElfFile::readBuildId(ByteView notes)
{
    std::size_t at = 0;
    while (notes.size() - at >= sizeof(Elf64_Nhdr)) {
        const auto note = readAt<Elf64_Nhdr>(notes, at);
        const std::size_t name = at + sizeof(Elf64_Nhdr);
        const std::size_t text = name + ((std::size_t{note.n_namesz} + 3) & ~std::size_t{3});
        const std::size_t next = text + ((std::size_t{note.n_descsz} + 3) & ~std::size_t{3});
        if (text > notes.size() || note.n_descsz > notes.size() - text) return;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && textAt(notes, name, 4) == "GNU" && note.n_descsz <= 64) {
            constexpr char kDigits[] = "0123456789abcdef";
            for (std::size_t i = 0; i < note.n_descsz; ++i) {
                const auto byte = static_cast<unsigned>(notes[text + i]);
                m_buildId += kDigits[byte >> 4];
                m_buildId += kDigits[byte & 15];
            }
            return;
        }
        if (next > notes.size()) return;
        at = next;
    }
}

void ElfFile::readDynamic(ByteView entries)
{
    for (std::size_t at = 0; at + sizeof(Elf64_Dyn) <= entries.size(); at += sizeof(Elf64_Dyn)) {
        const auto entry = readAt<Elf64_Dyn>(entries, at);
        if (entry.d_tag == DT_NULL) return;
        if (entry.d_tag == DT_NEEDED) m_needsLibraries = true;
        if (entry.d_tag == DT_FLAGS_1 && (entry.d_un.d_val & DF_1_PIE)) m_isProgram = true;
    }
}

const ElfFile::Section* ElfFile::section(std::string_view name) const
{
    for (const auto& s : m_sections)
        if (s.name == name) return &s;
    return nullptr;
}

const ElfFile::Section* ElfFile::section(std::uint32_t type) const
{
    for (const auto& s : m_sections)
        if (s.type == type) return &s;
    return nullptr;
}

Bytes ElfFile::contents(const Section& section) const
{
    if (section.type == SHT_NOBITS) return {};
    if (section.offset > m_size || section.size > m_size - section.offset) return {};
    auto held = bytes(section.offset, section.size);
    if ((section.flags & SHF_COMPRESSED) == 0) return held; // not copied, of which there may be megabytes
    return unpacked(held);
}

std::optional<std::uint64_t> ElfFile::displacement(std::uint64_t offset, std::uint64_t length) const
{
    std::optional<std::uint64_t> found;
    std::uint64_t most = 0;
    bool executable = false;
    for (const auto& s : m_segments) {
        if (s.fileSize == 0 || s.offset + s.fileSize < s.offset || offset + length < offset) continue;
        const auto begin = std::max(offset, s.offset), end = std::min(offset + length, s.offset + s.fileSize);
        if (begin >= end || s.executable < executable) continue;
        if (s.executable == executable && end - begin <= most) continue;
        found = s.address - s.offset;
        most = end - begin;
        executable = s.executable;
    }
    return found;
}

std::optional<std::uint64_t> ElfFile::offsetOf(std::uint64_t address) const
{
    for (const auto& s : m_segments)
        if (address >= s.address && address - s.address < s.fileSize) return s.offset + (address - s.address);
    return std::nullopt;
}
} // namespace dscope::symbols
