#include "engine/language/help.h"
#include "engine/language/language.h"
namespace dscope::language {
namespace {
Help helpOf(const Function& row)
{
    return {row.prototype, row.summary, row.since, row.stability, row.effect, row.refusal, std::string(row.example)};
}
Help helpOf(const Construct& row)
{
    return {row.prototype, row.summary, row.since, row.stability, row.effect, row.refusal, std::string(row.example)};
}
Help helpOf(const Subroutine& row)
{
    Help help{row.prototype, row.summary, row.since, row.stability, row.effect, {}, std::string(row.use)};
    const auto& example = row.examples.front();
    if (!help.example.empty() || example.expression.empty()) return help;
    help.example = "trace(" + std::string(example.expression) + ");";
    help.value = example.value;
    return help;
}
Help helpOf(const Variable& row)
{
    auto example = row.example.empty() ? "trace(" + std::string(row.name()) + ");" : std::string(row.example);
    return {row.declaration, row.summary, row.since, row.stability, Effect::None, {}, std::move(example)};
}
template <typename Rows> bool find(const Rows& rows, std::string_view name, std::optional<Help>& found)
{
    for (const auto& row : rows) {
        if (row.name() != name) continue;
        found = helpOf(row);
        return true;
    }
    return false;
}
} // namespace

std::optional<Help> helpOf(std::string_view name)
{
    std::optional<Help> found;
    const auto* word = findWord(name);
    if (!word || word->isInternal) return found;
    find(kSubroutines, name, found) || find(kActions, name, found) || find(kAggregations, name, found)
        || find(kSymbolFunctions, name, found) || find(kStackFunctions, name, found) || find(kConstructs, name, found)
        || find(kVariables, name, found);
    return found;
}
} // namespace dscope::language
