#include "engine/base/process_end.h"
#include <atomic>
#include <vector>
namespace dscope {
namespace {
std::atomic<bool> g_ends = false;
}
void tellProcessEnds() { g_ends = true; }
bool processEnds() { return g_ends; }
void keepUntilTheEnd(const void* object)
{
    static auto* const all = new std::vector<const void*>; // leaks are what nobody points to
    all->push_back(object);
}
} // namespace dscope
