#pragma once
#include "engine/record/record.h"
#include <functional>
#include <span>
namespace dscope::record {
/// The stacks that the fields of a payload or a key name, those without frames (0) left out.
void eachStack(std::span<const Field> fields, ByteView bytes, const std::function<void(StackId)>& each);
/// Whether one of the fields is kUnreadableStack.
bool hasUnreadable(std::span<const Field> fields, ByteView bytes);
} // namespace dscope::record
