#include "gui/reading.h"
#include "engine/syntax/parser.h"
namespace dscope::gui {
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
    macros.arguments.assign(10, "0");
    macros.used.resize(10);
    macros.defaultArgs = true;
    for (const auto* name : {"target", "pid", "ppid", "uid", "euid", "gid", "egid", "sid", "pgid", "projid", "taskid"})
        macros.numbers.emplace_back(name, 1);
    reading.program = syntax::parse(reading.sources, reading.file, macros, reading.diagnostics);
    return reading;
}
} // namespace dscope::gui
