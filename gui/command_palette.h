#pragma once
#include <QDialog>
#include <QList>
#include <utility>
class QAction;
class QLineEdit;
class QTreeWidget;
namespace dscope::gui {
/// All that the window can do, found by typing: each action with the menu it is in and its keys. Enter does the one that is chosen.
class CommandPalette : public QDialog {
    Q_OBJECT
public:
    /// `places`: what stands before an action's name, with the action.
    explicit CommandPalette(const QList<std::pair<QString, QAction*>>& places, QWidget* parent = nullptr);
    QLineEdit& filter() { return *m_filter; }
    QTreeWidget& list() { return *m_list; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void narrow(const QString& text);
    void perform();
    QLineEdit* m_filter;
    QTreeWidget* m_list;
    QList<QAction*> m_actions;
};
} // namespace dscope::gui
