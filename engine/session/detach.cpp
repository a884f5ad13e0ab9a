#include "engine/session/attach.h"
#include "engine/session/together.h"
#include <algorithm>
#include <atomic>
namespace dscope::session {
void detach(Attachments& attachments)
{
    // Leaving a uprobe waits for the kernel's grace periods, 45 ms a link; links that are closed at the same time wait together.
    constexpr std::size_t kMostThreads = 64;
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t i = next++; i < attachments.size(); i = next++)
            attachments[i].reset();
    };
    together(std::min(attachments.size(), kMostThreads), work);
    attachments.clear();
}
} // namespace dscope::session
