#include "engine/base/descriptor_limit.h"
#include <atomic>
#include <cerrno>
#include <sys/resource.h>
namespace dscope {
namespace {
// Of the process, as the limit is: whoever reaches it, anywhere, has reached it for all.
std::atomic<std::uint64_t> g_unopened = 0;
std::atomic<rlim_t> g_limitBefore = 0; ///< 0: it was not raised
} // namespace

void raiseDescriptorLimit()
{
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max) return;
    const auto before = limit.rlim_cur;
    limit.rlim_cur = limit.rlim_max;
    if (::setrlimit(RLIMIT_NOFILE, &limit) == 0) g_limitBefore = before;
}

std::uint64_t descriptorLimit()
{
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    return limit.rlim_cur;
}

void restoreDescriptorLimit()
{
    rlimit limit{};
    if (g_limitBefore == 0 || ::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = g_limitBefore;
    ::setrlimit(RLIMIT_NOFILE, &limit);
}

void noteUnopened(int why)
{
    if (why == EMFILE || why == ENFILE) ++g_unopened;
    errno = why;
}

std::uint64_t unopened() { return g_unopened; }

std::string unopenedText()
{
    if (unopened() == 0) return {};
    return "files could not be opened " + std::to_string(unopened()) + " times, because " + std::to_string(descriptorLimit())
        + " may be open at a time: names of code and the ends of stacks are missing for that reason (raise the limit with ulimit -n)";
}
} // namespace dscope
