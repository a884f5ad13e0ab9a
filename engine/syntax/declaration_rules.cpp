#include "engine/syntax/declaration_rules.h"
#include <algorithm>
namespace dscope::syntax {
using Modifier = ast::TypeName::Modifier;
namespace {
bool isVoid(const ast::TypeName& type) { return type.base == "void" && type.modifiers.empty(); }
bool isAssociative(const ast::TypeName& type) { return !type.modifiers.empty() && type.modifiers.back().isTuple; }
/// Bits of C's integers on the machines we know; 0 for everything else.
std::uint64_t bitsOf(std::string_view base)
{
    if (base.starts_with("unsigned ")) base.remove_prefix(9);
    if (base.starts_with("signed ")) base.remove_prefix(7);
    if (base == "char") return 8;
    if (base == "short") return 16;
    if (base == "int") return 32;
    return base == "long" || base == "long long" ? 64 : 0;
}
bool cannotHoldBits(const ast::TypeName& type)
{
    const std::string_view base = type.base;
    return !type.modifiers.empty() || base == "float" || base == "double" || base == "long double" || base == "string" || base == "void"
        || base.starts_with("struct ") || base.starts_with("union ");
}
} // namespace

std::optional<Objection> objectionTo(const ast::Declaration& variable, std::string_view storage)
{
    const auto& name = variable.name;
    if (name.find('`') != std::string::npos)
        return Objection{"D_DECL_SCOPE", "D scoping operator may not be used in a declaration name (" + name + ")"};
    const auto& modifiers = variable.type.modifiers;
    const bool isFunction = !modifiers.empty() && modifiers.back().kind == Modifier::Kind::Function;
    if (storage == "auto" || storage == "register" || (storage == "static" && !isFunction))
        return Objection{"D_DECL_BADCLASS", "specified storage class not appropriate in D"};
    if (storage == "typedef" || storage == "extern" || modifiers.empty() || modifiers.back().kind != Modifier::Kind::Array)
        return std::nullopt;
    const auto& array = modifiers.back();
    if (!array.isTuple && array.count == 0 && !array.countExpr)
        return Objection{"D_DECL_ARRNULL", "array declaration requires array dimension or tuple signature: " + name};
    if (array.isTuple && storage == "this")
        return Objection{"D_DECL_LOCASSC", "associative arrays may not be declared as local variables: " + name};
    return std::nullopt;
}

std::optional<Objection> objectionTo(const ast::Field& field, bool isBitField)
{
    const std::string name = field.name.empty() ? "(anon)" : field.name;
    if (name.find('`') != std::string::npos)
        return Objection{"D_DECL_SCOPE", "D scoping operator may not be used in a member name (" + name + ")"};
    if (isAssociative(field.type)) return Objection{"D_DECL_DYNOBJ", "cannot have dynamic member: " + name};
    const bool isFunction = !field.type.modifiers.empty() && field.type.modifiers.back().kind == Modifier::Kind::Function;
    if (isVoid(field.type) || isFunction) return Objection{"D_DECL_VOIDOBJ", "cannot have void member: " + name};
    if (!isBitField) return std::nullopt;
    if (cannotHoldBits(field.type)) return Objection{"D_DECL_BFTYPE", "invalid type for bit-field: " + name};
    const auto bits = bitsOf(field.type.base);
    if (field.bits && bits > 0 && *field.bits > bits) return Objection{"D_DECL_BFSIZE", "bit-field too big for type: " + name};
    return std::nullopt;
}

std::optional<Objection> objectionTo(const Modifier& modifier, const std::vector<std::string>& names)
{
    const bool isArray = modifier.kind == Modifier::Kind::Array;
    const std::string kind = isArray ? "array" : "function";
    const auto& types = modifier.parameters;
    bool hasVoid = false;
    for (std::size_t i = 0; i < types.size(); ++i) {
        const std::string name = i < names.size() && !names[i].empty() ? names[i] : "(anonymous)";
        const bool named = i < names.size() && !names[i].empty();
        const auto place = ": " + name + ", parameter #" + std::to_string(i + 1);
        const auto notA = [&](std::string_view what) {
            return Objection{"D_DECL_PROTO_TYPE", kind + " prototype may not use parameter of type " + std::string(what) + place};
        };
        if (isAssociative(types[i])) return notA("dynamic variable");
        if (isVoid(types[i])) {
            hasVoid = true;
            if (isArray) return notA("void");
            if (named) return Objection{"D_DECL_PROTO_NAME", "void parameter may not have a name: " + name};
        }
        if (named
            && std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), name)
                != names.begin() + static_cast<std::ptrdiff_t>(i))
            return Objection{"D_DECL_PROTO_FORM", "parameter is already declared in " + kind + " prototype" + place};
    }

    if (modifier.isVariadic && isArray)
        return Objection{"D_DECL_PROTO_VARARGS", "array prototype may not use a variable-length argument list"};
    if (hasVoid && (types.size() > 1 || modifier.isVariadic)) return Objection{"D_DECL_PROTO_VOID", "void must be sole parameter"};
    return std::nullopt;
}

std::optional<Objection> objectionToArrays(const ast::TypeName& type)
{
    for (std::size_t i = 0; i < type.modifiers.size(); ++i) {
        if (type.modifiers[i].kind != Modifier::Kind::Array) continue;
        if (i == 0 && type.base == "void") return Objection{"D_DECL_VOIDOBJ", "cannot declare array of void"};
        const bool pastArray = i > 0 && type.modifiers[i - 1].kind == Modifier::Kind::Array;
        if (pastArray && type.modifiers[i - 1].isTuple) return Objection{"D_DECL_DYNOBJ", "cannot declare array of associative arrays"};
    }
    return std::nullopt;
}
} // namespace dscope::syntax
