#pragma once
#include "engine/sema/program.h"
namespace dscope::codegen {
/// True when both compute the same: then one piece of code serves the probes they belong to.
bool same(const sema::ExprPtr& a, const sema::ExprPtr& b);
bool same(const probe::Place& a, const probe::Place& b);
} // namespace dscope::codegen
