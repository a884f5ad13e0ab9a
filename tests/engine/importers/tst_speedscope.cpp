// Files of speedscope: weights of any unit keep their fractions, and what is not closed lasts until the end of its profile.
// Source: speedscope.app/file-format-schema.json, where all values are numbers.
#include "tests/support/imported_events.h"
#include <QObject>
#include <QTest>
using namespace dscope;
using namespace dscope::tests;
namespace {
QByteArray quoted(QByteArray json) { return json.replace('\'', '"'); }
QByteArray file(const QByteArray& profiles)
{
    return quoted("{'$schema':'https://www.speedscope.app/"
                  "file-format-schema.json','shared':{'frames':[{'name':'Main','file':'a.c','line':3},{'name':'A'}]},'profiles':["
        + profiles + "]}");
}
/// The values of all stacks in one unit: those that are kept, times this power of ten, are nanoseconds, bytes or samples.
std::map<QByteArray, double> valuesOf(const text::Imported& imported)
{
    std::map<QByteArray, double> out;
    for (const auto& line : said(imported).split('\n'))
        if (!line.isEmpty()) out[line.left(line.lastIndexOf(' '))] = line.mid(line.lastIndexOf(' ') + 1).toDouble();
    return out;
}
} // namespace

class TestSpeedscope : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// What is kept has as many digits as what is written: shares are exact whatever the power of ten is.
    void fractionsAreKept_data()
    {
        QTest::addColumn<QByteArray>("profile");
        QTest::addColumn<qint64>("main");
        QTest::addColumn<qint64>("a");
        QTest::newRow("of no unit") << QByteArray(
            "{'type':'sampled','name':'t','unit':'none','samples':[[0,1],[0],[0,1]],'weights':[0.3,0.3,0.3]}")
                                    << qint64(3) << qint64(6);
        QTest::newRow("below one byte") << QByteArray(
            "{'type':'sampled','name':'t','unit':'bytes','samples':[[0,1],[0]],'weights':[0.25,1e-3]}")
                                        << qint64(1) << qint64(250);
        QTest::newRow("below a nanosecond") << QByteArray(
            "{'type':'sampled','name':'t','unit':'nanoseconds','samples':[[0,1],[0]],'weights':[0.5,1.25]}")
                                            << qint64(125) << qint64(50);
        QTest::newRow("that are none") << QByteArray(
            "{'type':'sampled','name':'t','unit':'seconds','samples':[[0,1],[0]],'weights':[0.000000001,2.50]}")
                                       << qint64(2500000000) << qint64(1);
        QTest::newRow("of events") << QByteArray(
            "{'type':'evented','name':'t','unit':'none','startValue':0,'endValue':1,'events':[{'type':'O','frame':0,'at':0},{'type':'O','"
            "frame':1,'at':0.1},{'type':'C','frame':1,'at':0.7},{'type':'C','frame':0,'at':1}]}")
                                   << qint64(4) << qint64(6);
        QTest::newRow("without weights") << QByteArray("{'type':'sampled','name':'t','unit':'none','samples':[[0,1],[0],[0,1]]}")
                                         << qint64(1) << qint64(2);
    }
    void fractionsAreKept()
    {
        QFETCH(QByteArray, profile);
        QFETCH(qint64, main);
        QFETCH(qint64, a);
        const auto imported = read("speedscope", file(profile));
        QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
        const auto values = valuesOf(*imported);
        QCOMPARE(values.size(), std::size_t(2));
        QVERIFY(values.at("Main") > 0);
        QCOMPARE(values.at("Main") * static_cast<double>(a), values.at("Main;A") * static_cast<double>(main));
        QCOMPARE(warned(*imported), QByteArray());
    }
    /// Numbers of a double that has no short decimal: what 64 bits hold of them is kept, and the rest told.
    void whatDoesNotFitIsTold()
    {
        const auto imported = read(
            "speedscope", file("{'type':'sampled','name':'t','unit':'none','samples':[[0,1],[0]],'weights':[100.30000000000000004,0.5]}"));
        QVERIFY(imported);
        QVERIFY2(warned(*imported).contains("17 decimals of a sample, of which 16 are kept"), warned(*imported));
        const auto values = valuesOf(*imported);
        QCOMPARE(values.at("Main"), 0.5);
        QCOMPARE(values.at("Main;A"), 100.3);
    }
    void whatIsNotClosedLastsUntilTheEnd()
    {
        const QByteArray events = "'events':[{'type':'O','frame':0,'at':0},{'type':'O','frame':1,'at':2.5},{'type':'C','frame':1,'at':7}]}";
        const auto imported
            = read("speedscope", file("{'type':'evented','name':'t1','unit':'milliseconds','startValue':0,'endValue':10.5," + events));
        QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
        QCOMPARE(said(*imported), QByteArray("Main 6000000\nMain;A 4500000\n"));
        QCOMPARE(
            called(*imported), QByteArray("0 0 t1 Main entry\n2500000 0 t1 A entry\n7000000 0 t1 A return\n10500000 0 t1 Main return\n"));
        QCOMPARE(warned(*imported), QByteArray("profile 1 has 1 frame that is not closed: it ends with the profile, at 10.5\n"));
        // Without an end that is told, with the last event.
        const auto endless = read("speedscope", file("{'type':'evented','name':'t1','unit':'milliseconds'," + events));
        QVERIFY(endless);
        QCOMPARE(said(*endless), QByteArray("Main 2500000\nMain;A 4500000\n"));
        QVERIFY2(warned(*endless).contains("not closed: it ends with the last event"), warned(*endless));
    }
    void samplesAndWeightsOfDifferentLengthAreTold()
    {
        const auto imported
            = read("speedscope", file("{'type':'sampled','name':'t','unit':'none','samples':[[0,1],[0],[0,1]],'weights':[4]}"));
        QVERIFY(imported);
        QCOMPARE(said(*imported), QByteArray("Main;A 4\n"));
        QCOMPARE(warned(*imported), QByteArray("profile 1 has 3 samples and 1 weights: only the first 1 of both are read\n"));
    }
    void whatIsLeftOutIsTold()
    {
        const auto imported = read("speedscope",
            file("{'type':'sampled','name':'t1','unit':'bytes','samples':[[0],[0,1]],'weights':[3,-4]},"
                 "{'type':'sampled','name':'t2','unit':'seconds','samples':[[0]],'weights':[1]}"));
        QVERIFY(imported);
        QCOMPARE(said(*imported), QByteArray("t1;Main 3\nt2;Main 1000000000\n"));
        const auto same = read("speedscope", file("{'type':'sampled','name':'t1','unit':'bytes','samples':[[0],[0]],'weights':[3,-4]}"));
        QVERIFY(same);
        QCOMPARE(said(*same), QByteArray("Main 3\n"));
        QCOMPARE(warned(*imported),
            QByteArray("1 sample is left out: the weight is below 0\n"
                       "its profiles measure several things, which are kept apart: bytes, time; the first is shown unless --event NAME, or "
                       "Event in the window, chooses another one\n"));
    }
    /// Samples whose weights are times follow each other; each profile is a thread.
    void samplesHaveTimesAndThreads()
    {
        const auto imported = read("speedscope",
            file("{'type':'sampled','name':'t1','unit':'microseconds','startValue':5,'samples':[[0],[1]],'weights':[2,3]},{'type':'sampled'"
                 ",'name':'t2','unit':'microseconds','startValue':6,'samples':[[1]],'weights':[1]}"));
        QVERIFY(imported);
        QCOMPARE(said(*imported), QByteArray("t1;A 3000\nt1;Main 2000\nt2;A 1000\n"));
        QCOMPARE(sampled(*imported), QByteArray("samples\n5001 t1 1\n6000 t2 1\n7000 t1 1\n"));
    }
};
QTEST_GUILESS_MAIN(TestSpeedscope)
#include "tst_speedscope.moc"
