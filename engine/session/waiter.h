#pragma once
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include <chrono>
#include <cstdint>
namespace dscope::session {
/// Sleeps until a watched descriptor is readable, somebody calls wake(), or time is up.
class Waiter {
public:
    static Result<Waiter> make();
    /// wait() returns as long as `fd` is readable.
    Result<> watch(int fd);
    /// wait() returns each time that `fd` becomes readable or hangs up, once: what stays readable after its process has ended.
    Result<> watchChanges(int fd);
    /// False: time was up.
    bool wait(std::chrono::milliseconds most);
    /// Sleeps for `time` although watched descriptors are readable; wake() ends it.
    void nap(std::chrono::milliseconds time);
    /// From any thread or signal handler; what waits returns, now and from then on.
    int wakeFd() const { return m_wake.get(); }

private:
    Result<> add(int fd, std::uint32_t events);
    Fd m_epoll, m_wake;
};
} // namespace dscope::session
