#pragma once
#include "engine/base/result.h"
#include "engine/record/record.h"
#include <string>
#include <string_view>
#include <vector>
namespace dscope::format {
/// One conversion of a D format string, or literal text between two.
struct Conversion {
    std::string literal;            ///< text before the conversion, escapes resolved, %% as %
    char verb = 0;                  ///< 0: only the literal
    std::string flags;              ///< of "-+ 0#'"
    int width = -1, precision = -1; ///< -1 none, -2 dynamic (*): taken from an argument
    bool aggregationValue = false;  ///< %@d
    std::string size;               ///< h, l, ll, ...: kept for messages, otherwise the argument's size decides
    std::size_t at = 0;             ///< offset in the format
};
/// Error names the bad conversion as dtrace does. Used by sema (checks) and by the printer.
Result<std::vector<Conversion>> parseFormat(std::string_view format);
} // namespace dscope::format
