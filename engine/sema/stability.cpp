#include "engine/sema/stability.h"
#include "engine/language/language.h"
#include "engine/probe/pattern.h"
#include "engine/sema/builtins.h"
#include "engine/syntax/names.h"
#include <algorithm>
namespace dscope::sema {
namespace {
using enum Attributes::Level;
using Class = Attributes::Class;
using Written = ast::ExprKind;
using probe::kClasses;
using probe::kEvolvingIsa;
using probe::kLevels;
using probe::kPrivate;
constexpr Attributes kDefault{}, kUnstable{Unstable, Unstable, Class::Common};

/// Of the provider that the first part of a description names, as far as it is known before macro variables are: each stands
/// for a number ("pid$target").
probe::Stability stabilityOf(const probe::Registry& registry, std::string_view provider)
{
    if (probe::isGlob(provider)) return {kUnstable, kUnstable, kUnstable, kUnstable, kUnstable};
    auto name = std::string(provider.substr(0, provider.find('$')));
    if (name.size() < provider.size()) name += '1';
    for (const auto& known : registry.providers())
        if (known->serves(name)) return known->stability();
    return {kEvolvingIsa, kPrivate, kPrivate, kEvolvingIsa, kEvolvingIsa}; // nobody's, so no probe's: as most are
}
/// The attributes of a function or variable of D.
Attributes ofWord(std::string_view word)
{
    if (word.find('`') != std::string_view::npos) return kPrivate; // a symbol of the kernel
    const auto* row = language::findWord(word);
    if (!row) return kDefault;
    switch (row->stability) {
    case language::Stability::Stable: break;
    case language::Stability::Evolving: return probe::kEvolving;
    case language::Stability::PrivateData: return {Stable, Private, Class::Common};
    }
    return kDefault;
}
/// A type of the kernel's is private; C's, D's and those of D's libraries are not.
Attributes ofType(const ast::TypeName& type)
{
    const std::string_view base = type.base;
    const bool tagged = base.starts_with("struct ") || base.starts_with("union ") || base.starts_with("enum ");
    const auto first = base.substr(0, base.find(' '));
    return tagged || base.find('`') != std::string_view::npos || !(syntax::isTypeKeyword(first) || syntax::isKnownType(base)) ? kPrivate
                                                                                                                              : kDefault;
}
Attributes ofAll(const ast::Expr& e, const Attributes& arguments)
{
    auto all = attributesOf(e, arguments);
    for (const auto& kid : e.kids)
        if (kid) all = least(all, ofAll(*kid, arguments));
    return all;
}
Attributes ofStatements(const std::vector<ast::Statement>& body, const Attributes& arguments)
{
    Attributes all{Standard, Standard, Class::Common};
    for (const auto& s : body) {
        if (s.expr) all = least(all, ofAll(*s.expr, arguments));
        all = least(least(all, ofStatements(s.then, arguments)), ofStatements(s.otherwise, arguments));
    }
    return all;
}
std::string block(std::string_view what, const Attributes& is)
{
    std::string text = "\n\tMinimum ";
    text += what;
    text += " Attributes\n\t\tIdentifier Names: ";
    text += probe::spelled(is.names);
    text += "\n\t\tData Semantics:   ";
    text += probe::spelled(is.data);
    text += "\n\t\tDependency Class: ";
    text += probe::spelled(is.dependency);
    return text + '\n';
}
} // namespace

Attributes least(const Attributes& a, const Attributes& b)
{
    return {std::min(a.names, b.names), std::min(a.data, b.data), std::min(a.dependency, b.dependency)};
}
bool isLess(const Attributes& a, const Attributes& minimum)
{
    return a.names < minimum.names || a.data < minimum.data || a.dependency < minimum.dependency;
}
std::string spelled(const Attributes& is)
{
    std::string text(probe::spelled(is.names));
    text += '/';
    text += probe::spelled(is.data);
    text += '/';
    return text += probe::spelled(is.dependency);
}
Attributes attributesFromText(std::string_view text)
{
    Attributes is{Internal, Internal, Class::Unknown};
    const auto word = [&] {
        const auto end = std::min(text.find('/'), text.size());
        const auto taken = text.substr(0, end);
        text.remove_prefix(std::min(text.size(), end + 1));
        return taken;
    };
    const auto among = [](const auto& all, std::string_view one) {
        const auto at = std::find(all.begin(), all.end(), one);
        return static_cast<std::uint8_t>(at == all.end() ? 0 : at - all.begin());
    };
    is.names = static_cast<Attributes::Level>(among(kLevels, word()));
    is.data = static_cast<Attributes::Level>(among(kLevels, word()));
    is.dependency = static_cast<Class>(among(kClasses, word()));
    return is;
}

Attributes attributesOf(const probe::Registry& registry, const ast::ProbeSpec& spec, std::size_t parts)
{
    const auto pattern = probe::parsePattern(spec.text, parts);
    if (!pattern) return kUnstable;
    const auto row = stabilityOf(registry, pattern->provider);
    auto is = row.itself;
    if (!probe::isGlob(pattern->module)) is = least(is, row.module);
    if (!probe::isGlob(pattern->function)) is = least(is, row.function);
    if (!probe::isGlob(pattern->name)) is = least(is, row.name);
    return is;
}
Attributes argumentAttributes(const probe::Registry& registry, std::string_view provider)
{
    return stabilityOf(registry, provider).arguments;
}

Attributes attributesOf(const ast::Expr& e, const Attributes& arguments)
{
    auto is = kDefault;
    if (e.kind == Written::Identifier) is = findArray(e.text) == BuiltinArray::Arguments ? arguments : ofWord(e.text);
    if (e.kind == Written::Call) is = ofWord(e.text);
    return e.typeName ? least(is, ofType(*e.typeName)) : is;
}

std::string stabilityReport(const probe::Registry& registry, const ast::Program& program, std::size_t parts, std::string_view what)
{
    Attributes descriptions{Standard, Standard, Class::Common}, statements = descriptions;
    bool any = false;
    for (const auto& item : program.items) {
        const auto* clause = std::get_if<ast::Clause>(&item.is);
        if (!clause) continue;
        for (const auto& spec : clause->probes) {
            any = true;
            const auto pattern = probe::parsePattern(spec.text, parts);
            const auto arguments = argumentAttributes(registry, pattern ? std::string_view(pattern->provider) : std::string_view());
            descriptions = least(descriptions, attributesOf(registry, spec, parts));
            statements = least(statements, clause->body.empty() ? kDefault : ofStatements(clause->body, arguments));
            if (clause->predicate) statements = least(statements, ofAll(*clause->predicate, arguments));
        }
    }
    if (!any) descriptions = statements = kDefault;
    return "\nStability attributes for " + std::string(what) + ":\n" + block("Probe Description", descriptions)
        + block("Statement", statements) + '\n';
}
} // namespace dscope::sema
