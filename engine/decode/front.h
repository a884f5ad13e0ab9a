#pragma once
#include "engine/object/object.h"
#include <functional>
#include <span>
namespace dscope::decode {
/// Calls `each` with every key that a CPU has in its slots, and the value there; `perCpu`: what the map holds.
void eachInFront(const object::Object::Front& front, std::span<const std::byte> perCpu,
    const std::function<void(ByteView key, std::span<const std::byte> value)>& each);
} // namespace dscope::decode
