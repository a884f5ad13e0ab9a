#include "engine/record/value.h"
namespace dscope::record {
std::int64_t integerOf(const Field& field, ByteView bytes)
{
    if (field.kind == FieldKind::Int) {
        switch (field.size) {
        case 1: return readAt<std::int8_t>(bytes, field.offset);
        case 2: return readAt<std::int16_t>(bytes, field.offset);
        case 4: return readAt<std::int32_t>(bytes, field.offset);
        case 8: return readAt<std::int64_t>(bytes, field.offset);
        default: return 0;
        }
    }
    if (field.kind != FieldKind::Uint) return 0;
    switch (field.size) {
    case 1: return readAt<std::uint8_t>(bytes, field.offset);
    case 2: return readAt<std::uint16_t>(bytes, field.offset);
    case 4: return readAt<std::uint32_t>(bytes, field.offset);
    case 8: return readAt<std::int64_t>(bytes, field.offset);
    default: return 0;
    }
}

std::string stringOf(const Field& field, ByteView bytes)
{
    if (field.kind != FieldKind::String) return {};
    return textAt(bytes, field.offset, field.size);
}

StackId stackOf(const Field& field, ByteView bytes) { return StackId{readAt<std::uint32_t>(bytes, field.offset)}; }
} // namespace dscope::record
