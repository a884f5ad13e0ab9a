#pragma once
#include <QByteArray>
#include <QByteArrayList>
namespace dscope::tests {
/// What dscope told on stderr but for the share of stacks that end early: how many do, first ones above all, depends on how busy the
/// machine is.
inline QByteArray saidBeyondCuts(const QByteArray& err)
{
    QByteArrayList lines;
    for (const auto& line : err.split('\n'))
        if (!line.contains(" end early, in [truncated]")) lines.push_back(line);
    return lines.join('\n');
}
} // namespace dscope::tests
