#pragma once
#include "engine/syntax/ast.h"
#include <optional>
#include <string>
#include <string_view>
namespace dscope::syntax {
/// What dtrace has against a declaration, as far as its form alone tells; types are looked at in sema.
struct Objection {
    std::string_view tag;
    std::string message;
};
std::optional<Objection> objectionTo(const ast::Declaration& variable, std::string_view storage);
/// `isBitField`: with a width, named or not.
std::optional<Objection> objectionTo(const ast::Field& field, bool isBitField);
/// The parameters of a Function, or the tuple of an associative array; `names` in step, empty where unnamed.
std::optional<Objection> objectionTo(const ast::TypeName::Modifier& modifier, const std::vector<std::string>& names);
/// Arrays of void, and arrays of associative arrays.
std::optional<Objection> objectionToArrays(const ast::TypeName& type);
} // namespace dscope::syntax
