#include "engine/probe/registry.h"
#include <algorithm>
namespace dscope::probe {
Error mistake(std::string_view tag, std::string message)
{
    Error error{0, std::move(message)};
    error.tag = tag;
    return error;
}

bool Provider::mayServe(std::string_view glob) const { return matches(glob, name()); }

Registry::Registry(const host::Host& host, std::vector<std::unique_ptr<Provider>> providers, Prepare prepare)
    : m_host(host), m_prepare(std::move(prepare)), m_providers(std::move(providers))
{
    std::stable_partition(m_providers.begin(), m_providers.end(), [](const auto& p) { return !p->isLarge(); });
}

Result<std::span<const Name>> Registry::listed(std::size_t provider) const
{
    auto found = m_listed.find(provider);
    if (found == m_listed.end()) {
        std::vector<Name> names;
        DSCOPE_CHECK(m_providers[provider]->list(m_host, {}, [&](Name name) { names.push_back(std::move(name)); }));
        found = m_listed.emplace(provider, std::move(names)).first;
    }
    return std::span<const Name>(found->second);
}

Result<std::uint32_t> Registry::base(std::size_t provider) const
{
    std::uint32_t next = 1;
    for (std::size_t i = 0; i < provider; ++i) {
        DSCOPE_TRY(const auto names, listed(i));
        next += static_cast<std::uint32_t>(names.size());
    }
    return next;
}

const Provider* Registry::ownerOf(const Pattern& pattern) const
{
    if (!pattern.provider.empty() || !pattern.module.empty() || !pattern.function.empty()) return nullptr;
    const auto owner = std::find_if(m_providers.begin(), m_providers.end(), [&](const auto& p) { return p->owns(pattern.name); });
    return owner == m_providers.end() ? nullptr : owner->get();
}

Result<std::vector<Registry::Probe>> Registry::match(const Pattern& pattern) const
{
    std::vector<Probe> found;
    const Matcher matching(pattern);
    const auto* owner = ownerOf(pattern);
    for (std::size_t i = 0; i < m_providers.size(); ++i) {
        const auto& provider = *m_providers[i];
        if (owner && owner != &provider) continue;
        if (!isGlob(pattern.provider) ? !provider.serves(pattern.provider) : !provider.mayServe(pattern.provider)) continue;
        if (provider.onDemand()) {
            DSCOPE_CHECK(makeOnDemand(i, pattern, found));
            continue;
        }
        if (provider.isLarge() && !m_listed.contains(i)) {
            bool any = false;
            DSCOPE_CHECK(provider.list(m_host, pattern, [&](const Name&) { any = true; }));
            if (!any) continue;
        }
        DSCOPE_TRY(const auto names, listed(i));
        // The numbers of a provider's probes depend on the lists before it: asked for only when one matches.
        std::optional<std::uint32_t> first;
        for (std::size_t n = 0; n < names.size(); ++n)
            if (matching(names[n])) {
                if (!first) { DSCOPE_TRY(first, base(i)); }
                found.push_back({ProbeId{*first + static_cast<std::uint32_t>(n)}, names[n], &provider});
            }
        if (first || isGlob(pattern.name)) continue;
        DSCOPE_CHECK(make(i, pattern, found));
    }
    if (!owner && pattern.provider.empty() && !(pattern.module.empty() && pattern.function.empty()))
        DSCOPE_CHECK(addTargets(pattern, found));
    return found;
}

Result<> Registry::addTargets(const Pattern& pattern, std::vector<Probe>& found) const
{
    for (const auto process : m_targets) {
        const auto number = std::to_string(process);
        auto theirs = pattern;
        theirs.provider = "*" + number;
        for (std::size_t i = 0; i < m_providers.size(); ++i) {
            // Whose providers a program names itself: any name may stand in front of the number.
            if (!m_providers[i]->onDemand() || !m_providers[i]->serves("any" + number)) continue;
            if (m_prepare) DSCOPE_CHECK(m_prepare(theirs));
            DSCOPE_CHECK(make(i, theirs, found));
        }
    }
    return {};
}

std::vector<Unavailable> Registry::unavailable(const Pattern& pattern) const
{
    std::vector<Unavailable> found;
    for (const auto& provider : m_providers)
        if (isGlob(pattern.provider) ? provider->mayServe(pattern.provider) : provider->serves(pattern.provider))
            provider->unavailable(m_host, pattern, [&](Unavailable u) { found.push_back(std::move(u)); });
    return found;
}

Result<> Registry::makeOnDemand(std::size_t index, const Pattern& pattern, std::vector<Probe>& found) const
{
    for (const auto before = found.size();;) {
        if (m_prepare) DSCOPE_CHECK(m_prepare(pattern));
        auto made = make(index, pattern, found);
        if ((made && found.size() > before) || !m_again || !m_again(pattern)) return made;
    }
}

Result<> Registry::make(std::size_t index, const Pattern& pattern, std::vector<Probe>& found) const
{
    const auto* provider = m_providers[index].get();
    std::vector<Name> made;
    DSCOPE_CHECK(provider->list(m_host, pattern, [&](Name name) {
        if (provider->onDemand() || matches(pattern, name)) made.push_back(std::move(name));
    }));
    for (auto& name : made) {
        const ProbeId next{kFirstMade + static_cast<std::uint32_t>(m_made.size())};
        const auto [at, isNew] = m_madeIds.try_emplace(name.spelled(), next);
        if (isNew) m_made.push_back({next, name, provider});
        found.push_back({at->second, std::move(name), provider});
    }
    return {};
}

std::optional<Registry::Probe> Registry::byId(ProbeId id) const
{
    if (id.value >= kFirstMade && id.value - kFirstMade < m_made.size()) return m_made[id.value - kFirstMade];
    std::uint32_t first = 1;
    for (std::size_t i = 0; i < m_providers.size(); ++i) {
        const auto names = listed(i);
        if (!names) continue;
        if (id.value >= first && id.value - first < names->size()) return Probe{id, (*names)[id.value - first], m_providers[i].get()};
        first += static_cast<std::uint32_t>(names->size());
    }
    return std::nullopt;
}
} // namespace dscope::probe
