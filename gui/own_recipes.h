#pragma once
#include "engine/base/result.h"
#include <QString>
#include <vector>
namespace dscope::gui {
/// A recipe as the window offers it: one of dscope's, in the window's language, or one that somebody has saved.
struct OfferedRecipe {
    QString group, question, program;
    bool isOwn = false;
};
/// Somebody's own first, by their questions, then dscope's.
std::vector<OfferedRecipe> offeredRecipes();
/// Saves a recipe, or replaces the one with this question. It is a file beside the window's settings, whose name is the question, so that
/// it can be handed to others. Fails where the file can't be written.
Result<> keepRecipe(const QString& question, const QString& program);
/// Fails where its file can't be removed; one that is gone already is no failure.
Result<> removeRecipe(const QString& question);
} // namespace dscope::gui
