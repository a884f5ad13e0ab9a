#pragma once
#include "gui/selection.h"
#include <QFrame>
class QHBoxLayout;
namespace dscope::gui {
/// What of the run is shown, a chip for each part of it: a click takes the part away.
class SelectionBar : public QFrame {
    Q_OBJECT
public:
    explicit SelectionBar(QWidget* parent = nullptr);
    /// `started`: of the run, ns, CLOCK_MONOTONIC. Hidden where all is shown.
    void show(const Selection& selection, std::int64_t started);
    QStringList chips() const; ///< as they are read
    /// A text for each part of a selection: "0.2 s to 0.4 s", "with malloc", "execname is cat".
    static QStringList textsOf(const Selection& selection, std::int64_t started);

Q_SIGNALS:
    void wanted(const dscope::gui::Selection& selection); ///< without the chip that was clicked

private:
    void add(const QString& text, const Selection& without);
    QHBoxLayout* m_row;
};
} // namespace dscope::gui
