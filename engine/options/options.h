#pragma once
#include "engine/base/result.h"
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
namespace dscope::options {
enum class Type : std::uint8_t { Boolean, Number, Size, Rate, Share, Text }; ///< Size in bytes, Rate in nanoseconds, Share in millionths
/// One D option: a row of the table in table.cpp; `-x name=value`, #pragma D option, setopt(), DTRACE_OPT_NAME.
struct Row {
    std::string_view name;
    Type type;
    std::string_view unset; ///< default, as it would be written
    std::string_view summary;
    bool atRunTime = false;        ///< setopt() may change it
    bool notInPrograms = false;    ///< #pragma D option may not ("Option cannot be used from within a D program")
    bool mayBeEmpty = false;       ///< Text: the value may be left out, as in "ustackcache="
    bool repeats = false;          ///< each value adds to those before, a line each: define, incdir
    std::string_view sample = {};  ///< a value for its example, where neither `choices` nor `unset` has one
    std::string_view choices = {}; ///< Text: the only values, separated by blanks; empty: any
    /// Bounds of a Number, a Size, or the number that a Text begins with, and what is said of values beyond; null: that it is invalid.
    std::uint64_t least = 0, most = UINT64_MAX;
    const char* whyNotLess = nullptr;
    const char* whyNotMore = nullptr; ///< Text: also of one that begins with no number
};
std::span<const Row> rows();
const Row* find(std::string_view name);
/// "did you mean strsize?" of a name that no option has; empty where none is near.
std::string meantBy(std::string_view name);
/// How it is set: "#pragma D option bufsize=4m", or where programs may not, "dscope -x cpppath=cpp".
std::string exampleOf(const Row& row);

/// "yes", "off", "enabled", 1, ... in any case; the empty text is yes.
std::optional<bool> parseBoolean(std::string_view text);
/// 12, 0x10, 4k, 1m, 2g, 1t
std::optional<std::uint64_t> parseSize(std::string_view text);
/// Millionths of 5%, 0.1% or 5, which is per cent too: more than nothing and at most all.
std::optional<std::uint64_t> parseShare(std::string_view text);
/// Nanoseconds of 10ms, 1s, 5min, 997hz; a bare number is a frequency per second. 0hz is 0.
std::optional<std::uint64_t> parseRate(std::string_view text);

/// The options of one run. set() refuses unknown names ("Invalid option name") and values that do not parse
/// ("Invalid value for specified option").
class Options {
public:
    Result<> set(std::string_view name, std::string_view value); ///< empty value: a boolean switched on
    /// Every DTRACE_OPT_NAME=value of an environment (null-terminated, as environ). What is no option or does not
    /// parse is passed over, as dtrace does; what is right, but not to be had here, is an error that names the variable.
    Result<> takeEnvironment(const char* const* environment);
    bool isSet(std::string_view name) const; ///< explicitly
    bool flag(std::string_view name) const;
    std::uint64_t number(std::string_view name) const; ///< Number, Size (bytes), Rate (ns), Share (millionths); UINT64_MAX for "unlimited"
    std::string text(std::string_view name) const;     ///< of an option that repeats: its values, a line each
    const std::map<std::string, std::string, std::less<>>& all() const { return m_set; } ///< explicitly set ones

private:
    std::map<std::string, std::string, std::less<>> m_set;
};
} // namespace dscope::options
