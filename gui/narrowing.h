#pragma once
#include <QStringList>
#include <optional>
#include <vector>
namespace dscope::gui {
/// The keys of a program's aggregations that a predicate can ask for: those that are known before a clause's body runs, and no stacks.
QStringList keysOf(const QString& program);

/// What a row is about: a key of an aggregation and its value in that row.
struct Term {
    QString expression; ///< as the program has it: `execname`
    QString value;      ///< as a D literal: `"sed"`, `14`
    QString text{};     ///< as the table has it: `sed`, `14`
    bool operator==(const Term&) const = default;
};
/// Selects events of an aggregation: by keys of the rows and, for quantize(), by a range of values.
struct Part {
    std::vector<Term> terms;
    std::optional<qint64> low, high; ///< low <= value < high
};
/// `execname == "sed" && probefunc == "write"`; empty without terms.
QString condition(const std::vector<Term>& terms);
/// The program with a predicate for what `part` is about, at the clauses that aggregate by its keys. None where no clause does, or
/// where a key is not known before the clause's body runs.
std::optional<QString> narrowed(const QString& program, const Part& part);
/// The program with a predicate at every clause whose probes fire in the processes that are traced: not at BEGIN, END, ERROR and tick.
/// None where there is no such clause, or its syntax is wrong.
std::optional<QString> restrictedTo(const QString& program, const QString& condition);
/// The same, but the clauses count by ustack() instead: it shows which code leads to these events.
std::optional<QString> askedForStacks(const QString& program, const Part& part);
/// The program with `tid` as the first key wherever it aggregates by a stack: its threads are told apart. None where nothing does, or all
/// have that key already.
std::optional<QString> byThread(const QString& program);
} // namespace dscope::gui
