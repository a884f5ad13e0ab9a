#pragma once
#include "engine/syntax/ast.h"
#include "engine/syntax/source.h"
#include <functional>
#include <optional>
namespace dscope::syntax {
/// What $1, $$1, $target, $pid ... stand for. A macro without a value here is D_MACRO_UNDEF.
struct Macros {
    std::vector<std::string> arguments;                        ///< [0] is $0's value, [1] is $1
    std::vector<std::pair<std::string, std::int64_t>> numbers; ///< "target", "pid", "uid", ...
    bool defaultArgs = false;                                  ///< -x defaultargs: a missing $n is 0 or ""
    bool probeNamesFirst = false;                              ///< -x pspec: "int*" at top level is a probe, not the start of a declaration
    mutable std::optional<Span> zeroTarget = {};               ///< where $target, which is 0, is named first; set by the parser
    mutable bool asksForTarget = false;                        ///< the program asks whether $target is 0, which it is; set by the parser
    mutable std::vector<bool> used;                            ///< by argument; set by the parser
};
/// Whether a name is a type that is defined outside the program: in the kernel, in D libraries.
using IsType = std::function<bool(std::string_view)>;
/// The program in sources.at(file). Macros are replaced by Integer, String or Identifier (in probe names: text).
/// Errors go to `diagnostics` with dtrace's words ("syntax error near \"}\"", D_SYNTAX); what could be read is returned.
/// dtrace stops at the first error, and so does this. Where `isType` is empty, unknown names count as types where they
/// look like one ("vnode_t *v;"); with it, names that it denies are syntax errors there, as they are for dtrace.
ast::Program parse(const Sources& sources, std::uint32_t file, const Macros& macros, Diagnostics& diagnostics, const IsType& isType = {});
/// A single expression: provider descriptions, drill-down predicates. nullptr after an error.
ast::ExprPtr parseExpression(const Sources& sources, std::uint32_t file, Diagnostics& diagnostics);
/// A function prototype: "size_t strlen(string)", "string substr(string, int, [int])". Optional parameters in [].
struct Prototype {
    std::string name;
    ast::TypeName result;
    std::vector<ast::TypeName> parameters;
    std::size_t required = 0;
    bool variadic = false; ///< ends in "..."
};
Prototype parsePrototype(std::string_view text); ///< a bug in our table when malformed: aborts
/// As D text again, canonical spacing; parse(print(p)) prints the same.
std::string print(const ast::Program& program);
std::string print(const ast::Expr& expr);
std::string print(const ast::TypeName& type);
} // namespace dscope::syntax
