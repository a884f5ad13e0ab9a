#include "cli/on_hosts.h"
#include "cli/far_host.h"
#include "cli/interruption.h"
#include "cli/output.h"
#include "cli/picture.h"
#include "cli/schedule.h"
#include "engine/base/descriptor_limit.h"
#include "engine/record/effect.h"
#include <algorithm>
#include <csignal>
#include <map>
#include <poll.h>
namespace dscope::cli {
namespace {
constexpr std::size_t kMostHostsNamed = 8; ///< hosts in a sentence
using Hosts = std::vector<std::unique_ptr<FarHost>>;
/// What each host's dscope is told.
std::vector<std::string> wordsFor(const Arguments& a)
{
    std::vector<std::string> words{"--stream", "1"};
    const auto add = [&](const std::string& option, const std::string& value) {
        words.push_back(option);
        words.push_back(value);
    };
    const auto& hosts = *a.on;
    if (!hosts.costLimit.empty() && !a.options.isSet("costlimit")) add("-x", "costlimit=" + hosts.costLimit);
    if (!hosts.readEvery.empty() && !a.options.isSet("aggrate")) add("-x", "aggrate=" + hosts.readEvery);
    if (!hosts.signature.empty()) add("--signature", hosts.signature);
    if (a.schedule.at) add("--at", textOf(*a.schedule.at));
    if (a.schedule.lasts) add("--for", std::to_string(a.schedule.lasts->count()) + "ns");
    words.insert(words.end(), a.forHosts.begin(), a.forHosts.end());
    words.emplace_back("--");
    words.insert(words.end(), a.words.begin() + 1, a.words.end());
    return words;
}
std::string listOf(const std::vector<std::string>& names)
{
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), kMostHostsNamed); ++i)
        text += (i == 0 ? "" : ", ") + names[i];
    if (names.size() > kMostHostsNamed) text += " and " + std::to_string(names.size() - kMostHostsNamed) + " more";
    return text;
}
/// Hosts for which the same is true are named together.
void tellFailures(const Hosts& hosts)
{
    std::map<std::string, std::vector<std::string>> byReason;
    std::vector<std::string> dropping;
    for (const auto& host : hosts) {
        if (!host->failure().empty()) byReason[host->failure()].push_back(host->name());
        if (host->drops() > 0) dropping.push_back(host->name() + " (" + std::to_string(host->drops()) + ')');
    }
    for (const auto& [reason, names] : byReason)
        tell("dtrace: " + listOf(names) + ": " + reason + '\n');
    if (!dropping.empty()) tell("dtrace: with drops: " + listOf(dropping) + '\n');
}
/// Starts as many as may connect at once.
void startNext(Hosts& hosts, const Arguments& a, const std::vector<std::string>& words)
{
    const auto now = FarHost::Clock::now();
    auto connecting
        = static_cast<std::size_t>(std::count_if(hosts.begin(), hosts.end(), [now](const auto& host) { return host->isConnecting(now); }));
    for (auto& host : hosts) {
        if (connecting >= a.on->atOnce) return;
        if (host->isStarted()) continue;
        if (auto started = host->start(remote::commandOf(*a.on, host->name(), words)); !started)
            host->giveUp(started.error().message); // others may go on: it may have been one process too many
        else
            ++connecting;
    }
}
/// Who gives what clauses print to `keep` and all else to `deliver`.
record::Source::Deliver apart(const record::Source::Deliver& deliver, const record::Source::Deliver& keep)
{
    std::vector<bool> tells; // by clause
    return [&deliver, &keep, tells = std::move(tells)](const record::Record& r) mutable {
        if (const auto* program = std::get_if<record::Program>(&r))
            for (const auto& clause : program->clauses)
                tells.push_back(record::tells(clause));
        const auto* fired = std::get_if<record::Fired>(&r);
        const bool isPrinted = fired && fired->clause.value < tells.size() && tells[fired->clause.value];
        (isPrinted ? keep : deliver)(r);
    };
}
/// Waits until something comes and takes it; ends what should have ended.
void take(Hosts& hosts)
{
    constexpr std::chrono::milliseconds kWait(100), kWaitForEnd(5);
    auto wait = kWait;
    struct End {
        FarHost* host;
        void (FarHost::*read)();
    };
    std::vector<pollfd> waiting;
    std::vector<End> ends;
    for (const auto& host : hosts) {
        if (!host->isStarted() || host->isOver()) continue;
        if (host->isEnding()) wait = kWaitForEnd;
        for (const auto& [fd, read] :
            {std::pair{host->output(), &FarHost::read}, std::pair{host->complaints(), &FarHost::readComplaints}}) {
            if (fd < 0) continue;
            waiting.push_back({fd, POLLIN, 0});
            ends.push_back({host.get(), read});
        }
    }
    if (::poll(waiting.data(), waiting.size(), static_cast<int>(wait.count())) > 0)
        for (std::size_t i = 0; i < ends.size(); ++i)
            if (waiting[i].revents != 0 && !ends[i].host->isOver()) (ends[i].host->*ends[i].read)();
    for (const auto& host : hosts)
        host->keepWatch(FarHost::Clock::now());
}
} // namespace

