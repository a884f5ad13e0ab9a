#include "engine/sema/analyser.h"
#include "engine/sema/no_match.h"
#include <algorithm>
/// Probe descriptions against the registry, and what providers tell of the probes that clauses enable.
namespace dscope::sema {
namespace {
/// Sets members for one analysis in a provider's context, and back.
struct ProviderContext {
    const Bindings*& bindings;
    Where& where;
    ClauseState*& clause;
    const Bindings* oldBindings;
    Where oldWhere;
    ClauseState* oldClause;

    ProviderContext(const Bindings*& b, Where& w, ClauseState*& c)
        : bindings(b), where(w), clause(c), oldBindings(std::exchange(b, nullptr)), oldWhere(std::exchange(w, Where::Provider)),
          oldClause(std::exchange(c, nullptr))
    {
    }

    ~ProviderContext()
    {
        bindings = oldBindings;
        where = oldWhere;
        clause = oldClause;
    }

    ProviderContext(const ProviderContext&) = delete;
    ProviderContext& operator=(const ProviderContext&) = delete;
};
} // namespace

std::optional<Analyser::Matched> Analyser::match(const ast::ProbeSpec& spec, bool bare)
{
    const std::size_t parts = m_sources.at(spec.at.file).parts;
    if (!spec.text.empty() && spec.text.find_first_not_of("0123456789") == std::string::npos) {
        if (parts < 4) {
            static constexpr std::string_view kParts[] = {"providers", "modules", "functions"};
            error("D_PDESC_INVAL", spec.at, "probe identifier ", spec.text, " not permitted when specifying ", kParts[parts - 1]);
            return std::nullopt;
        }
        const auto id = std::strtoull(spec.text.c_str(), nullptr, 10);
        const auto probe = id <= 0xffffffff ? m_environment.probes.byId(ProbeId{static_cast<std::uint32_t>(id)}) : std::nullopt;
        if (!probe) {
            error("D_PDESC_INVAL", spec.at, "invalid probe identifier ", spec.text, ": Unknown probe identifier");
            return std::nullopt;
        }
        m_program.described.push_back({probe->name.provider, probe->name.module, probe->name.function, probe->name.name});
        return Matched{probe->name.spelled(), {*probe}};
    }

    const auto pattern = probe::parsePattern(spec.text, parts);
    if (!pattern) {
        error("D_PDESC_INVAL", spec.at, "invalid probe description \"", spec.text, "\": ", pattern.error().message);
        return std::nullopt;
    }

    m_program.described.push_back(*pattern);
    const auto described = probe::Name{pattern->provider, pattern->module, pattern->function, pattern->name}.spelled();
    if (bare && m_environment.listing) return Matched{described, {}};
    for (const auto& provider : m_environment.probes.providers())
        if (provider->onDemand() && (provider->serves(pattern->provider) || provider->mayServe(pattern->provider)))
            m_program.mayGrow = true;
    const NoMatch noMatch(m_environment.probes, m_environment.host, NoMatch::Waits::WithZ);
    auto found = m_environment.probes.match(*pattern);
    if (!found) {
        const auto& why = found.error();
        auto& d = m_diagnostics.error(why.tag.empty() ? "D_PDESC_INVAL" : why.tag, spec.at, why.message);
        for (auto& reason : noMatch.reasons(*pattern))
            d.hints.push_back(std::move(reason));
        return std::nullopt;
    }

    if (found->empty())
        if (const auto meant = otherMeaning(m_environment.probes, *pattern)) {
            auto again = m_environment.probes.match(*meant);
            if (again && !again->empty()) {
                m_program.described.back() = *meant;
                return Matched{probe::Name{meant->provider, meant->module, meant->function, meant->name}.spelled(), *std::move(again)};
            }
        }
    const bool mayBeNone = m_environment.allowNoMatch || m_environment.listing || m_program.options.flag("zdefs");
    if (found->empty() && !mayBeNone) {
        m_someClauseSkipped = true;
        auto& d = m_diagnostics.error("D_PDESC_ZERO", spec.at, text("probe description ", described, " does not match any probes"));
        for (auto& hint : noMatch.hints(*pattern, spec.text))
            d.hints.push_back(std::move(hint));
        return std::nullopt;
    }
    noteRenamedCall(*pattern, spec.at, found->empty() ? Found::None : Found::Some);
    return Matched{described, *std::move(found)};
}

const probe::Description* Analyser::describe(const probe::Registry::Probe& probe, Span at, Types types)
{
    auto& slot = m_descriptions[probe.id.value];
    if (!slot) {
        auto described = m_environment.probes.describe(probe);
        if (!described) {
            error("D_PDESC_INVAL", at, probe.name.spelled(), ": ", described.error().message);
            return nullptr;
        }
        slot = std::make_unique<probe::Description>(*std::move(described));
    }
    if (types == Types::Known && slot->typedArgs) slot->args = std::exchange(slot->typedArgs, {})();
    return slot.get();
}

const Type* Analyser::typeFromText(const std::string& name, const std::string& provider)
{
    const auto known = m_typesByText.find(name);
    if (known != m_typesByText.end()) return known->second;
    const auto file = m_sources.addProvider(provider, "sizeof (" + name + ")");
    const auto tree = syntax::parseExpression(m_sources, file, m_diagnostics);
    const Type* type = nullptr;
    if (tree && tree->typeName)
        type = resolve(*tree->typeName);
    else if (tree)
        type = findType(name);
    return m_typesByText[name] = type;
}

/// A D expression of a provider's description, converted to the C type `native` unless that is empty.
ExprPtr Analyser::providerExpression(const std::string& expressionText, const std::string& native, const std::string& provider)
{
    const auto key = native + '\n' + expressionText;
    if (const auto it = m_providerExpressions.find(key); it != m_providerExpressions.end()) return it->second;
    const ProviderContext context(m_bindings, m_where, m_clause);
    const auto file = m_sources.addProvider(provider, expressionText);
    auto tree = syntax::parseExpression(m_sources, file, m_diagnostics);
    ExprPtr value;
    if (tree) {
        value = rvalue(*tree);
        m_trees.push_back(std::move(tree));
    }
    if (value && !native.empty()) {
        const auto* type = typeFromText(native, provider);
        value = type ? converted(value, type) : nullptr;
    }
    return m_providerExpressions[key] = value;
}

void Analyser::accompany(const std::string& companion, const std::string& provider)
{
    if (companion.empty() || !m_companions.insert(companion).second) return;
    const auto file = m_sources.addProvider(provider, companion);
    const auto& tree = m_libraries.emplace_back(syntax::parse(m_sources, file, syntax::Macros{}, m_diagnostics));
    // The provider's own clause: only the user's descriptions count as matched.
    const auto matches = m_matches;
    const auto first = m_firstProbe;
    for (const auto& item : tree.items)
        if (const auto* c = std::get_if<ast::Clause>(&item.is)) clause(*c);
    m_matches = matches;
    m_firstProbe = first;
}

std::size_t Analyser::enabled(const probe::Registry::Probe& probe, Span at)
{
    if (const auto* description = m_enabled.contains(probe.id.value) ? nullptr : describe(probe, at))
        accompany(description->companion, probe.name.provider);
    const auto [it, isNew] = m_enabled.try_emplace(probe.id.value, m_program.probes.size());
    if (!isNew) return it->second;
    auto& made = m_program.probes.emplace_back();
    made.id = probe.id;
    made.name = probe.name;
    if (probe.provider->tellsOfProcesses()) m_program.tellsOfProcesses = true;
    const auto* description = describe(probe, at);
    if (!description) return it->second;
    made.takesResult = description->takesResult;
    attach(made, description->hooks);
    for (const auto& w : description->watches) {
        auto run = providerExpression(w.when, {}, probe.name.spelled());
        auto again = w.again.empty() ? nullptr : providerExpression(w.again, {}, probe.name.spelled());
        if (!run) continue;
        EnabledProbe::Hook watch;
        watch.at = w.at;
        watch.selectorWord = w.selectorWord;
        watch.selectorOffset = w.selectorOffset;
        watch.selector = w.selector;
        watch.when = std::move(run);
        watch.again = std::move(again);
        m_program.watches.push_back(std::move(watch));
    }
    return it->second;
}
void Analyser::attach(EnabledProbe& probe, const std::vector<probe::Hook>& hooks)
{
    probe.hooks.clear();
    for (const auto& h : hooks) {
        EnabledProbe::Hook hook;
        hook.at = h.at;
        hook.selectorWord = h.selectorWord;
        hook.selectorOffset = h.selectorOffset;
        hook.selector = h.selector;
        hook.value = h.value;
        if (!h.when.empty()) hook.when = providerExpression(h.when, {}, probe.name.spelled());
        if (!h.again.empty()) hook.again = providerExpression(h.again, {}, probe.name.spelled());
        probe.hooks.push_back(std::move(hook));
    }
}

void Analyser::requireArguments(EnabledProbe& into, const probe::Description& description, const std::set<std::size_t>& arguments, Span at)
{
    if (!arguments.empty() && into.args.empty() && !description.hooksWithArguments.empty()) attach(into, description.hooksWithArguments);
    const auto& hooks = description.hooksWithArguments.empty() ? description.hooks : description.hooksWithArguments;
    for (const auto n : arguments) {
        if (into.args.size() <= n) into.args.resize(n + 1);
        if (into.args[n]) continue;
        if (n >= kElsewhere) {
            const auto& argument = description.args.at(n - kElsewhere);
            into.args[n]
                = providerExpression(argument.elsewhere ? argument.elsewhere->value : argument.value, "int64_t", into.name.spelled());
        } else if (n < description.args.size() && !description.args[n].value.empty()) {
            const auto& argument = description.args[n];
            into.args[n] = providerExpression(argument.value, argument.whole ? "int64_t" : argument.native, into.name.spelled());
        } else
            into.args[n] = constant(0, named("int64_t"), at); // arguments that a probe does not have are 0
        for (std::size_t i = 0; i < into.hooks.size(); ++i) {
            auto& hook = into.hooks[i];
            const auto& values = hooks[i].values;
            if (values.empty()) continue;
            if (hook.args.size() <= n) hook.args.resize(n + 1);
            hook.args[n] = n < values.size() && !values[n].empty()
                ? providerExpression(values[n], description.args[n].native, into.name.spelled())
                : into.args[n];
        }
    }
}
} // namespace dscope::sema
