#pragma once
#include "engine/base/diagnostics.h"
#include "engine/syntax/ast.h"
#include <cstdint>
#include <string>
#include <string_view>
/// How far one may rely on what a D program names. Source: Solaris Dynamic Tracing Guide, chapter "Stability".
namespace dscope::sema {
/// The stability of a name, of its data, and the class of machines that it depends on.
struct Attributes {
    // clang-format off
    enum class Level : std::uint8_t { Internal, Private, Obsolete, External, Unstable, Evolving, Stable, Standard };
    enum class Class : std::uint8_t { Unknown, Cpu, Platform, Group, Isa, Common };
    // clang-format on
    Level names = Level::Stable, data = Level::Stable;
    Class dependency = Class::Common;
    bool operator==(const Attributes&) const = default;
};
Attributes least(const Attributes& a, const Attributes& b);
/// "Stable/Evolving/Common", as it is said in messages.
std::string spelled(const Attributes& attributes);
/// What option amin says; all of it the least where that is none.
Attributes attributesFromText(std::string_view text);
/// Is any of `a` less than that of `minimum`?
bool isLess(const Attributes& a, const Attributes& minimum);

/// Of a probe description as written, the least of the parts that it spells out. One whose provider is left open is Unstable.
Attributes attributesOf(const ast::ProbeSpec& spec, std::size_t parts);
/// Of a provider's arguments, args[] and argN.
Attributes argumentAttributes(std::string_view provider);
/// Of the expression itself, without what is below it. `arguments`: of args[].
Attributes attributesOf(const ast::Expr& expr, const Attributes& arguments);

/// What `dtrace -v` tells of a program: its least stable probe description and statement.
std::string stabilityReport(const ast::Program& program, std::size_t parts, std::string_view what);
} // namespace dscope::sema
