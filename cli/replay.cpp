#include "cli/budgets.h"
#include "cli/collected.h"
#include "cli/consumers.h"
#include "cli/figures.h"
#include "cli/inputs.h"
#include "cli/merged.h"
#include "cli/messages.h"
#include "cli/on_hosts.h"
#include "cli/reports.h"
#include "cli/run.h"
#include "engine/record/clock_agreement.h"
#include "engine/symbols/later_names.h"
#include <algorithm>
#include <cstdio>
namespace dscope::cli {
namespace {
/// What names recorded stacks, when -x ustacklines asks for it; else null.
Result<std::unique_ptr<symbols::LaterNames>> laterNames(const Arguments& a)
{
    if (!a.options.flag("ustacklines")) return std::unique_ptr<symbols::LaterNames>();
    DSCOPE_TRY(auto lines, symbols::SourceLines::start());
    std::shared_ptr<symbols::Debuginfod> servers;
    if (a.options.flag("debuginfod")) { DSCOPE_TRY(servers, symbols::Debuginfod::start()); }
    return std::make_unique<symbols::LaterNames>(std::move(lines), std::move(servers), a.options.text("debugpath"));
}

void tellOfUnknown(const std::vector<std::string>& files)
{
    constexpr std::size_t kMostNamed = 5;
    if (files.empty()) return;
    std::string names;
    for (std::size_t i = 0; i < std::min(files.size(), kMostNamed); ++i)
        names += (i == 0 ? "" : ", ") + files[i];
    if (files.size() > kMostNamed) names += " and " + std::to_string(files.size() - kMostNamed) + " more";
    std::fprintf(stderr, "dtrace: no debug information was found of %s: -x debuginfod fetches it from the servers of DEBUGINFOD_URLS\n",
        names.c_str());
}
} // namespace

int replay(const Arguments& given)
{
    Arguments a = given;
    if (auto fine = checkOutputs(a); !fine) return fail(fine.error().message);
    const auto before = runBefore(a);
    if (!before) return fail(before.error().message);
    Consumers consumers(a, Consumers::Of::Replay, before->get());
    if (auto open = consumers.open(); !open) return fail(open.error().message);
    auto names = laterNames(a);
    if (!names) return fail(names.error().message);
    const auto take = [&](const record::Record& r) {
        if (const auto* exit = std::get_if<record::Exit>(&r); exit && a.by)
            if (const auto text = record::textOf(exit->agreement); !text.empty()) tell("dtrace: " + text + '\n');
        const auto* stack = *names ? std::get_if<record::StackDef>(&r) : nullptr;
        const auto* told = a.by ? std::get_if<record::Diagnostic>(&r) : nullptr;
        if (told) tell("dtrace: " + told->text + '\n');
        if (stack)
            consumers.take(record::StackDef{stack->id, (**names)(stack->frames)});
        else if (!told)
            consumers.take(r);
    };
    const auto takeOf = [&](std::size_t run, const record::Record& r) { consumers.takeOf(run, r); };
    const auto each = a.comparesRuns() || drawsEachRun(a) ? cli::TakeOfRun(takeOf) : cli::TakeOfRun();
    bool isPartial = false;
    const auto print = [&](std::string_view text) {
        consumers.print(text);
        consumers.flush();
        return consumers.lost() == 0;
    };
    const auto keep = [&](const record::Record& r) { consumers.takeSilently(r); };
    const auto read = a.on ? readHosts(a, take, keep, print, isPartial)
        : a.collect        ? readCollected(a, take, isPartial)
        : a.by             ? readMerged(a.merged, *a.by, take, each)
                           : readRecording(a.replay, take);

    if (!read) {
        consumers.flush();
        return fail(read.error().message);
    }

    auto others = otherRuns(a);
    if (!others) return fail(others.error().message);
    const auto done = consumers.finish(*std::move(others), *read);
    if (!done) fail(done.error().message);
    if (consumers.lost() != 0) return fail(consumers.lossText());
    if (!done) return 1;
    if (*read)
        std::fprintf(
            stderr, "dtrace: %s is cut: the run went on after what is shown here\n", a.by ? "one of the recordings" : a.replay.c_str());
    if (*names) tellOfUnknown((*names)->unknown());
    return isPartial ? 1 : consumers.status();
}
} // namespace dscope::cli
