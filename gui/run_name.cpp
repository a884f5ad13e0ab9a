#include "gui/run_name.h"
#include "gui/own_recipes.h"
#include "gui/parameters.h"
#include "gui/process_picker.h"
#include "gui/reading.h"
#include <QCoreApplication>
#include <QFileInfo>
#include <QProcess>
#include <algorithm>
namespace dscope::gui {
namespace {
struct RunWords {
    Q_DECLARE_TR_FUNCTIONS(RunName)
};
/// What stays of a program whichever values somebody has given its parameters.
QString withoutValues(QString program)
{
    const auto parameters = parametersOf(program);
    for (auto one = parameters.rbegin(); one != parameters.rend(); ++one)
        if (one->size > 0) program.remove(one->at, one->size);
    return program.trimmed();
}
QString firstProbe(const QString& program)
{
    const auto reading = readProgram(program);
    for (const auto& item : reading.program.items)
        if (const auto* clause = std::get_if<ast::Clause>(&item.is); clause && !clause->probes.empty())
            return QString::fromStdString(clause->probes.front().text);
    return {};
}
QString traced(const QString& command)
{
    if (const int pid = targetPid(command); pid > 0) return RunWords::tr("pid %1").arg(pid);
    const auto words = QProcess::splitCommand(command);
    return words.isEmpty() ? QString() : QFileInfo(words.front()).fileName();
}
} // namespace

std::optional<QString> recipeOf(const QString& program)
{
    const auto all = offeredRecipes();
    const auto question = [&](const auto& is) -> std::optional<QString> {
        const auto found = std::find_if(all.begin(), all.end(), is);
        return found == all.end() ? std::nullopt : std::optional(found->question);
    };
    if (auto same = question([&](const OfferedRecipe& one) { return one.program.trimmed() == program.trimmed(); })) return same;
    const auto kept = withoutValues(program);
    if (kept == program.trimmed()) return std::nullopt; // it has no parameters
    return question([&](const OfferedRecipe& one) { return withoutValues(one.program) == kept; });
}

QString runName(const QString& program, const QString& title, const QString& command)
{
    QStringList parts{title.isEmpty() ? firstProbe(program) : title, traced(command)};
    parts.removeAll(QString());
    return parts.isEmpty() ? RunWords::tr("program") : parts.join(QStringLiteral(" · "));
}
} // namespace dscope::gui
