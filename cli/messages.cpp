#include "cli/messages.h"
#include "cli/output.h"
#include <sys/stat.h>
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

int fail(const std::string& message)
{
    tell("dtrace: " + message + '\n');
    return 1;
}

void Failures::note(Result<> done)
{
    if (done) return;
    if (m_all)
        m_all->message += "\ndtrace: " + done.error().message;
    else
        m_all = std::move(done).error();
}

Result<> Failures::all() const
{
    if (m_all) return *m_all;
    return {};
}

void tellWritten(const std::string& path)
{
    struct stat status { };
    if (::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode)) tell("wrote " + path + '\n');
}
} // namespace dscope::cli
