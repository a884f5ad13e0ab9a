#include "cli/doctor.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
namespace dscope::cli {
namespace {
using tracer::Examination;
using Outcome = Examination::Outcome;
constexpr std::size_t kWidth = 120, kName = 12;

/// "name        text", broken at blanks where it is longer than a line.
void line(std::string& out, std::string_view name, std::string_view text)
{
    std::string head(name);
    head.resize(std::max(kName, head.size() + 1), ' ');
    do {
        std::size_t length = text.size();
        if (head.size() + length > kWidth) {
            length = text.rfind(' ', kWidth - head.size());
            if (length == text.npos) length = std::min(text.find(' '), text.size());
        }
        out += head + std::string(text.substr(0, length)) + '\n';
        text.remove_prefix(std::min(length + 1, text.size()));
        head.assign(kName, ' ');
    } while (!text.empty());
}

std::string number(std::uint64_t n, std::string_view what) { return std::to_string(n) + " " + std::string(what) + (n == 1 ? "" : "s"); }

std::string rightsText(const Examination& e)
{
    std::string held;
    const auto add = [&](bool has, const char* name) {
        if (has) held += (held.empty() ? "" : ", ") + std::string(name);
    };
    add(e.rights.admin, "CAP_SYS_ADMIN");
    add(e.rights.bpf, "CAP_BPF");
    add(e.rights.perfmon, "CAP_PERFMON");
    add(e.rights.ptrace, "CAP_SYS_PTRACE");
    auto text = std::string(e.isRoot ? "root" : "an ordinary user") + (held.empty() ? "" : " with " + held);
    if (!e.rights.mayTrace())
        text += ": may list, compile, replay and draw. Tracing needs root (or CAP_BPF and CAP_PERFMON): sudo dscope --doctor then tries "
                "each provider, and finds what this kernel gives programs";
    else if (!e.rights.ptrace)
        text += ": processes of other users cannot be grabbed (CAP_SYS_PTRACE)";
    return text;
}

std::string abilitiesText(const Examination& e)
{
    if (!e.abilitiesKnown) return "not known without the rights to try";
    std::string missing;
    for (const auto& facts : object::kAbilityFacts)
        if (!e.abilities.has(facts.ability))
            missing += (missing.empty() ? "" : "; ") + std::string(facts.name) + " of Linux " + std::string(facts.since) + " ("
                + std::string(facts.gives) + ")" + (facts.isNeeded ? "" : ", another way is taken");
    return missing.empty() ? "all that dscope makes use of" : "all but " + missing;
}

std::string providerText(const Examination::Provider& p)
{
    auto text = p.isOnDemand ? std::string("on demand") : number(p.probes, "probe");
    switch (p.trial.outcome) {
    case Outcome::Works: text += ", works"; break;
    case Outcome::Fails: text = (p.probes || p.isOnDemand ? text + ", fails: " : "no: ") + p.trial.why; break;
    case Outcome::NotTried: text = (p.probes || p.isOnDemand ? text + ", not tried: " : "not tried: ") + p.trial.why; break;
    }
    std::size_t more = 0;
    for (const auto& m : p.missing)
        if (m.why != p.trial.why) more += m.probes.size();
    if (more > 0) text += "; " + std::to_string(more) + " more cannot be had here, dscope -lv -P " + p.name + " says why";
    return text;
}

std::string stacksText(const Examination& e)
{
    switch (e.userStacks.outcome) {
    case Outcome::Fails: return "ustack() fails: " + e.userStacks.why;
    case Outcome::NotTried: return "not tried: " + e.userStacks.why;
    case Outcome::Works: break;
    }
    return e.walksInKernel ? "user stacks are walked in the kernel by unwinding tables; no frame pointers are needed"
                           : "user stacks are copied and walked outside the kernel; no frame pointers are needed";
}

std::string debugText(const Examination& e)
{
    std::string text = e.hasDebugFolder ? "/usr/lib/debug/.build-id" : "no /usr/lib/debug/.build-id (packages NAME-dbgsym have such)";
    return text
        + (e.debuginfodUrls.empty() ? "; DEBUGINFOD_URLS is not set, so -x debuginfod has no server to ask"
                                    : "; -x debuginfod asks DEBUGINFOD_URLS=" + e.debuginfodUrls);
}

std::string settingsText(const Examination& e)
{
    std::string text;
    for (const auto& s : e.settings)
        text += (text.empty() ? "" : ", ") + s.path.substr(s.path.rfind('/') + 1) + " "
            + (s.code == 0             ? s.text
                    : s.code == ENOENT ? "(none)"
                                       : std::string(std::strerror(s.code)));
    return text;
}

std::string joined(const std::vector<std::string>& words)
{
    std::string text;
    for (const auto& w : words)
        text += (text.empty() ? "" : " ") + w;
    return text;
}

const char* nameOf(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Works: return "works";
    case Outcome::Fails: return "fails";
    case Outcome::NotTried: return "not tried";
    }
    return "";
}
nlohmann::ordered_json trialJson(const Examination::Trial& trial)
{
    nlohmann::ordered_json json{{"outcome", nameOf(trial.outcome)}};
    if (!trial.why.empty()) json["why"] = trial.why;
    if (trial.code) json["errno"] = trial.code;
    return json;
}
} // namespace

