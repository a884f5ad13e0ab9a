#pragma once
#include "gui/selection.h"
#include <QFrame>
class QComboBox;
class QHBoxLayout;
class QLabel;
namespace dscope::gui {
/// What of the run is shown: which event of several, and a chip for each part of it, which a click takes away.
class SelectionBar : public QFrame {
    Q_OBJECT
public:
    explicit SelectionBar(QWidget* parent = nullptr);
    /// `started`: of the run, ns, CLOCK_MONOTONIC. `events`: what imported stacks count, the first is shown where none is chosen. Hidden
    /// where all is shown and there is one event or none.
    void show(const Selection& selection, std::int64_t started, const QStringList& events);
    QStringList chips() const; ///< as they are read
    const QComboBox& events() const { return *m_events; }
    /// A text for each part of a selection: "0.2 s to 0.4 s", "with malloc", "execname is cat".
    static QStringList textsOf(const Selection& selection, std::int64_t started);

Q_SIGNALS:
    void wanted(const dscope::gui::Selection& selection); ///< without the chip that was clicked, or with another event

private:
    void add(const QString& text, const Selection& without);
    void offer(const QStringList& events, const QString& shown);
    QHBoxLayout* m_row;
    QLabel* m_eventHead;
    QLabel* m_head;
    QComboBox* m_events;
    Selection m_selection;
};
} // namespace dscope::gui
