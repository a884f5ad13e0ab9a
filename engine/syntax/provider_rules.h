#pragma once
#include "engine/base/diagnostics.h"
#include "engine/syntax/ast.h"
namespace dscope::syntax {
/// What dtrace asks of the declarations of providers in a text: of names, of probes that are there once, of prototypes that fit each
/// other. The errors bear dtrace's tags and words. Source: what DTrace for Linux 2.0.7 says of such declarations.
void checkProviders(const ast::Program& program, Diagnostics& diagnostics);
} // namespace dscope::syntax
