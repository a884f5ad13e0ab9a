#pragma once
#include "engine/codegen/firing.h"
/// Speculations: speculations.cpp.
namespace dscope::codegen {
/// r0 = the number of a free speculation, which is in use from now on; 0 if there is none.
void newSpeculation(Firing& f);
/// What the clause records from here on goes to the speculation whose number is in the field `at`. The clause ends where
/// that is not in use, or has no room for `size` bytes.
void speculate(Firing& f, std::uint32_t at, std::uint32_t size, Label end);
/// Adds to the number in the field of a commit() or discard() which use of that speculation it ends. Faults when there can
/// be no such speculation.
void endSpeculation(Firing& f, std::uint32_t at);
/// It may be used again.
void freeSpeculation(Firing& f, std::uint32_t at);
} // namespace dscope::codegen
