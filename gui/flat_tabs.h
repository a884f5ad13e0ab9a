#pragma once
#include <QTabBar>
namespace dscope::gui {
/// Tabs as words: the current one in bold above a line in the accent colour.
class FlatTabs : public QTabBar {
    Q_OBJECT
public:
    explicit FlatTabs(const QString& accessibleName, QWidget* parent = nullptr);
    /// Whether each tab has a cross; the middle button closes one then, too.
    void setClosable(bool isClosable);
    /// All of its words with room between them. With less room they stand closer, then the longest are cut.
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void closeAsked(int tab);

protected:
    void resizeEvent(QResizeEvent*) override;
    QSize tabSizeHint(int index) const override;
    QSize minimumTabSizeHint(int index) const override { return tabSizeHint(index); }
    void tabLayoutChange() override;
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent*) override;
    void mouseReleaseEvent(QMouseEvent*) override;
    bool event(QEvent*) override;

private:
    /// How the words have room: the blank behind each, and the most that one takes; pixels.
    struct Room {
        int gap = 0, word = 0;
    };
    Room room() const;
    int wordWidth(int tab) const;
    int crossWidth() const;
    QRect crossOf(int tab) const;
    void scrollWhereNeeded();
    bool m_isClosable = false;
    int m_pressed = -1; ///< the tab whose cross, or which with the middle button, was pressed
};
} // namespace dscope::gui
