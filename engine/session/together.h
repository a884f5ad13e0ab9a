#pragma once
#include "engine/session/signals_held.h"
#include <system_error>
#include <thread>
#include <vector>
namespace dscope::session {
/// Calls `work` here and on up to `threads` - 1 others at once, and returns when all have ended; where no further thread may
/// be had (pids.max, ulimit -u) it is fewer, so `work` takes from what is left until nothing is.
template <typename Work> void together(std::size_t threads, const Work& work)
{
    const SignalsHeld held;
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < threads; ++i)
        try {
            others.emplace_back(work);
        } catch (const std::system_error&) {
            break;
        }
    work();
}
} // namespace dscope::session
