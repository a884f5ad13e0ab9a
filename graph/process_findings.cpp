#include "graph/process_findings.h"
#include "graph/text.h"
#include "graph/units.h"
#include <algorithm>
#include <map>
namespace dscope::graph {
namespace {
constexpr std::size_t kOften = 3;

std::string called(const Process& p, bool redact)
{
    const std::string own = p.images.empty() ? p.name() : std::string(baseName(p.images.back().path));
    const std::string args = redact ? std::string() : p.arguments();
    return printable(args.empty() ? own : own + ' ' + args);
}
} // namespace

std::vector<std::string> findingsOf(
    std::span<const Process> all, std::span<const std::size_t> shown, std::int64_t now, std::size_t most, bool redact)
{
    std::vector<std::string> crashes, missing, failures, repeated;
    std::map<std::string, std::pair<std::size_t, std::int64_t>> runs;
    std::map<std::string, std::size_t> failed;
    std::vector<bool> isParent(all.size(), false);
    for (const auto i : shown)
        if (all[i].parent) isParent[*all[i].parent] = true;
    const Process* longest = nullptr;
    for (const auto i : shown) {
        const auto& p = all[i];
        if (p.how() == Process::End::Signal) crashes.push_back(called(p, redact) + " was ended by " + signalName(p.signal()));
        if (p.failedExec)
            missing.push_back(
                std::string(baseName(printable(p.failedExec->path))) + " could not be run: " + errorName(p.failedExec->status));
        else if (p.how() == Process::End::Failure)
            ++failed[called(p, redact) + ": exit " + std::to_string(p.exitStatus())];
        if (!p.images.empty() && !redact) {
            auto& [times, took] = runs[p.image().cwd + '\0' + p.image().path + '\0' + p.commandLine()];
            if (++times == kOften) repeated.push_back(p.image().cwd + '\0' + p.image().path + '\0' + p.commandLine());
            took += p.duration(now);
        }
        const bool began = p.start.has_value();
        if (began && !isParent[i] && (!longest || p.duration(now) > longest->duration(now))) longest = &p;
    }
    for (const auto& [what, times] : failed)
        failures.push_back(times > 1 ? what + ", " + std::to_string(times) + " times" : what);
    std::vector<std::string> again;
    for (const auto& key : repeated) {
        const auto& [times, took] = runs[key];
        again.push_back(printable(std::string(key.substr(key.rfind('\0') + 1))) + " ran " + std::to_string(times)
            + " times in one directory, " + formatDuration(static_cast<double>(took)) + " in all");
    }
    std::vector<std::string> out;
    for (const auto* kind : {&crashes, &missing, &failures, &again})
        for (const auto& sentence : *kind)
            if (std::find(out.begin(), out.end(), sentence) == out.end()) out.push_back(sentence);
    if (longest) out.push_back(called(*longest, redact) + " took longest: " + formatDuration(static_cast<double>(longest->duration(now))));
    if (out.size() > most && most > 0) {
        const std::size_t hidden = out.size() - (most - 1);
        out.resize(most - 1);
        out.push_back("\u2026 and " + std::to_string(hidden) + " more");
    }
    return out;
}
} // namespace dscope::graph
