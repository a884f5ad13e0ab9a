// needs-programs: dscope
#include "gui/drill_down.h"
#include "gui/editor.h"
#include "tests/support/run_dscope.h"
#include <QObject>
#include <QTemporaryFile>
#include <QTest>
using namespace dscope;
using namespace dscope::tests;
using gui::Subject;
namespace {
graph::Table table(std::vector<std::string> columns, std::vector<std::string> row)
{
    graph::Table t;
    for (auto& title : columns)
        t.columns.push_back(graph::Column::text(std::move(title)));
    t.rows = {std::move(row)};
    return t;
}
/// 400 writes of 512 bytes, and what the program's start and end write.
QString writes() { return QStringLiteral(DSCOPE_PROGRAMS "/known_writes 512 400"); }
} // namespace

class TestDrillDown : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aRowTellsWhatItIsAbout_data()
    {
        QTest::addColumn<QStringList>("columns");
        QTest::addColumn<QStringList>("row");
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("about");
        QTest::addColumn<QString>("systemCall");
        const auto list = [](const char* words) { return QString::fromLatin1(words).split(QChar(' ')); };
        const auto row = [&](const char* name, const char* columns, const char* cells, const char* source, const char* about,
                             const char* systemCall = "") {
            QTest::newRow(name) << list(columns) << list(cells) << QString::fromLatin1(source) << QString::fromLatin1(about)
                                << QString::fromLatin1(systemCall);
        };
        row("a key", "execname count", "sed 14", "proc:::exit { @[execname] = count(); }", "execname == \"sed\"");
        row("all keys", "execname probefunc value", "sed openat 14", "syscall:::entry { @[execname, probefunc] = count(); }",
            "execname == \"sed\" && probefunc == \"openat\"", "openat");
        row("a function", "probefunc value", "tcp_sendmsg 14", "fbt:::entry { @[probefunc] = count(); }", "probefunc == \"tcp_sendmsg\"");
        row("a process", "id pid command", "1 4101 /usr/lib/gcc/x86_64-linux-gnu/12/collect2-very-long", "",
            "execname == \"collect2-very-l\"");
        row("a key of the program's own", "copyinstr(arg0) value", "/etc/hosts 3", "syscall::open:entry { @[copyinstr(arg0)] = count(); }",
            "copyinstr(arg0) == \"/etc/hosts\"");
        row("a bucket", "execname low high count", "sed 512 1024 3", "syscall::write:entry { @[execname] = quantize(arg2); }",
            "execname == \"sed\", 512 to 1024");
        row("no key", "arg0 value", "3 14", "syscall:::entry { @ = count(); }", "");
        row("known only in the body", "this->x value", "3 14", "syscall:::entry { this->x = arg0; @[this->x] = count(); }", "");
        row("stacks", "ustack() value", "main 14", "syscall:::entry { @[ustack()] = count(); }", "");
    }
    void aRowTellsWhatItIsAbout()
    {
        QFETCH(QStringList, columns);
        QFETCH(QStringList, row);
        QFETCH(QString, source);
        QFETCH(QString, about);
        QFETCH(QString, systemCall);
        const auto plain = [](const QStringList& all) {
            std::vector<std::string> out;
            for (const auto& one : all)
                out.push_back(one.toStdString());
            return out;
        };
        const auto subject = gui::subjectOf(table(plain(columns), plain(row)), 0, source);
        QCOMPARE(subject.text(), about);
        QCOMPARE(subject.systemCall, systemCall);
        QCOMPARE(gui::questionsAbout(subject, source).empty(), about.isEmpty());
    }
    void aRowThatIsNotThereIsAboutNothing() { QVERIFY(gui::subjectOf({}, 3, {}).isNothing()); }
    void aFrameIsAFunction_data()
    {
        QTest::addColumn<QString>("frame");
        QTest::addColumn<bool>("isKernel");
        QTest::addColumn<QString>("probe");
        QTest::newRow("library") << "libc.so.6`malloc" << false << "pid$target:libc.so.6:malloc:entry";
        QTest::newRow("kernel") << "vmlinux`schedule" << true << "fbt::schedule:entry";
        QTest::newRow("odd module") << "my prog`main" << false << "pid$target:my?prog:main:entry";
        QTest::newRow("without a name") << "libc.so.6+0x2724a" << false << "";
        QTest::newRow("C++") << "prog`std::vector<int>::push_back" << false << "pid$target:prog:std??vector?int???push_back:entry";
        QTest::newRow("an address") << "prog`0x1234" << false << "";
        QTest::newRow("none") << "[truncated]" << false << "";
    }
    void aFrameIsAFunction()
    {
        QFETCH(QString, frame);
        QFETCH(bool, isKernel);
        QFETCH(QString, probe);
        const auto subject = gui::subjectOf(frame.toStdString(), isKernel ? graph::Shade::Kernel : graph::Shade::Library);
        const auto questions = gui::questionsAbout(subject, {});
        QCOMPARE(questions.empty(), probe.isEmpty());
        for (const auto& question : questions) {
            QVERIFY2(question.program.contains(probe.section(QChar(':'), 0, 2)), qPrintable(question.program));
            QCOMPARE(question.needsProcess, !isKernel);
        }
    }
    void aProgramIsNarrowed_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("narrowed");
        QTest::newRow("without a predicate") << "syscall:::entry\n{\n\t@[execname] = count();\n}\n"
                                             << "syscall:::entry\n/execname == \"sed\"/\n{\n\t@[execname] = count();\n}\n";
        QTest::newRow("with one") << "syscall:::entry /arg0 || arg1/ { @[execname] = count(); }"
                                  << "syscall:::entry /(arg0 || arg1) && execname == \"sed\"/ { @[execname] = count(); }";
        QTest::newRow("only where it is counted")
            << "syscall::a*:entry { self->t = 1; } syscall::a*:return /self->t/ { @[execname] = sum(arg0); self->t = 0; }"
            << "syscall::a*:entry { self->t = 1; } syscall::a*:return /(self->t) && execname == \"sed\"/ { @[execname] = sum(arg0); "
               "self->t = 0; }";
        QTest::newRow("in a branch") << "BEGIN { if (1) { @[execname] = count(); } }"
                                     << "BEGIN\n/execname == \"sed\"/ { if (1) { @[execname] = count(); } }";
        QTest::newRow("nowhere") << "BEGIN { @[pid] = count(); }" << QString();
        QTest::newRow("not D") << "BEGIN { @[execname] = " << QString();
    }
    void aProgramIsNarrowed()
    {
        QFETCH(QString, program);
        QFETCH(QString, narrowed);
        const gui::Part part{{{QStringLiteral("execname"), QStringLiteral("\"sed\"")}}, {}, {}};
        QCOMPARE(gui::narrowed(program, part).value_or(QString()), narrowed);
    }
    /// A bucket has its low bound and lacks its high one, as in quantize()'s table.
    void aBucketHasItsLowBoundAlone()
    {
        const auto program = QStringLiteral("syscall::write:entry { @[execname] = quantize(arg2); }");
        QCOMPARE(gui::narrowed(program, {{}, 16, 32}).value_or(QString()),
            QStringLiteral("syscall::write:entry\n/(arg2) >= 16 && (arg2) < 32/ { @[execname] = quantize(arg2); }"));
        QCOMPARE(gui::narrowed(program, {{}, {}, 32}).value_or(QString()),
            QStringLiteral("syscall::write:entry\n/(arg2) < 32/ { @[execname] = quantize(arg2); }"));
    }
    void threadsAreToldApart_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("byThread");
        QTest::newRow("stacks alone") << "profile-997 { @[ustack()] = count(); }"
                                      << "profile-997 { @[tid, ustack()] = count(); }";
        QTest::newRow("other keys") << "profile-997 { @a[execname, stack()] = count(); @b[pid] = count(); }"
                                    << "profile-997 { @a[tid, execname, stack()] = count(); @b[pid] = count(); }";
        QTest::newRow("they are") << "profile-997 { @[tid, ustack()] = count(); }" << QString();
        QTest::newRow("no stacks") << "profile-997 { @[pid] = count(); @x = count(); }" << QString();
        QTest::newRow("not D") << "profile-997 { @[ustack()] = " << QString();
    }
    void threadsAreToldApart()
    {
        QFETCH(QString, program);
        QFETCH(QString, byThread);
        QCOMPARE(gui::byThread(program).value_or(QString()), byThread);
    }
    // The proof: what was counted in a row is all that the narrowed program counts.
    void theNarrowedProgramCountsTheRowAlone()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        const auto source = QStringLiteral("#pragma D option quiet\nsyscall::write:entry /pid == $target/ { @[probefunc, arg2] = count(); }");
        const gui::Part part{{{QStringLiteral("probefunc"), QStringLiteral("\"write\"")}, {QStringLiteral("arg2"), QStringLiteral("512")}},
            {}, {}};
        const auto program = gui::narrowed(source, part);
        QVERIFY(program);
        const auto run = runDscope({QStringLiteral("-n"), *program, QStringLiteral("-c"), writes()});
        QVERIFY2(run.status == 0, run.err.constData());
        QCOMPARE(run.out.simplified(), QByteArray("write 512 400"));
    }
    void stacksLeadToABucket()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        const auto source
            = QStringLiteral("#pragma D option quiet\nsyscall::write:entry /pid == $target/ { @[execname] = quantize(arg2); }");
        const auto stacksOf = [&](qint64 low, qint64 high) {
            const auto program = gui::askedForStacks(source, {{}, low, high});
            return program ? runDscope({QStringLiteral("-n"), *program, QStringLiteral("-c"), writes()}).out : QByteArray("no program");
        };
        const auto there = stacksOf(512, 1024);
        QVERIFY2(there.contains("known_writes`main") && there.contains("400"), there.constData());
        QVERIFY2(stacksOf(1024, 2048).trimmed().isEmpty(), "no write is as large");
    }
    void tracedTextStaysData()
    {
        Subject subject;
        subject.program = QStringLiteral("a\"/ { system(\"rm\"); } \\\n");
        QCOMPARE(subject.text(), QStringLiteral("execname == \"a\\\"/ { system(\\\"rm\\\"); } \\\\\\012\""));
        for (const auto& question : gui::questionsAbout(subject, {})) {
            gui::Editor editor;
            editor.setProgram(question.program);
            editor.check();
            QCOMPARE(editor.markedLine(), 0);
            QCOMPARE(question.program.count(QStringLiteral("system(\\\"rm\\\")")), question.program.count(QStringLiteral("execname == ")));
        }
    }
    void everyAnswerCompiles_data()
    {
        QTest::addColumn<QString>("program");
        Subject program, call, both;
        program.program = both.program = QStringLiteral("we\"ird");
        call.systemCall = both.systemCall = QStringLiteral("openat");
        const auto function = gui::subjectOf("libc.so.6`malloc", graph::Shade::Library);
        int number = 0;
        for (const auto& subject : {program, call, both, function}) {
            ++number;
            for (const auto& question : gui::questionsAbout(subject, {}))
                QTest::newRow(qPrintable(QString::number(number) + QChar(' ') + question.text)) << question.program;
        }
    }
    void everyAnswerCompiles()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        QFETCH(QString, program);
        // Functions are of a process of our own.
        const auto outcome = runDscope(
            {QStringLiteral("-e"), QStringLiteral("-n"), program, QStringLiteral("-c"), QStringLiteral("/bin/true")});
        QVERIFY2(outcome.status == 0, outcome.err.constData());
    }
};
QTEST_MAIN(TestDrillDown)
#include "tst_drill_down.moc"
