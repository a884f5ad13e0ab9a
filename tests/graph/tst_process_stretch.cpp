// needs: graph/models engine/record
// Processes of a stretch of time: those that lived then, as what they ran then.
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN
#include "graph/process_stretch.h"
#include "graph/processes.h"
#endif
using namespace dscope;
using namespace dscope::graph;
using record::ProcessEvent;
namespace {
ProcessEvent event(ProcessEvent::Kind kind, std::int64_t when, std::uint32_t pid, std::uint32_t parent = 0, const char* path = "")
{
    ProcessEvent e;
    e.kind = kind;
    e.when = record::Nanoseconds(when);
    e.pid = e.tid = pid;
    e.parent = parent;
    e.path = path;
    return e;
}
using Kind = ProcessEvent::Kind;
/// make (1) runs from 0 to 100; cc (2) from 10 to 40, as cc1 from 20 on; ld (3) from 50 to 90.
const std::vector<ProcessEvent> kEvents{event(Kind::Existing, 0, 1, 0, "/bin/make"), event(Kind::Fork, 10, 2, 1),
    event(Kind::Exec, 12, 2, 0, "/bin/cc"), event(Kind::Exec, 20, 2, 0, "/bin/cc1"), event(Kind::Exit, 40, 2), event(Kind::Fork, 50, 3, 1),
    event(Kind::Exec, 52, 3, 0, "/bin/ld"), event(Kind::Exit, 90, 3), event(Kind::Exit, 100, 1)};
QString told(std::int64_t from, std::int64_t to)
{
    QStringList out;
    for (const auto& p : processesOf(eventsWithin(kEvents, from, to)))
        out << QStringLiteral("%1 %2 %3-%4 of %5")
                   .arg(QString::fromStdString(p.image().path))
                   .arg(p.pid)
                   .arg(p.start ? QString::number(*p.start) : QStringLiteral("?"))
                   .arg(p.end ? QString::number(*p.end) : QStringLiteral("?"))
                   .arg(p.parent ? int(*p.parent) : -1);
    return out.join(", ");
}
} // namespace
class TestProcessStretch : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void allOfItIsAsItWas()
    {
        QCOMPARE(told(0, 100), QStringLiteral("/bin/make 1 ?-100 of -1, /bin/cc1 2 10-40 of 0, /bin/ld 3 50-90 of 0"));
    }
    void whatRanAlreadyWasThereBefore()
    {
        QCOMPARE(told(25, 60), QStringLiteral("/bin/make 1 ?-? of -1, /bin/cc1 2 ?-40 of 0, /bin/ld 3 50-? of 0"));
        QCOMPARE(told(15, 18), QStringLiteral("/bin/make 1 ?-? of -1, /bin/cc 2 ?-? of 0"));
    }
    void whatHasEndedIsGone()
    {
        QCOMPARE(told(45, 49), QStringLiteral("/bin/make 1 ?-? of -1"));
    }
    void aChildThatHasNotYetExecedRunsItsParentsProgram()
    {
        QCOMPARE(told(11, 11), QStringLiteral("/bin/make 1 ?-? of -1, /bin/make 2 ?-? of 0"));
    }
};
QTEST_GUILESS_MAIN(TestProcessStretch)
#include "tst_process_stretch.moc"
