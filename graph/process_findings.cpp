#include "graph/process_findings.h"
#include "graph/figure.h"
#include "graph/process_drawing.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include "graph/units.h"
#include <algorithm>
#include <map>
#include <unordered_map>
namespace dscope::graph {
namespace {
constexpr std::size_t kOften = 3; ///< times a command runs before that is worth a word
constexpr std::size_t kFew = 3;   ///< of a kind that are told one by one
constexpr double kClearlyLonger = 1.25;
constexpr double kWidest = 380; ///< px at 13 px of a command's text: what is said of it needs room too

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
/// "822 ms", "at least 822 ms" of what still ran when the run ended.
std::string ranText(std::int64_t took, bool isOver)
{
    const auto text = formatDuration(static_cast<double>(took));
    return isOver ? text : said("at least %1", text);
}
/// Commands that ended the same way, by program and end, those with the most first: one by one, or as one sentence where
/// they differ in nothing but their arguments and would be a list.
class Ended {
public:
    /// `sentence`: is said of how they ended, with the name of a signal, an error or a status.
    explicit Ended(const char* sentence) : m_sentence(sentence) { }
    void add(const std::string& program, const std::string& command, const std::string& by)
    {
        auto& group = m_groups[{by, program}];
        if (group.all++ == 0) group.first = command;
        ++group.times[command];
    }

    std::vector<std::string> sentences() const
    {
        std::vector<std::pair<std::size_t, std::string>> out; // processes, what is said of them
        for (const auto& [key, group] : m_groups) {
            const auto& [by, program] = key;
            const auto how = said(m_sentence, by);
            if (group.times.size() > kFew) {
                out.emplace_back(group.all,
                    said("%1: %2, %3 times, first %4", program, how, formatGrouped(static_cast<std::int64_t>(group.all)), group.first));
                continue;
            }
            for (const auto& [command, times] : group.times)
                out.emplace_back(times, times > 1 ? said("%1: %2, %3 times", command, how, std::to_string(times)) : command + ": " + how);
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
    const char* m_sentence;
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
        run.isOver = run.isOver && p.end;
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
            out.push_back(said("%1 ran %2 times in one directory, %3 in all",
                shortened(std::string_view(*often[i].first).substr(often[i].first->rfind('\0') + 1)),
                formatGrouped(static_cast<std::int64_t>(often[i].second.times)), ranText(often[i].second.took, often[i].second.isOver)));
        if (shown < often.size()) {
            Run rest;
            for (std::size_t i = shown; i < often.size(); ++i) {
                rest.times += often[i].second.times;
                rest.took += often[i].second.took;
                rest.isOver = rest.isOver && often[i].second.isOver;
            }
            out.push_back(said("%1 more commands ran %2 times, each in one directory, %3 in all",
                formatGrouped(static_cast<std::int64_t>(often.size() - shown)), formatGrouped(static_cast<std::int64_t>(rest.times)),
                ranText(rest.took, rest.isOver)));
        }
        return out;
    }

private:
    struct Run {
        std::size_t times = 0;
        std::int64_t took = 0;
        bool isOver = true; ///< all have ended
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

std::vector<std::string> findingsOf(const Family& family, std::size_t most, Privacy privacy)
{
    const auto& [all, now, root, shown, path, command] = family;
    Ended crashed(toSay("ended by %1")), missing(toSay("could not be run, %1")), failed(toSay("exit %1"));
    Again again;
    std::vector<bool> isParent(all.size(), false);
    for (const auto i : shown)
        if (all[i].parent) isParent[*all[i].parent] = true;
    std::optional<std::size_t> longest;
    std::int64_t took = 0, next = 0;
    for (const auto i : shown) {
        const auto& p = all[i];
        const auto program = [&] { return printable(p.images.empty() ? p.name() : std::string(baseName(p.images.back().path))); };
        if (p.how() == Process::End::Signal) crashed.add(program(), called(p, privacy), signalName(p.signal()));
        if (p.failedExec) {
            const auto absent = std::string(baseName(printable(p.failedExec->path)));
            missing.add(absent, absent, errorName(p.failedExec->status));
        } else if (p.how() == Process::End::Failure) {
            failed.add(program(), called(p, privacy), std::to_string(p.exitStatus()));
        }
        if (p.hasTimes && !p.images.empty() && privacy == Privacy::Open) again.add(p, now);
        if (!p.hasTimes || !p.start || isParent[i]) continue;
        const auto own = p.duration(now);
        next = std::max(next, std::min(own, took));
        if (longest && own <= took) continue;
        longest = i;
        took = own;
    }

    std::vector<std::string> out;
    for (auto& kind : {crashed.sentences(), missing.sentences(), failed.sentences(), again.sentences()})
        out.insert(out.end(), kind.begin(), kind.end());
    if (longest && static_cast<double>(took) >= kClearlyLonger * static_cast<double>(next)) {
        const bool isBeside = !path.processes.empty() && !path.has(*longest);
        out.push_back(said(isBeside ? "%1 took longest: %2, not on the critical path" : "%1 took longest: %2",
            called(all[*longest], privacy), ranText(took, all[*longest].end.has_value())));
    }
    if (out.size() > most && most > 0) {
        const std::size_t hidden = out.size() - (most - 1);
        out.resize(most - 1);
        out.push_back(said("\u2026 and %1 more", std::to_string(hidden)));
    }
    return out;
}
} // namespace dscope::graph
