#pragma once
#include "engine/base/diagnostics.h"
#include "engine/probe/registry.h"
#include "engine/probe/stability.h"
#include "engine/syntax/ast.h"
#include <string>
#include <string_view>
/// How far one may rely on what a D program names. Source: Solaris Dynamic Tracing Guide, chapter "Stability".
namespace dscope::sema {
using probe::Attributes;
Attributes least(const Attributes& a, const Attributes& b);
/// "Stable/Evolving/Common", as it is said in messages.
std::string spelled(const Attributes& attributes);
/// What option amin says; all of it the least where that is none.
Attributes attributesFromText(std::string_view text);
/// Is any of `a` less than that of `minimum`?
bool isLess(const Attributes& a, const Attributes& minimum);

/// Of a probe description as written, the least of the parts that it spells out. One whose provider is left open is Unstable.
Attributes attributesOf(const probe::Registry& registry, const ast::ProbeSpec& spec, std::size_t parts);
/// Of a provider's arguments, args[] and argN.
Attributes argumentAttributes(const probe::Registry& registry, std::string_view provider);
/// Of the expression itself, without what is below it. `arguments`: of args[].
Attributes attributesOf(const ast::Expr& expr, const Attributes& arguments);

/// What `dtrace -v` tells of a program: its least stable probe description and statement.
std::string stabilityReport(
    const probe::Registry& registry, const ast::Program& program, std::size_t parts, std::string_view what);
} // namespace dscope::sema
