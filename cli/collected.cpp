#include "cli/collected.h"
#include "cli/figures.h"
#include "cli/messages.h"
#include "cli/output.h"
#include "engine/record/merged_runs.h"
#include "engine/remote/broker.h"
#include "engine/remote/collection.h"
#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <thread>
namespace dscope::cli {
namespace {
std::atomic<int> g_asked = 0;
void onAsked(int)
{
    if (g_asked.fetch_add(1) > 0) ::_exit(0); // asked twice: leave at once
}
/// What is known now, as one stream.
Result<remote::Collection::Summary> merge(const remote::Collection& collection, record::MergedBy by, const record::Source::Deliver& deliver)
{
    auto set = collection.dataSet();
    if (set.runs.empty()) return std::move(set.summary);
    record::MergedRuns merged(std::move(set.runs), by);
    for (;;) {
        DSCOPE_TRY(const bool more, merged.poll({}, deliver));
        if (!more) return std::move(set.summary);
    }
}
/// A figure says what it lacks.
void note(Arguments& a, const remote::Collection::Summary& summary)
{
    if (summary.isPartial()) a.layout.said.push_back(summary.text());
}
Result<> draw(const Arguments& given, const remote::Collection& collection)
{
    Arguments a = given;
    FigureData data(a);
    DSCOPE_TRY(const auto summary, merge(collection, *a.by, [&](const record::Record& r) { data.take(r); }));
    if (summary.hosts == 0) return {};
    note(a, summary);
    return writeFigures(a, data, nullptr, {});
}
} // namespace

Result<bool> readCollected(Arguments& a, const record::Source::Deliver& deliver)
{
    using Clock = std::chrono::steady_clock;
    const auto& from = *a.collect;
    DSCOPE_TRY(const auto broker, remote::natsBroker(from));
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        if (::signal(signal, onAsked) == SIG_IGN) ::signal(signal, SIG_IGN); // ignored at the start stays ignored

    remote::Collection collection(from.run, from.hosts);
    const bool draws = !a.exports.empty() && a.diff.empty() && !a.redact;
    bool isNew = false;
    std::string trouble;
    auto next = Clock::now() + from.every;
    while (g_asked == 0) {
        constexpr std::chrono::milliseconds kWait(100);
        auto kept = broker->next(kWait);
        if (!kept && kept.error().code != remote::kAway) return std::move(kept).error();
        if (!kept) {
            if (kept.error().message != trouble) tell("dtrace: waiting for " + from.shown + ": " + kept.error().message + '\n');
            trouble = kept.error().message;
            std::this_thread::sleep_for(kWait);
        } else if (*kept) {
            isNew = collection.take(**kept) || isNew;
            trouble.clear();
        } else if (collection.hasEnded()) {
            const auto all = broker->hasGivenAll();
            if (all && *all) break;
        }
        const auto now = Clock::now();
        if (!draws || !isNew || now < next) continue;
        DSCOPE_CHECK(draw(a, collection));
        isNew = false;
        // Most of the time is for what hosts send.
        constexpr int kShare = 4;
        next = Clock::now() + std::max<Clock::duration>(from.every, (Clock::now() - now) * kShare);
    }

    DSCOPE_TRY(const auto summary, merge(collection, *a.by, deliver));
    for (const auto& host : summary.refused)
        tell("dtrace: " + host + '\n');
    if (summary.hosts == 0) return Error{0, "no host has published anything of run " + from.run + " at " + from.shown};
    note(a, summary);
    tell("dtrace: " + summary.text() + '\n');
    if (summary.isCut) tell("dtrace: one of the published recordings is cut: the run went on after what is shown here\n");
    return false;
}
} // namespace dscope::cli
