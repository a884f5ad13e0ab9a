#include "engine/sema/stability.h"
#include "engine/language/language.h"
#include "engine/probe/pattern.h"
#include "engine/syntax/names.h"
#include <algorithm>
#include <array>
namespace dscope::sema {
namespace {
using enum Attributes::Level;
using Class = Attributes::Class;
using Written = ast::ExprKind;
constexpr std::array<std::string_view, 8> kLevels{
    "Internal", "Private", "Obsolete", "External", "Unstable", "Evolving", "Stable", "Standard"};
constexpr std::array<std::string_view, 6> kClasses{"Unknown", "CPU", "Platform", "Group", "ISA", "Common"};
constexpr Attributes kDefault{}, kHidden{Private, Private, Class::Unknown}, kHiddenIsa{Private, Private, Class::Isa};
constexpr Attributes kEvolving{Evolving, Evolving, Class::Common}, kEvolvingIsa{Evolving, Evolving, Class::Isa};
constexpr Attributes kUnstable{Unstable, Unstable, Class::Common}, kUnstableModule{Unstable, Unstable, Class::Unknown};

struct Row {
    std::string_view provider;
    Attributes itself, module, function, name, arguments;
};
// Source: the "Stability" section of each provider's chapter in the Solaris Dynamic Tracing Guide; DTrace for Linux for the
// providers that only it has.
constexpr Row kRows[] = {
    {"dtrace", kDefault, kHidden, kHidden, kDefault, kDefault},
    {"syscall", kEvolving, kHidden, kHiddenIsa, kEvolving, kHiddenIsa},
    {"profile", kEvolving, kUnstableModule, kHidden, kEvolving, kEvolving},
    {"cpc", kEvolving, kUnstableModule, kHidden, kEvolving, kEvolving},
    {"fbt", kEvolving, kHidden, kHiddenIsa, kEvolving, kHiddenIsa},
    {"rawfbt", kEvolving, kHidden, kHiddenIsa, kEvolving, kHiddenIsa},
    {"sdt", kEvolvingIsa, kHidden, kHidden, kHiddenIsa, kHiddenIsa},
    {"rawtp", kEvolvingIsa, kHidden, kHidden, kHiddenIsa, kHiddenIsa},
};
/// proc, sched, io, ip, tcp, udp, lockstat, sysinfo, vminfo.
constexpr Row kKernel{"", kEvolvingIsa, kHidden, kHidden, kEvolvingIsa, kEvolvingIsa};
/// pid<N> and USDT.
constexpr Row kProcess{"", kEvolvingIsa, kHidden, kHidden, kEvolvingIsa, kHidden};
constexpr Row kOpen{"", kUnstable, kUnstable, kUnstable, kUnstable, kUnstable};

const Row& rowOf(std::string_view provider)
{
    if (probe::isGlob(provider)) return kOpen;
    const auto* row = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& r) { return r.provider == provider; });
    if (row != std::end(kRows)) return *row;
    const char last = provider.back();
    return (last >= '0' && last <= '9') || provider.find('$') != std::string_view::npos ? kProcess : kKernel;
}
/// The attributes of a function or variable of D.
Attributes ofWord(std::string_view word)
{
    if (word.find('`') != std::string_view::npos) return kHidden; // a symbol of the kernel
    const auto* row = language::findWord(word);
    if (!row) return kDefault;
    switch (row->stability) {
    case language::Stability::Stable: break;
    case language::Stability::Evolving: return kEvolving;
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
    return tagged || base.find('`') != std::string_view::npos || !(syntax::isTypeKeyword(first) || syntax::isKnownType(base)) ? kHidden
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
    text += kLevels[static_cast<std::size_t>(is.names)];
    text += "\n\t\tData Semantics:   ";
    text += kLevels[static_cast<std::size_t>(is.data)];
    text += "\n\t\tDependency Class: ";
    text += kClasses[static_cast<std::size_t>(is.dependency)];
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
    std::string text(kLevels[static_cast<std::size_t>(is.names)]);
    text += '/';
    text += kLevels[static_cast<std::size_t>(is.data)];
    text += '/';
    return text += kClasses[static_cast<std::size_t>(is.dependency)];
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

Attributes attributesOf(const ast::ProbeSpec& spec, std::size_t parts)
{
    const auto pattern = probe::parsePattern(spec.text, parts);
    if (!pattern) return kUnstable;
    const auto& row = rowOf(pattern->provider);
    auto is = row.itself;
    if (!probe::isGlob(pattern->module)) is = least(is, row.module);
    if (!probe::isGlob(pattern->function)) is = least(is, row.function);
    if (!probe::isGlob(pattern->name)) is = least(is, row.name);
    return is;
}
Attributes argumentAttributes(std::string_view provider) { return rowOf(provider).arguments; }

Attributes attributesOf(const ast::Expr& e, const Attributes& arguments)
{
    auto is = kDefault;
    if (e.kind == Written::Identifier) is = e.text == "args" ? arguments : ofWord(e.text);
    if (e.kind == Written::Call) is = ofWord(e.text);
    return e.typeName ? least(is, ofType(*e.typeName)) : is;
}

std::string stabilityReport(const ast::Program& program, std::size_t parts, std::string_view what)
{
    Attributes descriptions{Standard, Standard, Class::Common}, statements = descriptions;
    bool any = false;
    for (const auto& item : program.items) {
        const auto* clause = std::get_if<ast::Clause>(&item.is);
        if (!clause) continue;
        for (const auto& spec : clause->probes) {
            any = true;
            const auto pattern = probe::parsePattern(spec.text, parts);
            const auto arguments = argumentAttributes(pattern ? std::string_view(pattern->provider) : std::string_view());
            descriptions = least(descriptions, attributesOf(spec, parts));
            statements = least(statements, clause->body.empty() ? kDefault : ofStatements(clause->body, arguments));
            if (clause->predicate) statements = least(statements, ofAll(*clause->predicate, arguments));
        }
    }
    if (!any) descriptions = statements = kDefault;
    return "\nStability attributes for " + std::string(what) + ":\n" + block("Probe Description", descriptions)
        + block("Statement", statements) + '\n';
}
} // namespace dscope::sema
