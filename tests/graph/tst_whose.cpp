// needs: graph/models engine/record
// A title says of which processes the data is, as far as that is known.
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN
#include "graph/store.h"
#include "graph/whose.h"
#include "tests/support/streams.h"
#include "tests/support/visuals.h"
#endif
using namespace dscope;
using namespace dscope::graph;
using namespace dscope::test;
using Whom = record::Clause::Processes;

class TestWhose : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aTitleSaysWhoseTheDataIs_data()
    {
        QTest::addColumn<Whom>("processes");
        QTest::addColumn<QString>("command");
        QTest::addColumn<int>("target");
        QTest::addColumn<QString>("title");
        QTest::newRow("of the command") << Whom::Target << "/usr/bin/busy 3" << 123 << "Where the CPU time goes: busy 3";
        QTest::newRow("of a process") << Whom::Target << "" << 123 << "Where the CPU time goes: process 123";
        QTest::newRow("of all, beside a command") << Whom::All << "/usr/bin/busy 3" << 123 << "Where the CPU time goes: all processes during busy 3";
        QTest::newRow("of all, beside a process") << Whom::All << "" << 123 << "Where the CPU time goes: all processes";
        QTest::newRow("of all") << Whom::All << "" << 0 << "Where the CPU time goes: all processes";
        QTest::newRow("of some") << Whom::Some << "/usr/bin/busy 3" << 123 << "Where the CPU time goes during busy 3";
        QTest::newRow("nobody knows") << Whom::NotTold << "/usr/bin/busy 3" << 123 << "Where the CPU time goes during busy 3";
        QTest::newRow("nobody knows of a process") << Whom::NotTold << "" << 123 << "Where the CPU time goes";
    }
    void aTitleSaysWhoseTheDataIs()
    {
        QFETCH(Whom, processes);
        QFETCH(QString, command);
        QFETCH(int, target);
        auto p = program("", {"profile:::profile-997"});
        p.command = command.toStdString();
        p.target = target;
        p.clauses[0].processes = processes;
        p.clauses[0].fills = {AggregationId{0}};
        p.aggregations = {aggregation("", record::Aggregator::Count, "", {stackKey(record::FieldKind::UserStack)})};
        Stream s;
        begin(s, p);
        s.emplace_back(stack(1, {frame("busy", "mix", record::Frame::Kind::User)}));
        s.emplace_back(rows(0, {{Key().stack(1).bytes(), {500}}}));
        s.emplace_back(end(kSecond));
        const auto flame = visual(s, "flame");
        QTEST(q(flame->title()), "title");
        const auto claim = q(flame->figure({}).words.title);
        const bool isWider = processes == Whom::All && target != 0;
        QCOMPARE(claim, isWider ? "100 % of all processes' CPU time (502 of 502 ms, run 1.00 s) is in mix()" : "100 % of the CPU time (502 of 502 ms, run 1.00 s) is in mix()");
        LayoutOptions redacted;
        redacted.redact = true;
        const auto figure = flame->figure(redacted);
        QVERIFY2(!q(figure.words.subtitle).contains("busy"), qPrintable(q(figure.words.subtitle)));
    }
};
QTEST_GUILESS_MAIN(TestWhose)
#include "tst_whose.moc"
