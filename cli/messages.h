#pragma once
#include "engine/record/record.h"
#include <span>
namespace dscope::cli {
/// As dtrace prints it, on standard error.
void print(const record::Diagnostic& diagnostic);
void print(std::span<const record::Diagnostic> diagnostics);
} // namespace dscope::cli
