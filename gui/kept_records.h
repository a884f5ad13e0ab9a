#pragma once
#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/base/output_file.h"
#include "engine/record/record.h"
#include "exporters/web/kept_run.h"
#include <functional>
#endif
#include <QString>
namespace dscope::gui {
/// Gives each record of a kept run to `take`. Error: a sentence, as where the run was too large to be kept.
Result<> readEach(const exporters::KeptRun& run, const std::function<void(const record::Record&)>& take);
/// Writes a kept run as a recording, with the name that somebody has given it, if any (option runname).
Result<> writeRun(const exporters::KeptRun& run, const QString& name, OutputFile& file);
} // namespace dscope::gui
