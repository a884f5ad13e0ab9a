#pragma once
#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/base/result.h"
#include "exporters/web/data.h"
#include "graph/palette.h"
#include "graph/visual.h"
#include <memory>
#include <string>
#include <vector>
#endif
#include <QString>
#include <QStringList>
/// Views as files, in every format of the exporters.
namespace dscope::gui {
/// How a view is written to a file.
struct ExportOptions {
    graph::Palette colours;
    QString focus;                             ///< of a flame graph: what alone is shown; empty: all
    std::shared_ptr<const exporters::Run> run; ///< stands inside what opens again; may be null
    std::vector<std::string> said;             ///< Snapshot::said
    QString metadata;                          ///< the D program and where it ran, for SVG
};
/// For a file dialog, SVG first: "Scalable Vector Graphics (*.svg)".
QStringList exportFilters(const graph::Visual& visual);
/// The suffix of the file chooses the format; the error is a sentence. Nothing is left behind on failure.
Result<> exportTo(const graph::Visual& visual, const QString& path, const ExportOptions& options);
} // namespace dscope::gui
