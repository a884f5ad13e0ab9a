#pragma once
#include "engine/record/record.h"
#include <span>
#include <string>
namespace dscope::cli {
/// As dtrace prints it, on standard error.
void print(const record::Diagnostic& diagnostic);
void print(std::span<const record::Diagnostic> diagnostics);
/// The same of one sentence; gives the exit status.
int fail(const std::string& message);
/// "wrote flame.svg" on standard error, after a figure or report was written. Says nothing of pipes and devices such as /dev/stdout.
void tellWritten(const std::string& path);
} // namespace dscope::cli
