#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
/// The words of BPF assembly, shared by the assembler and its inverse. Empty: no such operation.
namespace dscope::bpf::mnemonics {
/// By operation bits >> 4; kEnd has words of its own.
constexpr std::array<std::string_view, 16> kArithmetic{
    "add", "sub", "mul", "div", "or", "and", "lsh", "rsh", "neg", "mod", "xor", "mov", "arsh", "", "", ""};
/// By operation bits >> 4; ja, call and exit have forms of their own.
constexpr std::array<std::string_view, 16> kJumps{
    "", "jeq", "jgt", "jge", "jset", "jne", "jsgt", "jsge", "", "", "jlt", "jle", "jslt", "jsle", "", ""};
/// By size bits >> 3.
constexpr std::array<std::string_view, 4> kSizes{"w", "h", "b", "dw"};
/// By atomic operation >> 4.
constexpr std::array<std::string_view, 16> kAtomics{"add", "", "", "", "or", "and", "", "", "", "", "xor", "", "", "", "xchg", "cmpxchg"};

/// Index of `word` in a table.
template <std::size_t N> std::optional<unsigned> find(const std::array<std::string_view, N>& table, std::string_view word)
{
    if (word.empty()) return {};
    for (unsigned i = 0; i < N; ++i)
        if (table[i] == word) return i;
    return {};
}
} // namespace dscope::bpf::mnemonics
