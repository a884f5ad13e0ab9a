// needs-programs: dscope
// sanitized: perf's files, whole and damaged
// Recordings of perf, read through perf itself.
#include "tests/support/run_dscope.h"
#include <QFile>
#include <QObject>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope::tests;
namespace {
QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
} // namespace

class TestPerfData : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (QStandardPaths::findExecutable("perf").isEmpty()) return;
        const auto run = runDscope({"record", "-q", "-e", "cpu-clock", "-F", "999", "-g", "-o", at("perf.data"), "--", "sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"}, {}, "perf");
        m_isRecorded = run.status == 0 && QFile::exists(at("perf.data"));
    }
    /// The stacks are those of the text that perf prints.
    void aRecordingIsWhatPerfPrintsOfIt()
    {
        if (!m_isRecorded) QSKIP("perf is not installed, or may not record here");
        const auto script = runDscope({"script", "-f", "-i", at("perf.data")}, {}, "perf");
        QCOMPARE(script.status, 0);
        auto run = runDscope({"--import", "-", "--export", at("text.folded")}, script.out);
        QVERIFY2(run.status == 0, run.err);
        run = runDscope({"--import", at("perf.data"), "--export", at("data.folded")});
        QVERIFY2(run.status == 0, run.err);
        QVERIFY(contents(at("text.folded")).contains("sh;"));
        QCOMPARE(contents(at("data.folded")), contents(at("text.folded")));
    }
    void withoutPerfItSaysWhatToType()
    {
        put("p", QByteArray("PERFILE2\0\0\0\0", 12));
        const auto path = qgetenv("PATH");
        qputenv("PATH", at("").toUtf8());
        const auto run = runDscope({"--import", at("p"), "--export", at("p.folded")});
        qputenv("PATH", path);
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("apt install linux-perf") && run.err.contains("perf script -i " + at("p").toUtf8() + " > stacks.txt"), run.err);
    }
    void whatPerfCannotReadIsRefusedWithItsWords()
    {
        if (QStandardPaths::findExecutable("perf").isEmpty()) QSKIP("perf is not installed");
        put("p", QByteArray("PERFILE2\0\0\0\0", 12));
        auto run = runDscope({"--import", at("p"), "--export", at("p.folded")});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("perf script could not read it: \""), run.err);
        run = runDscope({"--import", "-"}, QByteArray("PERFILE2\0\0\0\0", 12));
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("give the file's name, or perf script | dscope --import -"), run.err);
    }

private:
    void put(const QString& name, const QByteArray& bytes)
    {
        QFile file(at(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    }
    QString at(const QString& name) const { return m_dir.filePath(name); }
    QTemporaryDir m_dir;
    bool m_isRecorded = false;
};
QTEST_GUILESS_MAIN(TestPerfData)
#include "tst_perf_data.moc"
