#include "engine/host/containers.h"
#include <algorithm>
#include <optional>
namespace dscope::host {
namespace {
bool isId(std::string_view text)
{
    return text.size() == kContainerId
        && std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}
std::string_view idIn(std::string_view folder)
{
    if (folder.ends_with(kContainerScope)) folder.remove_suffix(kContainerScope.size());
    if (folder.size() < kContainerId) return {};
    const auto id = folder.substr(folder.size() - kContainerId);
    const auto before = folder.substr(0, folder.size() - kContainerId);
    return isId(id) && (before.empty() || before.back() == '-') ? id : std::string_view();
}
std::optional<std::string> nameIn(std::string_view folder, std::string_view within)
{
    for (const auto& row : kContainerFolders) {
        if (!row.within.empty() && row.within != within) continue;
        if (folder.size() <= row.before.size() + row.after.size() || !folder.starts_with(row.before) || !folder.ends_with(row.after))
            continue;
        std::string name(folder.substr(row.before.size(), folder.size() - row.before.size() - row.after.size()));
        for (std::size_t at = 0; (at = name.find(kEscapedDash, at)) != std::string::npos; ++at)
            name.replace(at, kEscapedDash.size(), "-");
        return name;
    }
    return {};
}
} // namespace

FoundContainer containerIn(std::string_view path)
{
    for (auto end = path.size(); end > 0;) {
        const auto begin = path.substr(0, end).rfind('/') + 1; // npos + 1 is the path's beginning
        const auto folder = path.substr(begin, end - begin);
        const auto above = path.substr(0, begin == 0 ? 0 : begin - 1);
        if (const auto id = idIn(folder); !id.empty()) return {std::string(id.substr(0, kShownContainerId)), std::string(id), end};
        if (const auto name = nameIn(folder, above.substr(above.rfind('/') + 1))) return {*name, {}, end};
        end = above.size();
    }
    return {};
}
} // namespace dscope::host