std::string doctorText(const Examination& e)
{
    std::string out;
    line(out, "dscope", DSCOPE_VERSION);
    line(out, "kernel", "Linux " + e.kernel + ", " + e.architecture + ", " + number(static_cast<std::uint64_t>(e.cpus), "CPU"));
    line(out, "rights", rightsText(e));
    line(out, "programs", abilitiesText(e));
    line(out, "types",
        e.typesSize ? "the kernel tells its types (BTF, " + std::to_string(e.typesSize / 1024) + " KiB)"
                    : "none: " + e.whyNoTypes + "; providers that look into the kernel's data need a kernel with CONFIG_DEBUG_INFO_BTF=y");
    line(out, "tracefs",
        e.mountsTracefs               ? "is not mounted; dscope reads it in a mount of its own"
            : e.hasTracefs            ? "can be read"
            : !e.whyNoTracefs.empty() ? "none: " + e.whyNoTracefs
                                      : "cannot be read by this user, or is not mounted: sdt lists no events without it");
    line(out, "settings", settingsText(e));
    line(out, "stacks", stacksText(e));
    line(out, "debug files", debugText(e));
    line(out, "libraries", joined(e.libraries));
    out += '\n';
    for (const auto& p : e.providers)
        line(out, p.name, providerText(p));
    return out;
}

std::string doctorJson(const Examination& e)
{
    nlohmann::ordered_json json;
    json["dscope"] = DSCOPE_VERSION;
    json["kernel"] = e.kernel;
    json["architecture"] = e.architecture;
    json["cpus"] = e.cpus;
    json["rights"] = {{"root", e.isRoot}, {"CAP_SYS_ADMIN", e.rights.admin}, {"CAP_BPF", e.rights.bpf}, {"CAP_PERFMON", e.rights.perfmon},
        {"CAP_SYS_PTRACE", e.rights.ptrace}, {"mayTrace", e.rights.mayTrace()}};
    auto& programs = json["programs"] = nlohmann::ordered_json::array();
    for (const auto& facts : object::kAbilityFacts) {
        nlohmann::ordered_json one{{"name", facts.name}, {"since", facts.since}, {"gives", facts.gives}, {"needed", facts.isNeeded}};
        one["has"] = e.abilitiesKnown ? nlohmann::ordered_json(e.abilities.has(facts.ability)) : nlohmann::ordered_json();
        programs.push_back(std::move(one));
    }

    json["types"] = {{"bytes", e.typesSize}};
    if (!e.whyNoTypes.empty()) json["types"]["why"] = e.whyNoTypes;
    json["tracefs"] = e.hasTracefs;
    if (!e.whyNoTracefs.empty()) json["whyNoTracefs"] = e.whyNoTracefs;
    for (const auto& s : e.settings)
        json["settings"][s.path] = s.code == 0 ? nlohmann::ordered_json(s.text) : nlohmann::ordered_json{{"errno", s.code}};
    json["stacks"] = trialJson(e.userStacks);
    if (e.userStacks.outcome == Outcome::Works) json["stacks"]["walkedInKernel"] = e.walksInKernel;
    json["debugFiles"] = {{"folder", e.hasDebugFolder}, {"debuginfod", !e.debuginfodUrls.empty()}};
    json["libraries"] = e.libraries;
    for (const auto& p : e.providers) {
        auto& one = json["providers"][p.name] = trialJson(p.trial);
        if (!p.isOnDemand) one["probes"] = p.probes;
        for (const auto& m : p.missing)
            one["missing"].push_back({{"why", m.why}, {"probes", m.probes}});
    }
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

int doctor(bool json)
{
    const auto found = tracer::examine();
    std::fputs((json ? doctorJson(found) : doctorText(found)).c_str(), stdout);
    return 0;
}
} // namespace dscope::cli
