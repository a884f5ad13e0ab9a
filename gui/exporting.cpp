#include "gui/exporting.h"
#include "exporters/exporter.h"
#include "gui/figure_painter.h"
#include <QBuffer>
#include <QCoreApplication>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
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

QByteArray png(const Drawing& drawing, graph::Theme theme)
{
    const auto& sheet = drawing.figure();
    QImage image((QSizeF(sheet.width, sheet.height) * kPixelsPerUnit).toSize(), QImage::Format_RGB32);
    image.fill(QColor::fromRgb(static_cast<QRgb>(graph::ground(theme))));
    QPainter painter(&image);
    painter.scale(kPixelsPerUnit, kPixelsPerUnit);
    drawing.paint(painter, theme, QRectF(0, 0, sheet.width, sheet.height), kPixelsPerUnit);
    painter.end();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}
QByteArray pdf(const Drawing& drawing, graph::Theme theme)
{
    const auto& sheet = drawing.figure();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setTitle(QString::fromStdString(sheet.title));
    writer.setPageMargins(QMarginsF());
    constexpr double kPointsPerPixel = 0.75;
    writer.setPageSize(QPageSize(QSizeF(sheet.width, sheet.height) * kPointsPerPixel, QPageSize::Point));
    QPainter painter(&writer);
    painter.scale(writer.width() / sheet.width, writer.width() / sheet.width);
    drawing.paint(painter, theme, QRectF(0, 0, sheet.width, sheet.height), 100);
    painter.end();
    return bytes;
}
Result<QByteArray> render(const graph::Visual& visual, const QString& path, const ExportOptions& options)
{
    exporters::Options out;
    out.theme = options.theme;
    out.layout.focus = options.focus.toStdString();
    out.metadata = options.metadata.toStdString();
    for (const auto& format : exporters::all()) {
        if (!path.endsWith(QChar('.') + fromView(format->suffix())) || !format->accepts(visual)) continue;
        std::ostringstream text;
        DSCOPE_CHECK(format->write(visual, out, text));
        return QByteArray::fromStdString(text.str());
    }
    const bool isPng = path.endsWith(QStringLiteral(".png"));
    if (!isPng && !path.endsWith(QStringLiteral(".pdf")))
        return Error{0, Words::tr("there is no format of that suffix for this view").toStdString()};
    const Drawing drawing(visual.figure(out.layout));
    return isPng ? png(drawing, options.theme) : pdf(drawing, options.theme);
}
} // namespace

QStringList exportFilters(const graph::Visual& visual)
{
    QStringList filters;
    const auto add = [&](const QString& summary, const QString& suffix) {
        const auto pattern = QStringLiteral("(*.%1)").arg(suffix);
        if (filters.filter(pattern).isEmpty()) filters << summary + QChar(' ') + pattern;
    };
    for (const auto& format : exporters::all())
        if (format->accepts(visual)) add(fromView(format->summary()), fromView(format->suffix()));
    add(Words::tr("Portable Document Format"), QStringLiteral("pdf"));
    add(Words::tr("Portable Network Graphics"), QStringLiteral("png"));
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
