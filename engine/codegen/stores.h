#pragma once
#include "engine/codegen/firing.h"
/// Writing to memory: stores.cpp.
namespace dscope::codegen {
/// r0 = where the `size` bytes of the Member or Dereference `target` may be written: inside a variable, or what alloca()
/// gave out; anything else faults. Goes to `lost` when there is no room for the variable; false when that can't happen.
bool writable(Firing& f, const sema::Expr& target, std::uint32_t size, Label lost);
void storeMemory(Firing& f, const sema::Expr& target); ///< r0 into it; r0 stays
/// Copies `size` bytes from scratch memory into it.
void storeMemory(Firing& f, const sema::Expr& target, std::uint32_t from, std::uint32_t size);
/// r0, a pointer of the verifier's, becomes a number.
void asNumber(Firing& f, Reg pointer);
} // namespace dscope::codegen
