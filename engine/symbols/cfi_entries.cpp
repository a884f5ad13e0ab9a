#include "engine/symbols/cfi_entries.h"
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

CfiEntries::CfiEntries(ByteView section, std::uint64_t address, FrameRows::Format format)
{
    struct Pending {
        std::size_t common, body;
        ByteView bytes;
    };
    std::vector<Pending> pending;
    const bool eh = format == FrameRows::Format::EhFrame;
    for (std::size_t at = 0; section.size() - at >= 4;) {
        const auto start = at;
        std::uint64_t length = readAt<std::uint32_t>(section, at);
        at += 4;
        const bool wide = length == 0xffffffff;
        if (wide) {
            length = readAt<std::uint64_t>(section, at);
            at = std::min(at + 8, section.size());
        }
        if (length == 0) continue; // a terminator; sections that were linked behind it may follow
        if (length > section.size() - at) break;
        const std::size_t idSize = wide && !eh ? 8 : 4;
        if (length >= idSize) {
            const std::uint64_t id = idSize == 8 ? readAt<std::uint64_t>(section, at) : readAt<std::uint32_t>(section, at);
            const bool isCommon = eh ? id == 0 : id == (idSize == 8 ? ~std::uint64_t{0} : 0xffffffffu);
            const auto body = at + idSize;
            const auto bytes = section.subspan(body, length - idSize);
            if (isCommon) {
                if (const auto entry = commonEntry(DwarfReader(bytes, address + body), format)) m_common.emplace(start, *entry);
            } else if (!eh || id <= at)
                pending.push_back({static_cast<std::size_t>(eh ? at - id : id), body, bytes});
        }
        at += length;
    }
    for (const auto& p : pending) {
        const auto common = m_common.find(p.common);
        if (common == m_common.end()) continue;
        if (const auto entry = functionEntry(DwarfReader(p.bytes, address + p.body), common->second)) m_functions.push_back(*entry);
    }
}
} // namespace dscope::symbols
