#include "engine/sema/no_match.h"
#include "engine/base/near_names.h"
#include "engine/language/elsewhere.h"
#include "engine/types/type_table.h"
#include <algorithm>
#include <cctype>
#include <set>
namespace dscope::sema {
namespace {
using probe::isGlob;
using probe::Pattern;
constexpr std::size_t kMostCandidates = 20000, kMostReasons = 3, kMostMarks = 8;
std::string spelledOut(const Pattern& p) { return probe::Name{p.provider, p.module, p.function, p.name}.spelled(); }
/// The number at the end of a provider's name; empty where there is none, or nothing but it, or a wildcard before it.
std::string_view processIn(std::string_view provider)
{
    const auto last = provider.find_last_not_of("0123456789");
    if (last == provider.npos || std::string_view("*?]").find(provider[last]) != std::string_view::npos) return {};
    return provider.substr(last + 1);
}
/// Whether a provider has the marks that programs make in themselves: any name may stand before the process's number.
bool hasMarks(const probe::Provider& provider) { return provider.onDemand() && provider.serves("any1"); }
/// Linux's kernel itself is vmlinux.
bool isOtherKernel(const Pattern& pattern)
{
    const auto& all = language::kOtherKernels;
    // Solaris has the protocols in a module of their own.
    const bool isProtocol = pattern.provider == "ip" || pattern.provider == "tcp" || pattern.provider == "udp";
    return std::find(all.begin(), all.end(), pattern.module) != all.end() || (isProtocol && pattern.module == "ip");
}
} // namespace

std::optional<Pattern> otherMeaning(const probe::Registry& probes, const Pattern& pattern)
{
    if (!pattern.provider.empty() && isOtherKernel(pattern)) return Pattern{pattern.provider, "vmlinux", pattern.function, pattern.name};
    if (!pattern.provider.empty() || pattern.module.empty() || pattern.name.empty()) return std::nullopt; // -m names a module
    for (const auto& p : probes.providers())
        if (p->serves(pattern.module)) return Pattern{pattern.module, {}, pattern.function, pattern.name};
    return std::nullopt;
}

std::string whyTypesAreUnknown(const host::Host& host)
{
    const auto types = host.kernelTypes();
    if (types) return {};
    return "many probes are found by the kernel's types, which are not known: " + types.error().message + "; "
        + std::string(types::TypeTable::kWhoHasKernelTypes);
}

std::vector<std::string> NoMatch::hints(const Pattern& pattern, std::string_view written) const
{
    // Words of another tool are that, whatever is known of the probes that they would be here.
    if (auto hint = language::foreignProbeHint(written); !hint.empty()) return {std::move(hint)};
    // So are names that only the kernel's tracepoints have: fbt may have any.
    if (auto hint = pattern.provider.empty() && pattern.module.empty() ? ofPerf(pattern) : std::string(); !hint.empty())
        return {std::move(hint)};
    if (auto why = reasons(pattern); !why.empty()) return why;
    for (const auto each : {&NoMatch::ofPerf, &NoMatch::systemCall, &NoMatch::otherSpelling})
        if (auto hint = (this->*each)(pattern); !hint.empty()) {
            std::vector<std::string> all{std::move(hint)};
            if (auto why = whyTypesAreUnknown(m_host); !why.empty()) all.push_back(std::move(why)); // it may be there nevertheless
            return all;
        }
    if (auto hint = counter(std::string(written)); !hint.empty()) return {std::move(hint)};
    if (auto hint = didYouMean(near(pattern)); !hint.empty()) return {std::move(hint)};
    for (const auto each : {&NoMatch::otherParts, &NoMatch::namedProcess, &NoMatch::unnamedProcess})
        if (auto hint = (this->*each)(pattern); !hint.empty()) return {std::move(hint)};
    if (auto hint = whyTypesAreUnknown(m_host); !hint.empty()) return {std::move(hint)};
    if (auto hint = whatThereIs(pattern); !hint.empty()) return {std::move(hint)};
    return {};
}

std::vector<std::string> NoMatch::reasons(const Pattern& pattern) const
{
    std::vector<std::string> all;
    const auto add = [&](const Pattern& asked) {
        for (const auto& u : m_probes.unavailable(asked))
            if (all.size() < kMostReasons) all.push_back(u.name.spelled() + " is not available: " + u.why);
    };

    const auto meant = otherMeaning(m_probes, pattern);
    if (meant) add(*meant);
    if (all.empty()) add(pattern);
    return all;
}

std::vector<probe::Registry::Probe> NoMatch::match(const Pattern& pattern) const
{
    auto found = m_probes.match(pattern);
    return found ? *std::move(found) : std::vector<probe::Registry::Probe>();
}

/// perf has the kernel's tracepoints as SUBSYSTEM:EVENT: sched:sched_switch, syscalls:sys_enter_open.
std::string NoMatch::ofPerf(const Pattern& pattern) const
{
    if (pattern.name.empty()) return {};
    const auto& subsystem = !pattern.function.empty() ? pattern.function : !pattern.module.empty() ? pattern.module : pattern.provider;
    const auto perfs = "perf's " + (subsystem.empty() ? std::string() : subsystem + ':') + pattern.name + " is ";
    for (const auto& [prefix, moment] : {std::pair{"sys_enter_", ":entry"}, std::pair{"sys_exit_", ":return"}}) {
        if (!pattern.name.starts_with(prefix)) continue;
        auto call = pattern.name.substr(std::string_view(prefix).size());
        if (match({"syscall", {}, call, "entry"}).empty() && call.starts_with("new")) call.erase(0, 3);
        if (!match({"syscall", {}, call, "entry"}).empty()) return perfs + "syscall::" + call + moment + " in D";
    }
    const bool isWhole = pattern.provider.empty() && pattern.module.empty() && !pattern.function.empty();
    if (isWhole && subsystem == "syscalls" && pattern.name == "*") return perfs + "syscall::: in D";
    if (pattern.name == "*" && !isWhole) return {};
    if (!match({"sdt", subsystem, {}, pattern.name}).empty()) return perfs + "sdt:" + subsystem + "::" + pattern.name + " in D";
    if (isGlob(pattern.name)) return {};
    if (const auto named = match({"sdt", {}, {}, pattern.name}); !named.empty())
        return "the kernel's tracepoint " + pattern.name + " is " + named.front().name.spelled() + " in D";
    if (!isWhole || isGlob(subsystem)) return {};
    std::vector<std::string> names;
    for (const auto& each : match({"sdt", subsystem, {}, {}}))
        names.push_back(each.name.name);
    auto near = nearNames(pattern.name, names);
    for (auto& name : near)
        name = spelledOut({"sdt", subsystem, {}, name});
    return didYouMean(near);
}

/// perf's cpu-clock, cycles or software:page-faults:1000.
std::string NoMatch::counter(const std::string& written) const
{
    auto event = written.substr(0, written.find_last_not_of("0123456789:") + 1);
    event.erase(0, event.rfind(':') + 1);
    if (const auto mode = event.rfind("-all"); mode != std::string::npos && mode != 0) event.resize(mode);
    std::replace(event.begin(), event.end(), '-', '_');
    const Pattern meant{"cpc", {}, {}, event + "-all-1000000"};
    if (event.empty() || isGlob(event)) return {};
    if (!match(meant).empty())
        return "the counter " + event + " is cpc:::" + event + "-all-N in D, which fires each time that it has grown by N";
    const auto why = m_probes.unavailable(meant);
    return why.empty() ? std::string() : why.front().name.spelled() + " is not available: " + why.front().why;
}

/// A system call that Linux has by another name, or one with what kernels and other systems add to it.
std::string NoMatch::systemCall(const Pattern& pattern) const
{
    const auto ofCalls = pattern.provider == "syscall" || (pattern.provider.empty() && pattern.module == "syscall");
    if (!ofCalls || pattern.function.empty() || isGlob(pattern.function)) return {};
    auto bare = pattern.function;
    for (const std::string_view prefix : {"__x64_", "__arm64_", "__se_", "__do_", "sys_", "linux_", "freebsd32_"})
        if (bare.starts_with(prefix)) bare.erase(0, prefix.size());
    if (const auto end = bare.find("_nocancel"); end != std::string::npos) bare.resize(end);
    auto here = std::string(language::callHere(bare));
    if (here.empty() && bare != pattern.function) here = bare;

    std::string all;
    for (std::size_t at = 0; at < here.size();) {
        const auto end = std::min(here.find(' ', at), here.size());
        const Pattern meant{"syscall", {}, here.substr(at, end - at), pattern.name};
        if (!match(meant).empty()) all += (all.empty() ? "" : ", ") + spelledOut(meant);
        at = end + 1;
    }
    return all.empty() ? all : "on Linux the system call " + pattern.function + " is " + all;
}

/// begin, and tick:1s.
std::string NoMatch::otherSpelling(const Pattern& pattern) const
{
    auto upper = pattern;
    std::transform(
        upper.name.begin(), upper.name.end(), upper.name.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    const bool mayBe = pattern.provider.empty() || pattern.provider == "dtrace";
    if (mayBe && upper.name != pattern.name && !upper.name.empty() && !match({"dtrace", {}, {}, upper.name}).empty())
        return "the probe is " + upper.name + ": names of probes keep capital and small letters apart";
    if ((pattern.function == "tick" || pattern.function == "profile")
        && !match({{}, {}, {}, pattern.function + '-' + pattern.name}).empty())
        return "did you mean " + pattern.function + '-' + pattern.name + '?';
    return {};
}

/// A function in the place of the name, or a module and function where the provider has others.
std::string NoMatch::otherParts(const Pattern& pattern) const
{
    const auto& provider = pattern.provider.empty() ? pattern.module : pattern.provider;
    if (provider.empty() || isGlob(provider) || pattern.name.empty()) return {};
    if (pattern.function.empty())
        if (const auto found = match({provider, {}, pattern.name, {}}); !found.empty())
            return pattern.name + " is a function: did you mean " + spelledOut({provider, {}, pattern.name, found.front().name.name}) + '?';
    if (pattern.provider.empty()) return {};
    if (!pattern.function.empty())
        if (const auto found = match({provider, {}, pattern.function, pattern.name}); !found.empty())
            return "did you mean " + spelledOut({provider, {}, pattern.function, pattern.name}) + "? its module here is "
                + found.front().name.module;

    const auto found = match({provider, {}, {}, pattern.name});
    const bool haveNone = std::all_of(found.begin(), found.end(), [](const auto& each) { return each.name.function.empty(); });
    if (found.empty() || !haveNone) return {};
    return "did you mean " + spelledOut({provider, {}, {}, pattern.name}) + "? here " + provider + " has the module "
        + found.front().name.module + " and no functions";
}

/// A provider of programs without a process: python:::function-entry.
std::string NoMatch::unnamedProcess(const Pattern& pattern) const
{
    if (pattern.provider.empty()) return {};
    if (pattern.provider == "pid" || pattern.provider == "pid*")
        return "pid is followed by a process's number: pid$target with -p PID or -c COMMAND, or pid1234";
    if (isGlob(pattern.provider)) {
        bool ofProcesses = false;
        for (const auto& p : m_probes.providers())
            if (p->mayServe(pattern.provider)) {
                if (!p->onDemand()) return {};
                ofProcesses = true;
            }
        if (!ofProcesses) return {};
        return "no process that runs now has such marks"
            + std::string(m_waits == Waits::WithZ ? "; -Z also takes programs that start later" : "");
    }
    for (const auto& p : m_probes.providers())
        if (p->serves(pattern.provider)) return {};
    for (const auto& p : m_probes.providers()) {
        if (!hasMarks(*p)) continue;
        std::set<std::string> names;
        [[maybe_unused]] const auto listed
            = p->list(m_host, {pattern.provider + '*', pattern.module, pattern.function, {}}, [&](const probe::Name& name) {
                  if (name.provider.substr(0, name.provider.find_last_not_of("0123456789") + 1) == pattern.provider)
                      names.insert(name.provider);
              });
        if (!names.empty())
            return "a provider of programs ends with the process's number: " + pattern.provider + "* is that of all, " + pattern.provider
                + "$target that of -p or -c, and here is " + *names.begin();
    }
    return {};
}

/// A process without the marks that are asked for: what it has instead, and how to wait for more.
std::string NoMatch::namedProcess(const Pattern& pattern) const
{
    const std::string number(processIn(pattern.provider));
    if (number.empty() || number.size() == pattern.provider.size() || !m_host.status("/proc/" + number)) return {};
    std::set<std::string> marks;
    bool any = false;
    for (const auto& p : m_probes.providers()) {
        if (!hasMarks(*p) || !p->serves(pattern.provider)) continue;
        any = true;
        [[maybe_unused]] const auto listed = p->list(m_host, {"*" + number, {}, {}, {}}, [&](const probe::Name& name) {
            if (processIn(name.provider) == number) marks.insert(name.provider.substr(0, name.provider.size() - number.size()));
        });
    }
    if (!any) return {};

    const auto comm = m_host.read("/proc/" + number + "/comm");
    std::string name = comm ? *comm : std::string();
    name.resize(std::min(name.find('\n'), name.size()));
    std::string all;
    std::size_t told = 0;
    for (const auto& mark : marks)
        if (told++ < kMostMarks) all += (all.empty() ? " " : ", ") + mark;
    if (told > kMostMarks) all += ", ...";
    return "process " + number + " (" + name + ") has " + (all.empty() ? "no marks of its own so far" : "the providers" + all + " so far")
        + (m_waits == Waits::WithZ ? "; -Z also takes those of libraries that it loads later, as java does libjvm" : "");
}

/// Probes with a name similar to the one asked for: each part that is no glob is varied in turn.
std::vector<std::string> NoMatch::near(const Pattern& pattern) const
{
    const auto isPlain = [](const std::string& s) { return !isGlob(s); };
    const auto providerKnown = [&] {
        if (!isPlain(pattern.provider)) return true;
        for (const auto& p : m_probes.providers())
            if (p->serves(pattern.provider)) return true;
        return false;
    }();
    if (!providerKnown) {
        std::vector<std::string> names;
        for (const auto& p : m_probes.providers())
            names.emplace_back(p->name());
        auto near = nearNames(pattern.provider, names);
        for (auto& n : near)
            n = spelledOut({n, pattern.module, pattern.function, pattern.name});
        return near;
    }

    // One part at a time is left open; what then matches offers its names for that part.
    std::string Pattern::*const parts[] = {&Pattern::name, &Pattern::function, &Pattern::module};
    std::string probe::Name::*const fields[] = {&probe::Name::name, &probe::Name::function, &probe::Name::module};
    for (std::size_t i = 0; i < std::size(parts); ++i) {
        if (!isPlain(pattern.*parts[i])) continue;
        auto open = pattern;
        (open.*parts[i]).clear();
        std::set<std::string> names;
        for (const auto& p : match(open)) {
            names.insert(p.name.*fields[i]);
            if (names.size() >= kMostCandidates) break;
        }
        auto near = nearNames(pattern.*parts[i], {names.begin(), names.end()});
        if (near.empty()) continue;
        for (auto& n : near) {
            auto corrected = pattern;
            corrected.*parts[i] = n;
            n = spelledOut(corrected);
        }
        return near;
    }
    return {};
}

/// The hint if no probe has a similar name: the probes of that provider if they are few, else the names of all providers.
std::string NoMatch::whatThereIs(const Pattern& pattern) const
{
    if (isGlob(pattern.provider)) return {};
    std::string all;
    for (const auto& p : m_probes.providers()) {
        if (p->serves(pattern.provider) && !p->onDemand()) return fewNames(pattern.provider);
        if (p->serves(pattern.provider)) return {};
        all += (all.empty() ? "" : ", ") + std::string(p->name());
    }
    if (std::none_of(m_probes.providers().begin(), m_probes.providers().end(), [](const auto& p) { return hasMarks(*p); }))
        return "the providers are " + all;
    return "the providers are " + all + "; those of programs end with the process's number, as in " + pattern.provider + "$target or "
        + pattern.provider + '*';
}

std::string NoMatch::fewNames(const std::string& provider) const
{
    constexpr std::size_t kMost = 24;
    std::set<std::string> names;
    for (const auto& p : match({provider, {}, {}, {}})) {
        names.insert(p.name.name);
        if (names.size() > kMost) return {};
    }
    std::string all;
    for (const auto& name : names)
        all += (all.empty() ? "" : ", ") + name;
    return all.empty() ? all : provider + " has the probes " + all;
}
} // namespace dscope::sema
