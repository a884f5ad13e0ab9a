#include "cli/interruption.h"
#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <unistd.h>
namespace dscope::cli {
namespace {
constexpr std::int64_t kEcho = 500'000'000; ///< ns: longer than a busy machine keeps the echo, and sooner than people ask again
std::atomic<std::int64_t> g_asked = 0;      ///< when, by CLOCK_MONOTONIC; 0: not yet
std::atomic<std::int64_t> g_askedAgain = 0; ///< likewise the second time
std::int64_t now()
{
    timespec t{};
    ::clock_gettime(CLOCK_MONOTONIC, &t);
    return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}
/// Notes the time of the first request, and says whether this is it.
bool isFirst(std::atomic<std::int64_t>& asked, std::int64_t when)
{
    std::int64_t first = 0;
    return asked.compare_exchange_strong(first, when);
}
bool isEcho(const std::atomic<std::int64_t>& of, std::int64_t when) { return when - of <= kEcho; }

/// Signals of catchInterruptions().
void onAsked(int)
{
    const auto when = now();
    if (isFirst(g_asked, when) || isEcho(g_asked, when) || isFirst(g_askedAgain, when) || isEcho(g_askedAgain, when)) return;
    ::_exit(1);
}
} // namespace

bool isFirstToAsk()
{
    const auto when = now();
    if (isFirst(g_asked, when)) return true;
    if (!isEcho(g_asked, when)) ::_exit(0);
    return false;
}

void catchInterruptions()
{
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        if (::signal(signal, onAsked) == SIG_IGN) ::signal(signal, SIG_IGN);
}

bool isInterrupted() { return g_asked != 0; }
bool isInterruptedTwice() { return g_askedAgain != 0; }
} // namespace dscope::cli
