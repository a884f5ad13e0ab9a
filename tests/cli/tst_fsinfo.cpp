// needs-programs: dscope
// What fsinfo tells of file systems, held against a program that says what it asked of them.
#include "tests/support/run_dscope.h"
#include <QObject>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope::tests;
namespace {
/// Lines of what was asked, sorted: "read /folder/file 7".
QList<QByteArray> asked(const QByteArray& text, const QByteArray& folder)
{
    QList<QByteArray> all;
    for (const auto& line : text.split('\n'))
        if (line.contains(' ' + folder)) all += line;
    std::sort(all.begin(), all.end());
    return all;
}
} // namespace

class TestFsinfo : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
    }
    void eachCallIsToldWithItsFile()
    {
        const QTemporaryDir dir;
        const auto folder = dir.path().toUtf8();
        const QString command = QStringLiteral(DSCOPE_PROGRAMS "/file_calls ") + dir.path();
        // Text of its own keeps what the program says apart.
        const auto run = runDscope({"-o", dir.filePath("seen"), "-qn",
            "fsinfo::: /pid == $target/ { printf(\"%s %s %d\\n\", probename, args[0]->fi_pathname, args[1]); }", "-c", command});
        QVERIFY2(run.status == 0 && run.err.isEmpty(), run.err);
        QFile seen(dir.filePath("seen"));
        QVERIFY(seen.open(QIODevice::ReadOnly));
        const auto said = asked(run.out, folder);
        QVERIFY(said.size() > 25);
        QCOMPARE(asked(seen.readAll(), folder), said);
    }
    void namesAreTakenApart()
    {
        const QTemporaryDir dir;
        const auto run = runDscope({"-qn",
            "fsinfo:::mkdir, fsinfo:::read /pid == $target/"
            " { printf(\"%s [%s] [%s] %d\\n\", probename, args[0]->fi_name, args[0]->fi_dirname, args[0]->fi_offset); }",
            "-c", QStringLiteral(DSCOPE_PROGRAMS "/file_calls ") + dir.path()});
        QVERIFY2(run.out.contains("mkdir [made] [" + dir.path().toUtf8() + "] -1\n"), run.out + run.err);
        QVERIFY2(run.out.contains("read [file] [" + dir.path().toUtf8() + "/made] 7\n"), run.out + run.err);
    }
};
QTEST_GUILESS_MAIN(TestFsinfo)
#include "tst_fsinfo.moc"
