#pragma once
#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "graph/figure.h"
#endif
#include <QString>
#include <optional>
#include <vector>
namespace dscope::gui {
struct Found {
    std::vector<std::size_t> items; ///< indices of the figure's items, in painter's order
    /// Of a flame graph: samples with a match, one within another once; none where callers and callees match.
    struct Share {
        double value = 0; ///< 0..1
        QString whole;    ///< the frame that it is a share of: "all", or the one that a sandwich is about
        bool operator==(const Share&) const = default;
    };
    std::optional<Share> share;
};
/// Marks whose tip holds the regular expression `text`, ignoring case; what is no valid expression is searched as it is.
/// Of frames only the name counts: the rest of a tip is numbers.
Found matchesOf(const graph::Figure& figure, const QString& text);
} // namespace dscope::gui
