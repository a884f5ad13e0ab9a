#include "engine/symbols/operand.h"
#include <QObject>
#include <QTest>
using namespace dscope;

class TestOperand : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void operandsBecomeExpressions_data()
    {
        QTest::addColumn<QByteArray>("note");
        QTest::addColumn<QByteArray>("value");
        QTest::newRow("register") << QByteArray("8@%rdi") << QByteArray("(uint64_t)raw[14]");
        QTest::newRow("half a register") << QByteArray("-4@%r12d") << QByteArray("(int32_t)raw[3]");
        QTest::newRow("byte") << QByteArray("1@%r8b") << QByteArray("(uint8_t)raw[9]");
        QTest::newRow("second byte") << QByteArray("-1@%bh") << QByteArray("(int8_t)(raw[5] >> 8)");
        QTest::newRow("constant") << QByteArray("-4@$-7") << QByteArray("(int32_t)18446744073709551609UL");
        QTest::newRow("memory") << QByteArray("4@-8(%rbp)") << QByteArray("*(userland uint32_t *)(18446744073709551608UL + raw[4])");
        QTest::newRow("index") << QByteArray("8@16(%rax,%rbx,8)") << QByteArray("*(userland uint64_t *)(16UL + raw[10] + raw[5] * 8)");
        QTest::newRow("no base") << QByteArray("8@0(,%r9,2)") << QByteArray("*(userland uint64_t *)(0UL + raw[8] * 2)");
        QTest::newRow("symbol") << QByteArray("-2@counter+4(%rip)") << QByteArray("*(userland int16_t *)(4100UL)");
        QTest::newRow("no size") << QByteArray("%rsp") << QByteArray("(uint64_t)raw[19]");
        QTest::newRow("float") << QByteArray("8f@%xmm0") << QByteArray();
        QTest::newRow("unknown symbol") << QByteArray("4@nobody(%rip)") << QByteArray();
        QTest::newRow("nonsense") << QByteArray("4@%%%(") << QByteArray();
    }
    void operandsBecomeExpressions()
    {
        QFETCH(const QByteArray, note);
        QFETCH(const QByteArray, value);
        const symbols::SymbolAddress symbol = [](std::string_view name) -> std::optional<std::uint64_t> {
            return name == "counter" ? std::optional<std::uint64_t>(4096) : std::nullopt;
        };
        const auto all = symbols::operandsOf(note.toStdString(), symbol);
        QCOMPARE(all.size(), std::size_t{1});
        QCOMPARE(QByteArray::fromStdString(all[0].value), value);
    }
    void operandsOfAarch64BecomeExpressions_data()
    {
        QTest::addColumn<QByteArray>("note");
        QTest::addColumn<QByteArray>("value");
        QTest::newRow("register") << QByteArray("8@x19") << QByteArray("(uint64_t)raw[19]");
        QTest::newRow("half a register") << QByteArray("-4@w0") << QByteArray("(int32_t)raw[0]");
        QTest::newRow("stack pointer") << QByteArray("8@sp") << QByteArray("(uint64_t)raw[31]");
        QTest::newRow("zero") << QByteArray("4@wzr") << QByteArray("(uint32_t)0");
        QTest::newRow("constant") << QByteArray("-4@-7") << QByteArray("(int32_t)18446744073709551609UL");
        QTest::newRow("memory") << QByteArray("-4@[x1]") << QByteArray("*(userland int32_t *)(raw[1])");
        QTest::newRow("stack") << QByteArray("4@[sp, 12]") << QByteArray("*(userland uint32_t *)(raw[31] + 12UL)");
        QTest::newRow("below") << QByteArray("8@[x29, -16]") << QByteArray("*(userland uint64_t *)(raw[29] + 18446744073709551600UL)");
        QTest::newRow("index") << QByteArray("8@[x0, x1, lsl 3]") << QByteArray("*(userland uint64_t *)(raw[0] + raw[1] * 8)");
        QTest::newRow("half an index")
            << QByteArray("-1@[x0, w1, sxtw]") << QByteArray("*(userland int8_t *)(raw[0] + (int64_t)(int32_t)raw[1] * 1)");
        QTest::newRow("float") << QByteArray("8f@d0") << QByteArray();
        QTest::newRow("no such register") << QByteArray("8@x31") << QByteArray();
        QTest::newRow("nonsense") << QByteArray("4@[x0, x1, ror 2]") << QByteArray();
        QTest::newRow("not closed") << QByteArray("4@[x0") << QByteArray();
        QTest::newRow("nothing") << QByteArray("4@[]") << QByteArray();
    }
    void operandsOfAarch64BecomeExpressions()
    {
        QFETCH(const QByteArray, note);
        QFETCH(const QByteArray, value);
        const auto nobody = [](std::string_view) { return std::nullopt; };
        const auto all = symbols::operandsOf(note.toStdString(), nobody, symbols::OperandsOf::Aarch64);
        QCOMPARE(all.size(), std::size_t{1});
        QCOMPARE(QByteArray::fromStdString(all[0].value), value);
        const auto three = symbols::operandsOf("1@w9 " + note.toStdString() + " -8@x2", nobody, symbols::OperandsOf::Aarch64);
        QCOMPARE(three.size(), note.contains("[x0") && !note.contains(']') ? std::size_t{2} : std::size_t{3});
    }
    void severalKeepTheirOrder()
    {
        const auto all = symbols::operandsOf("8@%rax  -4@$1 2@%cx", [](std::string_view) { return std::nullopt; });
        QCOMPARE(all.size(), std::size_t{3});
        QCOMPARE(all[0].size, 8);
        QCOMPARE(all[1].isSigned, true);
        QCOMPARE(all[2].size, 2);
        QVERIFY(symbols::operandsOf("", [](std::string_view) { return std::nullopt; }).empty());
    }
};
QTEST_GUILESS_MAIN(TestOperand)
#include "tst_operand.moc"
