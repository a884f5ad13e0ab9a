#pragma once
#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "graph/visual.h"
#endif
#include <QString>
#include <vector>
namespace dscope::gui {
/// A question about what was pointed at, and the D program that answers it.
struct Question {
    QString text, program;
};
/// What a row of a visual's table is about: `execname == "sed"`, `probefunc == "openat"`. Empty when nothing can be asked.
struct Subject {
    enum class Kind { None, Program, SystemCall } kind = Kind::None;
    QString name; ///< as it was traced
    QString predicate() const;
};
/// `source`: the program that made the table; a probefunc is a system call when it enables the syscall provider.
Subject subjectOf(const graph::Table& table, std::size_t row, const QString& source);
std::vector<Question> questionsAbout(const Subject& subject);
} // namespace dscope::gui
