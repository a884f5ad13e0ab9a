#include "engine/symbols/frame_parts.h"
#include "engine/symbols/cfi_entries.h"
#include "engine/symbols/dwarf_reader.h"
#include <algorithm>
#include <elf.h>
namespace dscope::symbols {
namespace {
using Format = FrameRows::Format;

/// .eh_frame of a file whose section headers were stripped: its header names it, the segment bounds it.
std::optional<std::uint64_t> namedByHeader(ByteView header, std::uint64_t address)
{
    DwarfReader in(header.first(std::min<std::size_t>(header.size(), 64)), address);
    const auto version = in.get<std::uint8_t>(), encoding = in.get<std::uint8_t>();
    in.skip(2);
    const auto start = in.pointer(encoding);
    return version == 1 ? start : std::nullopt;
}
/// What the file holds from a linked address to the end of its segment.
Bytes restOfSegment(const ElfFile& file, std::uint64_t address)
{
    for (const auto& s : file.segments()) {
        if (address < s.address || address - s.address >= s.fileSize) continue;
        const auto skipped = address - s.address;
        return file.bytes(s.offset + skipped, s.fileSize - skipped);
    }
    return {};
}
} // namespace

FrameParts::FrameParts() = default;
FrameParts::~FrameParts() = default;
FrameParts::FrameParts(FrameParts&&) noexcept = default;
FrameParts& FrameParts::operator=(FrameParts&&) noexcept = default;

FrameParts::FrameParts(const ElfFile& file, ByteView more)
{
    const auto* eh = file.section(".eh_frame");
    const auto* debug = file.section(".debug_frame");
    const auto& where = file.unwindHeader();
    const auto header = where ? file.bytes(where->offset, where->fileSize) : Bytes();
    std::uint64_t address = 0;
    if (eh) {
        m_bytes = file.contents(*eh);
        address = eh->address;
    } else if (const auto start = where && !debug ? namedByHeader(header, where->address) : std::nullopt) {
        m_bytes = restOfSegment(file, *start);
        address = *start;
    }

    if (!debug && more.empty() && where && readIndex(header, where->address)) {
        m_section = std::make_unique<CfiSection>(FrameRows::Section{m_bytes, address, Format::EhFrame});
        return;
    }

    std::vector<FrameRows::Section> sections;
    if (!m_bytes.empty()) sections.push_back({m_bytes, address, Format::EhFrame});
    const auto other = debug ? file.contents(*debug) : Bytes();
    if (debug) sections.push_back({other, debug->address, Format::DebugFrame});
    if (!more.empty()) sections.push_back({more, 0, Format::DebugFrame});
    m_whole = std::make_unique<FrameRows>(sections);
    m_bytes = {};
}

/// The sorted table, as all linkers write it: pairs of offsets from the header, 32 bits each. False if there is no such table.
bool FrameParts::readIndex(ByteView header, std::uint64_t address)
{
    constexpr std::uint8_t kOffsetFromHeader = 0x3b, kCount = 0x03; // DW_EH_PE_datarel | sdata4, udata4
    DwarfReader in(header, address);
    const auto version = in.get<std::uint8_t>(), sectionEncoding = in.get<std::uint8_t>(), countEncoding = in.get<std::uint8_t>(),
               encoding = in.get<std::uint8_t>();
    if (version != 1 || countEncoding != kCount || encoding != kOffsetFromHeader || !in.pointer(sectionEncoding)) return false;
    const std::uint64_t count = in.get<std::uint32_t>();
    if (count == 0 || !in.ok() || in.left() / 8 < count) return false;
    const auto from = [&](std::int32_t offset) { return address + static_cast<std::uint64_t>(std::int64_t{offset}); };
    m_index.reserve(count);
    const auto pairs = in.block(8 * count);
    for (std::size_t i = 0; i < pairs.size(); i += 8)
        m_index.push_back({from(readAt<std::int32_t>(pairs, i)), from(readAt<std::int32_t>(pairs, i + 4))});
    const auto byStart = [](const Function& a, const Function& b) { return a.start < b.start; };
    if (std::is_sorted(m_index.begin(), m_index.end(), byStart)) return true;
    m_index = {};
    return false;
}

bool FrameParts::leavesOutMost(const ElfFile& file)
{
    constexpr std::uint64_t kLargest = 1024; // bytes of a function, on the average
    std::uint64_t code = 0, told = 0;
    for (const auto& s : file.sections())
        code += (s.flags & SHF_EXECINSTR) != 0 ? s.size : 0;
    for (const auto& s : file.segments()) // which may have all data that is only read, too: half of libLLVM 14
        code += s.executable && file.sections().empty() ? s.fileSize : 0;
    if (m_section && kLargest * m_index.size() > code) return false; // most files: not read for this
    const auto count = [&told](const FrameRows& rows) {
        for (const auto& f : rows.functions())
            told += f.size;
    };
    if (m_whole) count(*m_whole);
    if (m_section) count(FrameRows(m_section->functions()));
    return 2 * told < code;
}

const FrameRows& FrameParts::around(std::uint64_t address)
{
    static const FrameRows nothing;
    if (m_whole) return *m_whole;
    if (!m_section) return nothing;
    const auto number = address >> kPartBits;
    const auto known = m_parts.lower_bound(number);
    if (known != m_parts.end() && known->first == number) return known->second;

    const auto added = m_parts.emplace_hint(known, number, read(address));
    m_partsMemory += added->second.memory();
    return added->second;
}

const FrameRows& FrameParts::at(std::uint64_t address)
{
    if (!m_section || m_parts.contains(address >> kPartBits)) return around(address);
    const auto next = behind(address);
    const auto start = next == m_index.begin() ? 0 : std::prev(next)->start;
    const auto [known, isNew] = m_functions.try_emplace(start);
    if (!isNew || next == m_index.begin()) return known->second;
    if (const auto entry = m_section->functionAt(std::prev(next)->entry)) known->second = FrameRows({&*entry, 1});
    m_partsMemory += known->second.memory();
    return known->second;
}

FrameParts::Index::const_iterator FrameParts::behind(std::uint64_t address) const
{
    return std::upper_bound(m_index.begin(), m_index.end(), address, [](std::uint64_t a, const Function& f) { return a < f.start; });
}

std::optional<FrameRows::Range> FrameParts::function(std::uint64_t address)
{
    if (!m_section || m_parts.contains(address >> kPartBits)) return around(address).function(address);
    const auto next = behind(address);
    if (next == m_index.begin()) return {};
    const auto entry = m_section->functionAt(std::prev(next)->entry);
    if (!entry) return {};
    // As FrameRows has them: a trampoline covers the byte behind it, and a function ends where the next one begins.
    const bool signal = entry->common->signal;
    auto end = entry->start + entry->size + (signal ? 1 : 0);
    if (next != m_index.end()) end = std::min(end, next->start);
    if (address < entry->start || address >= end) return {};
    return FrameRows::Range{entry->start, end - entry->start, signal};
}

std::uint64_t FrameParts::endBefore(std::uint64_t address) const
{
    if (m_whole) {
        const auto& all = m_whole->functions();
        const auto at = address - m_whole->base();
        const auto next = std::partition_point(all.begin(), all.end(), [&](const FrameRows::Function& f) { return f.start <= at; });
        return address < m_whole->base() || next == all.begin() ? 0 : m_whole->base() + std::prev(next)->start + std::prev(next)->size;
    }
    const auto next = behind(address);
    if (!m_section || next == m_index.begin()) return 0;
    const auto entry = m_section->functionAt(std::prev(next)->entry);
    return entry ? entry->start + entry->size : 0;
}

FrameRows FrameParts::read(std::uint64_t address)
{
    // The last function that begins at or before the part, and all that begin in it.
    const auto begin = address >> kPartBits << kPartBits, end = begin + kPart;
    auto next = behind(begin);
    if (next != m_index.begin()) --next;
    std::vector<FunctionEntry> functions;
    for (; m_section && next != m_index.end() && next->start < end; ++next)
        if (const auto entry = m_section->functionAt(next->entry)) functions.push_back(*entry);
    return FrameRows(functions);
}

std::vector<std::uint64_t> FrameParts::outermost() const
{
    if (m_section) return m_section->outermost();
    std::vector<std::uint64_t> found;
    for (const auto& f : m_whole ? m_whole->functions() : std::vector<FrameRows::Function>()) {
        const auto start = m_whole->base() + f.start;
        const auto* rule = m_whole->find(start);
        if (rule && (*rule)[Column::ReturnAddress].kind == ColumnRule::Kind::Undefined) found.push_back(start);
    }
    return found;
}

bool FrameParts::tellsOfSignals() const
{
    if (m_section) return m_section->tellsOfSignals();
    return m_whole && std::any_of(m_whole->functions().begin(), m_whole->functions().end(), [](const auto& f) { return f.signal; });
}

void FrameParts::forgetParts()
{
    m_parts.clear();
    m_functions.clear();
    m_partsMemory = 0;
}

std::size_t FrameParts::memory() const
{
    return m_bytes.capacity() + m_index.capacity() * sizeof(Function) + m_partsMemory + (m_whole ? m_whole->memory() : 0);
}
} // namespace dscope::symbols
