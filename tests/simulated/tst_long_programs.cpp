// needs: engine/syntax engine/sema engine/codegen engine/decode engine/format engine/bpf providers
#include "simulated_run.h"
#include <QObject>
#include <QTest>
using namespace dscope;
using namespace dscope::tests;
/// Programs that are cut into parts (engine/codegen/parts.cpp) do what short ones do.
class TestLongPrograms : public QObject {
    Q_OBJECT
    static std::string text(int from, int to, const auto& each)
    {
        std::string all;
        for (int i = from; i < to; ++i)
            all += each(i);
        return all;
    }
    static std::string number(int i) { return std::to_string(i); }
    /// What a program prints when these probes fire; its messages follow.
    static QByteArray printed(const std::string& program, const std::vector<std::string>& fired)
    {
        SimulatedRun run;
        run.world().execname = "prog";
        if (auto done = run.start("#pragma D option quiet\n" + program); !done) return QByteArray::fromStdString(done.error().message);
        for (const auto& probe : fired) {
            SimulatedRun::Firing firing;
            firing.probe = probe;
            firing.arguments[0] = 7;
            run.setTask(1);
            if (auto done = run.fire(firing); !done) return QByteArray::fromStdString(done.error().message);
        }
        if (auto done = run.finish(); !done) return QByteArray::fromStdString(done.error().message);
        return QByteArray::fromStdString(run.output() + run.messages());
    }

private Q_SLOTS:
    void theClausesOfOneProbeRunInOrder()
    {
        const auto program = text(0, 400, [](int i) {
            return "syscall::read:entry "
                + std::string(i % 3 == 1 ? "/arg0 == 8/ "
                        : i % 3 == 2     ? "/execname == \"prog\"/ "
                                         : "")
                + "{ this->n = " + (i ? "this->n + 1" : "0") + "; printf(\"" + number(i) + " %d,\", this->n); }\n";
        });
        int n = 0;
        const auto expected = text(0, 400, [&](int i) { return i % 3 == 1 ? "" : number(i) + " " + number(n++) + ","; });
        QCOMPARE(printed(program, {"syscall::read:entry"}), QByteArray::fromStdString(expected + "\n"));
    }
    void aClauseIsCutBetweenStatements_data()
    {
        QTest::addColumn<QString>("predicate");
        QTest::addColumn<QString>("middle");
        QTest::addColumn<QString>("expected");
        QTest::newRow("it runs to its end") << ""
                                            << ""
                                            << "first last 300 after";
        QTest::newRow("its condition holds") << "/arg0 == 7/"
                                             << ""
                                             << "first last 300 after";
        QTest::newRow("its condition does not hold") << "/arg0 == 8/"
                                                     << ""
                                                     << "first after";
        QTest::newRow("a fault ends it") << ""
                                         << "zero = 0; x = 1 / zero;"
                                         << "first after";
        QTest::newRow("an if within") << ""
                                      << "if (arg0 == 7) { z = 1; } else { z = 2; }"
                                      << "first last 300 after";
    }
    void aClauseIsCutBetweenStatements()
    {
        QFETCH(QString, predicate);
        QFETCH(QString, middle);
        QFETCH(QString, expected);
        const auto adding = [](int i) { return "self->v" + number(i % 20) + " = arg0; this->sum = this->sum + 1; "; };
        const auto program = "syscall::read:entry { printf(\"first \"); }\nsyscall::read:entry " + predicate.toStdString()
            + " { this->sum = 0; " + text(0, 150, adding) + middle.toStdString() + text(150, 300, adding)
            + "printf(\"last %d \", this->sum); }\nsyscall::read:entry { printf(\"after\"); }\n";
        const auto out = printed(program, {"syscall::read:entry"});
        QVERIFY2(out.startsWith(expected.toUtf8() + "\n"), out.constData());
        QCOMPARE(out.contains("divide-by-zero"), middle.contains('/'));
    }
    void moreMapsThanAProgramMayName()
    {
        const auto program = "syscall::read:entry { "
            + text(0, 150, [](int i) { return "@a" + number(i) + "[execname] = sum(" + number(i) + "); "; }) + "}\nEND { "
            + text(0, 150, [](int i) { return "printa(\"%s %@d\\n\", @a" + number(i) + "); "; }) + "}\n";
        const auto expected = text(0, 150, [](int i) { return "prog " + number(2 * i) + "\n"; });
        QCOMPARE(printed(program, {"syscall::read:entry", "syscall::read:entry"}), QByteArray::fromStdString(expected + "\n"));
    }
    void manyProbesOfOneProgramAreToldApart()
    {
        const std::vector<std::string> names{"read", "write", "open", "close", "getpid", "getppid", "kill", "pipe", "dup", "chdir", "mkdir",
            "rmdir", "unlink", "fsync", "getuid", "getgid", "setuid", "setgid", "chmod", "link"};
        std::string program, expected;
        std::vector<std::string> fired;
        for (std::size_t i = 0; i < names.size(); ++i) {
            const auto probe = "syscall::" + names[i] + ":entry";
            // Some so long that they go on in parts of their own.
            const int statements = i % 5 == 2 ? 200 : 25;
            program += probe + " { this->n = 0; "
                + text(0, statements, [&](int k) { return "this->n = this->n + 1; self->w" + number(k % 9) + " = this->n; "; })
                + "printf(\"%s " + number(static_cast<int>(i)) + " %d\\n\", probefunc, this->n); }\n";
            fired.push_back(probe);
            expected += names[i] + " " + std::to_string(i) + " " + number(statements) + "\n";
        }
        QCOMPARE(printed(program, fired), QByteArray::fromStdString(expected + "\n"));
    }
    void whatNoKernelGivesIsAnErrorOfTheProgram_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* name, const std::string& program, const char* said) {
            QTest::newRow(name) << QString::fromStdString(program) << said;
        };
        const std::string large = "#pragma D option strsize=4096\n"; // a program has 4 MiB
        row("clause-local variables", large + "BEGIN { " + text(0, 1100, [](int i) { return "this->s" + number(i) + " = execname; "; }) + "}",
            "bytes of memory at a time");
        row("records of one clause", "syscall::read:entry { " + text(0, 100, [](int) { return "tracemem(arg1, 60000); "; }) + "}",
            "of memory at a time");
        row("long strings",
            "#pragma D option strsize=65536\nBEGIN { "
                + text(0, 70, [](int i) { return "this->s" + number(i) + " = strjoin(execname, execargs); "; }) + "}",
            "bytes of memory at a time");
        row("maps", "syscall::read:entry { " + text(0, 3000, [](int i) { return "@a" + number(i) + " = count(); "; }) + "}",
            "more than the kernel runs at a firing");
    }
    void whatNoKernelGivesIsAnErrorOfTheProgram()
    {
        QFETCH(QString, program);
        QFETCH(QString, said);
        const auto out = printed(program.toStdString(), {});
        QVERIFY2(out.startsWith("dtrace: ") && out.contains(said.toUtf8()), out.constData());
    }
};
QTEST_GUILESS_MAIN(TestLongPrograms)
#include "tst_long_programs.moc"
