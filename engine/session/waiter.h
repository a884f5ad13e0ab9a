#pragma once
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include <chrono>
namespace dscope::session {
/// Sleeps until a watched descriptor is readable, somebody calls wake(), or time is up.
class Waiter {
public:
    static Result<Waiter> make();
    Result<> watch(int fd);
    void wait(std::chrono::milliseconds most);
    /// Sleeps for `time` although watched descriptors are readable; wake() ends it.
    void nap(std::chrono::milliseconds time);
    /// From any thread or signal handler; what waits returns, now and from then on.
    int wakeFd() const { return m_wake.get(); }

private:
    Fd m_epoll, m_wake;
};
} // namespace dscope::session
