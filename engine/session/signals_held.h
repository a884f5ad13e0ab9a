#pragma once
#include <csignal>
#include <pthread.h>
namespace dscope::session {
/// Blocks all signals in this thread while it lives. Threads started meanwhile inherit the mask for good: signals are for the thread
/// that the program began with.
class SignalsHeld {
public:
    SignalsHeld()
    {
        sigset_t all;
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &m_before);
    }

    SignalsHeld(SignalsHeld&&) = delete;
    ~SignalsHeld() { ::pthread_sigmask(SIG_SETMASK, &m_before, nullptr); }

private:
    sigset_t m_before;
};
} // namespace dscope::session
