#pragma once
#include "gui/feed.h"
#include "gui/figure_painter.h"
#include "gui/figure_search.h"
#include <QPointer>
#include <QThreadPool>
#include <QWidget>
#include <atomic>
namespace dscope::gui {
/// Draws a visual's figure and lets a person look around in it: wheel and drag pan, Ctrl-wheel zooms at the pointer (along the width
/// where frames are as wide as their share), a
/// double click on the ground fits; a click on a frame focuses on it, Esc and Backspace go back; arrows walk from mark to
/// mark, Enter is a click on it; drawing with Shift held chooses a stretch of time; n and N step through what was searched. Layout happens
/// on a thread of its own, and only while the view is seen.
class FigureView : public QWidget {
    Q_OBJECT
public:
    explicit FigureView(QWidget* parent = nullptr);
    ~FigureView() override;
    /// WhenRenewed: it tells what was so earlier, and the same view as it is now is on its way.
    enum class Draw : std::uint8_t { Now, WhenRenewed };
    /// Null: nothing to show; then `setEmptyText` is.
    void setVisual(std::shared_ptr<const graph::Visual> visual, Draw when = Draw::Now);
    /// What the figures from now on say besides (Snapshot::said). Before setVisual().
    void setSaid(std::vector<std::string> said);
    void setEmptyText(const QString& text);
    void setColours(const graph::Palette& colours);
    const graph::Palette& colours() const { return m_colours; }
    const std::shared_ptr<const graph::Visual>& visual() const { return m_visual; }
    /// The figure as shown now; empty before the first layout.
    const graph::Figure& figure() const { return m_drawing->figure(); }
    /// Outlines what matches (gui/figure_search.h); nothing for an empty text. Its share is counted on a thread: searched()
    /// tells when it is known.
    const Found& search(const QString& text);
    const Found& found() const { return m_found; }
    /// Outlines what draws a function, by its full name, as chosen; empty: nothing.
    void choose(const QString& function);
    /// The function that an item draws, in full; empty: none.
    QString functionOf(std::size_t item) const;
    const std::vector<std::size_t>& chosen() const { return m_chosenItems; }
    /// To the next match, or by -1 to the one before; it comes to the middle.
    void step(int by);
    /// Shows what lies below a frame, by its path; empty: all. back() returns to what was in focus before.
    void focusOn(const QString& path);
    void back();
    const QString& focused() const { return m_focus; }
    /// As large as can be read; what is larger than the view begins where something is drawn.
    void fit();
    /// The whole figure, however small.
    void showWhole();
    double scale() const { return m_scale; }
    /// The part of the figure's width that is shown, of a figure that zooms along its width instead of in both directions.
    const graph::WidthPart& part() const { return m_part; }
    /// Whether it is on screen, as far as this program knows: another window may be before it.
    bool isSeen() const { return isVisible() && !window()->isMinimized(); }
    /// No figure is on its way: what is seen is what was asked for.
    bool isSettled() const { return !m_laying && !m_isBehind && !m_isAwaited; }
    /// From now on a figure is laid out after one that `first` is laying out: what somebody looks at first has the processors to itself.
    void follow(FigureView& first);
    /// Where an item is drawn, in the widget's coordinates.
    QRectF placeOf(std::size_t item) const;
    /// What is drawn; never null. Another object once it has changed.
    const std::shared_ptr<const Drawing>& drawing() const { return m_drawing; }
    /// By index into Drawing::marks(): the mark that the keyboard is on, and the topmost one at a place of the widget.
    std::optional<int> currentMark() const { return indexOf(m_current); }
    std::optional<int> markAt(const QPoint& place) const { return indexOf(m_drawing->markAt(toFigure(place))); }
    /// The keyboard goes to a mark (an index into Drawing::marks()), which comes into view; press() is a click on it.
    void goTo(int mark);
    void press(int mark);
    QPointF toWidget(QPointF figure) const { return m_origin + figure * m_scale; }

Q_SIGNALS:
    void drawn();                                        ///< a new figure is on screen
    void seen();                                         ///< isSeen() may have changed
    void unwanted();                                     ///< a figure was laid out that nobody waits for any more
    void searched();                                     ///< found() has changed
    void picked(int row);                                ///< a mark was clicked; -1: none
    void markChosen(std::size_t item);                   ///< by a click or the keyboard
    void asked(std::size_t item, const QPoint& at);      ///< the context menu of a mark, at a place on the screen
    void timeChosen(std::int64_t from, std::int64_t to); ///< a stretch was drawn with Shift held: ns, CLOCK_MONOTONIC; from < to
    void focusChanged(const QString& path);
    void simplified();                  ///< a graph took too long to be laid out as it should: another layout is drawn, or none
    void pointedAt(const QString& tip); ///< the keyboard walked to a mark
    void searchAsked();                 ///< the slash key

protected:
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    void showEvent(QShowEvent*) override;
    void hideEvent(QHideEvent*) override;
    void wheelEvent(QWheelEvent*) override;
    void mousePressEvent(QMouseEvent*) override;
    void mouseMoveEvent(QMouseEvent*) override;
    void mouseReleaseEvent(QMouseEvent*) override;
    void mouseDoubleClickEvent(QMouseEvent*) override;
    void keyPressEvent(QKeyEvent*) override;
    void contextMenuEvent(QContextMenuEvent*) override;
    bool event(QEvent*) override;

private:
    void layOut();
    void place();
    void present(std::shared_ptr<const Drawing> drawing);
    void findMatches();
    void findChosen();
    void zoomAt(QPointF at, double factor);
    bool zoomsAlong() const { return m_visual && m_visual->facts().zoomsAlong; }
    void showPart(double from, double span);
    QRectF root() const;
    void moveBy(QPointF by);
    void pick(std::optional<std::size_t> mark);
    std::optional<int> indexOf(std::optional<std::size_t> item) const;
    void walk(Qt::Key direction);
    void walkTree(Qt::Key direction);
    /// How far a mark that is chosen is brought into view: to the middle, or as far as it has to be.
    enum class Bring : std::uint8_t { ToTheMiddle, IntoView };
    void standOn(std::size_t mark, Bring how);
    void paintScrollMarks(QPainter& painter) const;
    void paintStretch(QPainter& painter) const;
    const graph::TimePlot* timePlotAt(QPointF widget) const;
    void outline(QPainter& painter, std::size_t item, std::int32_t colour, double width) const;
    QPointF toFigure(QPointF widget) const { return (widget - m_origin) / m_scale; }

