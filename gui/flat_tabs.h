#pragma once
#include <QTabBar>
namespace dscope::gui {
/// Tabs as words: the current one in bold above a line in the accent colour.
class FlatTabs : public QTabBar {
    Q_OBJECT
public:
    explicit FlatTabs(const QString& accessibleName, QWidget* parent = nullptr);

protected:
    void resizeEvent(QResizeEvent*) override;
    QSize tabSizeHint(int index) const override;
    QSize minimumTabSizeHint(int index) const override { return tabSizeHint(index); }
    void paintEvent(QPaintEvent*) override;
    bool event(QEvent*) override;
};
} // namespace dscope::gui
