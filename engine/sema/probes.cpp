#include "engine/language/elsewhere.h"
#include "engine/sema/analyser.h"
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
constexpr std::size_t kMostCandidates = 20000, kMostReasons = 3;
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
    auto found = m_environment.probes.match(*pattern);
    if (!found) {
        const auto& why = found.error();
        addReasons(m_diagnostics.error(why.tag.empty() ? "D_PDESC_INVAL" : why.tag, spec.at, why.message), *pattern);
        return std::nullopt;
    }

    if (found->empty())
        if (const auto meant = otherwise(*pattern)) {
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
        // Words of another tool are that, whatever is known of the probes that they would be here.
        auto hint = language::foreignProbeHint(spec.text);
        if (hint.empty() && addReasons(d, *pattern)) return std::nullopt;
        if (hint.empty()) hint = didYouMean(nearProbes(*pattern));
        if (hint.empty()) hint = whyTypesAreUnknown();
        if (hint.empty()) hint = whatThereIs(*pattern);
        if (!hint.empty()) d.hints.push_back(std::move(hint));
        return std::nullopt;
    }
    return Matched{described, *std::move(found)};
}

/// Empty where the kernel's types are known, by which many probes are found.
std::string Analyser::whyTypesAreUnknown() const
{
    const auto types = m_environment.host.kernelTypes();
    if (types) return {};
    return "many probes are found by the kernel's types, which are not known: " + types.error().message + "; "
        + std::string(types::TypeTable::kWhoHasKernelTypes);
}

/// Why there is none of them, as far as providers know.
bool Analyser::addReasons(Diagnostic& diagnostic, const probe::Pattern& pattern) const
{
    for (const auto& u : m_environment.probes.unavailable(pattern))
        if (diagnostic.hints.size() < kMostReasons) diagnostic.hints.push_back(u.name.spelled() + " is not available: " + u.why);
    return !diagnostic.hints.empty();
}

/// What may be meant where there is no such probe: Solaris' kernel itself is the modules genunix and unix, as its scripts name
/// them (io:genunix::start), Linux's is vmlinux. And "syscall::entry", as slides and books have it: read from the left where its
/// first part names a provider.
std::optional<probe::Pattern> Analyser::otherwise(const probe::Pattern& pattern) const
{
    if (!pattern.provider.empty() && (pattern.module == "genunix" || pattern.module == "unix"))
        return probe::Pattern{pattern.provider, "vmlinux", pattern.function, pattern.name};
    if (!pattern.provider.empty() || pattern.module.empty() || pattern.name.empty()) return std::nullopt; // -m names a module
    for (const auto& p : m_environment.probes.providers())
        if (p->serves(pattern.module)) return probe::Pattern{pattern.module, {}, pattern.function, pattern.name};
    return std::nullopt;
}

/// Probes with a name similar to the one asked for: each part that is no glob is varied in turn.
std::vector<std::string> Analyser::nearProbes(const probe::Pattern& pattern)
{
    const auto isPlain = [](const std::string& s) { return !probe::isGlob(s); };
    const auto providerKnown = [&] {
        if (!isPlain(pattern.provider)) return true;
        for (const auto& p : m_environment.probes.providers())
            if (p->serves(pattern.provider)) return true;
        return false;
    }();
    if (!providerKnown) {
        std::vector<std::string> names;
        for (const auto& p : m_environment.probes.providers())
            names.emplace_back(p->name());
        auto near = nearNames(pattern.provider, names);
        for (auto& n : near)
            n = probe::Name{n, pattern.module, pattern.function, pattern.name}.spelled();
        return near;
    }

    // One part at a time is left open; what then matches offers its names for that part.
    std::string probe::Pattern::*const parts[] = {&probe::Pattern::name, &probe::Pattern::function, &probe::Pattern::module};
    std::string probe::Name::*const fields[] = {&probe::Name::name, &probe::Name::function, &probe::Name::module};
    for (std::size_t i = 0; i < std::size(parts); ++i) {
        if (!isPlain(pattern.*parts[i])) continue;
        auto open = pattern;
        (open.*parts[i]).clear();
        const auto matching = m_environment.probes.match(open);
        if (!matching || matching->empty()) continue;
        std::set<std::string> names;
        for (const auto& p : *matching) {
            names.insert(p.name.*fields[i]);
            if (names.size() >= kMostCandidates) break;
        }
        auto near = nearNames(pattern.*parts[i], {names.begin(), names.end()});
        if (near.empty()) continue;
        for (auto& n : near) {
            auto corrected = pattern;
            corrected.*parts[i] = n;
            n = probe::Name{corrected.provider, corrected.module, corrected.function, corrected.name}.spelled();
        }
        return near;
    }
    return {};
}

/// The hint if no probe has a similar name: the probes of that provider if they are few, else the names of all providers.
std::string Analyser::whatThereIs(const probe::Pattern& pattern) const
{
    if (probe::isGlob(pattern.provider)) return {};
    std::string all;
    for (const auto& p : m_environment.probes.providers()) {
        if (p->serves(pattern.provider) && !p->onDemand()) return fewNames(pattern.provider);
        if (p->serves(pattern.provider)) return {};
        all += (all.empty() ? "" : ", ") + std::string(p->name());
    }
    return "the providers are " + all;
}
std::string Analyser::fewNames(const std::string& provider) const
{
    constexpr std::size_t kMost = 24;
    const auto probes = m_environment.probes.match({provider, {}, {}, {}});
    if (!probes) return {};
    std::set<std::string> names;
    for (const auto& p : *probes) {
        names.insert(p.name.name);
        if (names.size() > kMost) return {};
    }
    std::string all;
    for (const auto& name : names)
        all += (all.empty() ? "" : ", ") + name;
    return all.empty() ? all : provider + " has the probes " + all;
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
