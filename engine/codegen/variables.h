#pragma once
#include "engine/codegen/text.h"
/// Variables of D: variables.cpp.
namespace dscope::codegen {
void loadVariable(Firing& f, const sema::Expr& e);       ///< Variable or Element of integer type
void storeVariable(Firing& f, const sema::Expr& target); ///< r0 into it; r0 stays
/// ++ and --: r0 = what the expression is worth.
void step(Firing& f, const sema::Expr& e);
/// A string variable; NULL where it was never assigned.
Text variableText(Firing& f, const sema::Expr& e);
void storeText(Firing& f, const sema::Expr& target, const Text& value);
/// r0 = address of the storage of a struct or array variable, or of zeros where there is none: a number, with which one may compute.
void variableAddress(Firing& f, const sema::Expr& e);
void storeObject(Firing& f, const sema::Expr& target, const sema::Expr& value);
/// r0 = the storage of a variable, which may be written to; goes to `lost` when there is no room for it. False when that
/// can't happen.
bool writableStorage(Firing& f, const sema::Expr& variable, Label lost);
} // namespace dscope::codegen
