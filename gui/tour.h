#pragma once
#include <QPointer>
#include <QTimer>
#include <QWidget>
#include <vector>
class QLabel;
class QToolButton;
namespace dscope::gui {
/// A sequence of hints over the window, each at the part that it tells about. Enter, Space or Right goes on, Left back, Esc ends it. Left
/// alone it goes on by itself and ends after two minutes at the most; from the first key or click on, and while the mouse is over a hint,
/// it waits. The keyboard stays in it.
class Tour : public QWidget {
    Q_OBJECT
public:
    struct Hint {
        QPointer<QWidget> at; ///< what it tells about; a hint of a part that is hidden is left out
        QString title, text;
    };
    Tour(std::vector<Hint> hints, QWidget& window);
    /// Which hint is shown, of count().
    std::size_t place() const { return m_place; }
    std::size_t count() const { return m_hints.size(); }
    QString text() const;
    /// How long a hint stays by itself, in ms.
    void setPace(int ms);

Q_SIGNALS:
    void ended();

protected:
    void keyPressEvent(QKeyEvent*) override;
    void mousePressEvent(QMouseEvent*) override;
    void paintEvent(QPaintEvent*) override;
    bool eventFilter(QObject*, QEvent*) override;
    bool focusNextPrevChild(bool next) override;

private:
    void wait();
    bool pressButton(QKeyEvent& e);
    void show(std::size_t place);
    void go(int by);
    void end();
    void placeBubble();
    QRect target() const;
    std::vector<Hint> m_hints;
    std::size_t m_place = 0;
    QWidget* m_bubble;
    QLabel *m_title, *m_text, *m_count;
    QToolButton *m_next, *m_close;
    QTimer m_timer{this};
    bool m_waits = false; ///< for the person, who has begun to lead
};
} // namespace dscope::gui
