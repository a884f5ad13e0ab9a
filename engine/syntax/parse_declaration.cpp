#include "engine/syntax/grammar.h"
namespace dscope::syntax {
using ast::Declaration;

void Grammar::declaration(Declarations& into)
{
    const auto begin = m_token.at;
    const bool inClause = at("this") || at("self") ? m_depth > 0 : false;
    const auto read = specifiers(into, {.withStorage = true});
    const auto end = [&] {
        if (!inClause) m_mode = Mode::Probe;
        if (inClause && at("}")) return;
        if (!at(";")) {
            m_mode = Mode::Expression;
            unexpected();
        }
        advance();
    };

    if (at(";")) {
        const bool tagged
            = read.type.base.starts_with("struct ") || read.type.base.starts_with("union ") || read.type.base.starts_with("enum ");
        if (!tagged) fail("D_DECL_USELESS", told(read.type.at), "useless declaration");
        if (tagged && (into.empty() || into.back().name != read.type.base.substr(read.type.base.find(' ') + 1))) {
            Declaration forward;
            forward.kind = read.type.base[0] == 's' ? Declaration::Kind::Struct
                : read.type.base[0] == 'u'          ? Declaration::Kind::Union
                                                    : Declaration::Kind::Enum;
            forward.name = read.type.base.substr(read.type.base.find(' ') + 1);
            forward.complete = false;
            forward.at = since(begin);
            into.push_back(std::move(forward));
        }
        end();
        return;
    }

    do {
        auto declared = declarator({.needsName = true});
        if (m_failure) return;
        Declaration made;
        made.kind = read.storage == "typedef" ? Declaration::Kind::Typedef : Declaration::Kind::Variable;
        made.scope = read.storage == "this" ? ast::Scope::This : read.storage == "self" ? ast::Scope::Self : ast::Scope::Global;
        made.name = declared.name;
        made.type = read.type;
        made.type.modifiers = std::move(declared.modifiers);
        made.isExtern = read.storage == "extern";
        made.at = since(begin);
        object(objectionToArrays(made.type), declared.at);
        object(objectionTo(made, read.storage), declared.at);
        if (made.kind == Declaration::Kind::Typedef) {
            if (!m_typedefs.insert(made.name).second) fail("D_DECL_IDRED", told(declared.at), "typedef redeclared: " + made.name);
        } else if (made.scope == ast::Scope::Global)
            m_variables.insert(made.name);
        into.push_back(std::move(made));
    } while (accept(","));
    end();
}

void Grammar::inlineDefinition(Declarations& into)
{
    const auto begin = m_token.at;
    Declaration made;
    made.kind = Declaration::Kind::Inline;
    advance();
    auto read = specifiers(into, {.withStorage = true});
    auto declared = declarator({.needsName = true});
    if (m_failure) return;
    made.name = std::move(declared.name);
    made.type = std::move(read.type);
    if (!declared.modifiers.empty() && declared.modifiers.back().isTuple) {
        auto& keys = declared.modifiers.back().parameters;
        for (std::size_t i = 0; i < keys.size(); ++i)
            made.tuple.emplace_back(declared.parameterNames.back()[i], std::move(keys[i]));
        declared.modifiers.pop_back();
    }

    made.type.modifiers = std::move(declared.modifiers);
    m_variables.insert(made.name);
    expect("=");
    made.init = assignment();
    if (const auto value = constant(*made.init); value && made.tuple.empty()) m_constants[made.name] = *value;
    made.at = since(begin);
    m_mode = Mode::Probe;
    if (!at(";")) m_mode = Mode::Expression;
    expect(";");
    if (!m_failure) into.push_back(std::move(made));
}

/// translator OUT < IN NAME > { member = expression; ... };
void Grammar::translator(Declarations& into)
{
    const auto begin = m_token.at;
    Declaration made;
    made.kind = Declaration::Kind::Translator;
    advance();
    made.type = typeName();
    expect("<");
    auto read = specifiers(m_nested, {});
    auto declared = declarator({.needsName = true});
    made.inputType = std::move(read.type);
    made.inputType.modifiers = std::move(declared.modifiers);
    made.inputName = std::move(declared.name);
    m_variables.insert(made.inputName);
    expect(">");
    expect("{");
    while (!m_failure && !at("}")) {
        auto member = name();
        expect("=");
        auto value = assignment();
        expect(";");
        made.items.emplace_back(std::move(member), std::move(value));
    }

    expect("}");
    made.at = since(begin);
    if (at(";")) m_mode = Mode::Probe;
    expect(";");
    if (!m_failure) into.push_back(std::move(made));
}

/// provider NAME { probe NAME(types) [: (types)]; ... };   for dtrace -h
void Grammar::provider(Declarations& into)
{
    const auto begin = m_token.at;
    Declaration made;
    made.kind = Declaration::Kind::Provider;
    advance();
    made.name = name();
    expect("{");
    const auto list = [&](auto& to) {
        std::vector<std::string> names;
        bool variadic = false;
        expect("(");
        auto types = parameters(")", names, variadic);
        for (std::size_t i = 0; i < types.size(); ++i)
            to.emplace_back(std::move(names[i]), std::move(types[i]));
        if (variadic && !m_failure)
            fail("D_DECL_PROTO_VARARGS", since(begin), "probe input prototype may not use a variable-length argument list");
    };
    while (!m_failure && !at("}")) {
        Declaration::ProviderProbe probe;
        probe.at = m_token.at;
        expect("probe");
        probe.name = name();
        list(probe.args);
        if (accept(":")) {
            probe.isTranslated = true;
            list(probe.translated);
        }
        expect(";");
        probe.at = since(probe.at);
        made.probes.push_back(std::move(probe));
    }

    expect("}");
    made.at = since(begin);
    if (at(";")) m_mode = Mode::Probe;
    expect(";");
    if (!m_failure) into.push_back(std::move(made));
}
} // namespace dscope::syntax
