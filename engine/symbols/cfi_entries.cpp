#include "engine/symbols/cfi_entries.h"
#include <algorithm>
#include <cstring>
#include <optional>
namespace dscope::symbols {
namespace {
// Source: LSB 5, 10.6.1 (.eh_frame) and DWARF 5, 6.4.1 (.debug_frame).
std::optional<CommonEntry> commonEntry(DwarfReader in, FrameRows::Format format)
{
    CommonEntry entry;
    const auto version = in.get<std::uint8_t>();
    if (version != 1 && version != 3 && version != 4) return std::nullopt;
    std::string augmentation;
    for (char c = in.get<char>(); c != '\0'; c = in.get<char>())
        augmentation += c;
    if (version == 4) {
        const auto addressSize = in.get<std::uint8_t>(), segmentSize = in.get<std::uint8_t>();
        if (addressSize != 8 || segmentSize != 0) return std::nullopt;
    }

    if (augmentation == "eh") in.skip(8); // GCC 2's pointer to its exception table
    entry.codeFactor = in.unsignedLeb();
    entry.dataFactor = in.signedLeb();
    entry.returnColumn = version == 1 && format == FrameRows::Format::EhFrame ? in.get<std::uint8_t>() : in.unsignedLeb();
    if (augmentation.starts_with('z')) {
        entry.augmented = true;
        const auto length = in.unsignedLeb();
        const auto end = in.address() + length;
        if (length > in.left()) return std::nullopt;
        for (const char c : augmentation.substr(1)) {
            if (c == 'R')
                entry.pointerEncoding = in.get<std::uint8_t>();
            else if (c == 'L')
                in.skip(1);
            else if (c == 'P') {
                const auto encoding = in.get<std::uint8_t>();
                in.pointer(encoding);
            } else if (c == 'S')
                entry.signal = true;
            else if (c != 'B')
                break; // unknown: the length tells where the program begins
        }
        if (!in.ok() || in.address() > end) return std::nullopt;
        in.skip(end - in.address());
    } else if (!augmentation.empty() && augmentation != "eh")
        return std::nullopt;
    if (!in.ok()) return std::nullopt;
    entry.program = in.block(in.left());
    return entry;
}

std::optional<FunctionEntry> functionEntry(DwarfReader in, const CommonEntry& common)
{
    FunctionEntry entry;
    entry.common = &common;
    const auto start = in.pointer(common.pointerEncoding);
    const auto size = in.pointer(common.pointerEncoding & 0x0f);
    if (!start || !size) return std::nullopt;
    entry.start = *start;
    entry.size = *size;
    if (common.augmented) in.skip(in.unsignedLeb());
    if (!in.ok() || entry.size == 0 || entry.start + entry.size < entry.start) return std::nullopt;
    if (entry.start == 0) return std::nullopt; // of a section that the linker discarded
    entry.program = in.block(in.left());
    return entry;
}
} // namespace

// -- one by one ----------------------------------------------------------------------------------------------------
Bytes CfiReader::bytesAt(std::uint64_t address, std::uint64_t size) const
{
    const auto offset = m_file->offsetOf(address);
    return offset ? m_file->bytes(*offset, size) : Bytes();
}

const CommonEntry* CfiReader::common(std::uint64_t address)
{
    constexpr std::uint64_t kMost = 256; // bytes; real ones have some 30
    const auto [known, isNew] = m_common.try_emplace(address);
    auto& common = known->second;
    if (isNew) {
        common.bytes = bytesAt(address, kMost);
        CfiSection section({common.bytes, address, FrameRows::Format::EhFrame});
        if (const auto* entry = section.common(0)) common.entry = *entry;
    }
    return common.entry ? &*common.entry : nullptr;
}

std::optional<FunctionEntry> CfiReader::functionAt(std::uint64_t address, Bytes& bytes)
{
    constexpr std::uint64_t kUsual = 64, kMost = 1 << 20; // bytes
    constexpr std::uint64_t kLength = 4, kHead = 8;       // the length, and it with the distance of the common entry
    bytes = bytesAt(address, kUsual);
    if (bytes.size() < kHead) return {};
    const auto length = readAt<std::uint32_t>(bytes, 0), id = readAt<std::uint32_t>(bytes, kLength);
    // No linker writes the long form here, which is for more than 4 GB.
    if (length < kLength || length > kMost || id == 0 || id > address + kLength) return {};
    if (kLength + length > kUsual) bytes = bytesAt(address, kLength + length);
    const auto* const shared = common(address + kLength - id);
    if (!shared || bytes.size() < kLength + length) return {};
    return functionEntry(DwarfReader(ByteView(bytes).first(kLength + length).subspan(kHead), address + kHead), *shared);
}

bool isOutermost(const FunctionEntry& entry)
{
    constexpr std::byte kUndefined{0x07}; // DW_CFA_undefined
    const auto column = entry.common->returnColumn;
    return entry.program.size() >= 2 && entry.program[0] == kUndefined && column < 0x80
        && entry.program[1] == static_cast<std::byte>(column);
}

// -- those of a section --------------------------------------------------------------------------------------------
/// Leaves `at` behind the entry.
std::optional<CfiSection::Entry> CfiSection::entryAt(std::size_t& at) const
{
    const auto section = m_section.bytes;
    const bool eh = m_section.format == FrameRows::Format::EhFrame;
    if (at >= section.size() || section.size() - at < 4) {
        at = section.size();
        return {};
    }

    Entry entry;
    entry.start = at;
    std::uint64_t length = readAt<std::uint32_t>(section, at);
    at += 4;
    const bool wide = length == 0xffffffff;
    if (wide) {
        length = readAt<std::uint64_t>(section, at);
        at = std::min(at + 8, section.size());
    }

    if (length == 0) return {}; // a terminator; sections that were linked behind it may follow
    if (length > section.size() - at) {
        at = section.size();
        return {};
    }

    const auto begin = at;
    at += length;
    const std::size_t idSize = wide && !eh ? 8 : 4;
    if (length < idSize) return {};
    const std::uint64_t id = idSize == 8 ? readAt<std::uint64_t>(section, begin) : readAt<std::uint32_t>(section, begin);
    entry.common = eh ? id == 0 : id == (idSize == 8 ? ~std::uint64_t{0} : 0xffffffffu);
    entry.body = begin + idSize;
    entry.end = at;
    if (entry.common) return entry;
    if (eh && id > begin) return {};
    entry.commonAt = static_cast<std::size_t>(eh ? begin - id : id);
    return entry;
}

const CommonEntry* CfiSection::common(std::size_t at)
{
    const auto [known, isNew] = m_common.try_emplace(at);
    if (isNew) {
        auto next = at;
        if (const auto entry = entryAt(next); entry && entry->common)
            known->second
                = commonEntry(DwarfReader(m_section.bytes.subspan(entry->body, entry->end - entry->body), m_section.address + entry->body),
                    m_section.format);
    }
    return known->second ? &*known->second : nullptr;
}

std::optional<FunctionEntry> CfiSection::function(const Entry& entry)
{
    const auto* shared = common(entry.commonAt);
    if (!shared) return {};
    return functionEntry(DwarfReader(m_section.bytes.subspan(entry.body, entry.end - entry.body), m_section.address + entry.body), *shared);
}

std::vector<FunctionEntry> CfiSection::functions()
{
    std::vector<FunctionEntry> all;
    for (std::size_t at = 0; at < m_section.bytes.size();)
        if (const auto entry = entryAt(at); entry && !entry->common)
            if (const auto one = function(*entry)) all.push_back(*one);
    return all;
}

std::optional<FunctionEntry> CfiSection::functionAt(std::uint64_t address)
{
    if (address < m_section.address || address - m_section.address >= m_section.bytes.size()) return {};
    auto at = static_cast<std::size_t>(address - m_section.address);
    const auto entry = entryAt(at);
    return entry && !entry->common ? function(*entry) : std::nullopt;
}

std::vector<std::uint64_t> CfiSection::outermost()
{
    constexpr std::byte kUndefined{0x07};   // DW_CFA_undefined
    constexpr std::size_t kMostBefore = 32; // of the entry, before its program: few have to be read
    std::vector<std::uint64_t> found;
    for (std::size_t at = 0; at < m_section.bytes.size();) {
        const auto entry = entryAt(at);
        if (!entry || entry->common) continue;
        const auto body = m_section.bytes.subspan(entry->body, std::min(entry->end - entry->body, kMostBefore));
        if (std::find(body.begin(), body.end(), kUndefined) == body.end()) continue;
        const auto one = function(*entry);
        if (one && isOutermost(*one)) found.push_back(one->start);
    }
    return found;
}

bool CfiSection::tellsOfSignals()
{
    for (std::size_t at = 0; at < m_section.bytes.size();) {
        const auto entry = entryAt(at);
        if (!entry || !entry->common) continue;
        if (const auto* shared = common(entry->start); shared && shared->signal) return true;
    }
    return false;
}
} // namespace dscope::symbols
