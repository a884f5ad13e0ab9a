#include "cli/many_runs.h"
#include <string_view>
namespace dscope::cli {
namespace {
/// What is published is one run, and what is collected is all that figures are of.
Result<> takeRemote(Arguments& a)
{
    if (!a.publish && !a.collect) {
        if (!a.brokerOptions.empty()) return Error{0, "--broker says how --publish or --collect gets to its broker, and there is neither"};
        return {};
    }
    for (auto* address : {&a.publish, &a.collect})
        for (const auto& option : a.brokerOptions)
            if (*address) DSCOPE_CHECK(remote::set(**address, option));
    if (a.publish && a.collect)
        return Error{0, "--publish and --collect: a run is sent or received; merge them in two steps, with --record"};
    if (a.publish && (!a.import.empty() || a.by || !a.others.empty()))
        return Error{0, "--publish sends one run: that of a D program, or of one --replay"};
    if (!a.collect) return {};
    if (!a.replay.empty() || !a.import.empty()) return Error{0, "--collect takes the runs of the broker: merge files with --by"};
    if (!a.programs.empty())
        return Error{0, "--collect takes the runs of the broker, and runs no program: hosts send theirs with --publish"};
    if (a.by == record::MergedBy::File) return Error{0, "--by file is for files: what is collected is told apart by host or run"};
    if (!a.by) a.by = record::MergedBy::Nothing;
    return {};
}
/// A program that runs elsewhere: nothing else may be what figures are of.
Result<> takeHosts(Arguments& a)
{
    if (a.onWords.empty()) {
        if (!a.eachOptions.empty()) return Error{0, "--each says how the program of --on runs, and there is no --on"};
        return {};
    }
    if (a.programs.empty()) return Error{0, "--on runs a program on hosts, and there is none: give it with -n or -s"};
    if (!a.replay.empty() || !a.import.empty() || a.collect)
        return Error{0, "--on runs a program: recordings, imports and what was published are merged with --by or --collect"};
    if (a.publish) return Error{0, "--on brings the runs here by ssh itself: leave --publish out"};
    if (a.preprocess) return Error{0, "--on: -C runs cpp here, and the program goes to the hosts as it is: run cpp first"};
    if (a.by == record::MergedBy::File) return Error{0, "--by file is for files: hosts are told apart by host or run"};
    if (a.mode != Arguments::Mode::Run || a.compileOnly || a.disassemble || a.listViews)
        return Error{0, "--on runs a program: -l, -e, -S, -h, -G and --views are for this machine"};
    a.on.emplace();
    std::string all;
    for (const auto& words : a.onWords)
        all += (all.empty() ? "" : ",") + words;
    DSCOPE_TRY(a.on->names, remote::hostsOf(all));
    for (const auto& option : a.eachOptions)
        DSCOPE_CHECK(remote::set(*a.on, option));
    if (!a.by) a.by = record::MergedBy::Nothing;
    return {};
}
/// Several runs before are compared with as many now, each side as one: numbers are as they were recorded.
Result<> takeCompared(Arguments& a)
{
    const auto before = a.diff.size(), now = a.others.size() + 1;
    if (before < 2 && (before == 0 || now == 1 || a.by || a.again)) return {};
    if (a.replay.empty() && a.import.empty())
        return Error{0, "several runs of --diff are compared with as many of --replay or --import, and there is none"};
    if (before != now)
        return Error{0,
            std::to_string(now) + (now == 1 ? " run is" : " runs are") + " compared with " + std::to_string(before)
                + " of --diff: numbers are as they were recorded, so give as many before as after"};
    if (!a.by) a.by = record::MergedBy::Nothing;
    a.layout.said.push_back("each side is the sum of " + std::to_string(now) + " runs");
    return {};
}
} // namespace

void keepForHosts(int option, const std::string& value, Arguments& a)
{
    constexpr std::string_view kAlone = "qFvwZ", kWithValue = "nPmficpbxL";
    if (option <= 0 || option > 'z') return;
    const auto letter = static_cast<char>(option);
    const std::string word{'-', letter};
    if (kAlone.find(letter) != kAlone.npos) a.forHosts.push_back(word);
    if (kWithValue.find(letter) != kWithValue.npos) a.forHosts.insert(a.forHosts.end(), {word, value});
}

Result<> takeMerged(Arguments& a)
{
    if (!a.metrics.empty() && (!a.replay.empty() || !a.import.empty()))
        return Error{0, "--metrics is for runs that go on: --export FILE.prom writes the numbers of a recording"};
    DSCOPE_CHECK(takeRemote(a));
    DSCOPE_CHECK(takeHosts(a));
    const auto* many = a.collect ? "--collect" : a.on ? "--on" : nullptr;
    if (many && a.diff.size() > 1)
        return Error{0,
            std::string(many)
                + " is one data set of all hosts, and is compared with one recording: merge those of --diff first, with --by and --record"};
    if (many) return {};
    DSCOPE_CHECK(takeCompared(a));
    if (!a.by) return {};
    if (a.again) return Error{0, "--by is for the runs of --replay and --import; --again draws a figure as it was"};
    if (a.replay.empty() && a.import.empty()) return Error{0, "--by makes one data set of several --replay or --import, and there is none"};
    a.merged.push_back({!a.replay.empty(), a.replay.empty() ? a.import : a.replay});
    a.merged.insert(a.merged.end(), a.others.begin(), a.others.end());
    a.others.clear();
    return {};
}
} // namespace dscope::cli
