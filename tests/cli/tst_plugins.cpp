// needs-programs: dscope
// Libraries that are loaded and unloaded while their code is sampled, one at the addresses of the other.
#include "tests/support/run_dscope.h"
#include <QFile>
#include <QObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope::tests;
namespace {
/// Compiles a library within `folder`; its path, or nothing where there is no compiler.
QString compiledLibrary(const QTemporaryDir& folder, const QString& name, const QByteArray& source)
{
    const auto library = folder.filePath(name);
    QFile text(library + ".c");
    if (!text.open(QIODevice::WriteOnly)) return {};
    text.write(source);
    text.close();
    return QProcess::execute("cc", {"-O1", "-shared", "-fPIC", "-o", library, text.fileName()}) == 0 ? library : QString();
}
} // namespace

class TestPlugins : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
    }
    /// Who called says which of the two it was.
    void aSampleIsNeverNamedByAnotherFile()
    {
        const QTemporaryDir folder;
        const auto library = [&](const QString& name) {
            return compiledLibrary(folder, name,
                QByteArray("#include <time.h>\nunsigned ") + name.toUtf8()
                    + "(int ms)\n{\n\tstruct timespec begin, now;\n\tunsigned sum = 0;\n\tclock_gettime(CLOCK_MONOTONIC, &begin);\n\tdo {\n"
                      "\t\tfor (unsigned i = 0; i < 10000; i++)\n\t\t\tsum += i * sum + 7;\n\t\tclock_gettime(CLOCK_MONOTONIC, &now);\n"
                      "\t} while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < ms);\n\treturn sum;\n}\n");
        };
        const auto first = library("first"), second = library("second");
        if (first.isEmpty() || second.isEmpty()) QSKIP("needs cc");
        const auto folded = folder.filePath("stacks.folded");
        const auto run = runDscope({"-qn", "profile-997 /pid == $target/ { @[ustack()] = count(); }", "-c",
            QStringLiteral(DSCOPE_PROGRAMS "/plugins ") + first + " " + second + (isSlowMachine() ? " 5 20" : " 60 4"), "--export",
            "flame=" + folded});
        QCOMPARE(run.status, 0);
        if (run.out.contains("different places")) QSKIP("the linker put the two libraries into different places");
        QFile file(folded);
        QVERIFY(file.open(QIODevice::ReadOnly));
        int right = 0;
        for (const auto& line : file.readAll().split('\n')) {
            const bool isFirst = line.contains("throughFirst"), isSecond = line.contains("throughSecond");
            if (!isFirst && !isSecond) continue;
            QVERIFY2(!line.contains(isFirst ? "second`" : "first`"), line);
            right += line.contains(isFirst ? "first`first" : "second`second");
        }
        QVERIFY(right >= 2);
    }
};
QTEST_GUILESS_MAIN(TestPlugins)
#include "tst_plugins.moc"
