#include "engine/session/waiter.h"
#include "engine/session/refusal.h"
#include <array>
#include <cerrno>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
namespace dscope::session {
Result<Waiter> Waiter::make()
{
    Waiter waiter;
    waiter.m_epoll = Fd(::epoll_create1(EPOLL_CLOEXEC));
    waiter.m_wake = Fd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!waiter.m_epoll || !waiter.m_wake) return refusal("preparing to wait for records", errno);
    DSCOPE_CHECK(waiter.watch(waiter.m_wake.get()));
    return waiter;
}

Result<> Waiter::watch(int fd) { return add(fd, EPOLLIN); }

Result<> Waiter::watchChanges(int fd) { return add(fd, EPOLLIN | EPOLLET); }

Result<> Waiter::add(int fd, std::uint32_t events)
{
    epoll_event event{};
    event.events = events;
    event.data.fd = fd;
    if (::epoll_ctl(m_epoll.get(), EPOLL_CTL_ADD, fd, &event) != 0) return refusal("preparing to wait for records", errno);
    return {};
}

bool Waiter::wait(std::chrono::milliseconds most)
{
    std::array<epoll_event, 8> events{};
    return ::epoll_wait(m_epoll.get(), events.data(), static_cast<int>(events.size()), static_cast<int>(most.count())) > 0;
}

void Waiter::nap(std::chrono::milliseconds time)
{
    pollfd wake{m_wake.get(), POLLIN, 0};
    ::poll(&wake, 1, static_cast<int>(time.count()));
}
} // namespace dscope::session
