#pragma once
#include "engine/base/result.h"
#include "engine/record/record.h"
#include <string_view>
namespace dscope::text {
/// The stacks of a web page that keeps them as a tree: docs/formats.md, "Packed stacks". `bytes`: inflated. Error: what is wrong in them.
/// Memory is in proportion to the bytes.
Result<record::CountedStacks> packedStacks(std::string_view bytes);
} // namespace dscope::text
