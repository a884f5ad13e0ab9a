#pragma once
#include "engine/record/record.h"
#include <string_view>
namespace dscope::record {
/// How the source of a program begins that is no D program but another tool's text.
constexpr std::string_view kImportedFrom = "imported from ";
/// Whether a program stands for another tool's text. The only place that tells it by the source: recordings have no field for it.
inline bool isImported(const Program& program) { return program.source.starts_with(kImportedFrom); }
} // namespace dscope::record
