#include "engine/language/language.h"
#include <algorithm>
namespace dscope::language {
namespace {
template <typename... Rows> constexpr std::size_t countOf(const Rows&... rows) { return (rows.size() + ...); }

constexpr auto kWords = [] {
    std::array<Word, countOf(kSubroutines, kActions, kAggregations, kSymbolFunctions, kStackFunctions, kConstructs, kVariables)> words{};
    std::size_t i = 0;
    const auto take = [&](const auto& rows) {
        for (const auto& row : rows)
            words[i++] = {row.name(), row.since, row.stability};
    };
    for (const auto& row : kSubroutines)
        words[i++] = {row.name(), row.since, row.stability, row.isInternal};
    take(kActions);
    take(kAggregations);
    take(kSymbolFunctions);
    take(kStackFunctions);
    take(kConstructs);
    for (const auto& row : kVariables)
        words[i++] = {.name = row.name(), .since = row.since, .stability = row.stability, .yields = row.yields};
    std::sort(words.begin(), words.end(), [](const Word& a, const Word& b) { return a.name < b.name; });
    return words;
}();
static_assert(
    std::adjacent_find(kWords.begin(), kWords.end(), [](const Word& a, const Word& b) { return a.name == b.name; }) == kWords.end(),
    "two rows of the language have the same name");

constexpr auto kTypes = [] {
    std::array<std::string_view, countOf(kPlainTypes, kLibraryTypes)> names{};
    auto* next = std::copy(kPlainTypes.begin(), kPlainTypes.end(), names.begin());
    std::transform(kLibraryTypes.begin(), kLibraryTypes.end(), next, [](const Type& t) { return t.name; });
    std::sort(names.begin(), names.end());
    return names;
}();
static_assert(std::adjacent_find(kTypes.begin(), kTypes.end()) == kTypes.end(), "two types have the same name");

template <typename Rows> void take(std::vector<std::string_view>& into, const Rows& rows)
{
    for (const auto& row : rows)
        into.push_back(row.name());
}
} // namespace

const Word* findWord(std::string_view name)
{
    const auto* const at
        = std::lower_bound(kWords.begin(), kWords.end(), name, [](const Word& w, std::string_view n) { return w.name < n; });
    return at != kWords.end() && at->name == name ? at : nullptr;
}

std::vector<std::string_view> functionNames()
{
    std::vector<std::string_view> all;
    for (const auto& row : kSubroutines)
        if (!row.isInternal) all.push_back(row.name());
    take(all, kActions);
    take(all, kAggregations);
    take(all, kSymbolFunctions);
    take(all, kStackFunctions);
    take(all, kConstructs);
    std::sort(all.begin(), all.end());
    return all;
}

std::vector<std::string_view> wordNames()
{
    auto all = functionNames();
    take(all, kVariables);
    std::sort(all.begin(), all.end());
    return all;
}

bool isType(std::string_view name) { return std::binary_search(kTypes.begin(), kTypes.end(), name); }
} // namespace dscope::language
