#include "gui/exporting.h"
#include "exporters/exporter.h"
#include <QCoreApplication>
#include <QSaveFile>
#include <algorithm>
#include <sstream>
namespace dscope::gui {
namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(Export)
};
constexpr double kPixelsPerUnit = 2; ///< of PNG: sharp on a projector
QString fromView(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

Result<QByteArray> render(const graph::Visual& visual, const QString& path, const ExportOptions& options)
{
    exporters::Options out;
    out.theme = options.theme;
    out.scale = kPixelsPerUnit;
    out.layout.focus = options.focus.toStdString();
    if (options.run) out.runs.push_back(*options.run);
    out.metadata = options.metadata.toStdString();
    for (const auto& format : exporters::all()) {
        if (!path.endsWith(QChar('.') + fromView(format->suffix())) || !format->accepts(visual)) continue;
        std::ostringstream text;
        DSCOPE_CHECK(format->write(visual, out, text));
        return QByteArray::fromStdString(text.str());
    }
    return Error{0, Words::tr("there is no format of that suffix for this view").toStdString()};
}
} // namespace

QStringList exportFilters(const graph::Visual& visual)
{
    QStringList filters;
    for (const auto& format : exporters::all())
        if (format->accepts(visual)) filters << fromView(format->summary()) + QStringLiteral(" (*.%1)").arg(fromView(format->suffix()));
    std::stable_partition(filters.begin(), filters.end(), [](const QString& f) { return f.contains(QStringLiteral("*.svg")); });
    return filters;
}

Result<> exportTo(const graph::Visual& visual, const QString& path, const ExportOptions& options)
{
    DSCOPE_TRY(const auto bytes, render(visual, path, options));
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return Error{0, file.errorString().toStdString()};
    return {};
}
} // namespace dscope::gui
