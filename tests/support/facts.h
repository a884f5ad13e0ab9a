#pragma once
#include <QByteArray>
#include <QHash>
namespace dscope::tests {
/// What a workload says of itself: lines of a name and a value, anywhere among others.
inline QHash<QByteArray, QByteArray> factsOf(const QByteArray& out)
{
    QHash<QByteArray, QByteArray> facts;
    for (const auto& line : out.split('\n')) {
        const auto words = line.simplified().split(' ');
        if (words.size() == 2) facts[words[0]] = words[1];
    }
    return facts;
}
/// The lines that begin with `word`, without it, cut at blanks.
inline QList<QList<QByteArray>> linesOf(const QByteArray& out, const QByteArray& word)
{
    QList<QList<QByteArray>> lines;
    for (const auto& line : out.split('\n'))
        if (line.startsWith(word + ' ')) lines << line.mid(word.size() + 1).simplified().split(' ');
    return lines;
}
} // namespace dscope::tests
