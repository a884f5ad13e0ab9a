#pragma once
#include "cli/figures.h"
#include "engine/text/importer.h"
namespace dscope::cli {
/// What an argument "[FORMAT:]FILE" of --import says, read to its end. Lines that were not understood are told on standard
/// error.
Result<text::Imported> readForeign(const std::string& word);
/// The FILE of such an argument.
std::string foreignFile(const std::string& word);
/// Program and records of foreign text, in order.
void deliver(const text::Imported& imported, const record::Source::Deliver& deliver);
/// What a file that stands alone on the command line is for, as "FILE is a script: dscope -s FILE"; empty where it is nothing known.
std::string meantBy(const std::string& word);
/// A recording to its end. True when it is cut.
Result<bool> readRecording(const std::string& file, const record::Source::Deliver& deliver);
/// What --diff names, a recording or foreign text; else the run that an imported figure was compared with; null when there is
/// neither. Error names the file.
Result<std::unique_ptr<FigureData>> runBefore(const Arguments& arguments, const text::Imported* after = nullptr);
} // namespace dscope::cli
