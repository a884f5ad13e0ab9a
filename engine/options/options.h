#pragma once
#include "engine/base/result.h"
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
namespace dscope::options {
enum class Type : std::uint8_t { Boolean, Number, Size, Rate, Text };   ///< Size in bytes, Rate in nanoseconds
/// One D option: a row of the table in options.cpp; `-x name=value`, #pragma D option, setopt(), DTRACE_OPT_NAME.
struct Row {
    std::string_view name;
    Type type;
    std::string_view unset;         ///< default, as it would be written
    std::string_view summary;
    bool atRunTime = false;         ///< setopt() may change it
};
std::span<const Row> rows();
/// The options of one run. set() refuses unknown names ("Invalid option name") and values that do not parse
/// ("Invalid value for specified option").
class Options {
public:
    Result<> set(std::string_view name, std::string_view value);    ///< empty value: a boolean switched on
    bool isSet(std::string_view name) const;                        ///< explicitly
    bool flag(std::string_view name) const;
    std::uint64_t number(std::string_view name) const;              ///< Number, Size (bytes), Rate (ns)
    std::string text(std::string_view name) const;
    const std::map<std::string, std::string, std::less<>>& all() const { return m_set; }   ///< explicitly set ones

private:
    std::map<std::string, std::string, std::less<>> m_set;
};
} // namespace dscope::options