Result<bool> readHosts(Arguments& a, const record::Source::Deliver& deliver, const record::Source::Deliver& keep,
    const std::function<bool(std::string_view)>& print, bool& failed)
{
    using Clock = std::chrono::steady_clock;
    catchInterruptions();
    ::signal(SIGPIPE, SIG_IGN); // of a host that is gone
    raiseDescriptorLimit();     // three a host are more than a process has by default
    remote::Collection collection("ssh", a.on->names.size());
    const bool isPrinted = printsText(a);
    const auto printed = isPrinted && a.record.empty() && a.exports.empty() && a.reports.empty() ? Printed::AsItCame : Printed::No;
    Picture picture(a, collection, a.on->every, printed);
    DSCOPE_CHECK(picture.open());
    bool isHeard = true, isStopped = false;
    FarHost::Listeners listeners;
    if (isPrinted) listeners.print = [&](std::string_view text) { isHeard = print(text) && isHeard; };
    listeners.complain = [](std::string_view text) { tell(text); };
    Hosts hosts;
    for (const auto& name : a.on->names)
        hosts.push_back(std::make_unique<FarHost>(name, collection, listeners, a.on->printed, FarHost::Limits{a.schedule, a.on->grace}));

    const auto words = wordsFor(a);
    auto next = Clock::now() + a.on->every;
    const auto isOver = [](const auto& host) { return host->isOver(); };
    while (!std::all_of(hosts.begin(), hosts.end(), isOver)) {
        const bool stops = isInterrupted() || !isHeard;
        if (stops && !isStopped)
            for (auto& host : hosts)
                host->stop();
        isStopped = isStopped || stops;
        if (!isStopped) startNext(hosts, a, words);
        if (isStopped && std::none_of(hosts.begin(), hosts.end(), [](const auto& host) { return host->isStarted() && !host->isOver(); }))
            break;
        if (isInterruptedTwice()) break;
        take(hosts);
        if (const auto now = Clock::now(); now >= next) {
            for (auto& host : hosts)
                if (host->tell()) picture.touch();
            next = now + a.on->every;
        }
        picture.keepUp();
    }

    for (auto& host : hosts) // there are none but after an interruption
        host->giveUp(host->isStarted() ? "its run had not ended when dscope was interrupted again"
                                       : "its run was not started before dscope was interrupted");
    tellFailures(hosts);
    failed = std::any_of(hosts.begin(), hosts.end(), [](const auto& host) { return !host->failure().empty(); });
    DSCOPE_TRY(const auto summary, picture.finish(isPrinted ? apart(deliver, keep) : deliver));
    failed = failed || summary.lacksWhatWasSent();
    if (summary.hosts == 0) return Error{0, "no host has run the program"};
    return false;
}
} // namespace dscope::cli
