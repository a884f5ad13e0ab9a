#include "gui/selection.h"
#include <string>
#include <string_view>
namespace dscope::gui {
namespace {
/// An expression that a name alone matches, as a whole.
graph::NamePattern named(const QString& name)
{
    constexpr std::string_view kSpecial = R"([](){}.*+?^$|\)";
    std::string escaped;
    for (const char c : name.toStdString()) {
        if (kSpecial.find(c) != std::string_view::npos) escaped += '\\';
        escaped += c;
    }
    return *graph::NamePattern::of("^" + escaped + "$");
}
} // namespace

void prepare(graph::Store& store, const Selection& selection)
{
    graph::StackRules rules;
    for (const auto& name : selection.functions)
        rules.keep(named(name));
    for (const auto& name : selection.without)
        rules.drop(named(name));
    if (!rules.empty()) store.read(std::move(rules));
    if (selection.time) store.keepTimes();
}

Result<> apply(graph::Store& store, const Selection& selection)
{
    if (!selection.event.isEmpty()) DSCOPE_CHECK(store.showEvent(selection.event.toStdString()));
    if (!selection.time) return {};
    const auto start = store.program().started;
    const auto moment = [&](std::int64_t at) { return graph::Moment{graph::Moment::Since::Start, at - start}; };
    return store.show({moment(selection.time->from), moment(selection.time->to)});
}
} // namespace dscope::gui
