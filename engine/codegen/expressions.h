#pragma once
#include "engine/codegen/firing.h"
/// Integers: integers.cpp, builtins.cpp, virtual_time.cpp, last_error.cpp.
namespace dscope::codegen {
/// r0 = the value, extended from its type to 64 bits. Uses r0..r5. An array or struct gives its address.
void integer(Firing& f, const sema::Expr& e);
/// The same, cut to the bits of the type: for values that are stored, recorded or part of a key.
void stored(Firing& f, const sema::Expr& e);
/// Runs `body` where the expression is not 0, `otherwise` where it is.
void either(Firing& f, const sema::Expr& e, const Builder::Body& body, const Builder::Body& otherwise);
/// Goes to `no` when the expression is 0. Uses r0..r5.
void branchUnless(Firing& f, const sema::Expr& e, Label no);
/// True for what loadCheap() can put into any register without touching others.
bool isCheap(const Firing& f, const sema::Expr& e);
void loadCheap(Firing& f, const sema::Expr& e, Reg into);
/// r0 = a variable that the engine provides.
void builtin(Firing& f, const sema::Expr& e);
/// r0 = argN or args[N], which is computed once a firing.
void argument(Firing& f, const sema::Expr& e);
void timestamp(Firing& f);   ///< r0 = when the probe fired; uses r0..r5
void virtualTime(Firing& f); ///< r0 = vtimestamp: virtual_time.cpp
/// Around a firing, where the program uses vtimestamp: what lies between is not the thread's time. Use r8 and r9, too.
void beginVirtualTime(Firing& f);
void endVirtualTime(Firing& f);
void lastError(Firing& f); ///< r0 = errno: last_error.cpp; uses r0..r5
/// The jump that leaves when a comparison is false.
Cond opposite(ast::Op op, Sign sign);
} // namespace dscope::codegen
