#pragma once
#include "engine/base/result.h"
#include "engine/record/record.h"
#include <optional>
#include <span>
#include <string>
namespace dscope::cli {
/// As dtrace prints it, on standard error.
void print(const record::Diagnostic& diagnostic);
void print(std::span<const record::Diagnostic> diagnostics);
/// The same of one sentence; gives the exit status.
int fail(const std::string& message);
/// What could not be done of several things, each of which is tried.
class Failures {
public:
    void note(Result<> done);
    /// Error: all of them, as fail() prints each on a line of its own.
    Result<> all() const;

private:
    std::optional<Error> m_all;
};
/// "wrote flame.svg" on standard error, after a figure or report was written. Says nothing of pipes and devices such as /dev/stdout.
void tellWritten(const std::string& path);
} // namespace dscope::cli
