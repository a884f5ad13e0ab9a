// needs: graph/models engine/record
// What figures say of probes is told by the probes themselves, however a program writes them.
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN
#include "graph/keys.h"
#include "graph/store.h"
#include "tests/support/drawn/visuals.h"
#include "tests/support/streams.h"
#endif
using namespace dscope;
using namespace dscope::graph;
using namespace dscope::test;
namespace {
/// A program whose only clause is written so, with the probes that it has.
Store storeOf(record::Program program, const std::vector<record::ProbeDef>& probes)
{
    Store store;
    store.take(std::move(program));
    for (const auto& probe : probes)
        store.take(probe);
    return store;
}
record::Program aggregating(std::string written, record::Aggregation aggregation)
{
    auto p = program(written + " { ... }", {written});
    p.aggregations = {std::move(aggregation)};
    return p;
}
/// Null when the program does not yield that view.
std::unique_ptr<Visual> shown(const Store& store, std::string_view view)
{
    for (const auto& kind : kinds())
        if (kind.name == view && kind.fits(store)) return kind.make(store);
    return nullptr;
}
record::Fired fired(std::uint32_t probe, std::int64_t after)
{
    return {ClauseId{0}, ProbeId{probe}, 0, 7, 7, record::Nanoseconds(kStart + after), {}};
}
record::ProbeDef syscall(std::uint32_t id, const char* name, const char* where) { return {ProbeId{id}, "syscall", "vmlinux", name, where}; }
} // namespace

class TestRunProbes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void functionsThatAreCalledLikeDtracesOwnProbesAreNamed()
    {
        auto p = program("", {"dtrace:::BEGIN", "pid$target:libx:APPEND:entry", "tick-1s", "BEGINNING:entry", "syscall::read:entry, END"});
        QCOMPARE(q(probesText(p)), QString("pid$target:libx:APPEND:entry, BEGINNING:entry"));
    }
    void samplesHaveAHeatMapHoweverTheyAreWritten_data()
    {
        QTest::addColumn<QString>("written");
        QTest::addColumn<QString>("provider");
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("isSampled");
        QTest::newRow("in full") << "profile:::profile-99" << "profile" << "profile-99" << true;
        QTest::newRow("by name") << "profile-99" << "profile" << "profile-99" << true;
        QTest::newRow("any provider") << "*:::profile-99" << "profile" << "profile-99" << true;
        QTest::newRow("a pattern") << "prof*:::" << "profile" << "profile-99" << true;
        QTest::newRow("another's") << "profiler:::begun" << "profiler" << "begun" << false;
    }
    void samplesHaveAHeatMapHoweverTheyAreWritten()
    {
        QFETCH(QString, written);
        QFETCH(QString, provider);
        QFETCH(QString, name);
        QFETCH(bool, isSampled);
        auto p = program("", {written.toStdString()});
        p.clauses.front().silent = false;
        auto store = storeOf(p, {{ProbeId{1}, provider.toStdString(), "", "", name.toStdString()}});
        for (int i = 1; i < 20; ++i)
            store.take(fired(1, i * 90 * kMillisecond));
        const auto heatmap = shown(store, "heatmap");
        QCOMPARE(heatmap != nullptr, isSampled);
        if (isSampled) QVERIFY(!heatmap->empty());
    }
    void callsHaveAFlameChartHoweverTheyAreWritten()
    {
        auto p = program("", {"fbt::vfs_read:"});
        p.clauses.front().silent = false;
        auto store = storeOf(p, {{ProbeId{1}, "fbt", "vmlinux", "vfs_read", "entry"}, {ProbeId{2}, "fbt", "vmlinux", "vfs_read", "return"}});
        QVERIFY(shown(store, "flame-chart"));

        // Of two clauses the one that records has no entries.
        p = program("", {"fbt::vfs_r*:entry", "fbt::vfs_w*:"});
        p.clauses.back().silent = false;
        store = storeOf(p, {{ProbeId{1}, "fbt", "vmlinux", "vfs_read", "entry"}, {ProbeId{2}, "fbt", "vmlinux", "vfs_write", "return"}});
        QVERIFY(!shown(store, "flame-chart"));

        // What is not there yet, as in a library that is loaded later, is known by its description.
        p = program("", {"pid$target:libx:f:entry, pid$target:libx:f:return"});
        p.clauses.front().silent = false;
        QVERIFY(shown(storeOf(p, {}), "flame-chart"));
        p = program("", {"pid$target:app:f:"});
        p.clauses.front().silent = false;
        QVERIFY(shown(storeOf(p, {{ProbeId{1}, "pid7", "app", "f", "entry"}, {ProbeId{2}, "pid7", "app", "f", "return"}}), "flame-chart"));
    }
    void valuesOfReadsAndWritesAreBytes_data()
    {
        QTest::addColumn<QString>("value");
        QTest::addColumn<QStringList>("probes");
        QTest::addColumn<bool>("isBytes");
        QTest::newRow("a pattern") << "arg2" << QStringList{"pread64:entry", "read:entry"} << true;
        QTest::newRow("others, too") << "arg2" << QStringList{"read:entry", "openat:entry"} << false;
        QTest::newRow("what they return") << "arg0" << QStringList{"read:entry", "read:return"} << true;
        QTest::newRow("a descriptor") << "arg0" << QStringList{"read:entry"} << false;
    }
    void valuesOfReadsAndWritesAreBytes()
    {
        QFETCH(QString, value);
        QFETCH(QStringList, probes);
        QFETCH(bool, isBytes);
        std::vector<record::ProbeDef> all;
        for (const auto& p : probes)
            all.push_back(syscall(static_cast<std::uint32_t>(all.size()) + 1, qPrintable(p.section(':', 0, 0)), qPrintable(p.section(':', 1))));
        auto a = aggregation("", Aggregator::Quantize, value.toStdString(), {});
        const auto store = storeOf(aggregating("sys*:::", a), all);
        QCOMPARE(store.measure(a).unit == Unit::Bytes, isBytes);
    }
    void aCallIsNamedWhereThereIsNoOther()
    {
        const auto asked = [](const std::vector<record::ProbeDef>& probes) {
            auto a = aggregation("", Aggregator::Quantize, "timestamp - self->t", {});
            auto store = storeOf(aggregating("sys*::fsy*:", a), probes);
            store.take(rows(0, {{{}, {10, 4}}}));
            return q(textOf(shown(store, "histogram")->figure({})));
        };
        const auto one = asked({syscall(1, "fsync", "entry"), syscall(2, "fsync", "return")});
        QVERIFY2(one.contains("How long does fsync(2) take?"), qPrintable(one));
        const auto two = asked({syscall(1, "fsync", "entry"), syscall(2, "sync", "return")});
        QVERIFY2(two.contains("How long does it take?"), qPrintable(two));
    }
};
QTEST_GUILESS_MAIN(TestRunProbes)
#include "tst_run_probes.moc"
