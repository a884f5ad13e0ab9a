#pragma once
#include <QList>
#include <QScrollArea>
#include <memory>
class QAction;
class QLabel;
class QMenu;
class QVBoxLayout;
namespace dscope::gui {
/// What is known of the mark or row that somebody has chosen, and what can be done with it next: what its menu offers, always in sight.
/// While nothing is chosen: what is known of the run.
class Details : public QScrollArea {
    Q_OBJECT
public:
    explicit Details(QWidget* parent = nullptr);
    ~Details() override;
    /// `about`: lines, the first of which is its name. The menu's actions become buttons, and stay those of the menu, which this keeps.
    void show(const QString& about, std::unique_ptr<QMenu> menu);
    /// Nothing is chosen.
    void clear();
    /// Lines about the run, the first of which is its name; empty: there is none.
    void setRun(const QString& about);
    QString text() const;
    /// What can be done, as its buttons say it.
    QStringList offers() const;
    /// As a click on the button does.
    void choose(int offer);

private:
    void take(const QMenu& menu);
    void present(const QString& about, std::unique_ptr<QMenu> menu);
    QString m_run;
    bool m_isChosen = false;
    QLabel *m_name, *m_text;
    QVBoxLayout* m_offers;
    QList<QAction*> m_actions;
    std::unique_ptr<QMenu> m_menu;
};
} // namespace dscope::gui
