#include "engine/base/process_end.h"
#include <atomic>
#include <mutex>
#include <vector>
namespace dscope {
namespace {
std::atomic<bool> g_ends = false;
}
void tellProcessEnds() { g_ends = true; }
bool processEnds() { return g_ends; }
void keepUntilTheEnd(const void* object)
{
    static std::mutex mutex;
    static auto* const all = new std::vector<const void*>; // LeakSanitizer reports only what nothing points to
    const std::lock_guard lock(mutex);
    all->push_back(object);
}
} // namespace dscope
