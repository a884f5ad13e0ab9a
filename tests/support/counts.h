#pragma once
#include "tests/support/run_dscope.h"
#include <QMap>
namespace dscope::tests {
/// A program's lines "name number ..." as numbers by name.
inline QMap<QByteArray, qint64> countsIn(const QByteArray& text)
{
    QMap<QByteArray, qint64> all;
    for (const auto& line : text.split('\n')) {
        const auto words = line.simplified().split(' ');
        for (qsizetype i = 0; i + 1 < words.size(); i += 2)
            all[words[i]] += words[i + 1].toLongLong();
    }
    return all;
}
/// What `program` counts of tests/programs/kernel_work WHAT N, with what that says of itself. The program's
/// aggregations are keyed by name and counted of the workload alone.
inline QMap<QByteArray, qint64> countsOfWork(const QString& program, const char* what, int n, const char* more = "")
{
    const auto run = runDscope({"-qn", program, "-c", QString(DSCOPE_PROGRAMS "/kernel_work %1 %2 %3").arg(what).arg(n).arg(more)});
    auto all = countsIn(run.out);
    all["status"] = run.status;
    // A key's first count may find the kernel without memory for it at hand: a few are lost, and told. So are a few firings in an
    // interrupt that comes while the probe's own program runs: it takes a page (zfod), or wakes a task. They are not the workload's.
    for (const auto& line : run.err.split('\n'))
        if (!line.isEmpty() && !line.contains("aggregation drop") && !(line.contains("not seen") && countsIn(line)["dtrace:"] <= 3)) {
            ++all["complaints"];
            qWarning("%s", line.constData());
        }
    return all;
}
/// A clause that sets `marked` while the kernel's own accounts of the workload run.
inline const QString kMarks
    = QStringLiteral("int marked; syscall::close:entry /pid == $target && (int)arg0 == -31337/ { marked = !marked; } ");
/// The same with kMarks before `program`, and those accounts beside it: "rchar:" and more.
inline QMap<QByteArray, qint64> countsAndAccounts(const QString& program, const char* what, int n)
{
    return countsOfWork(kMarks + program, what, n, "accounts");
}
/// Of the kernel_work that perf started, which is what `-c` starts: other tests run one, too, at the same time.
/// perf lets a thread go in the middle of its end, dscope when it is gone, and ends contend, too: what perf counted of kernel_work lies
/// between what was before (named "early" and `name`) and all (`name`).
inline QString clausesOfPerfsCount(const QString& probes, const QString& name)
{
    return QString(probes + " /progenyof($target) && execname == \"kernel_work\"/ { @[\"" + name + "\"] = sum(1); @[\"early" + name
        + "\"] = sum(self->ends ? 0 : 1); } ");
}
inline const QString kEnds = QStringLiteral("self int ends; syscall::exit:entry, syscall::exit_group:entry { self->ends = 1; } ");
/// QVERIFY2's two: whether `seen` lies within `most` of `told`, and both numbers.
inline bool isNear(qint64 seen, qint64 told, qint64 most) { return qAbs(seen - told) <= most; }
inline bool isPerfsCount(const QMap<QByteArray, qint64>& counts, const QByteArray& name, qint64 told)
{
    // perf begins a moment before or after the program has its name.
    return counts["early" + name] - 3 <= told && told <= counts[name] + 3;
}
inline QByteArray both(qint64 seen, qint64 told) { return QByteArray::number(seen) + " here, " + QByteArray::number(told) + " there"; }
} // namespace dscope::tests
