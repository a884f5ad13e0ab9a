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
    QRect crossOf(int tab) const;
    void scrollWhereNeeded();
    bool m_isClosable = false;
    int m_pressed = -1; ///< the tab whose cross, or which with the middle button, was pressed
};
} // namespace dscope::gui
