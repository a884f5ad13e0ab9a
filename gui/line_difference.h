#pragma once
#include <QStringList>
#include <vector>
namespace dscope::gui {
/// A line of two texts laid side by side.
struct LineChange {
    enum class Kind : std::uint8_t { Same, Gone, New } kind = Kind::Same;
    QString line;
    bool operator==(const LineChange&) const = default;
};
/// What leads from one text to the other with the fewest lines changed: what goes stands before what comes in its place. Time and memory
/// grow with the product of their lines: for programs.
std::vector<LineChange> lineDifference(const QString& before, const QString& after);
} // namespace dscope::gui
