#include "gui/reading.h"
#include "engine/syntax/parser.h"
#include <algorithm>
namespace dscope::gui {
namespace {
constexpr std::size_t kMostArguments = 100; ///< with $0
}

const Diagnostic* Reading::error() const
{
    for (const auto& d : diagnostics.all())
        if (d.severity == Diagnostic::Severity::Error) return &d;
    return nullptr;
}

Reading readProgram(const QString& text)
{
    Reading reading;
    reading.file = reading.sources.add({"program", text.toStdString()});
    syntax::Macros macros;
    macros.arguments.assign(kMostArguments, "0"); // each is there: which of them the program names, the parser says
    macros.used.resize(kMostArguments);
    for (const auto* name : {"target", "pid", "ppid", "uid", "euid", "gid", "egid", "sid", "pgid", "projid", "taskid"})
        macros.numbers.emplace_back(name, 1);
    reading.program = syntax::parse(reading.sources, reading.file, macros, reading.diagnostics);
    // With the options defaultargs and argref all count as named; then what looks like one is.
    const bool isTold = std::find(macros.used.begin(), macros.used.end(), false) != macros.used.end();
    for (std::size_t n = 1; n < macros.used.size(); ++n)
        if (isTold ? bool(macros.used[n]) : text.contains(QStringLiteral("$%1").arg(n))) reading.arguments = static_cast<int>(n);
    return reading;
}
} // namespace dscope::gui
