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
void onAsked(int) { isFirstToAsk(); }
std::int64_t now()
{
    timespec t{};
    ::clock_gettime(CLOCK_MONOTONIC, &t);
    return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}
} // namespace

bool isFirstToAsk()
{
    std::int64_t first = 0;
    const auto when = now();
    if (g_asked.compare_exchange_strong(first, when)) return true;
    if (when - first > kEcho) ::_exit(0);
    return false;
}

void catchInterruptions()
{
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        if (::signal(signal, onAsked) == SIG_IGN) ::signal(signal, SIG_IGN);
}

bool isInterrupted() { return g_asked != 0; }
} // namespace dscope::cli
