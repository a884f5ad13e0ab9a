#include "gui/exporting.h"
#include "engine/base/output_file.h"
#include "exporters/exporter.h"
#include "gui/texts.h"
#include <QCoreApplication>
#include <QFile>
#include <algorithm>
namespace dscope::gui {
namespace {
struct ExportWords {
    Q_DECLARE_TR_FUNCTIONS(Export)
};
constexpr double kPixelsPerUnit = 2; ///< of PNG: sharp on a projector

Result<> render(const graph::Visual& visual, const QString& path, const ExportOptions& options, std::ostream& to)
{
    exporters::Options out;
    out.palette = options.colours;
    out.scale = kPixelsPerUnit;
    out.layout.focus = options.focus.toStdString();
    out.layout.said = options.said;
    if (options.run) out.runs.push_back(*options.run);
    out.metadata = options.metadata.toStdString();
    const auto formats = exporters::all();
    const exporters::Exporter* best = nullptr; // the longest suffix wins: ".rows.json" before ".json"
    for (const auto& format : formats)
        if (path.endsWith(QChar('.') + fromView(format->suffix())) && format->accepts(visual)
            && (!best || best->suffix().size() < format->suffix().size()))
            best = format.get();
    if (best) return best->write(visual, out, to);
    return Error{0, ExportWords::tr("there is no format of that suffix for this view").toStdString()};
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
    DSCOPE_TRY(auto file, OutputFile::open(QFile::encodeName(path).toStdString(), OutputFile::Kind::Whole));
    const auto drawn = render(visual, path, options, file.stream());
    file.stream().flush();
    if (auto unwritten = file.error()) return *unwritten;
    if (!drawn) return file.refused(drawn.error());
    return file.commit();
}
} // namespace dscope::gui
