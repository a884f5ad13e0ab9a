#pragma once
#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "graph/visual.h"
#endif
#include "gui/narrowing.h"
#include <QString>
#include <vector>
namespace dscope::gui {
/// A question about what was pointed at, and the D program that answers it.
struct Question {
    QString text, program;
    bool needsProcess = false; ///< the program has $target: it is for the command that is set
};
/// What was pointed at: a row of a visual's table, or a function.
struct Subject {
    Part part;             ///< of an aggregation of the program
    QString program;       ///< the name of a process's program, as the kernel knows it; may be empty
    QString systemCall;    ///< may be empty
    QString module;        ///< of `function`; may be empty
    QString function;      ///< as a stack names it; may be empty
    bool isKernel = false; ///< the function is the kernel's
    /// `execname == "sed" && probefunc == "openat"`, a range of values, or a function: what a menu is headed by.
    QString text() const;
    bool isNothing() const { return part.terms.empty() && !part.low && !part.high && function.isEmpty() && program.isEmpty(); }
};
/// Of a row of `table`. `source`: the program that made it; a probefunc is a system call when it enables the syscall provider. `keys`: the
/// columns whose values can be asked for; keysOf(source) where it is a D program.
Subject subjectOf(const graph::Table& table, std::size_t row, const QString& source, const QStringList& keys);
inline Subject subjectOf(const graph::Table& table, std::size_t row, const QString& source)
{
    return subjectOf(table, row, source, keysOf(source));
}
/// Of a frame of a stack, by its name ("libc.so.6`malloc") and colour class. Nothing for one without a function.
Subject subjectOf(std::string_view frame, graph::Shade shade);
/// What can be asked next: first of the program that made the picture, then in general. `source`: as above; `hasTarget`: whether a
/// command is set.
std::vector<Question> questionsAbout(const Subject& subject, const QString& source);
} // namespace dscope::gui
