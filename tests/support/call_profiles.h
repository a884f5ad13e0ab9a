#pragma once
#include "tests/support/imported.h"
#include <QMap>
#include <QTest>
namespace dscope::tests {
/// The stacks of one measure ("time") of an import, a line each in the order of bytes, without marks of the kernel's and of generated code.
inline QByteArray stacksOf(const text::Imported& imported, const char* noun)
{
    QByteArrayList lines;
    for (const auto& record : imported.records) {
        const auto* stacks = std::get_if<record::CountedStacks>(&record);
        if (!stacks || stacks->noun != noun) continue;
        record::eachLine(*stacks, [&](std::string_view stack, std::int64_t value) {
            lines << QByteArray(stack.data(), static_cast<qsizetype>(stack.size())).replace("_[k]", "").replace("_[j]", "") + ' '
                    + QByteArray::fromStdString(record::decimalText(value, stacks->exponent));
        });
    }
    std::sort(lines.begin(), lines.end());
    return lines.isEmpty() ? QByteArray() : lines.join('\n') + '\n';
}
/// What an import warns of, a line each.
inline QByteArray warningsOf(const text::Imported& imported)
{
    QByteArray out;
    for (const auto& record : imported.records)
        if (const auto* told = std::get_if<record::Diagnostic>(&record)) out += QByteArray::fromStdString(told->message) + '\n';
    return out;
}
/// Per function the values of the stacks that end in it, or that it is anywhere in.
inline QMap<QByteArray, qlonglong> byFunction(const QByteArray& stacks, bool inclusive)
{
    QMap<QByteArray, qlonglong> out;
    for (const auto& line : stacks.split('\n')) {
        const auto blank = line.lastIndexOf(' ');
        if (blank < 0) continue;
        auto frames = line.left(blank).split(';');
        if (!inclusive) frames = {frames.last()};
        std::sort(frames.begin(), frames.end());
        frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
        for (const auto& frame : frames)
            out[frame.mid(frame.indexOf('`') + 1)] += line.mid(blank + 1).toLongLong();
    }
    return out;
}
} // namespace dscope::tests
