#include "gui/own_recipes.h"
#include "engine/base/output_file.h"
#include "gui/recipes.h"
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSettings>
#include <cerrno>
namespace dscope::gui {
namespace {
constexpr auto kFolder = "recipes", kSuffix = ".d";
struct RecipeWords {
    Q_DECLARE_TR_FUNCTIONS(OwnRecipes)
};

QDir recipeFolder() { return QDir(QFileInfo(QSettings().fileName()).absoluteDir().filePath(QLatin1String(kFolder))); }
/// A question as the name of a file: what no name may have is written as in a URL.
QString fileOf(const QString& question)
{
    auto name = question;
    name.replace(QChar('%'), QLatin1String("%25")).replace(QChar('/'), QLatin1String("%2F"));
    if (name.startsWith(QChar('.'))) name.replace(0, 1, QLatin1String("%2E"));
    return recipeFolder().filePath(name + QLatin1String(kSuffix));
}
QString questionOf(const QString& fileName)
{
    return QString::fromUtf8(QByteArray::fromPercentEncoding(fileName.chopped(static_cast<qsizetype>(qstrlen(kSuffix))).toUtf8()));
}
} // namespace

std::vector<OfferedRecipe> offeredRecipes()
{
    std::vector<OfferedRecipe> all;
    const auto folder = recipeFolder();
    for (const auto& name : folder.entryList({QChar('*') + QLatin1String(kSuffix)}, QDir::Files, QDir::Name | QDir::LocaleAware)) {
        QFile file(folder.filePath(name));
        if (!file.open(QIODevice::ReadOnly)) continue;
        all.push_back({RecipeWords::tr("My own"), questionOf(name), QString::fromUtf8(file.readAll()), true});
    }
    for (const auto& one : recipes())
        all.push_back({QCoreApplication::translate("Recipes", one.group), QCoreApplication::translate("Recipes", one.question),
            QString::fromUtf8(one.program), false});
    return all;
}

Result<> keepRecipe(const QString& question, const QString& program)
{
    const auto path = fileOf(question);
    if (!QDir().mkpath(QFileInfo(path).absolutePath()))
        return Error{EACCES, "cannot make the folder " + QFileInfo(path).absolutePath().toStdString() + " for recipes"};
    DSCOPE_TRY(auto file, OutputFile::open(QFile::encodeName(path).toStdString(), OutputFile::Kind::Whole));
    file.stream() << program.toStdString();
    return file.commit();
}

Result<> removeRecipe(const QString& question)
{
    const auto path = fileOf(question);
    QFile file(path);
    if (!file.exists() || file.remove()) return {};
    return Error{0, "cannot remove " + path.toStdString() + ": " + file.errorString().toStdString()};
}

} // namespace dscope::gui
