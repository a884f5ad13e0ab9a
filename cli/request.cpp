#include "cli/request.h"
#include "engine/base/asker.h"
#include <algorithm>
#include <charconv>
#include <optional>
#include <unistd.h>
namespace dscope::cli {
namespace {
/// As whom the commands of -c run; nothing: as we do. A front end's user wants them run as itself, without asking for it.
Result<std::optional<uid_t>> commandsOwner(const Arguments& a)
{
    const bool isFrontEnds = a.stream >= 0;
    if ((!isFrontEnds && !a.asUser) || ::geteuid() != 0) return std::optional<uid_t>();

    const auto user = asker();
    if (!user && isFrontEnds) return std::optional<uid_t>();
    if (!user) return Error{0, "--as-user: dscope was not started through sudo, so there is no other user to run -c as; leave it out"};
    return std::optional(user->uid);
}
} // namespace

Result<tracer::Request> requestOf(const Arguments& a)
{
    tracer::Request request;
    for (const auto& p : a.programs)
        request.programs.push_back({p.text, p.script, p.parts});
    request.words = a.words;
    request.commands = a.commands;
    for (const auto& p : a.pids) {
        int pid = 0;
        const auto begin = std::min(p.find_first_not_of(" \t"), p.size()); // scripts give what ps(1) prints
        if (std::from_chars(p.data() + begin, p.data() + p.size(), pid).ptr != p.data() + p.size() || pid <= 0)
            return Error{0, "invalid pid: " + p};
        request.processes.push_back(pid);
    }
    DSCOPE_TRY(request.runAs, commandsOwner(a));
    request.endsGroups = a.stream >= 0;
    request.asker = a.frontEnd;
    request.options = a.options;
    request.allowNoMatch = a.allowNoMatch;
    request.listing = a.mode == Arguments::Mode::List;
    request.reports = a.verbose;
    request.writes = a.showText;
    request.preprocess = a.preprocess;
    request.cppArguments = a.cppArguments;
    request.dialect = a.dialect;
    return request;
}
} // namespace dscope::cli
