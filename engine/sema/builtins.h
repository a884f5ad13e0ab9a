#pragma once
#include "engine/sema/program.h"
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
namespace dscope::sema {
/// One variable that the machine gives: its row of engine/language, and what it means.
struct BuiltinRow {
    std::string_view name;
    Builtin builtin;
    std::string_view type;
};
std::span<const BuiltinRow> builtinRows();
const BuiltinRow* findBuiltin(std::string_view name);
/// What D provides as an array. `raw` is known in the descriptions of providers alone; files are made of D.
enum class BuiltinArray : std::uint8_t { Arguments, Raw, UserRegisters, Files };
std::optional<BuiltinArray> findArray(std::string_view name);
/// n of "arg0" to "arg9"; -1 for any other name.
int argumentNumber(std::string_view name);
} // namespace dscope::sema
