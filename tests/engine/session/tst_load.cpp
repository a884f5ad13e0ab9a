#include "engine/session/load.h"
#include <QObject>
#include <QTest>
using namespace dscope;

class TestLoad : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void findsTheComplaintInAVerifierLog_data()
    {
        QTest::addColumn<QByteArray>("log");
        QTest::addColumn<int>("slot");
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("6.1, register never set") << QByteArray(
            "func#0 @0\n0: R1=ctx(off=0,imm=0) R10=fp0\n0: (b7) r0 = 0                       ; R0_w=0\n1: (bf) r0 = r7\nR7 !read_ok\n"
            "processed 2 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0\n")
                                                 << 1 << QByteArray("R7 !read_ok");
        QTest::newRow("6.18, with times") << QByteArray(
            "0: R1=ctx() R10=fp0\n12: (79) r2 = *(u64 *)(r0 +8)\nR0 invalid mem access 'map_value_or_null'\nverification time 31 usec\n"
            "stack depth 40\nprocessed 13 insns (limit 1000000)\n")
                                          << 12 << QByteArray("R0 invalid mem access 'map_value_or_null'");
        QTest::newRow("too large") << QByteArray(
            "BPF program is too large. Processed 1000001 insn\nprocessed 1000001 insns (limit 1000000)\n")
                                   << 0 << QByteArray("BPF program is too large. Processed 1000001 insn");
        QTest::newRow("nothing") << QByteArray() << 0 << QByteArray();
    }
    void findsTheComplaintInAVerifierLog()
    {
        QFETCH(QByteArray, log);
        QFETCH(int, slot);
        QFETCH(QByteArray, text);
        const auto found = session::complaintOf({log.constData(), std::size_t(log.size())});
        QCOMPARE(int(found.slot), slot);
        QCOMPARE(found.text, text.toStdString());
    }
    void namesTheLineOfAnInstruction_data()
    {
        QTest::addColumn<int>("slot");
        QTest::addColumn<QByteArray>("line");
        QTest::newRow("before the first") << 0 << QByteArray();
        QTest::newRow("first") << 2 << QByteArray("line 1 (`tick-1s`)");
        QTest::newRow("within a run") << 9 << QByteArray("line 3 (`@a[pid] =  count()`)");
        QTest::newRow("of a library") << 10 << QByteArray();
        QTest::newRow("beyond the text") << 20 << QByteArray();
    }
    void namesTheLineOfAnInstruction()
    {
        QFETCH(int, slot);
        QFETCH(QByteArray, line);
        object::Code code;
        code.lines = {{1, {0, 0, 7}}, {5, {0, 12, 30}}, {10, {1, 0, 3}}, {20, {0, 1000, 1001}}};
        const std::string source = "tick-1s\n{\n  @a[pid] =\n count();\n}";
        QCOMPARE(session::lineOf(code, std::size_t(slot), source), line.toStdString());
    }
};
QTEST_GUILESS_MAIN(TestLoad)
#include "tst_load.moc"