    std::shared_ptr<const graph::Visual> m_visual;
    std::shared_ptr<const Drawing> m_drawing;
    graph::Palette m_colours;
    QString m_search, m_focus, m_emptyText, m_chosen;
    std::vector<std::string> m_said;
    std::vector<std::size_t> m_chosenItems; ///< what draws m_chosen
    QStringList m_back;
    Found m_found;
    std::shared_ptr<std::atomic<int>> m_searches = std::make_shared<std::atomic<int>>(0); ///< begun so far; older ones are given up
    std::optional<std::size_t> m_current;                                                 ///< the mark the keyboard is on
    double m_scale = 1;
    graph::WidthPart m_part, m_partFrom; ///< the second: where a drag began
    QPointF m_origin, m_pressed, m_dragFrom;
    std::optional<QPointF> m_stretchTo;              ///< while a stretch of time is drawn, from m_pressed
    std::shared_ptr<std::atomic<bool>> m_isUnwanted; ///< what is laid out now
    bool m_isSaidNew = false;                        ///< since the last layout was asked for
    QPointer<FigureView> m_first;                    ///< follow()
    bool m_isBehind = false;                         ///< it waits for that one
    bool m_isStale = false;                          ///< its visual is laid out when somebody sees it
    bool m_isAwaited = false;                        ///< its visual is not laid out at all: a newer one is on its way
    bool m_dragging = false, m_moved = false, m_laying = false, m_again = false, m_userZoomed = false;
    QThreadPool m_drafting; ///< last: it waits for the thread before the rest goes
};
} // namespace dscope::gui
