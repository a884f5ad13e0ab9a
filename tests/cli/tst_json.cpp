// needs-programs: dscope
// What json() finds, held against Python's json for the texts and paths that tests/support/json_texts.py writes.
#include "tests/support/run_dscope.h"
#include <QObject>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope::tests;
class TestJson : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        if (QStandardPaths::findExecutable("python3").isEmpty()) QSKIP("python3 is not installed");
    }
    void findsWhatPythonFinds_data()
    {
        QTest::addColumn<QString>("strsize");
        QTest::newRow("strings of 256 bytes") << "256";
        QTest::newRow("strings of 4096 bytes") << "4096";
    }
    void findsWhatPythonFinds()
    {
        QFETCH(QString, strsize);
        const QTemporaryDir dir;
        const auto truth = dir.filePath("truth");
        // It writes a path to a descriptor that is not open, then a text to another.
        const auto run = runDscope({"-x", "strsize=" + strsize, "-qn", R"d(
syscall::write:entry /pid == $target && arg0 == 998/ { self->path = copyinstr(arg1); }
syscall::write:entry /pid == $target && arg0 == 999/ { this->v = json(copyinstr(arg1), self->path); printf("%s\n--\n", this->v == NULL ? "(none)" : this->v); })d",
            "-c", "python3 " DSCOPE_SOURCE "/tests/support/json_texts.py " + strsize + " " + truth});
        QCOMPARE(run.err, QByteArray());
        QCOMPARE(run.status, 0);
        QFile file(truth);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto cases = file.readAll().split('\0'), found = QByteArray(run.out).replace("\n--\n", QByteArray(1, '\0')).split('\0');
        QVERIFY(cases.size() > 300);
        // A text, a path and a value each.
        for (qsizetype i = 0; 3 * i + 2 < cases.size(); ++i)
            QVERIFY2(i < found.size() && found[i] == cases[3 * i + 2],
                cases[3 * i] + "\n at " + cases[3 * i + 1] + "\n is " + cases[3 * i + 2] + "\n found " + found.value(i));
        QCOMPARE(found.size() - 1, (cases.size() - 1) / 3);
    }
};
QTEST_GUILESS_MAIN(TestJson)
#include "tst_json.moc"
