#include "engine/syntax/provider_rules.h"
#include "engine/syntax/parser.h"
#include <algorithm>
#include <map>
#include <set>
namespace dscope::syntax {
namespace {
using ast::Declaration;
using Parameters = std::vector<std::pair<std::string, ast::TypeName>>;
constexpr std::size_t kMostLetters = 63;

bool isPointer(const ast::TypeName& type) { return !type.modifiers.empty() || type.base == "string"; }
bool isStruct(const ast::TypeName& type) { return type.base.starts_with("struct ") || type.base.starts_with("union "); }
bool isVoid(const ast::TypeName& type) { return type.base == "void" && type.modifiers.empty(); }
const ast::TypeName* find(const Parameters& all, const std::string& name)
{
    const auto at = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.first == name; });
    return at == all.end() ? nullptr : &at->second;
}

/// Gives what is wrong with a declaration, one thing at most.
class Rules {
public:
    Rules(const Declaration& provider, Diagnostics& diagnostics) : m_provider(provider), m_diagnostics(diagnostics) { }

    void check(std::set<std::string>* before)
    {
        const auto& name = m_provider.name;
        if (name.size() > kMostLetters)
            return wrong(
                "D_PROV_BADNAME", m_provider.at, "provider name may not exceed " + std::to_string(kMostLetters) + " characters: " + name);
        if (name.back() >= '0' && name.back() <= '9')
            return wrong("D_PROV_BADNAME", m_provider.at, "provider name may not end with a digit: " + name);
        std::set<std::string> names;
        for (const auto& probe : m_provider.probes) {
            const auto full = name + ":::" + probe.name;
            if (probe.name.size() > kMostLetters)
                return wrong("D_PROV_BADNAME", probe.at,
                    "probe name may not exceed " + std::to_string(kMostLetters) + " characters: ::" + probe.name);
            if (!names.insert(probe.name).second) return wrong("D_PROV_PRDUP", probe.at, "probe redeclared: " + full);
            if (before && !before->contains(probe.name))
                return wrong("D_PROV_INCOMPAT", probe.at,
                    "provider interface mismatch: " + name + "\n\t current: probe " + full + " defined\n\tprevious: probe " + full
                        + " not defined");
            if (!parameters(probe, full)) return;
        }
    }

private:
    void wrong(std::string_view tag, Span at, std::string message) { m_diagnostics.error(tag, at, std::move(message)); }

    bool parameters(const Declaration::ProviderProbe& probe, const std::string& full)
    {
        const auto refuse = [&](std::string_view tag, std::string message) {
            wrong(tag, probe.at, std::move(message));
            return false;
        };

        for (const auto* list : {&probe.args, &probe.translated}) {
            bool hasVoid = false;
            for (const auto& [name, type] : *list) {
                if (!isVoid(type)) continue;
                if (!name.empty()) return refuse("D_DECL_PROTO_NAME", "void parameter may not have a name: " + name);
                hasVoid = true;
            }
            if (hasVoid && list->size() > 1) return refuse("D_DECL_PROTO_VOID", "void must be sole parameter");
        }

        for (std::size_t i = 0; i < probe.args.size(); ++i) {
            const auto number = std::to_string(i + 1);
            const auto& name = probe.args[i].first;
            // Arguments that tracers see in another order are named, or nobody knows which is which.
            if (name.empty() && probe.isTranslated)
                return refuse("D_DECL_PROTO_NAME", "parameter declaration requires a name: parameter #" + number);
            if (!name.empty() && find(probe.args, name) != &probe.args[i].second)
                return refuse(
                    "D_DECL_PROTO_FORM", "parameter is already declared in probe input prototype: " + name + ", parameter #" + number);
        }

        for (std::size_t i = 0; i < probe.translated.size(); ++i) {
            const auto number = std::to_string(i + 1);
            const auto& [name, type] = probe.translated[i];
            if (name.empty()) return refuse("D_DECL_PROTO_NAME", "parameter declaration requires a name: parameter #" + number);
            const auto* from = find(probe.args, name);
            if (!from)
                return refuse(
                    "D_DECL_PROTO_FORM", "parameter is not declared in probe output prototype: " + name + ", parameter #" + number);
            if (isPointer(*from) != isPointer(type) && !isStruct(*from) && !isStruct(type))
                return refuse("D_PROV_PRXLATOR",
                    "translator for " + full + " output argument #" + number + " from " + print(*from) + " to " + print(type)
                        + " is not defined");
        }
        return true;
    }

    const Declaration& m_provider;
    Diagnostics& m_diagnostics;
};
} // namespace

void checkProviders(const ast::Program& program, Diagnostics& diagnostics)
{
    std::map<std::string, std::set<std::string>> known;
    for (const auto& item : program.items) {
        const auto* provider = std::get_if<Declaration>(&item.is);
        if (!provider || provider->kind != Declaration::Kind::Provider || provider->name.empty()) continue;
        const auto before = known.find(provider->name);
        Rules(*provider, diagnostics).check(before == known.end() ? nullptr : &before->second);
        if (!diagnostics.ok()) return;
        for (const auto& probe : provider->probes)
            known[provider->name].insert(probe.name);
    }
}
} // namespace dscope::syntax
