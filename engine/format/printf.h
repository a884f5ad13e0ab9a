#pragma once
#include "engine/base/result.h"
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::format {
/// One conversion of a D format string, or literal text between two.
struct Conversion {
    std::string literal;            ///< text before the conversion, %% as % (the lexer has resolved the escapes)
    char verb = 0;                  ///< 0: only the literal
    std::string flags;              ///< of "-+ 0#'", each once; '-' and '0' exclude each other, the later one stays
    static constexpr int kNone = -1;
    static constexpr int kFromArgument = -2; ///< '*': the width's comes before the precision's
    int width = kNone, precision = kNone;
    bool aggregationValue = false;  ///< %@d
    std::string size;               ///< h, l, ll, ...: kept for messages, otherwise the argument's size decides
    std::size_t at = 0;             ///< offset in the format
    int number = 0;                 ///< from 1 as dtrace's messages count them, %% included
    /// "lld": what messages call it.
    std::string name() const { return size + verb; }
};
/// Error names the bad conversion as dtrace does. Used by sema (checks) and by the printer.
/// Widths and precisions above kWidestField are taken as that.
Result<std::vector<Conversion>> parseFormat(std::string_view format);
constexpr int kWidestField = 1 << 24;

/// What a conversion accepts.
enum class Takes : std::uint8_t {
    Integer,   ///< any integer
    Character, ///< an integer of at most int's size (%c, %C)
    Floating,
    Pointer,       ///< pointer or integer (%p)
    KernelAddress, ///< the same, or func(), sym(), mod() (%a)
    UserAddress,   ///< usym(), ufunc(), umod(); with -p or -c also a pointer or integer (%A)
    String,        ///< a string or char array
    WideString,    ///< an array of 4-byte integers
    Stack,
    Time,  ///< an integer of 8 bytes (%Y, %T)
    Exact, ///< the type that `prototype` names, of which an integer of the same size and sign will do
};
/// A conversion of D's printf: what it accepts, and how dtrace names that in messages.
struct ConversionRow {
    std::string_view name; ///< with its size: "d", "lld", "ws"
    Takes takes;
    std::string_view prototype; ///< as dtrace's messages have it: "char, short, int, long, or long long"
};
/// The row of a conversion; parseFormat accepts only those that have one. Null for %%-only literals (verb 0).
const ConversionRow* rowOf(const Conversion& conversion);
} // namespace dscope::format
