// The main window's recipes of one's own.
#include "gui/main_window.h"
#include "gui/own_recipes.h"
#include "gui/style.h"
#include <QApplication>
#include <QInputDialog>
#include <algorithm>
namespace dscope::gui {
namespace {
/// Recipes are of the user, not of a window.
void refreshAll()
{
    for (auto* widget : QApplication::topLevelWidgets())
        if (auto* window = qobject_cast<MainWindow*>(widget)) {
            window->sidebar().refreshRecipes();
            window->startPage().refreshRecipes();
        }
}
} // namespace

void MainWindow::saveAsRecipe()
{
    if (editor().toPlainText().trimmed().isEmpty()) {
        note(tr("There is no program to save"));
        return;
    }
    QInputDialog dialog(this);
    dialog.setWindowTitle(tr("Save as a recipe"));
    dialog.setLabelText(
        tr("The question that this program answers. A constant at its top (inline int size = 4096;) gets a field of its own. A\n"
           "recipe of yours with the same question is replaced."));
    dialog.setTextValue(m_programs->title(m_programs->current()));
    dress(dialog, m_preferences.theme());
    if (dialog.exec() == QDialog::Accepted) keepAsRecipe(dialog.textValue().trimmed());
}

bool MainWindow::keepAsRecipe(const QString& question)
{
    if (question.isEmpty()) {
        tell(tr("A recipe needs a question: that is what it is found by."));
        return false;
    }
    if (const auto kept = keepRecipe(question, editor().toPlainText()); !kept) {
        tell(QString::fromStdString(kept.error().message));
        return false;
    }
    refreshAll();
    if (m_troubled) tellState({});
    note(tr("Saved as a recipe: %1").arg(question));
    return true;
}

void MainWindow::removeOwnRecipe(const QString& question)
{
    const auto all = offeredRecipes();
    const auto one = std::find_if(all.begin(), all.end(), [&](const OfferedRecipe& r) { return r.isOwn && r.question == question; });
    if (one == all.end()) return;
    if (const auto removed = removeRecipe(question); !removed) {
        tell(QString::fromStdString(removed.error().message));
        return;
    }
    m_programs->add({}, {{}, question});
    editor().replaceProgram(one->program);
    note(tr("The recipe is removed; its program is here, not saved"));
    refreshAll();
}
} // namespace dscope::gui
