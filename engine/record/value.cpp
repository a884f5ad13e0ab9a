#include "engine/record/value.h"
#include <algorithm>
namespace dscope::record {
namespace {
/// A word as an unsigned type of `size` bytes has it, if that holds it with one sign or the other. 0: as it is.
std::int64_t asShown(std::int64_t word, std::uint8_t size)
{
    if (size == 0 || size >= sizeof word) return word;
    const auto bits = 8U * size;
    const auto limit = std::int64_t{1} << bits;
    return word >= -(limit / 2) && word < limit ? word & (limit - 1) : word;
}
} // namespace

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
    case 8: return asShown(readAt<std::int64_t>(bytes, field.offset), field.shownSize);
    default: return 0;
    }
}

std::string stringOf(const Field& field, ByteView bytes)
{
    if (field.kind != FieldKind::String) return {};
    return textAt(bytes, field.offset, field.size);
}

std::string comparable(std::span<const Field> fields, ByteView key)
{
    std::string all;
    for (const auto& field : fields) {
        if (field.kind == FieldKind::String) {
            all += stringOf(field, key) + '\0';
        } else if (field.offset <= key.size()) {
            const auto part = key.subspan(field.offset, std::min<std::size_t>(field.size, key.size() - field.offset));
            all.append(reinterpret_cast<const char*>(part.data()), part.size());
        }
    }
    return all;
}

StackId stackOf(const Field& field, ByteView bytes) { return StackId{readAt<std::uint32_t>(bytes, field.offset)}; }
} // namespace dscope::record
