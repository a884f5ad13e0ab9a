#pragma once
#include <string_view>
namespace dscope::record {
/// How the source of a program begins that is no D program but another tool's text. Program::isImported says the same; what
/// reads recordings of before that part goes by this.
constexpr std::string_view kImportedFrom = "imported from ";
} // namespace dscope::record
