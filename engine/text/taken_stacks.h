#pragma once
#include "engine/record/record.h"
namespace dscope::text {
/// Stacks that were counted, and what 64 bits could not hold of their values.
struct TakenStacks : record::CountedStacks {
    bool hasOverflown = false; ///< the values add up to more: what is beyond is not in them
    bool isRounded = false;    ///< values have lost decimals
    int decimals = 0;          ///< that are left then
    std::size_t tooSmall = 0;  ///< stacks that are left out, since nothing of their values is left then
    std::size_t below = 0;     ///< stacks that are left out, since their values add up to less than 0
};
} // namespace dscope::text
