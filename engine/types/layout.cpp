#include "engine/types/layout.h"
#include <algorithm>
namespace dscope::types {
namespace {
constexpr std::uint64_t kBits = 8;
std::uint64_t roundedUp(std::uint64_t value, std::uint64_t unit) { return (value + unit - 1) / unit * unit; }
} // namespace

Layout layOut(TypeTable& table, Kind structOrUnion, std::span<const FieldDeclaration> fields)
{
    Layout layout;
    std::uint64_t next = 0, end = 0; // bits
    for (const auto& f : fields) {
        const auto alignment = table.alignment(f.type);
        const auto unit = f.type->size * kBits;
        std::uint64_t at = next;
        if (f.bits) {
            // A bit-field never straddles two units of its declared type.
            if (*f.bits == 0 || (at % unit) + *f.bits > unit) at = roundedUp(at, unit);
        } else {
            at = roundedUp(at, alignment * kBits);
        }
        const auto width = f.bits ? *f.bits : unit;
        if (structOrUnion == Kind::Struct) next = at + width;
        end = std::max(end, at + width);
        // Unnamed bit-fields fill space, and do not align the struct.
        if (!f.bits || !f.name.empty()) {
            layout.alignment = std::max(layout.alignment, alignment);
            layout.members.push_back({f.name, f.type, static_cast<std::uint32_t>(at), f.bits.value_or(std::uint8_t{0})});
        }
    }
    layout.size = roundedUp(roundedUp(end, kBits) / kBits, layout.alignment);
    return layout;
}
} // namespace dscope::types
