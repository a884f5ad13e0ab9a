#pragma once
#include <string>
#include <string_view>
namespace dscope::symbols {
/// A C++ (Itanium ABI) or Rust (legacy and v0) symbol as its author wrote it; anything else unchanged.
std::string demangled(std::string_view symbol);
} // namespace dscope::symbols
