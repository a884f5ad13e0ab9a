#pragma once
#include <sys/wait.h>
#include <thread>
namespace dscope::tests {
/// Whether this process has a child that has not been waited for, running or not.
inline bool hasChild()
{
    siginfo_t about{};
    return ::waitid(P_ALL, 0, &about, WEXITED | WNOHANG | WNOWAIT) == 0;
}
inline void waitForChild()
{
    while (!hasChild())
        std::this_thread::yield();
}
} // namespace dscope::tests
