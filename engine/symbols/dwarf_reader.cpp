#include "engine/symbols/dwarf_reader.h"
namespace dscope::symbols {
std::optional<std::uint64_t> DwarfReader::pointer(std::uint8_t encoding)
{
    constexpr std::uint8_t kOmit = 0xff, kFormat = 0x0f, kRelation = 0x70, kPcRelative = 0x10, kIndirect = 0x80;
    if (encoding == kOmit) return std::nullopt;
    const auto from = address();
    std::uint64_t value = 0;
    switch (encoding & kFormat) {
    case 0x0: // absptr
    case 0x4: // udata8
    case 0xc: value = get<std::uint64_t>(); break;
    case 0x1: value = unsignedLeb(); break;
    case 0x9: value = static_cast<std::uint64_t>(signedLeb()); break;
    case 0x2: value = get<std::uint16_t>(); break;
    case 0xa: value = static_cast<std::uint64_t>(std::int64_t{get<std::int16_t>()}); break;
    case 0x3: value = get<std::uint32_t>(); break;
    case 0xb: value = static_cast<std::uint64_t>(std::int64_t{get<std::int32_t>()}); break;
    default: fail(); return std::nullopt;
    }

    if (!ok() || (encoding & kIndirect)) return std::nullopt;
    switch (encoding & kRelation) {
    case 0: return value;
    case kPcRelative: return value + from;
    default: return std::nullopt;
    }
}
} // namespace dscope::symbols
