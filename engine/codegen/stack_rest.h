#pragma once
#include "engine/codegen/firing.h"
namespace dscope::codegen {
/// The memory of what emitStackRest() sends.
Map stackRests();
/// Subprogram: sends what the current thread's stack holds from address r1 on, a page's first, as a RawStackRest: r2 bytes at most, and not
/// beyond the mapping that the stack is in. r0 = its number, 0 where nothing was sent.
void emitStackRest(Firing& f);
} // namespace dscope::codegen
