#pragma once
#include "engine/codegen/firing.h"
namespace dscope::codegen {
/// r0 = the current process's number << 32 | the thread's, as the user sees them: in a container those of its namespace, 0 for
/// who is in none that can be seen from there. Uses r0..r5.
void currentNumbers(Firing& f);
/// r0 = the number, likewise, of the process that the task at the kernel address in r0 belongs to. Uses r0..r5.
void processNumber(Firing& f);
} // namespace dscope::codegen
