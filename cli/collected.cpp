#include "cli/collected.h"
#include "cli/interruption.h"
#include "cli/output.h"
#include "cli/picture.h"
#include "engine/remote/broker.h"
#include <thread>
namespace dscope::cli {
Result<bool> readCollected(Arguments& a, const record::Source::Deliver& deliver)
{
    const auto& from = *a.collect;
    DSCOPE_TRY(const auto broker, remote::natsBroker(from));
    catchInterruptions();
    remote::Collection collection(from.run, from.hosts);
    Picture picture(a, collection, from.every);
    DSCOPE_CHECK(picture.open());
    std::string trouble;
    while (!isInterrupted()) {
        constexpr std::chrono::milliseconds kWait(100);
        auto kept = broker->next(kWait);
        if (!kept && kept.error().code != remote::kAway) return std::move(kept).error();
        if (!kept) {
            if (kept.error().message != trouble) tell("dtrace: waiting for " + from.shown + ": " + kept.error().message + '\n');
            trouble = kept.error().message;
            std::this_thread::sleep_for(kWait);
        } else if (*kept) {
            if (collection.take(**kept)) picture.touch();
            trouble.clear();
        } else if (collection.hasEnded()) {
            const auto all = broker->hasGivenAll();
            if (all && *all) break;
        }
        DSCOPE_CHECK(picture.keepUp());
    }

    DSCOPE_TRY(const auto summary, picture.finish(deliver));
    if (summary.hosts == 0) return Error{0, "no host has published anything of run " + from.run + " at " + from.shown};
    if (summary.cut > 0) tell("dtrace: one of the published recordings is cut: the run went on after what is shown here\n");
    return false;
}
} // namespace dscope::cli
