#include "cli/interruption.h"
#include <atomic>
#include <csignal>
#include <unistd.h>
namespace dscope::cli {
namespace {
std::atomic<int> g_asked = 0;
void onAsked(int)
{
    if (g_asked.fetch_add(1) > 0) ::_exit(0); // asked twice: leave at once
}
} // namespace

void catchInterruptions()
{
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        if (::signal(signal, onAsked) == SIG_IGN) ::signal(signal, SIG_IGN);
}

bool isInterrupted() { return g_asked > 0; }
} // namespace dscope::cli
