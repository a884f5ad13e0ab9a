#include "graph/shared_folders.h"
#include "graph/text.h"
#include <algorithm>
#include <string_view>
namespace dscope::graph {
std::vector<std::string> withoutSharedFolders(std::vector<std::string> names)
{
    constexpr std::size_t kLeast = 4; // letters that are worth an ellipsis
    std::string_view shared;
    std::size_t paths = 0;
    for (const auto& name : names) {
        if (!name.starts_with('/')) continue;
        const std::string_view folders = std::string_view(name).substr(0, name.rfind('/') + 1);
        if (paths++ == 0) {
            shared = folders;
            continue;
        }
        const auto same = std::mismatch(shared.begin(), shared.end(), folders.begin(), folders.end()).first;
        shared = shared.substr(0, static_cast<std::size_t>(same - shared.begin()));
        shared = shared.substr(0, shared.rfind('/') + 1);
    }
    const bool differ = std::any_of(names.begin(), names.end(), [&](const auto& name) { return name != names.front(); });
    if (paths < 2 || !differ || shared.size() < kLeast) return names;
    const auto left = shared.size() - 1; // its last slash stays
    for (auto& name : names)
        if (name.starts_with('/')) name = std::string(kEllipsis) + name.substr(left);
    return names;
}
} // namespace dscope::graph
