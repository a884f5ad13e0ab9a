#pragma once
#include "engine/base/bytes.h"
#include "engine/record/record.h"
#include <string>
/// print(): an object as C would initialize it. What it consists of stands in the action's layout.
namespace dscope::format {
/// "0xADDR = *", then the object; of its first `most` bytes, what is not zero.
std::string objectText(const record::Action& action, ByteView payload, std::size_t most);
} // namespace dscope::format
