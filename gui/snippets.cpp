#include "gui/snippets.h"
#include <QCoreApplication>
#include <array>
namespace dscope::gui {
namespace {
using Place = Snippet::Place;
constexpr std::array kAll{
    Snippet{Place::Clauses, "probe", QT_TRANSLATE_NOOP("Snippets", "a probe and what it does"), "syscall::openat:entry\n{\n\t",
        "trace(execname);\n}\n"},
    Snippet{Place::Clauses, "predicate", QT_TRANSLATE_NOOP("Snippets", "a probe for one program alone"),
        "syscall::openat:entry\n/execname == \"", "cat\"/\n{\n\ttrace(pid);\n}\n"},
    Snippet{Place::Clauses, "aggregation", QT_TRANSLATE_NOOP("Snippets", "how often, by a key"), "syscall:::entry\n{\n\t@calls[",
        "execname] = count();\n}\n"},
    Snippet{Place::Clauses, "latency", QT_TRANSLATE_NOOP("Snippets", "how long it takes, by thread"),
        "syscall::read:entry\n{\n\tself->start = timestamp;\n}\n\nsyscall::read:return\n/self->start/\n{\n\t@ns[",
        "execname] = quantize(timestamp - self->start);\n\tself->start = 0;\n}\n"},
    Snippet{Place::Clauses, "periodic", QT_TRANSLATE_NOOP("Snippets", "print and clear every second"), "tick-1s\n{\n\tprinta(@",
        ");\n\ttrunc(@);\n}\n"},
    Snippet{Place::Body, "aggregate", QT_TRANSLATE_NOOP("Snippets", "how often, by a key"), "@[", "execname] = count();"},
    Snippet{Place::Body, "distribution", QT_TRANSLATE_NOOP("Snippets", "how values are spread"), "@[execname] = quantize(", "arg2);"},
    Snippet{Place::Body, "stacks", QT_TRANSLATE_NOOP("Snippets", "which code leads here"), "@[", "ustack()] = count();"},
};
} // namespace

std::span<const Snippet> snippets() { return kAll; }
QString summaryOf(const Snippet& snippet) { return QCoreApplication::translate("Snippets", snippet.summary); }
} // namespace dscope::gui
