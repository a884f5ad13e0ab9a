#include "engine/base/result.h"
#include "engine/syntax/grammar.h"
#include <cstdio>
namespace dscope::syntax {
/// RESULT NAME ( parameters [, [optional...]] [, ...] ). "@" is the type of an aggregation.
Prototype Grammar::prototype()
{
    Prototype made;
    const auto pointers = [&](ast::TypeName& type) {
        while (accept("*"))
            type.modifiers.push_back({.kind = ast::TypeName::Modifier::Kind::Pointer});
    };

    advance();
    made.result = specifiers(m_nested, {}).type;
    pointers(made.result);
    made.name = name();
    expect("(");
    int optional = 0;
    bool isOptional = false;
    while (!m_failure && !at(")")) {
        if (accept("[")) {
            ++optional;
            isOptional = true;
        }
        if (accept("...")) {
            made.variadic = true;
        } else {
            ast::TypeName type;
            if (m_token.kind == Token::Kind::Aggregation) {
                type.base = "@";
                advance();
            } else {
                type = specifiers(m_nested, {.isParameter = true}).type;
                auto declared = declarator({.needsName = true, .mayBeAbstract = true});
                type.modifiers = std::move(declared.modifiers);
            }
            made.parameters.push_back(std::move(type));
            if (!isOptional) made.required = made.parameters.size();
        }
        for (; optional > 0 && at("]"); --optional)
            advance();
        if (!at(")")) expect(",");
    }

    expect(")");
    if (!ended()) unexpected();
    // C's way of saying "no parameters".
    if (made.parameters.size() == 1 && made.parameters[0].base == "void" && made.parameters[0].modifiers.empty()) {
        made.parameters.clear();
        made.required = 0;
    }
    return made;
}

Prototype parsePrototype(std::string_view text)
{
    Sources sources;
    const auto file = sources.add({{}, std::string(text)});
    Grammar grammar(sources, file, sources.at(file).text, nullptr);
    auto made = grammar.prototype();
    if (grammar.failure()) {
        std::fprintf(stderr, "prototype \"%s\": %s\n", std::string(text).c_str(), grammar.failure()->message.c_str());
        DSCOPE_BUG("malformed prototype");
    }
    return made;
}
} // namespace dscope::syntax
