// needs: engine/language
// needs-programs: dscope
// Every example of every row of the table of subroutines, run in the kernel: its verifier takes the code that was made, and the value is
// the same as on the simulated machine (tests/engine/codegen/tst_subroutines.cpp).
#include "engine/language/subroutines.h"
#include "tests/support/run_dscope.h"
#include <QObject>
#include <QStandardPaths>
#include <QTemporaryFile>
#include <QTest>
#include <algorithm>
using namespace dscope;
using namespace dscope::tests;
namespace {
QString q(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }
} // namespace

class TestSubroutinesInKernel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
    }
    void examplesGiveWhatTheManualSays_data()
    {
        QTest::addColumn<QString>("name");
        for (const auto& row : language::kSubroutines)
            if (!row.isInternal && !row.examples.front().expression.empty())
                QTest::newRow(std::string(row.name()).c_str()) << q(row.name());
    }
    void examplesGiveWhatTheManualSays()
    {
        QFETCH(QString, name);
        const auto& row = language::kSubroutines[language::subroutineIndex(name.toStdString())];
        QString program;
        QStringList values;
        for (const auto& example : row.examples) {
            if (example.expression.empty()) continue;
            program += QStringLiteral("BEGIN { trace(%1); printf(\"\\n\"); }\n").arg(q(example.expression));
            values << q(example.value);
        }
        QTemporaryFile file;
        QVERIFY(file.open() && file.write((program + QStringLiteral("BEGIN { exit(0); }\n")).toUtf8()) > 0 && file.flush());
        const auto run = runDscope({"-qs", file.fileName()});
        QCOMPARE(QString::fromUtf8(run.err), QString());
        QCOMPARE(run.status, 0);
        QCOMPARE(QString::fromUtf8(run.out).trimmed().split('\n'), values.join('\n').trimmed().split('\n'));
    }
    /// Two processes on one CPU, which share the memory that copyin() gives out. What each wrote is known.
    void copiedBytesEndWhereTheyEnd()
    {
        QTemporaryFile script;
        QVERIFY(script.open()
            && script.write("taskset -c 0 printf password-of-somebody-else-0123 | taskset -c 0 cat >/dev/null\n"
                            "taskset -c 0 printf hi | taskset -c 0 cat >/dev/null\n")
            && script.flush());
        const auto run = runDscope({"-x", "switchrate=1ms", "-qn",
            "syscall::write:entry /progenyof($target)/ { printf(\"[%s]\\n\", stringof(copyin(arg1, arg2))); }", "-c",
            "sh " + script.fileName()});
        QCOMPARE(run.status, 0);
        QByteArrayList lines = run.out.trimmed().split('\n');
        lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
        QCOMPARE(lines, QByteArrayList({"[password-of-somebody-else-0123]", "[hi]"}));
    }
    /// Kept by a thread, a global variable and a number; read in other firings, on any CPU.
    void pointersOfEarlierFiringsLeadNowhere()
    {
        // What it writes itself is out of the way: which of two comes first in a file is chance.
        QTemporaryFile script;
        QVERIFY(script.open() && script.write("printf password-of-somebody-else >/dev/null\n") && script.flush());
        const auto run = runDscope({"-x", "switchrate=1ms", "-qn",
            "char *p; uintptr_t n;"
            "syscall::write:entry /pid == $target/ { self->p = p = (char *)copyin(arg1, arg2); n = (uintptr_t)p; printf(\"[%s]\\n\", "
            "stringof(p)); }"
            "syscall::write:return /pid == $target/ { printf(\"%s\", stringof(self->p)); }"
            "syscall::write:return /pid == $target/ { printf(\"%s\", stringof(p)); }"
            "syscall::exit_group:entry /pid == $target/ { printf(\"%s\", stringof((char *)n)); }"
            "ERROR { printf(\"fault %d\\n\", arg4); }",
            "-c", "sh " + script.fileName()});
        QCOMPARE(run.status, 0);
        QCOMPARE(run.out.trimmed(), QByteArray("[password-of-somebody-else]\nfault 1\nfault 1\nfault 1"));
    }
    /// The tree may be as deep as it likes.
    void descendantsAreFoundAtAnyDepth()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        if (QStandardPaths::findExecutable("python3").isEmpty()) QSKIP("python3 is not installed");
        QTemporaryFile script;
        QVERIFY(script.open()
            && script.write("import os\nfor level in range(700):\n    if os.fork():\n        os.wait()\n        os._exit(0)\nos.write(2, "
                            "b'deepest\\n')\n")
            && script.flush());
        const auto run = runDscope({"-qn", "syscall::write:entry /progenyof($target)/ { @[stringof(copyin(arg1, arg2))] = count(); }", "-c",
            "python3 " + script.fileName()});
        QVERIFY2(run.status == 0 && run.out.contains("deepest"), run.out + run.err);
    }
};
QTEST_GUILESS_MAIN(TestSubroutinesInKernel)
#include "tst_subroutines_in_kernel.moc"
