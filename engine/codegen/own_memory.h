#pragma once
#include "engine/codegen/memory.h"
#include "engine/codegen/text.h"
/// Which of a program's own memory its pointers may reach: what this firing was given, and no byte that an earlier one left.
namespace dscope::codegen {
Lead leadOf(const Unit& unit, const sema::Expr& pointer);
/// The same of the object that an lvalue names.
Lead leadOfPlace(const Unit& unit, const sema::Expr& lvalue);
/// Faults (invalid address) unless the `size` bytes at the kernel address r0 are none of our own memory or were given to this firing.
/// 0: one or more bytes, of which endWithGiven() says how many. Keeps r0, uses r1..r5.
void stayInGiven(Firing& f, Lead lead, std::uint32_t size);
/// r2, how many bytes at r0 are to be read, becomes less where they were given and reach beyond that. Keeps r0, uses r3, r4.
void endWithGiven(Firing& f);
/// Whether a program can have the addresses of its own memory.
bool exposesOwnMemory(const sema::Program& program);
} // namespace dscope::codegen
