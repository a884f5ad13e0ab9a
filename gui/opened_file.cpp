#include "gui/opened_file.h"
#include "engine/text/importer.h"
#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
namespace dscope::gui {
namespace {
struct FileWords {
    Q_DECLARE_TR_FUNCTIONS(OpenedFile)
};
constexpr qint64 kLookedAt = 4096; ///< bytes
OpenedFile refused(const QString& why) { return {FileKind::Refused, why}; }
} // namespace

OpenedFile lookAt(const QString& path)
{
    const QFileInfo info(path);
    if (info.isDir()) return refused(FileWords::tr("%1 is a folder: open a file in it.").arg(path));
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return refused(FileWords::tr("%1 could not be opened: %2").arg(path, file.errorString()));
    if (info.suffix() == QStringLiteral("dscope")) return {FileKind::Recording, {}}; // its reader says what is wrong with it
    if (info.suffix() == QStringLiteral("d")) return {FileKind::Program, {}};
    const auto head = file.peek(kLookedAt);
    const auto lines = text::Lines::open(QFile::encodeName(path).toStdString(), text::Lines::By::Pieces);
    if (info.isFile() && lines && text::guessed(importers::all(), lines->head())) return {FileKind::Foreign, {}};
    const bool isCompressed = text::compressionOf({head.data(), static_cast<std::size_t>(head.size())}) != text::Compression::None;
    if (isCompressed && !lines)
        return refused(FileWords::tr("%1 could not be opened: %2").arg(path, QString::fromStdString(lines.error().message)));
    if (isCompressed || head.contains('\0'))
        return refused(
            FileWords::tr("%1 is no text: dscope opens D programs, its recordings and figures, and the text of other tracing tools.")
                .arg(path));
    return {FileKind::Program, {}};
}
} // namespace dscope::gui
