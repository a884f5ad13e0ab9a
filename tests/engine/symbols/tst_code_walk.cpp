#include "engine/symbols/code_walk.h"
#include <QObject>
#include <QTest>
using namespace dscope;
namespace {
Bytes bytesOf(const QByteArray& hex)
{
    const auto raw = QByteArray::fromHex(hex);
    const auto* begin = reinterpret_cast<const std::byte*>(raw.constData());
    return Bytes(begin, begin + raw.size());
}
/// Code at address 0x1000, of which the first `size` bytes are the function; another begins at 0x1100.
symbols::CodeWalk walk(const QByteArray& hex, std::uint64_t size = 0)
{
    const auto code = bytesOf(hex);
    symbols::CodeAround around;
    around.read = [&](std::uint64_t address, std::uint64_t length) {
        const auto from = std::min<std::size_t>(address - 0x1000, code.size());
        return Bytes(code.begin() + static_cast<std::ptrdiff_t>(from),
            code.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(from + length, code.size())));
    };
    around.beginsFunction = [](std::uint64_t address) { return address == 0x1100; };
    return symbols::walkCode(around, 0x1000, size ? size : code.size());
}
QByteArray offsets(const std::vector<symbols::CodeWalk::Instruction>& all)
{
    QByteArray text;
    for (const auto& one : all)
        text += QByteArray::number(static_cast<qulonglong>(one.address - 0x1000), 16) + (one.canProbe ? "" : "!") + ' ';
    return text.trimmed();
}
} // namespace

class TestCodeWalk : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void findsTheWaysOut_data()
    {
        QTest::addColumn<QByteArray>("code");
        QTest::addColumn<QByteArray>("exits");
        QTest::newRow("ret") << QByteArray("89f8c3") << QByteArray("2");
        QTest::newRow("ret after a prefix") << QByteArray("f3c3") << QByteArray("0");
        QTest::newRow("ret with a number") << QByteArray("c20800") << QByteArray("0");
        QTest::newRow("two") << QByteArray("85ff7401c3c3") << QByteArray("4 5");
        // jmp 0x1100
        QTest::newRow("tail call") << QByteArray("83c701e9f8000000") << QByteArray("3");
        // jmp back to the start
        QTest::newRow("loop") << QByteArray("ffcfebfc") << QByteArray("");
        QTest::newRow("through a pointer") << QByteArray("ff2500100000") << QByteArray("0");
        // movslq (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax
        QTest::newRow("jump by table") << QByteArray("486304ba4801d0ffe0c3") << QByteArray("9");
        QTest::newRow("jump by table of addresses") << QByteArray("ff24c500100000c3") << QByteArray("7");
        QTest::newRow("call") << QByteArray("e8fb000000c3") << QByteArray("5");
        QTest::newRow("never") << QByteArray("0f0b") << QByteArray("");
    }
    void findsTheWaysOut()
    {
        QFETCH(const QByteArray, code);
        QFETCH(const QByteArray, exits);
        QCOMPARE(offsets(walk(code).exits), exits);
    }
    /// jmp over four bytes that are no instructions, though one of them looks like a ret.
    void whatIsNoCodeIsNotProbed()
    {
        const auto walked = walk("eb0406c3ffffc3");
        QCOMPARE(offsets(walked.instructions), QByteArray("0 6"));
        QCOMPARE(offsets(walked.exits), QByteArray("6"));
    }
    void whatTheKernelMistakesIsNotProbed_data()
    {
        QTest::addColumn<QByteArray>("code");
        QTest::newRow("lock") << QByteArray("f0ff0f");
        QTest::newRow("cs prefix") << QByteArray("662e0f1f840000000000");
        QTest::newRow("vmovd, refused as outs") << QByteArray("c5f96ec6");
        QTest::newRow("vpxor, refused as out") << QByteArray("c5f9efc0");
        QTest::newRow("vpbroadcastb, taken for jp") << QByteArray("62e27d287ac6");
        QTest::newRow("vzeroupper, taken for ja") << QByteArray("c5f877");
        QTest::newRow("vxorps, taken for push") << QByteArray("c5f857c0");
        QTest::newRow("vcmpps, taken for ret") << QByteArray("c5f8c2c100");
        QTest::newRow("hlt") << QByteArray("f4");
    }
    void whatTheKernelMistakesIsNotProbed()
    {
        QFETCH(const QByteArray, code);
        QCOMPARE(offsets(walk(code).instructions), QByteArray("0!"));
    }
    void plainInstructionsAreProbed_data()
    {
        QTest::addColumn<QByteArray>("code");
        QTest::newRow("endbr64") << QByteArray("f30f1efa");
        QTest::newRow("push") << QByteArray("55");
        QTest::newRow("push r12") << QByteArray("4154");
        QTest::newRow("lea") << QByteArray("488d05aa000000");
        QTest::newRow("fs prefix") << QByteArray("64488b042528000000");
        QTest::newRow("jne") << QByteArray("0f8500000000");
        QTest::newRow("vpaddd") << QByteArray("c5f9fec0");
        QTest::newRow("call") << QByteArray("e800000000");
        QTest::newRow("sub") << QByteArray("4883ec08");
    }
    void plainInstructionsAreProbed()
    {
        QFETCH(const QByteArray, code);
        QCOMPARE(offsets(walk(code).instructions), QByteArray("0"));
    }
    void systemCallsAreNotSafe()
    {
        const auto walked = walk("0f05c3");
        QVERIFY(!walked.instructions.at(0).isSafe);
        QVERIFY(walked.instructions.at(1).isSafe);
    }
};
QTEST_GUILESS_MAIN(TestCodeWalk)
#include "tst_code_walk.moc"
