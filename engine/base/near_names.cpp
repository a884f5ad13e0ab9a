#include "engine/base/near_names.h"
#include <algorithm>
#include <utility>
namespace dscope {
namespace {
/// Damerau-Levenshtein distance (neighbours swapped count once), given up above `limit`.
std::size_t distance(std::string_view a, std::string_view b, std::size_t limit)
{
    if (a.size() > b.size() + limit || b.size() > a.size() + limit) return limit + 1;
    std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        previous[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
        }
        std::swap(before, previous);
        std::swap(previous, row);
    }
    return previous[b.size()];
}
} // namespace

std::vector<std::string> nearNames(std::string_view name, const std::vector<std::string>& candidates)
{
    const auto limit = std::max<std::size_t>(1, name.size() / 3);
    std::vector<std::pair<std::size_t, std::string>> found;
    for (const auto& c : candidates) {
        const auto d = distance(name, c, limit);
        if (d <= limit && c != name) found.emplace_back(d, c);
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    std::vector<std::string> near;
    for (std::size_t i = 0; i < found.size() && i < 3; ++i)
        near.push_back(found[i].second);
    return near;
}
std::string didYouMean(const std::vector<std::string>& names)
{
    if (names.empty()) return {};
    std::string text = "did you mean " + names[0];
    for (std::size_t i = 1; i < names.size(); ++i)
        text += (i + 1 == names.size() ? " or " : ", ") + names[i];
    return text + "?";
}
} // namespace dscope
