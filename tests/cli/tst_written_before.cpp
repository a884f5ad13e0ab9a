// needs-programs: dscope
// Recordings and figures that an older dscope wrote say today what they said then. tests/data/written_by_8b37885 holds the SHA-256
// of what that commit made of examples/recordings, and figures that it drew. Where it wrote libc.so.6`[unknown] the recordings know which
// function that is, and the lines of today have libc.so.6+0x26000 instead; nothing else of them differs.
#include "tests/support/run_dscope.h"
#include <QCryptographicHash>
#include <QFile>
#include <QObject>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope::tests;
namespace {
QString data(const QString& name) { return QStringLiteral(DSCOPE_SOURCE "/tests/data/written_by_8b37885/") + name; }
const QString kFacts = QStringLiteral(DSCOPE_SOURCE "/tests/data/written_by_21ebb1a/");
QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
} // namespace

class TestWrittenBefore : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void recordingsReplayToTheSameBytes_data()
    {
        QTest::addColumn<QString>("recording");
        QTest::addColumn<QString>("what"); ///< "text", or a view and a suffix
        QTest::addColumn<QByteArray>("sha256");
        for (const auto& line : contents(data("replays.txt")).split('\n')) {
            const auto parts = line.split(' ');
            if (parts.size() == 3)
                QTest::newRow((parts[0] + ' ' + parts[1]).constData()) << QString::fromUtf8(parts[0]) << QString::fromUtf8(parts[1]) << parts[2];
        }
    }
    void recordingsReplayToTheSameBytes()
    {
        QFETCH(QString, recording);
        QFETCH(QString, what);
        QFETCH(QByteArray, sha256);
        const QTemporaryDir dir;
        const QString file = QStringLiteral(DSCOPE_SOURCE "/examples/recordings/") + recording + ".dscope", made = dir.filePath("x." + what.section('.', 1));
        QStringList words{"--replay", file};
        if (what != "text") words << "--export" << what.section('.', 0, 0) + '=' + made;
        const auto run = runDscope(words);
        QVERIFY2(run.status == 0, run.err.constData());
        const auto bytes = what == "text" ? run.out : contents(made);
        QCOMPARE(QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex(), sha256);
    }
    /// What 21ebb1a recorded (format 1.2) has some facts of the run as options and text. Its own text of the run stands beside it.
    void factsThatWereOptionsAreStillFacts_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("a time zone, an object") << "print";
        QTest::newRow("as DTrace for Linux prints") << "linux";
    }
    void factsThatWereOptionsAreStillFacts()
    {
        QFETCH(QString, name);
        const auto recording = kFacts + name + ".dscope", wanted = kFacts + name + ".txt";
        const QTemporaryDir dir;
        const auto copy = dir.filePath("copy.dscope");
        QCOMPARE(runDscope({"--replay", recording, "--record", copy}).status, 0);
        for (const auto& file : {recording, copy}) {
            const auto run = runDscope({"--replay", file});
            QCOMPARE(run.err, QByteArray());
            QCOMPARE(run.out, contents(wanted));
        }
        QVERIFY(!contents(copy).isEmpty());
    }
    void timesThatAreLinesAreStillNoTimes()
    {
        const QTemporaryDir dir;
        const auto copy = dir.filePath("copy.dscope");
        QCOMPARE(runDscope({"--replay", kFacts + "lines.dscope", "--record", copy}).status, 0);
        for (const auto& file : {kFacts + "lines.dscope", copy}) {
            const auto run = runDscope({"--replay", file, "--from", "0", "--export", "flame-chart=" + dir.filePath("x.csv")});
            QVERIFY2(run.err.contains("it is not known when"), run.err.constData());
        }
    }
    void figuresOpenWithTheSameStacks_data()
    {
        QTest::addColumn<QString>("figure");
        QTest::newRow("SVG") << "imported.svg";
        QTest::newRow("web page") << "imported.html";
    }
    void figuresOpenWithTheSameStacks()
    {
        QFETCH(QString, figure);
        const QTemporaryDir dir;
        const auto run = runDscope({"--import", data(figure), "--export", dir.filePath("x.folded")});
        QVERIFY2(run.status == 0, run.err.constData());
        QCOMPARE(contents(dir.filePath("x.folded")), contents(data("imported.folded")));
    }
    void aFigureOfARecordingOpensAsTheRecording()
    {
        const QTemporaryDir dir;
        const auto run = runDscope({"--import", data("hot-stacks.svg"), "--export", "flame=" + dir.filePath("a.csv")});
        QVERIFY2(run.status == 0, run.err.constData());
        const auto replay = runDscope(
            {"--replay", DSCOPE_SOURCE "/examples/recordings/hot-stacks.dscope", "--export", "flame=" + dir.filePath("b.csv")});
        QVERIFY2(replay.status == 0, replay.err.constData());
        QCOMPARE(contents(dir.filePath("a.csv")), contents(dir.filePath("b.csv")));
    }
};
QTEST_GUILESS_MAIN(TestWrittenBefore)
#include "tst_written_before.moc"
