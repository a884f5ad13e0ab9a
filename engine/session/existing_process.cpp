#include "engine/session/existing_process.h"
#include <charconv>
namespace dscope::session {
namespace {
/// "PPid:\t42" in /proc/N/status; the first number of the line.
std::uint32_t numberAfter(std::string_view status, std::string_view key)
{
    const auto at = status.find(key);
    if (at == std::string_view::npos) return 0;
    const auto from = status.find_first_of("0123456789", at + key.size());
    std::uint32_t number = 0;
    if (from != std::string_view::npos) std::from_chars(status.data() + from, status.data() + status.size(), number);
    return number;
}
} // namespace

std::optional<record::ProcessEvent> existingProcess(const host::Host& host, std::uint32_t pid, record::Nanoseconds when)
{
    const std::string folder = "/proc/" + std::to_string(pid);
    const auto status = host.read(folder + "/status");
    if (!status) return std::nullopt;
    record::ProcessEvent event;
    event.kind = record::ProcessEvent::Kind::Existing;
    event.when = when;
    event.pid = event.tid = pid;
    event.parent = numberAfter(*status, "\nPPid:");
    event.uid = numberAfter(*status, "\nUid:");
    if (const auto comm = host.read(folder + "/comm")) event.execname = comm->substr(0, comm->find('\n'));
    if (const auto args = host.read(folder + "/cmdline")) {
        for (std::size_t at = 0; at < args->size();) {
            const auto end = std::min(args->find('\0', at), args->size());
            event.args.push_back(args->substr(at, end - at));
            at = end + 1;
        }
    }
    return event;
}

std::uint32_t parentOf(const host::Host& host, std::uint32_t pid)
{
    const auto status = host.read("/proc/" + std::to_string(pid) + "/status");
    return status ? numberAfter(*status, "\nPPid:") : 0;
}
} // namespace dscope::session
