// needs: engine/importers
// The kernel's tracers function and function_graph. The texts are as the kernel's Documentation/trace/ftrace.rst shows them, rewritten.
#include "tests/support/call_profiles.h"
#include <QObject>
#include <QTest>
using namespace dscope;
using namespace dscope::tests;
namespace {
Result<text::Imported> ftrace(const QByteArray& text) { return read("ftrace", text); }
} // namespace

class TestFtrace : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void callsHaveTheirOwnTimeInNanoseconds()
    {
        const QByteArray text
            = "# tracer: function_graph\n#\n# CPU  DURATION                  FUNCTION CALLS\n# |     |   |                     |   |   |   "
              "|\n"
              " 0)               |  vfs_read() {\n 0)   0.441 us    |    rw_verify_area();\n 0)   1.204 us    |    ksys_read_fast();\n"
              " 0) + 12.871 us   |  }\n 1)   0.200 us    |  fput();\n";
        const auto imported = ftrace(text);
        QVERIFY(imported);
        QCOMPARE(imported->notUnderstood, std::size_t{0});
        QCOMPARE(stacksOf(*imported, "time"),
            QByteArray("fput 200\nvfs_read 11226\nvfs_read;ksys_read_fast 1204\nvfs_read;rw_verify_area 441\n"));
        QCOMPARE(guessed(text.mid(text.indexOf(" 0)"))), QByteArray("ftrace"));
    }

    /// The option sym-offset: calls from two places of a function are of one function.
    void offsetsAreNoPartOfNames()
    {
        const QByteArray head = "# tracer: function\n            bash-7     [000] .... 17284.99365";
        const auto imported = ftrace(head + "2: rw_verify_area+0x0/0x100 <-vfs_read+0x8a/0x340\n" + head.mid(head.indexOf('\n') + 1)
            + "3: rw_verify_area+0x0/0x100 <-vfs_read+0x9a/0x340\n" + head.mid(head.indexOf('\n') + 1)
            + "4: nf_hook_slow+0x0/0x20 [nf] <-ip_rcv+0x1/0x2\n");
        QVERIFY(imported);
        QCOMPARE(said(*imported), QByteArray("bash;ip_rcv_[k];nf`nf_hook_slow_[k] 1\nbash;vfs_read_[k];rw_verify_area_[k] 2\n"));
    }

    void columnsMayBeThereOrNot_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("stacks");
        const QByteArray plain = "d_free 13512\nd_free;__call_rcu 594\n", named = "sh;d_free 13512\nsh;d_free;__call_rcu 594\n";
        QTest::newRow("duration alone") << QByteArray("             |  d_free() {\n   0.594 us  |    __call_rcu();\n + 14.106 us |  }\n")
                                        << plain;
        QTest::newRow("funcgraph-proc") << QByteArray(
            " 0)    sh-4802     |               |  d_free() {\n 0)    sh-4802     |   0.594 us    |    __call_rcu();\n"
            " 0)    sh-4802     | + 14.106 us   |  }\n")
                                        << named;
        QTest::newRow("funcgraph-abstime, latency-format, funcgraph-tail")
            << QByteArray("  360.774522 |   1)    sh-4802     |  d..1 |               |  d_free() {\n"
                          "  360.774523 |   1)    sh-4802     |  d..1 |   0.594 us    |    __call_rcu();\n"
                          "  360.774528 |   1)    sh-4802     |  d..1 | + 14.106 us   |  } /* d_free */\n")
            << named;
        QTest::newRow("trace-cmd report") << QByteArray(
            "cpus=2\n              sh-4802  [001]   259.110561: funcgraph_entry:                   |  d_free() {\n"
            "              sh-4802  [001]   259.110563: funcgraph_entry:        0.594 us   |    __call_rcu();\n"
            "              sh-4802  [001]   259.110564: funcgraph_exit:      + 14.106 us   |  }\n")
                                          << named;
        QTest::newRow("results and arguments") << QByteArray(
            " 0)               |  d_free(dentry=0xffff8881) {\n 0)   0.594 us    |    __call_rcu(f={a}, 1); /* = 0x0 */\n"
            " 0) + 14.106 us   |  } /* d_free = -22 */\n")
                                               << plain;
        QTest::newRow("every mark") << QByteArray(
            " 0) + 10.000 us   |  a();\n 0) ! 100.000 us  |  a();\n 0) # 1000.001 us |  a();\n 0) * 10000.02 us |  a();\n"
            " 0) @ 100000.5 us |  a();\n 0) $ 1000000 us  |  a();\n")
                                    << QByteArray("a 1111110521\n");
        QTest::newRow("an interrupt") << QByteArray(
            " 0)               |  f() {\n 0)   ==========> |\n 0)               |    do_IRQ() {\n 0)   0.500 us    |      x();\n"
            " 0)   1.500 us    |    }\n 0)   <========== |\n 0)   2.500 us    |  }\n")
                                      << QByteArray("f 1000\nf;do_IRQ 1000\nf;do_IRQ;x 500\n");
    }
    void columnsMayBeThereOrNot()
    {
        QFETCH(QByteArray, text);
        const auto imported = ftrace(text);
        QVERIFY(imported);
        QCOMPARE(imported->notUnderstood, std::size_t{0});
        QTEST(stacksOf(*imported, "time"), "stacks");
        QCOMPARE(guessed("# tracer: function_graph\n" + text), QByteArray("ftrace"));
    }

    void tasksThatTakeTurnsDoNotNest()
    {
        const QByteArray ruler = " ------------------------------------------\n";
        const auto turn
            = [&](const QByteArray& from, const QByteArray& to) { return ruler + " 0)  " + from + "  =>   " + to + '\n' + ruler + '\n'; };
        const auto imported
            = ftrace(" 0)               |  schedule() {\n" + turn("ls-4990", "my prog-5678") + " 0)               |  open() {\n"
                + turn("my prog-5678", "ls-4990") + " 0)   9.000 us    |    inside();\n 0) + 20.000 us   |  }\n"
                + turn("ls-4990", "my prog-5678") + " 0)   3.000 us    |    within();\n 0)   8.000 us    |  }\n");
        QVERIFY(imported);
        QCOMPARE(imported->notUnderstood, std::size_t{0});
        QCOMPARE(stacksOf(*imported, "time"),
            QByteArray("ls;schedule 11000\nls;schedule;inside 9000\nmy prog;open 5000\nmy prog;open;within 3000\n"));
    }

    void processorsDoNotNest()
    {
        const auto imported
            = ftrace(" 0)               |  a() {\n 1)               |  b() {\n 0)   1.000 us    |    x();\n 1)   2.000 us    |    y();\n"
                     " 0)   5.000 us    |  }\n 1)   7.000 us    |  }\n");
        QVERIFY(imported);
        QCOMPARE(stacksOf(*imported, "time"), QByteArray("a 4000\na;x 1000\nb 5000\nb;y 2000\n"));
    }

    void endsAloneAndCallsWithoutEndAreTold()
    {
        const auto imported = ftrace(" 0)   1.000 us    |    x();\n 0)   5.000 us    |  } /* began_before */\n 0)   6.000 us    |  }\n"
                                     " 0)               |  never() {\n 0)   2.000 us    |    y();\n");
        QVERIFY(imported);
        QCOMPARE(stacksOf(*imported, "time"), QByteArray("began_before 4000\nnever;y 2000\nx 1000\n"));
        const auto told = warningsOf(*imported);
        QVERIFY2(
            told.contains("no end of 1 call") && told.contains("no beginning of 2 calls") && told.contains("of 1 it does not say"), told);
    }

    void callsOfTheTracerFunctionHaveTheirCaller()
    {
        const auto imported
            = ftrace("# tracer: function\n#\n            bash-1977  [000] .... 17284.993652: sys_close <-system_call_fastpath\n"
                     "            my [x] p-17  [000] .... 17284.993653: ext4_close [ext4] <-sys_close\n"
                     "              ls-4101  [000]   259.110564: function:             sys_close <-- system_call_fastpath\n"
                     "              ls-4101  [000] .... 259.2: sys_close <-system_call_fastpath\n"
                     "              ls-4101  [000] .... 259.2: <stack trace>\n => sys_close\n => do_syscall_64+0x12/0x80\n => entry\n");
        QVERIFY(imported);
        QCOMPARE(imported->notUnderstood, std::size_t{0});
        const auto stacks = stacksOf(*imported, "calls");
        for (const auto* stack :
            {"bash;system_call_fastpath;sys_close 1\n", "ls;system_call_fastpath;sys_close 1\n", "ls;entry;do_syscall_64;sys_close 1\n"})
            QVERIFY2(stacks.contains(stack), stacks);
        QVERIFY2(stacks.contains("my [x] p;sys_close;") && !stacks.contains("ext4_close [ext4]"), stacks);
    }

    void linesThatAreNoneAreCounted()
    {
        const auto imported = ftrace(
            " 0)   0.441 us    |  a();\n 0)   x.441 us    |  b();\n 0)  |\n 99999999)  0.4 us | c();\n|||\n 0)   0.1 us    |  ();\n");
        QVERIFY(imported);
        QCOMPARE(stacksOf(*imported, "time"), QByteArray("a 441\n"));
        QVERIFY(imported->notUnderstood >= 4);
    }
};
QTEST_GUILESS_MAIN(TestFtrace)
#include "tst_ftrace.moc"
