#pragma once
#include "gui/feed.h"
#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "graph/palette.h"
#endif
#include <QTimer>
#include <QWidget>
namespace dscope::gui {
/// Draws a visual's figure and lets a person look around in it: wheel pans, Ctrl-wheel zooms at the pointer, drag pans,
/// a click on a frame focuses on it, Esc and Backspace go back. Layout happens on a thread of its own.
class FigureView : public QWidget {
    Q_OBJECT
public:
    explicit FigureView(QWidget* parent = nullptr);
    ~FigureView() override;
    void setVisual(std::shared_ptr<const graph::Visual> visual);
    void setTheme(graph::Theme theme);
    graph::Theme theme() const { return m_theme; }
    const std::shared_ptr<const graph::Visual>& visual() const { return m_visual; }
    /// The figure as shown now; empty before the first layout.
    const graph::Figure& figure() const { return *m_figure; }
    /// Outlines every item whose name holds `text`, ignoring case; none for an empty text. How many there are.
    int search(const QString& text);
    void focusOn(const QString& key);

Q_SIGNALS:
    void drawn();         ///< a new figure is on screen
    void picked(int row); ///< a mark was clicked; -1: none
    void focusChanged(const QString& key);

protected:
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    void wheelEvent(QWheelEvent*) override;
    void mousePressEvent(QMouseEvent*) override;
    void mouseMoveEvent(QMouseEvent*) override;
    void mouseReleaseEvent(QMouseEvent*) override;
    void keyPressEvent(QKeyEvent*) override;
    bool event(QEvent*) override;

private:
    void layOut();
    void fitted();
    void zoomAt(QPointF at, double factor);
    QPointF toFigure(QPointF widget) const { return (widget - m_origin) / m_scale; }
    const graph::Item* itemAt(QPointF widget) const;

    std::shared_ptr<const graph::Visual> m_visual;
    std::shared_ptr<const graph::Figure> m_figure;
    graph::Theme m_theme = graph::Theme::Light;
    QString m_search, m_focus;
    QStringList m_back;
    double m_scale = 1;
    QPointF m_origin, m_pressed, m_dragFrom;
    bool m_dragging = false, m_moved = false, m_laying = false, m_again = false, m_userZoomed = false;
};
} // namespace dscope::gui
