#pragma once
#include <optional>
#include <string>
#include <string_view>
namespace dscope::demangle {
/// A legacy Rust symbol (_ZN...17h<16 hex>E) without its hash; none for anything else.
std::optional<std::string> demangledRustLegacy(std::string_view symbol);
/// A v0 Rust symbol (_R...) without crate hashes; none for anything else or what is malformed, too deep or too long.
/// Source: Rust RFC 2603.
std::optional<std::string> demangledRustV0(std::string_view symbol);
} // namespace dscope::demangle
