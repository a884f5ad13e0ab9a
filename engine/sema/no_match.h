#pragma once
#include "engine/host/host.h"
#include "engine/probe/registry.h"
#include <string>
#include <string_view>
#include <vector>
namespace dscope::sema {
/// Why a probe description matches nothing here, and what may be meant by it: the hints below "does not match any probes".
class NoMatch {
public:
    enum class Waits : std::uint8_t { No, WithZ }; ///< whether option -Z would let the program wait for what comes later
    /// All must outlive it.
    NoMatch(const probe::Registry& probes, const host::Host& host, Waits waits) : m_probes(probes), m_host(host), m_waits(waits) { }
    /// `written`: the description as the program has it.
    std::vector<std::string> hints(const probe::Pattern& pattern, std::string_view written) const;
    /// Why there are none of them, as far as providers know; empty where no provider does.
    std::vector<std::string> reasons(const probe::Pattern& pattern) const;

private:
    std::string unnamedProcess(const probe::Pattern& pattern) const;
    std::string namedProcess(const probe::Pattern& pattern) const;
    std::string ofPerf(const probe::Pattern& pattern) const;
    std::string counter(const std::string& written) const;
    std::string otherSpelling(const probe::Pattern& pattern) const;
    std::string otherParts(const probe::Pattern& pattern) const;
    std::string systemCall(const probe::Pattern& pattern) const;
    std::vector<std::string> near(const probe::Pattern& pattern) const;
    std::string whatThereIs(const probe::Pattern& pattern) const;
    std::string fewNames(const std::string& provider) const;
    std::vector<probe::Registry::Probe> match(const probe::Pattern& pattern) const;
    const probe::Registry& m_probes;
    const host::Host& m_host;
    Waits m_waits;
};
/// What a description may mean that has no probe: other systems' kernels have modules of other names (io:genunix::start), and
/// "syscall::entry", as slides and books have it, is read from the left where its first part names a provider.
std::optional<probe::Pattern> otherMeaning(const probe::Registry& probes, const probe::Pattern& pattern);
/// Empty where the kernel's types are known, by which many probes are found.
std::string whyTypesAreUnknown(const host::Host& host);
} // namespace dscope::sema
