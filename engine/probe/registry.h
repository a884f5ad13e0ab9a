#pragma once
#include "engine/probe/pattern.h"
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
namespace dscope::probe {
/// All probes of all providers, with dtrace's numbers: in the order of Provider::list, counted from 1, dtrace's three
/// first, those of large providers last; probes that come into being when asked for (profile-7) get the numbers from kFirstMade on.
class Registry {
public:
    /// Called before a provider that looks into processes (Provider::onDemand) lists what matches: whoever holds a process
    /// lets it run until its libraries are there. An Error ends the listing.
    using Prepare = std::function<Result<>(const Pattern&)>;
    Registry(const host::Host& host, std::vector<std::unique_ptr<Provider>> providers, Prepare prepare = {});
    /// Called where a provider that looks into processes has nothing for a description: whether to look again, since the process that is
    /// named has become another program meanwhile.
    using Again = std::function<bool(const Pattern&)>;
    void setAgain(Again again) { m_again = std::move(again); }
    /// Descriptions that name a module or a function, and no provider, also mean what these processes mark in themselves.
    void setTargets(std::vector<int> processes) { m_targets = std::move(processes); }
    const std::vector<int>& targets() const { return m_targets; }
    /// Lets them run until their libraries are there, for whoever looks into them.
    Result<> prepareTargets() const { return m_prepare ? m_prepare({"*", {}, {}, {}}) : Result<>(); }
    struct Probe {
        ProbeId id;
        Name name;
        const Provider* provider;
    };
    /// Probes that match, in order of their numbers. A pattern whose provider part names one provider asks only that one.
    Result<std::vector<Probe>> match(const Pattern& pattern) const;
    std::optional<Probe> byId(ProbeId id) const;
    /// Probes that match but cannot be had on this kernel.
    std::vector<Unavailable> unavailable(const Pattern& pattern) const;
    Result<Description> describe(const Probe& probe) const { return probe.provider->describe(m_host, probe.name); }
    std::span<const std::unique_ptr<Provider>> providers() const { return m_providers; }

    /// Number of the first probe that comes into being when it is asked for. No kernel has as many that are listed, and what
    /// is listed need not be known for it.
    static constexpr std::uint32_t kFirstMade = 800'000;

private:
    const host::Host& m_host;
    Prepare m_prepare;
    Again m_again;
    std::vector<int> m_targets;
    std::vector<std::unique_ptr<Provider>> m_providers;
    mutable std::map<std::size_t, std::vector<Name>> m_listed; ///< by provider index, listed when first needed
    mutable std::vector<Probe> m_made;                         ///< on demand, in the order of their numbers
    mutable std::unordered_map<std::string, ProbeId> m_madeIds;
    Result<> addTargets(const Pattern& pattern, std::vector<Probe>& found) const;
    Result<> makeOnDemand(std::size_t provider, const Pattern& pattern, std::vector<Probe>& found) const;
    Result<> make(std::size_t provider, const Pattern& pattern, std::vector<Probe>& found) const;
    Result<std::uint32_t> base(std::size_t provider) const;
    const Provider* ownerOf(const Pattern& pattern) const;
    Result<std::span<const Name>> listed(std::size_t provider) const;
};
} // namespace dscope::probe
