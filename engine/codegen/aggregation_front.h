#pragma once
#include "engine/codegen/firing.h"
namespace dscope::codegen {
/// r0 = what the current CPU's slot for the key in scratch memory has for it; goes to `elsewhere` where the slot is another key's. Uses
/// r0..r3.
void findInFront(Firing& f, const Object::Front& front, std::uint32_t key, Label elsewhere);
} // namespace dscope::codegen
