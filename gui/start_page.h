#pragma once
#include "gui/machine.h"
#include <QList>
#include <QScrollArea>
#include <QStringList>
class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QToolButton;
class QVBoxLayout;
namespace dscope::gui {
/// What stands where pictures come before there are any: questions, a run to begin at once, what was open before, and what this
/// machine can trace.
class StartPage : public QScrollArea {
    Q_OBJECT
public:
    explicit StartPage(QWidget* parent = nullptr);
    /// Recipes were saved or removed.
    void refreshRecipes();
    /// Files opened before, newest first; those that are gone are left out.
    void setRecent(const QStringList& paths);
    /// What windows that were closed worked at, newest first: a name for each.
    void setSessions(const QStringList& names);
    void setMachine(const std::vector<MachineLine>& lines);
    /// Why nothing is known of the machine.
    void setMachineTrouble(const QString& why);
    /// Whether somebody has taken the tour, which is offered less loudly then.
    void setTourSeen(bool isSeen);
    void setCommand(const QString& command);
    QLineEdit& command() { return *m_command; }
    QComboBox& question() { return *m_question; }

Q_SIGNALS:
    void recipeChosen(const QString& program);
    void recordAsked(const QString& program, const QString& command);
    void processAsked();
    void fileChosen(const QString& path);
    void openAsked();
    void collectAsked();
    void sessionChosen(int place);
    void doctorAsked();
    void tourAsked();

protected:
    void resizeEvent(QResizeEvent*) override;

private:
    QWidget* buildRecord();
    QWidget* buildQuestions();
    QWidget* buildLists();
    void arrangeQuestions();
    void refillRecent();
    QLineEdit* m_command = nullptr;
    QComboBox* m_question = nullptr;
    QToolButton *m_record = nullptr, *m_tour = nullptr;
    QGridLayout *m_groups = nullptr, *m_lists = nullptr;
    QList<QWidget*> m_groupBoxes;
    QVBoxLayout *m_recent = nullptr, *m_machine = nullptr;
    QWidget *m_recentBox = nullptr, *m_machineBox = nullptr;
    QStringList m_files, m_sessions;
    int m_columns = 0;     ///< of questions; 0: not arranged yet
    bool m_isWide = false; ///< whether the lists stand side by side
};
} // namespace dscope::gui
