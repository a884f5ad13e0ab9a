// needs-programs: dscope
// Declarations as builds of large projects have them: the header, the objects and the link, and what the program's probes then tell.
#include "tests/support/run_dscope.h"
#include <QDir>
#include <QFile>
#include <QObject>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope::tests;
namespace {
const QString kShapes = QStringLiteral(TEST_DATA "/declarations");
QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
QByteArray cc(const QString& folder, const QStringList& words)
{
    QProcess process;
    process.setWorkingDirectory(folder);
    process.start("cc", words);
    process.waitForFinished(60'000);
    return process.exitCode() == 0 ? QByteArray() : process.readAllStandardError() + "cc failed";
}
} // namespace

class TestBuildFiles : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        if (!cc(QStringLiteral("."), {"--version"}).isEmpty()) QSKIP("no C compiler is installed");
    }
    void theirProbesFire_data()
    {
        QTest::addColumn<QString>("shape");
        QTest::addColumn<QStringList>("cpp");
        const auto shapes = QDir(kShapes).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        QVERIFY(shapes.size() >= 8);
        for (const auto& shape : shapes) {
            QTest::addRow("%s, by way of cpp", qPrintable(shape)) << shape << QStringList{"-C"};
            const auto text = contents(kShapes + '/' + shape + "/probes.d");
            if (!text.contains("#define") && !text.contains("#include")) QTest::addRow("%s", qPrintable(shape)) << shape << QStringList();
        }
    }
    void theirProbesFire()
    {
        QFETCH(const QString, shape);
        QFETCH(const QStringList, cpp);
        const QTemporaryDir dir;
        const auto path = [&](const QString& name) { return dir.filePath(name); };
        for (const auto& name : QDir(kShapes + '/' + shape).entryList(QDir::Files))
            QVERIFY(QFile::copy(kShapes + '/' + shape + '/' + name, path(name)));

        const auto header = runDscope(QStringList{"-o", path("probes.h"), "-DMADE", "-I."} + cpp + QStringList{"-h", "-s", path("probes.d")});
        QCOMPARE(header.err, QByteArray());
        QCOMPARE(header.status, 0);
        QCOMPARE(cc(dir.path(), {"-O2", "-Wall", "-Werror", "-c", "main.c"}), QByteArray());
        const auto linked = runDscope(cpp + QStringList{"-G", "-s", path("probes.d"), "-o", path("probes.o"), path("main.o")});
        QCOMPARE(linked.err, QByteArray());
        QCOMPARE(linked.status, 0);
        QCOMPARE(cc(dir.path(), {"-o", "main", "main.o", "probes.o"}), QByteArray());
        QCOMPARE(runDscope({}, {}, path("main")).status, 0);

        const auto run = runDscope({"-qs", path("trace.d"), "-c", path("main")});
        QCOMPARE(run.out.trimmed(), contents(path("expected")).trimmed());
        QCOMPARE(run.status, 0);
    }
    /// What is no directive is a remark in declarations alone.
    void remarksAreNoDirectivesOfPrograms()
    {
        const auto run = runDscope({"-n", "# file: poll.c\nBEGIN { exit(0); }"});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("invalid control directive: #file:"), run.err);
    }
};
QTEST_GUILESS_MAIN(TestBuildFiles)
#include "tst_build_files.moc"
