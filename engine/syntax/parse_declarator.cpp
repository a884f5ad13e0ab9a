#include "engine/syntax/grammar.h"
#include <algorithm>
#include <iterator>
namespace dscope::syntax {
using Modifier = ast::TypeName::Modifier;

/// C's declarators, read from the outside in and kept from the inside out: `*(*x[3])(int)` is Pointer Function Pointer Array.
Grammar::Declarator Grammar::declarator(DeclaratorRules rules)
{
    const Deeper deeper(*this);
    Declarator read;
    read.at = m_token.at;
    std::size_t pointers = 0;
    while (at("*") && !m_failure) {
        ++pointers;
        advance();
        while (isQualifier(m_token.text))
            advance();
    }
    for (; pointers > 0; --pointers) {
        read.modifiers.push_back({.kind = Modifier::Kind::Pointer});
        read.parameterNames.emplace_back();
    }
    directDeclarator(read, rules);
    return read;
}

void Grammar::directDeclarator(Declarator& into, DeclaratorRules rules)
{
    Declarator inner;
    bool grouped = false;
    if (m_token.isWord() && !isKeyword(m_token.text) && rules.needsName) {
        into.at = m_token.at;
        into.name = name();
    } else if (at("(")) {
        // In an abstract declarator "(" begins either a group or the parameters of a function: `int (*)(int)`, `int (int)`.
        const Token next = peek();
        grouped = next.is("*") || next.is("(") || next.is("[") || (!rules.mayBeAbstract && next.isWord())
            || (rules.needsName && next.isWord() && !isTypeKeyword(next.text) && !isType(next.text));
        if (grouped) {
            advance();
            inner = declarator(rules);
            expect(")");
        } else if (!rules.mayBeAbstract)
            unexpected();
    } else if (!rules.mayBeAbstract) {
        unexpected();
    }

    std::vector<Modifier> suffixes;
    std::vector<std::vector<std::string>> names;
    while (!m_failure && (at("[") || at("("))) {
        Modifier modifier{.kind = at("[") ? Modifier::Kind::Array : Modifier::Kind::Function};
        std::vector<std::string> parameterNames;
        if (at("["))
            arraySuffix(modifier, parameterNames);
        else {
            advance();
            modifier.parameters = parameters(")", parameterNames, modifier.isVariadic);
        }
        if (!m_failure && (modifier.isTuple || modifier.kind == Modifier::Kind::Function))
            object(objectionTo(modifier, parameterNames), into.at);
        suffixes.push_back(std::move(modifier));
        names.push_back(std::move(parameterNames));
    }

    std::reverse(suffixes.begin(), suffixes.end());
    std::reverse(names.begin(), names.end());
    const auto append
        = [](auto& to, auto& from) { to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end())); };
    append(into.modifiers, suffixes);
    append(into.parameterNames, names);
    if (!grouped) return;
    append(into.modifiers, inner.modifiers);
    append(into.parameterNames, inner.parameterNames);
    into.name = std::move(inner.name);
    into.at = inner.at;
}

void Grammar::arraySuffix(Modifier& modifier, std::vector<std::string>& names)
{
    advance();
    if (accept("]")) return;
    const Token next = peek();
    const bool tuple = at("...") || beginsType()
        || (m_token.isWord() && !isKeyword(m_token.text) && (next.isWord() || (next.is(",") && !m_constants.contains(m_token.text))));
    if (tuple) {
        modifier.isTuple = true;
        modifier.parameters = parameters("]", names, modifier.isVariadic);
        return;
    }
    auto count = conditional();
    expect("]");
    if (const auto folded = constant(*count)) {
        if (*folded > UINT32_MAX) fail("D_DECL_ARRBIG", count->at, "array dimension too big");
        if (*folded < 0)
            fail("D_DECL_ARRSUB", count->at,
                "positive integral constant expression or tuple signature expected as array declaration subscript");
        modifier.count = static_cast<std::uint64_t>(*folded);
    }
    if (!constant(*count) || modifier.count == 0) modifier.countExpr = std::move(count);
}

std::vector<ast::TypeName> Grammar::parameters(std::string_view closing, std::vector<std::string>& names, bool& variadic)
{
    const Deeper deeper(*this);
    std::vector<ast::TypeName> all;
    if (accept(closing)) return all;
    do {
        if (accept("...")) {
            variadic = true;
            break;
        }
        auto read = specifiers(m_nested, {.isParameter = true, .withStorage = true});
        auto declared = declarator({.needsName = true, .mayBeAbstract = true});
        read.type.modifiers = std::move(declared.modifiers);
        read.type.at = since(read.type.at);
        names.push_back(std::move(declared.name));
        all.push_back(std::move(read.type));
    } while (!m_failure && accept(","));
    expect(closing);
    return all;
}

ast::TypeName Grammar::typeName()
{
    auto read = specifiers(m_nested, {});
    if (m_failure) return read.type;
    read.type.modifiers = declarator({.mayBeAbstract = true}).modifiers;
    read.type.at = since(read.type.at);
    return read.type;
}
} // namespace dscope::syntax
