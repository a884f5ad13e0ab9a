#include "cli/messages.h"
#include "cli/output.h"
namespace dscope::cli {
void print(const record::Diagnostic& d)
{
    const bool isDebug = d.severity == record::Diagnostic::Severity::Debug;
    tell((isDebug ? "" : "dtrace: ") + d.text + '\n');
}

void print(std::span<const record::Diagnostic> diagnostics)
{
    for (const auto& d : diagnostics)
        print(d);
}
} // namespace dscope::cli
