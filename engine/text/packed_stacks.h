#pragma once
#include "engine/base/result.h"
#include "engine/record/record.h"
#include <string_view>
namespace dscope::text {
/// The stacks of a web page that keeps them as a tree: docs/formats.md, "Packed stacks". `bytes`: inflated. Error: what is wrong in them;
/// whatever they are, no more memory is taken than `most` bytes of folded text need.
Result<record::FoldedStacks> packedStacks(std::string_view bytes, std::size_t most);
} // namespace dscope::text
