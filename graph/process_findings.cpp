#include "graph/process_findings.h"
#include "graph/figure.h"
#include "graph/process_drawing.h"
#include "graph/text.h"
#include "graph/units.h"
#include <algorithm>
#include <map>
#include <unordered_map>
namespace dscope::graph {
namespace {
constexpr std::size_t kOften = 3; ///< times a command runs before that is worth a word
constexpr std::size_t kFew = 3;   ///< of a kind that are told one by one
constexpr double kWidest = 380;   ///< px at 13 px of a command's text: what is said of it needs room too

std::string shortened(std::string_view command) { return elided(printable(command), kWidest, 13, Elide::Middle); }
std::string called(const Process& p, Privacy privacy)
{
    const std::string own = p.images.empty() ? p.name() : std::string(baseName(p.images.back().path));
    // A command that is long anyhow is known by the files it works on.
    std::string args = privacy == Privacy::Redacted ? std::string() : p.arguments();
    if (textWidth(own + ' ' + printable(args), 13) > kWidest)
        if (auto telling = tellingArguments(p); !telling.empty()) args = std::move(telling);
    return shortened(args.empty() ? own : own + ' ' + args);
}
/// Commands that ended the same way, by program and end, those with the most first: one by one, or as one sentence where
/// they differ in nothing but their arguments and would be a list.
class Ended {
public:
    void add(const std::string& program, const std::string& command, const std::string& how)
    {
        auto& group = m_groups[{how, program}];
        if (group.all++ == 0) group.first = command;
        ++group.times[command];
    }

    std::vector<std::string> sentences() const
    {
        std::vector<std::pair<std::size_t, std::string>> out; // processes, what is said of them
        for (const auto& [key, group] : m_groups) {
            const auto& [how, program] = key;
            if (group.times.size() > kFew) {
                out.emplace_back(group.all,
                    program + ": " + how + ", " + formatGrouped(static_cast<std::int64_t>(group.all)) + " times, first " + group.first);
                continue;
            }
            for (const auto& [command, times] : group.times)
                out.emplace_back(times, command + ": " + how + (times > 1 ? ", " + std::to_string(times) + " times" : ""));
        }
        std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
        std::vector<std::string> words;
        for (auto& [times, sentence] : out)
            words.push_back(std::move(sentence));
        return words;
    }

private:
    struct Group {
        std::size_t all = 0;
        std::string first;
        std::map<std::string, std::size_t> times; ///< by command
    };
    std::map<std::pair<std::string, std::string>, Group> m_groups;
};

/// Commands that ran again and again: the dearest, and in a word how many more there are.
class Again {
public:
    void add(const Process& p, std::int64_t now)
    {
        auto& run = m_runs[p.image().cwd + '\0' + p.image().path + '\0' + p.commandLine()];
        ++run.times;
        run.took += p.duration(now);
    }

    std::vector<std::string> sentences() const
    {
        std::vector<std::pair<const std::string*, Run>> often;
        for (const auto& [key, run] : m_runs)
            if (run.times >= kOften) often.emplace_back(&key, run);
        std::sort(often.begin(), often.end(), [](const auto& a, const auto& b) {
            return a.second.took != b.second.took ? a.second.took > b.second.took : *a.first < *b.first;
        });

        std::vector<std::string> out;
        const auto shown = often.size() > kFew + 1 ? kFew : often.size();
        for (std::size_t i = 0; i < shown; ++i)
            out.push_back(shortened(std::string_view(*often[i].first).substr(often[i].first->rfind('\0') + 1)) + " ran "
                + formatGrouped(static_cast<std::int64_t>(often[i].second.times)) + " times in one directory, "
                + formatDuration(static_cast<double>(often[i].second.took)) + " in all");
        if (shown < often.size()) {
            Run rest;
            for (std::size_t i = shown; i < often.size(); ++i) {
                rest.times += often[i].second.times;
                rest.took += often[i].second.took;
            }
            out.push_back(formatGrouped(static_cast<std::int64_t>(often.size() - shown)) + " more commands ran "
                + formatGrouped(static_cast<std::int64_t>(rest.times)) + " times, each in one directory, "
                + formatDuration(static_cast<double>(rest.took)) + " in all");
        }
        return out;
    }

private:
    struct Run {
        std::size_t times = 0;
        std::int64_t took = 0;
    };
    std::unordered_map<std::string, Run> m_runs; ///< by directory, image and command line
};
} // namespace

std::string calledIn(const Process& process, Privacy privacy)
{
    const std::string own = process.images.empty() ? process.name() : std::string(baseName(process.images.back().path));
    const std::string telling = privacy == Privacy::Redacted ? std::string() : tellingArguments(process);
    return shortened(telling.empty() ? own : own + ' ' + telling);
}

std::vector<std::string> findingsOf(
    std::span<const Process> all, std::span<const std::size_t> shown, std::int64_t now, std::size_t most, Privacy privacy)
{
    Ended crashed, missing, failed;
    Again again;
    std::vector<bool> isParent(all.size(), false);
    for (const auto i : shown)
        if (all[i].parent) isParent[*all[i].parent] = true;
    const Process* longest = nullptr;
    for (const auto i : shown) {
        const auto& p = all[i];
        const auto program = [&] { return printable(p.images.empty() ? p.name() : std::string(baseName(p.images.back().path))); };
        if (p.how() == Process::End::Signal) crashed.add(program(), called(p, privacy), "ended by " + signalName(p.signal()));
        if (p.failedExec) {
            const auto absent = std::string(baseName(printable(p.failedExec->path)));
            missing.add(absent, absent, "could not be run, " + errorName(p.failedExec->status));
        } else if (p.how() == Process::End::Failure) {
            failed.add(program(), called(p, privacy), "exit " + std::to_string(p.exitStatus()));
        }
        if (!p.images.empty() && privacy == Privacy::Open) again.add(p, now);
        const bool began = p.start.has_value();
        if (began && !isParent[i] && (!longest || p.duration(now) > longest->duration(now))) longest = &p;
    }

    std::vector<std::string> out;
    for (auto& kind : {crashed.sentences(), missing.sentences(), failed.sentences(), again.sentences()})
        out.insert(out.end(), kind.begin(), kind.end());
    if (longest) out.push_back(called(*longest, privacy) + " took longest: " + formatDuration(static_cast<double>(longest->duration(now))));
    if (out.size() > most && most > 0) {
        const std::size_t hidden = out.size() - (most - 1);
        out.resize(most - 1);
        out.push_back("\u2026 and " + std::to_string(hidden) + " more");
    }
    return out;
}
} // namespace dscope::graph
