#pragma once
#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "graph/visual.h"
#endif
#include <QString>
#include <optional>
#include <vector>
namespace dscope::gui {
/// What a search found in one view.
struct Found {
    std::vector<std::size_t> items;    ///< indices of the figure's items, in painter's order
    std::optional<graph::Share> share; ///< of all stacks; it comes later than the items, as it may take a while
};
/// "2 found · 4.6 % of all", of all views that were searched.
QString foundText(const std::vector<Found>& found);
/// A test by the regular expression `text`, ignoring case. A text that is no valid expression is searched for literally.
graph::NameTest nameTest(const QString& text);
/// Marks that pass nameTest(text): nodes of the figure's tree by their name, other marks by their tip.
std::vector<std::size_t> matchesOf(const graph::Figure& figure, const QString& text);
/// Whether two names are one function's: with the mark of its kind ("read_[k]") or without.
bool isSameFunction(const QString& a, const QString& b);
/// The items that draw a function.
std::vector<std::size_t> itemsOf(const graph::Figure& figure, const QString& function);
} // namespace dscope::gui
