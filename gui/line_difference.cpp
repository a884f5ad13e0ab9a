#include "gui/line_difference.h"
#include <algorithm>
namespace dscope::gui {
namespace {
QStringList linesOf(const QString& text)
{
    auto lines = text.split(QChar('\n'));
    while (!lines.isEmpty() && lines.last().isEmpty())
        lines.removeLast();
    return lines;
}
} // namespace

std::vector<LineChange> lineDifference(const QString& before, const QString& after)
{
    const auto old = linesOf(before), now = linesOf(after);
    const auto rows = static_cast<std::size_t>(old.size()), columns = static_cast<std::size_t>(now.size());
    // Of the texts from a place on: how many lines they have in common at most, in one order.
    std::vector<std::vector<int>> common(rows + 1, std::vector<int>(columns + 1));
    for (auto r = rows; r-- > 0;)
        for (auto c = columns; c-- > 0;)
            common[r][c] = old[static_cast<qsizetype>(r)] == now[static_cast<qsizetype>(c)] ? common[r + 1][c + 1] + 1
                                                                                            : std::max(common[r + 1][c], common[r][c + 1]);

    std::vector<LineChange> all;
    using Kind = LineChange::Kind;
    std::size_t r = 0, c = 0;
    while (r < rows || c < columns) {
        const bool isSame = r < rows && c < columns && old[static_cast<qsizetype>(r)] == now[static_cast<qsizetype>(c)];
        if (isSame) {
            all.push_back({Kind::Same, old[static_cast<qsizetype>(r)]});
            ++r, ++c;
        } else if (r < rows && (c == columns || common[r + 1][c] >= common[r][c + 1]))
            all.push_back({Kind::Gone, old[static_cast<qsizetype>(r++)]});
        else
            all.push_back({Kind::New, now[static_cast<qsizetype>(c++)]});
    }
    return all;
}
} // namespace dscope::gui
