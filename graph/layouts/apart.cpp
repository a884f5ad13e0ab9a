#include "graph/layouts/apart.h"
#include "engine/base/fd.h"
#include "graph/layout_patience.h"
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>
namespace dscope::graph {
namespace {
constexpr int kLook = 20;                 ///< ms between looks at whether the picture is still wanted
constexpr std::chrono::seconds kStuck(3); ///< a process that has not run for so long waits for what nobody gives it
constexpr int kTries = 3;

/// Whether a process runs at all.
class Progress {
public:
    explicit Progress(pid_t process) : m_isKnown(::clock_getcpuclockid(process, &m_clock) == 0) { }
    bool isStuck()
    {
        timespec ran{};
        if (!m_isKnown || ::clock_gettime(m_clock, &ran) != 0) return false;
        const auto now = std::chrono::steady_clock::now();
        if (ran.tv_sec == m_ran.tv_sec && ran.tv_nsec == m_ran.tv_nsec) return now - m_since > kStuck;
        m_ran = ran;
        m_since = now;
        return false;
    }

private:
    clockid_t m_clock{};
    bool m_isKnown;
    timespec m_ran{};
    std::chrono::steady_clock::time_point m_since = std::chrono::steady_clock::now();
};

/// A layout as numbers: how many centres, x and y of each, how many routes, of each how many points, and those.
std::vector<double> numbersOf(const Routed& routed)
{
    std::vector<double> all;
    const auto add = [&](const std::vector<Point>& points) {
        all.push_back(static_cast<double>(points.size()));
        for (const auto& p : points) {
            all.push_back(p.x);
            all.push_back(p.y);
        }
    };
    add(routed.centres);
    all.push_back(static_cast<double>(routed.routes.size()));
    for (const auto& route : routed.routes)
        add(route);
    return all;
}
/// None where some are missing.
std::optional<Routed> routedOf(const std::vector<double>& all)
{
    std::size_t at = 0;
    bool isWhole = true;
    const auto next = [&] {
        isWhole = isWhole && at < all.size();
        return isWhole ? all[at++] : 0.0;
    };
    const auto take = [&] {
        std::vector<Point> points;
        for (auto left = static_cast<std::size_t>(next()); left > 0 && isWhole; --left) {
            const double x = next();
            points.push_back({x, next()});
        }
        return points;
    };
    Routed routed;
    routed.centres = take();
    for (auto left = static_cast<std::size_t>(next()); left > 0 && isWhole; --left)
        routed.routes.push_back(take());
    if (!isWhole || at != all.size()) return std::nullopt;
    return routed;
}
/// In the new process: never returns. Of the other threads nothing but their memory is here; glibc hands over malloc in order
/// (Source: glibc, malloc/arena.c, __malloc_fork_lock_parent), and Graphviz takes no locks but ours. A sanitizer's malloc, or a library
/// that another thread is within, may leave a lock that is never given back: who waits for it is stuck.
[[noreturn]] void work(int to, unsigned seconds, pid_t parent, const std::function<std::optional<Routed>()>& layOut)
{
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1); // it has gone already
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGPIPE})
        ::signal(signal, SIG_DFL);
    const rlimit limit{seconds, seconds}, noCore{0, 0};
    ::setrlimit(RLIMIT_CPU, &limit);
    ::setrlimit(RLIMIT_CORE, &noCore);
    const auto routed = layOut();
    if (!routed) ::_exit(1);
    const auto numbers = numbersOf(*routed);
    const auto* bytes = reinterpret_cast<const char*>(numbers.data());
    for (std::size_t left = numbers.size() * sizeof(double); left > 0;) {
        const auto written = ::write(to, bytes, left);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) ::_exit(1);
        bytes += written;
        left -= static_cast<std::size_t>(written);
    }
    ::_exit(0);
}
} // namespace

namespace {
struct Tried {
    std::optional<Routed> routed;
    bool wasStuck = false;
};
Tried tryApart(const std::function<std::optional<Routed>()>& layOut, std::mutex& hold, LayoutPatience* patience)
{
    if (patience && patience->isUnwanted()) return {};
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return {};
    const Fd from(ends[0]);
    Fd to(ends[1]);
    const auto parent = ::getpid();
    const auto seconds = patience ? patience->seconds() : kLayoutSeconds;
    std::unique_lock lock(hold);
    const auto child = ::fork();
    if (child == 0) work(to.get(), seconds, parent, layOut);
    lock.unlock();
    if (child < 0) return {};
    to = Fd();

    std::vector<char> bytes;
    Progress progress(child);
    bool wasStuck = false;
    for (bool more = true; more;) {
        wasStuck = wasStuck || progress.isStuck();
        if (wasStuck || (patience && patience->isUnwanted())) ::kill(child, SIGKILL);
        pollfd one{from.get(), POLLIN, 0};
        if (::poll(&one, 1, kLook) <= 0) continue;
        char buffer[65536];
        const auto got = ::read(from.get(), buffer, sizeof buffer);
        if (got > 0) bytes.insert(bytes.end(), buffer, buffer + got);
        more = got > 0 || (got < 0 && errno == EINTR);
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) { }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        if (patience && !patience->isUnwanted() && !wasStuck && WIFSIGNALED(status)) patience->giveUp();
        return {std::nullopt, wasStuck};
    }
    std::vector<double> numbers(bytes.size() / sizeof(double));
    std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(double));
    return {routedOf(numbers), false};
}
} // namespace

std::optional<Routed> apart(const std::function<std::optional<Routed>()>& layOut, std::mutex& hold)
{
    auto* patience = LayoutPatience::here();
    for (int i = 0; i < kTries; ++i)
        if (auto tried = tryApart(layOut, hold, patience); !tried.wasStuck) return std::move(tried.routed);
    if (patience && !patience->isUnwanted()) patience->giveUp();
    return std::nullopt;
}
} // namespace dscope::graph
