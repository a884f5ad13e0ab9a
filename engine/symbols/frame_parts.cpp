#include "engine/symbols/frame_parts.h"
#include "engine/symbols/cfi_entries.h"
#include "engine/symbols/dwarf_reader.h"
#include <algorithm>
#include <deque>
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

FrameParts::FrameParts(const ElfFile& file, ByteView more) : m_file(&file)
{
    const auto* eh = file.section(".eh_frame");
    const auto* debug = file.section(".debug_frame");
    const auto& where = file.unwindHeader();
    const auto header = where ? file.bytes(where->offset, where->fileSize) : Bytes();
    std::optional<std::uint64_t> start;
    if (eh)
        start = eh->address;
    else if (where && !debug)
        start = namedByHeader(header, where->address);
    m_address = start.value_or(0);

    if (start && !debug && more.empty() && where && readIndex(header, where->address)) {
        m_reader = std::make_unique<CfiReader>(file);
        return;
    }

    std::vector<FrameRows::Section> sections;
    const auto own = eh ? file.contents(*eh) : start ? restOfSegment(file, *start) : Bytes();
    if (!own.empty()) sections.push_back({own, m_address, Format::EhFrame});
    const auto other = debug ? file.contents(*debug) : Bytes();
    if (debug) sections.push_back({other, debug->address, Format::DebugFrame});
    if (!more.empty()) sections.push_back({more, 0, Format::DebugFrame});
    m_whole = std::make_unique<FrameRows>(sections);
}

CfiSection& FrameParts::section()
{
    if (!m_section) {
        const auto* eh = m_file->section(".eh_frame");
        m_bytes = eh ? m_file->contents(*eh) : restOfSegment(*m_file, m_address);
        m_section = std::make_unique<CfiSection>(FrameRows::Section{m_bytes, m_address, Format::EhFrame});
    }
    return *m_section;
}

void FrameParts::load()
{
    if (m_reader) section();
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
    m_index.reserve(count);
    const auto pairs = in.block(8 * count);
    for (std::size_t i = 0; i < pairs.size(); i += 8)
        m_index.push_back({readAt<std::int32_t>(pairs, i), readAt<std::int32_t>(pairs, i + 4)});
    m_header = address;
    const auto byStart = [](const Function& a, const Function& b) { return a.start < b.start; };
    if (std::is_sorted(m_index.begin(), m_index.end(), byStart)) return true;
    m_index = Index();
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
    if (m_reader && kLargest * m_index.size() > code) return false; // most files: not read for this
    const auto count = [&told](const FrameRows& rows) {
        for (const auto& f : rows.functions())
            told += f.size;
    };
    if (m_whole) count(*m_whole);
    if (m_reader) count(FrameRows(section().functions()));
    return 2 * told < code;
}

const FrameRows& FrameParts::around(std::uint64_t address)
{
    static const FrameRows nothing;
    if (m_whole) return *m_whole;
    if (!m_reader) return nothing;
    const auto number = address >> kPartBits;
    const auto known = m_parts.lower_bound(number);
    if (known != m_parts.end() && known->first == number) return known->second;

    const auto added = m_parts.emplace_hint(known, number, read(address));
    m_partsMemory += added->second.memory();
    return added->second;
}

const FrameRows& FrameParts::at(std::uint64_t address)
{
    if (!m_reader || m_parts.contains(address >> kPartBits)) return around(address);
    const auto next = behind(address);
    const auto start = next == m_index.begin() ? 0 : linked(std::prev(next)->start);
    const auto [known, isNew] = m_functions.try_emplace(start);
    if (!isNew || next == m_index.begin()) return known->second;
    Bytes bytes;
    if (const auto entry = entryOf(*std::prev(next), bytes)) known->second = FrameRows({&*entry, 1});
    m_partsMemory += known->second.memory();
    return known->second;
}

FrameParts::Index::const_iterator FrameParts::behind(std::uint64_t address) const
{
    return std::upper_bound(
        m_index.begin(), m_index.end(), address, [this](std::uint64_t a, const Function& f) { return a < linked(f.start); });
}

/// Good as long as this and `bytes`.
std::optional<FunctionEntry> FrameParts::entryOf(const Function& function, Bytes& bytes)
{
    return m_section ? m_section->functionAt(linked(function.entry)) : m_reader->functionAt(linked(function.entry), bytes);
}

