#pragma once
#include "engine/record/record.h"
namespace dscope::format {
/// What a dialect tells people besides what the program prints. DTrace for Linux tells less, and its tests expect that.
struct Manners {
    bool warns = true;          ///< of what is allowed and may be meant otherwise
    bool hints = true;          ///< below an error: the line, and the way out
    bool tellsAllErrors = true; ///< else the first
};
constexpr Manners mannersOf(record::Dialect dialect)
{
    const bool tells = dialect != record::Dialect::DtraceForLinux;
    return {tells, tells, tells};
}
} // namespace dscope::format
