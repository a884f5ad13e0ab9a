#pragma once
#include "engine/tracer/examination.h"
#include <string>
namespace dscope::cli {
/// One screen for people: what this machine can trace, and at each gap the reason and the way out.
std::string doctorText(const tracer::Examination& examination);
/// The same with all details as one JSON object, for bug reports (docs/command-line.md). Names nobody's files or processes.
std::string doctorJson(const tracer::Examination& examination);
/// --doctor; the exit status.
int doctor(bool json);
} // namespace dscope::cli