std::optional<FrameRows::Range> FrameParts::function(std::uint64_t address)
{
    if (!m_reader || m_parts.contains(address >> kPartBits)) return around(address).function(address);
    const auto next = behind(address);
    if (next == m_index.begin()) return {};
    Bytes bytes;
    const auto entry = entryOf(*std::prev(next), bytes);
    if (!entry) return {};
    // As FrameRows has them: a trampoline covers the byte behind it, and a function ends where the next one begins.
    const bool signal = entry->common->signal;
    auto end = entry->start + entry->size + (signal ? 1 : 0);
    if (next != m_index.end()) end = std::min(end, linked(next->start));
    if (address < entry->start || address >= end) return {};
    return FrameRows::Range{entry->start, end - entry->start, signal};
}

bool FrameParts::mayBeginAt(std::uint64_t address)
{
    if (!m_reader) {
        const auto around = function(address);
        return around && around->start == address;
    }
    const auto next = behind(address);
    return next != m_index.begin() && linked(std::prev(next)->start) == address;
}

bool FrameParts::isOutermost(std::uint64_t start)
{
    if (m_reader) {
        const auto next = behind(start);
        if (next == m_index.begin()) return false;
        Bytes bytes;
        const auto entry = entryOf(*std::prev(next), bytes);
        return entry && entry->start == start && symbols::isOutermost(*entry);
    }
    if (!mayBeginAt(start)) return false;
    const auto* const rule = m_whole ? m_whole->find(start) : nullptr;
    return rule && (*rule)[Column::ReturnAddress].kind == ColumnRule::Kind::Undefined;
}

std::uint64_t FrameParts::endBefore(std::uint64_t address)
{
    if (m_whole) {
        const auto& all = m_whole->functions();
        const auto at = address - m_whole->base();
        const auto next = std::partition_point(all.begin(), all.end(), [&](const FrameRows::Function& f) { return f.start <= at; });
        return address < m_whole->base() || next == all.begin() ? 0 : m_whole->base() + std::prev(next)->start + std::prev(next)->size;
    }
    const auto next = behind(address);
    if (!m_reader || next == m_index.begin()) return 0;
    Bytes bytes;
    const auto entry = entryOf(*std::prev(next), bytes);
    return entry ? entry->start + entry->size : 0;
}

FrameRows FrameParts::read(std::uint64_t address)
{
    // The last function that begins at or before the part, and all that begin in it.
    const auto begin = address >> kPartBits << kPartBits, end = begin + kPart;
    auto next = behind(begin);
    if (next != m_index.begin()) --next;
    std::vector<FunctionEntry> functions;
    std::deque<Bytes> bytes;
    for (; m_reader && next != m_index.end() && linked(next->start) < end; ++next)
        if (const auto entry = entryOf(*next, bytes.emplace_back())) functions.push_back(*entry);
    return FrameRows(functions);
}

std::vector<std::uint64_t> FrameParts::outermost()
{
    if (m_reader) return section().outermost();
    std::vector<std::uint64_t> found;
    for (const auto& f : m_whole ? m_whole->functions() : std::vector<FrameRows::Function>())
        if (isOutermost(m_whole->base() + f.start)) found.push_back(m_whole->base() + f.start);
    return found;
}

std::vector<std::uint64_t> FrameParts::outermost(std::uint64_t from, std::uint64_t to)
{
    std::vector<std::uint64_t> found;
    if (m_whole) {
        const auto startOf = [this](const FrameRows::Function& f) { return m_whole->base() + f.start; };
        const auto& all = m_whole->functions();
        auto next = std::partition_point(all.begin(), all.end(), [&](const FrameRows::Function& f) { return startOf(f) < from; });
        for (; next != all.end() && startOf(*next) < to; ++next)
            if (isOutermost(startOf(*next))) found.push_back(startOf(*next));
        return found;
    }
    for (auto next = from == 0 ? m_index.begin() : behind(from - 1); next != m_index.end() && linked(next->start) < to; ++next)
        if (isOutermost(linked(next->start))) found.push_back(linked(next->start));
    return found;
}

bool FrameParts::tellsOfSignals()
{
    if (m_reader) return section().tellsOfSignals();
    return m_whole && std::any_of(m_whole->functions().begin(), m_whole->functions().end(), [](const auto& f) { return f.signal; });
}

void FrameParts::forgetParts()
{
    m_parts.clear();
    m_functions.clear();
    m_partsMemory = 0;
    m_section.reset();
    m_bytes = Bytes(); // = {} would keep its memory
}

std::size_t FrameParts::memory() const
{
    return m_bytes.capacity() + m_index.capacity() * sizeof(Function) + m_partsMemory + (m_whole ? m_whole->memory() : 0);
}
} // namespace dscope::symbols
