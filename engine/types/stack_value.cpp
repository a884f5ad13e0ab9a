#include "engine/types/stack_value.h"
namespace dscope::types {
namespace {
constexpr const char* kName = "dt_stack_t";
} // namespace

const Type* defineStackValue(TypeTable& table, std::uint32_t frames)
{
    const auto* number = table.integer(4, Sign::Unsigned);
    const auto* addresses = table.arrayOf(table.integer(8, Sign::Unsigned), frames);
    return table.define({.kind = Kind::Struct, .name = kName, .size = StackValue::kAddressesAt + std::uint64_t{8} * frames},
        {{"depth", number, 8 * StackValue::kDepthAt, 0}, {"is_user", number, 8 * StackValue::kIsUserAt, 0},
            {"pid", number, 8 * StackValue::kPidAt, 0}, {"strsz", number, 8 * StackValue::kNameBytesAt, 0},
            {"addrs", addresses, 8 * StackValue::kAddressesAt, 0}});
}

bool isStackValue(const Type* type)
{
    const auto* t = type ? resolved(type) : nullptr;
    return t && t->kind == Kind::Struct && t->name == kName;
}

std::uint32_t framesOfStackValue(const Type* type)
{
    return static_cast<std::uint32_t>((resolved(type)->size - StackValue::kAddressesAt) / 8);
}
} // namespace dscope::types
