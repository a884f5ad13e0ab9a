#include "engine/session/starting.h"
#include "engine/base/fd.h"
#include "engine/session/hold.h"
#include <charconv>
#include <ctime>
#include <functional>
#include <optional>
#include <poll.h>
#include <string_view>
#include <sys/syscall.h>
#include <unistd.h>
namespace dscope::session {
namespace {
using std::chrono::milliseconds;

struct Birth {
    bool hasOwnImage = false;
    milliseconds since{}; ///< since the machine has started
    Image image = 0;
};
/// Source: proc(5), /proc/[pid]/stat: flags is the ninth field, starttime, in ticks, the twenty-second, startstack the twenty-eighth, which
/// differs from one program to the next (or is 0 if we may not know it); include/linux/sched.h: PF_FORKNOEXEC.
std::optional<Birth> birthOf(const host::Host& host, pid_t process)
{
    const auto text = host.read("/proc/" + std::to_string(process) + "/stat");
    const auto name = text ? text->rfind(')') : std::string::npos; // a name may have blanks and parentheses
    if (name == std::string::npos) return {};
    std::string_view rest = std::string_view(*text).substr(name + 1);
    std::uint64_t flags = 0, start = 0, stack = 0;
    for (int field = 3; field <= 28 && !rest.empty(); ++field) {
        rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
        const auto word = rest.substr(0, rest.find(' '));
        if (field == 9) std::from_chars(word.data(), word.data() + word.size(), flags);
        if (field == 22) std::from_chars(word.data(), word.data() + word.size(), start);
        if (field == 28) std::from_chars(word.data(), word.data() + word.size(), stack);
        rest.remove_prefix(word.size());
    }
    constexpr std::uint64_t kForkNoExec = 0x40;
    return Birth{(flags & kForkNoExec) == 0, milliseconds(start * 1000 / static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK))), stack};
}

milliseconds sinceBoot()
{
    timespec now{};
    ::clock_gettime(CLOCK_BOOTTIME, &now);
    return milliseconds(now.tv_sec * 1000 + now.tv_nsec / 1'000'000);
}
/// Whether it `isSo`, which is asked until the process is old or has ended.
bool untilOld(const host::Host& host, pid_t process, milliseconds youth, const std::function<bool(const Birth&)>& isSo)
{
    const Fd running(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
    if (!running) return false;
    for (;;) {
        const auto birth = birthOf(host, process);
        if (!birth) return false;
        if (isSo(*birth)) return true;
        pollfd ended{running.get(), POLLIN, 0};
        if (sinceBoot() - birth->since > youth || ::poll(&ended, 1, 1) != 0) return false;
    }
}
} // namespace

std::optional<Image> awaitStart(const host::Host& host, pid_t process, milliseconds youth)
{
    std::optional<Birth> birth;
    untilOld(host, process, youth, [&](const Birth& now) {
        birth = now;
        return now.hasOwnImage && !isBeingLinked(host, process);
    });
    return birth ? std::optional(birth->image) : std::nullopt;
}

bool awaitNextImage(const host::Host& host, pid_t process, Image image, milliseconds youth)
{
    return untilOld(host, process, youth, [image](const Birth& now) { return now.image != image; });
}
} // namespace dscope::session
