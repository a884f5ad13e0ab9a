#include "engine/probe/registry.h"
#include <algorithm>
namespace dscope::probe {
namespace {
bool isGlob(std::string_view text) { return text.empty() || text.find_first_of("*?[\\") != text.npos; }
} // namespace

Registry::Registry(const host::Host& host, std::vector<std::unique_ptr<Provider>> providers)
    : m_host(host), m_providers(std::move(providers))
{
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

Result<std::vector<Registry::Probe>> Registry::match(const Pattern& pattern) const
{
    std::vector<Probe> found;
    for (std::size_t i = 0; i < m_providers.size(); ++i) {
        const auto& provider = *m_providers[i];
        if (!isGlob(pattern.provider) ? !provider.serves(pattern.provider) : !matches(pattern.provider, provider.name())) continue;
        DSCOPE_TRY(const auto names, listed(i));
        // The numbers of a provider's probes depend on the lists before it: asked for only when one matches.
        std::optional<std::uint32_t> first;
        for (std::size_t n = 0; n < names.size(); ++n)
            if (matches(pattern, names[n])) {
                if (!first) { DSCOPE_TRY(first, base(i)); }
                found.push_back({ProbeId{*first + static_cast<std::uint32_t>(n)}, names[n], &provider});
            }
        if (first || isGlob(pattern.name)) continue;
        DSCOPE_TRY(const auto firstMade, base(m_providers.size()));
        DSCOPE_CHECK(provider.list(m_host, pattern, [&](Name name) {
            if (!matches(pattern, name)) return;
            const auto id
                = m_made.try_emplace(name.spelled(), ProbeId{firstMade + static_cast<std::uint32_t>(m_made.size())}).first->second;
            found.push_back({id, std::move(name), &provider});
        }));
    }
    return found;
}

std::optional<Registry::Probe> Registry::byId(ProbeId id) const
{
    std::uint32_t first = 1;
    for (std::size_t i = 0; i < m_providers.size(); ++i) {
        const auto names = listed(i);
        if (!names) continue;
        if (id.value >= first && id.value - first < names->size()) return Probe{id, (*names)[id.value - first], m_providers[i].get()};
        first += static_cast<std::uint32_t>(names->size());
    }
    return std::nullopt;
}

namespace {
class Synthetic final : public Provider {
public:
    Synthetic(std::string_view name, std::string_view summary, std::vector<Row> rows, bool tells)
        : m_name(name), m_summary(summary), m_rows(std::move(rows)), m_tells(tells)
    {
    }
    std::string_view name() const override { return m_name; }
    std::string_view summary() const override { return m_summary; }
    bool tellsOfProcesses() const override { return m_tells; }
    Result<> list(const host::Host&, const Pattern& wanted, const Found& found) const override
    {
        // A probe may have several rows: several hooks fire it. It is one probe all the same.
        std::vector<std::string_view> seen;
        for (const auto& row : m_rows) {
            if (std::find(seen.begin(), seen.end(), row.probe) != seen.end()) continue;
            seen.push_back(row.probe);
            auto name = named(row);
            if (matches(wanted, name)) found(std::move(name));
        }
        return {};
    }
    Result<Description> describe(const host::Host&, const Name& probe) const override
    {
        Description out;
        for (const auto& row : m_rows)
            if (row.probe == probe.name) {
                out.hooks.push_back({RawTracepoint{std::string(row.tracepoint)}, -1, -1, 0, std::string(row.when)});
                out.args = row.args;
            }
        if (out.hooks.empty()) return Error{0, "no probe " + probe.spelled()};
        return out;
    }

private:
    Name named(const Row& row) const { return {std::string(m_name), "vmlinux", std::string(row.function), std::string(row.probe)}; }
    std::string_view m_name, m_summary;
    std::vector<Row> m_rows;
    bool m_tells;
};
} // namespace

std::unique_ptr<Provider> synthetic(std::string_view name, std::string_view summary, std::vector<Row> rows, bool tellsOfProcesses)
{
    return std::make_unique<Synthetic>(name, summary, std::move(rows), tellsOfProcesses);
}
} // namespace dscope::probe
