// needs-programs: dscope
// --diff: which file is which, what is refused.
#include "tests/support/run_dscope.h"
#include <QFile>
#include <QObject>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope::tests;
namespace {
QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
void write(const QString& path, const QByteArray& text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}
} // namespace

class TestDiff : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        write(file("old"), "main;a 100\nmain;b 900\n");
        write(file("new"), "main;a 500\nmain;b 500\n");
    }
    void theFileOfDiffIsBefore()
    {
        const auto run = runDscope({"--import", file("new"), "--diff", file("old"), "--export", file("x.csv")});
        QCOMPARE(run.err, QByteArray());
        QCOMPARE(run.status, 0);
        QCOMPARE(contents(file("x.csv")), QByteArray("stack,before,after,difference\r\nmain;a,100,500,400\r\nmain;b,900,500,-400\r\n"));
    }
    void aRecordingIsComparedWithAnother()
    {
        const QString recordings = QStringLiteral(DSCOPE_SOURCE "/examples/recordings/");
        const auto run = runDscope(
            {"--replay", recordings + "hot-stacks.dscope", "--diff", recordings + "hot-stacks.dscope", "--export", file("x.svg")});
        QVERIFY2(run.status == 0, run.err.constData());
        const auto svg = contents(file("x.svg"));
        QVERIFY(svg.contains("What changed"));
        QVERIFY(!svg.contains("fill=\"#B2182B\" data-")); // nothing grew
    }
    void viewsAreThoseThatCompare()
    {
        const auto run = runDscope({"--import", file("new"), "--diff", file("old"), "--views"});
        QCOMPARE(run.out, QByteArray("flame\tWhat changed: flame graph\nicicle\tWhat changed: icicle graph\n"));
    }
    void whatCannotBeComparedSaysWhy_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("nothing to draw") << QStringList{"--import", "NEW", "--diff", "OLD"} << QByteArray("--diff compares in figures");
        QTest::newRow("a view that cannot") << QStringList{"--import", "NEW", "--diff", "OLD", "--export", "process-tree=DIR/x.svg"}
                                            << QByteArray("--diff has no process-tree, but flame");
        QTest::newRow("a format that cannot") << QStringList{"--import", "NEW", "--diff", "OLD", "--export", "flame=DIR/x.folded"}
                                              << QByteArray("flame of two runs cannot be written as .folded, but as .csv");
        QTest::newRow("nothing to compare") << QStringList{"--diff", "OLD", "--export", "DIR/x.svg"} << QByteArray("no probes specified");
        QTest::newRow("no such file") << QStringList{"--import", "NEW", "--diff", "/none/there", "--export", "DIR/x.svg"}
                                      << QByteArray("/none/there: No such file or directory");
        QTest::newRow("another kind of run") << QStringList{"--import", "NEW", "--diff", "OLD", "--export",
            "histogram=DIR/x.svg"} << QByteArray("both runs yield no view \"histogram\"; they yield flame, icicle that can be compared");
    }
    void whatCannotBeComparedSaysWhy()
    {
        QFETCH(QStringList, words);
        QFETCH(QByteArray, says);
        for (auto& word : words)
            word.replace("NEW", file("new")).replace("OLD", file("old")).replace("DIR", m_dir.path());
        const auto run = runDscope(words);
        QVERIFY(run.status == 1 || run.status == 2);
        QVERIFY2(run.err.contains(says), run.err.constData());
    }

private:
    QString file(const QString& name) const { return m_dir.filePath(name); }
    QTemporaryDir m_dir;
};
QTEST_GUILESS_MAIN(TestDiff)
#include "tst_diff.moc"
