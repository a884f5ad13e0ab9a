#pragma once
#include "cli/figures.h"
#include "engine/text/importer.h"
namespace dscope::cli {
/// Reads the file of an argument "[FORMAT:]FILE" of --import to its end. Reports the lines that it could not parse on
/// standard error.
/// `event`: of those that it counts, the one to be shown; empty: the first.
Result<text::Imported> readForeign(const std::string& word, const std::string& event);
/// The FILE of such an argument.
std::string foreignFile(const std::string& word);
/// Program and records of foreign text, in order.
void deliver(const text::Imported& imported, const record::Source::Deliver& deliver);
/// A hint for a file name without an option, as "FILE is a script: dscope -s FILE"; empty if the kind of file is unknown.
std::string meantBy(const std::string& word);
/// A recording to its end. True when it is cut.
Result<bool> readRecording(const std::string& file, const record::Source::Deliver& deliver);
/// What --diff names, a recording or foreign text; else the run that an imported figure was compared with; null when there is
/// neither. Error names the file.
Result<std::unique_ptr<FigureData>> runBefore(const Arguments& arguments, const text::Imported* after = nullptr);
} // namespace dscope::cli
