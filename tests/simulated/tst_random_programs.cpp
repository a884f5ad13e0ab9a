// needs: engine/syntax engine/sema engine/codegen engine/decode engine/format engine/bpf providers
// needs-programs: dscope
// not-sanitized: each program is compiled and loaded by the dscope of this build, which takes a second where it is sanitized
// Programs by chance run in the interpreter and in the kernel: both take them, and print the same.
#include "random_program.h"
#include "simulated_run.h"
#include "tests/support/run_dscope.h"
#include <QObject>
#include <QTest>
#include <cerrno>
#include <cstdio>
using namespace dscope;
using namespace dscope::tests;
namespace {
constexpr std::uint64_t kText = 0x10000; ///< where the simulated process has what it writes

Result<std::string> simulated(const RandomProgram& program)
{
    SimulatedRun run;
    auto& before = run.world();
    before.pid = before.tid = 77; // $target
    before.execname = "given_calls";
    run.setTask(1);
    DSCOPE_CHECK(run.start(program.text));
    for (const auto& call : program.calls) {
        SimulatedRun::Firing firing;
        firing.probe = call.isWrite ? "syscall::write:entry" : "syscall::lseek:entry";
        if (call.isWrite) {
            run.world().user.put(kText, std::as_bytes(std::span(call.text.c_str(), call.text.size() + 1)));
            firing.arguments = {{0, 998}, {1, kText}, {2, call.text.size()}};
        } else {
            firing.arguments = {{0, 999}, {1, call.offset}, {2, call.whence}};
        }
        DSCOPE_CHECK(run.fire(firing));
        firing.probe = call.isWrite ? "syscall::write:return" : "syscall::lseek:return";
        firing.result = static_cast<std::uint64_t>(-std::int64_t{EBADF});
        DSCOPE_CHECK(run.fire(firing));
    }
    DSCOPE_CHECK(run.finish());
    return run.output();
}
std::uint64_t environment(const char* name, std::uint64_t unset)
{
    bool isNumber = false;
    const auto value = qEnvironmentVariable(name).toULongLong(&isNumber);
    return isNumber ? value : unset;
}
} // namespace

/// DSCOPE_RANDOM_PROGRAMS: how many there are, DSCOPE_RANDOM_FIRST: the number of the first.
class TestRandomPrograms : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theSameHereAndThere_data()
    {
        QTest::addColumn<quint64>("number");
        const auto first = environment("DSCOPE_RANDOM_FIRST", 1), count = environment("DSCOPE_RANDOM_PROGRAMS", 50);
        for (auto number = first; number < first + count; ++number)
            QTest::newRow(qPrintable(QString::number(number))) << quint64(number);
    }
    void theSameHereAndThere()
    {
        QFETCH(quint64, number);
        const RandomProgram program(number);
        const auto expected = simulated(program);
        QVERIFY2(expected, (program.text + (expected ? "" : expected.error().message)).c_str());
        if (const auto why = whyNoTracing(); !why.isEmpty()) return; // said once, below

        const QTemporaryDir folder;
        QFile text(folder.filePath("program.d")), calls(folder.filePath("calls"));
        QVERIFY(text.open(QIODevice::WriteOnly) && calls.open(QIODevice::WriteOnly));
        text.write(QByteArray::fromStdString(program.text));
        for (const auto& call : program.calls)
            calls.write(call.isWrite ? "write " + QByteArray::fromStdString(call.text) + '\n'
                                     : "lseek " + QByteArray::number(quint64(call.offset)) + ' ' + QByteArray::number(quint64(call.whence)) + '\n');
        text.close();
        calls.close();
        const auto run = runDscope({"-qs", text.fileName(), "-c", QString(DSCOPE_PROGRAMS "/given_calls ") + calls.fileName()});
        const auto shown = program.text + "----\nin the interpreter:\n" + *expected + "----\nin the kernel:\n" + run.out.toStdString() + "----\n"
            + run.err.toStdString();
        const bool isSame = run.status == 0 && run.out == QByteArray::fromStdString(*expected);
        if (!isSame) std::fputs(shown.c_str(), stderr); // Qt would cut it
        QCOMPARE(run.status, 0);
        QVERIFY(isSame);
    }
    /// What was refused once, or printed something else.
    void whatChanceFound_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("printed");
        QTest::newRow("the lengths of two texts") << QByteArray("string a; string b; BEGIN { a = \"one\"; b = \"three\"; }"
                                                                "syscall::lseek:entry /pid == $target && arg0 == 999 && (strlen(a) & strlen(b)) != 0/"
                                                                "{ trace(1); }")
                                                  << QByteArray("1\n");
    }
    void whatChanceFound()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, printed);
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        const QTemporaryDir folder;
        QFile calls(folder.filePath("calls"));
        QVERIFY(calls.open(QIODevice::WriteOnly));
        calls.write("lseek 1 2\n");
        calls.close();
        const auto run = runDscope({"-qn", text, "-c", QString(DSCOPE_PROGRAMS "/given_calls ") + calls.fileName()});
        QCOMPARE(run.out + run.err, printed);
    }
    void theKernelWasAsked()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(("in the interpreter alone: " + why).constData());
    }
};
QTEST_GUILESS_MAIN(TestRandomPrograms)
#include "tst_random_programs.moc"
