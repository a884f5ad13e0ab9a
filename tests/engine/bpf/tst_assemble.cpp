#include "conformance_corpus.h"
#include "engine/bpf/encode.h"
#include <QObject>
#include <QRandomGenerator>
#include <QTest>
#include <cstring>
using namespace dscope;
class TestAssemble : public QObject {
    Q_OBJECT
private:
    static void comesBack(const std::vector<bpf::Slot>& code)
    {
        const auto text = bpf::disassemble(code);
        const auto again = bpf::assemble(text);
        QVERIFY2(again, again ? "" : again.error().message.c_str());
        QCOMPARE(bpf::disassemble(*again), text);
        QCOMPARE(again->size(), code.size());
        QVERIFY2(std::memcmp(again->data(), code.data(), code.size() * sizeof(bpf::Slot)) == 0, text.c_str());
    }
private Q_SLOTS:
    void printsWhatItReads_data()
    {
        QTest::addColumn<QString>("text");
        auto row = [](const char* text) { QTest::newRow(text) << QString::fromUtf8(text); };
        row("add %r1, %r2");
        row("add32 %r1, -7");
        row("sdiv %r1, %r2");
        row("smod32 %r1, 3");
        row("neg %r4");
        row("movsx832 %r1, %r2");
        row("movsx3264 %r1, %r2");
        row("be16 %r3");
        row("le64 %r3");
        row("bswap32 %r3");
        row("lddw %r9, 0xffffffff00000001");
        row("lddw %r1, map 3");
        row("lddw %r1, value 2+4096");
        row("lddw %r1, function -12");
        row("ldxw %r1, [%r2+8]");
        row("ldxsh %r1, [%r2-8]");
        row("stdw [%r10-16], -1");
        row("stxb [%r10], %r3");
        row("lock add [%r1+8], %r2");
        row("lock fetch and32 [%r1], %r2");
        row("lock xchg [%r1], %r2");
        row("lock cmpxchg32 [%r1-4], %r2");
        row("jeq %r1, 7, +3");
        row("jsle32 %r1, %r10, -1");
        row("ja +0");
        row("ja32 +70000");
        row("call 14");
        row("call %r3");
        row("call local -5");
        row("exit");
        row(".slot 0xff, 15, 15, -1, -1");
    }
    void printsWhatItReads()
    {
        QFETCH(QString, text);
        const auto slots = bpf::assemble(text.toStdString());
        QVERIFY2(slots, slots ? "" : slots.error().message.c_str());
        QCOMPARE(QString::fromStdString(bpf::disassemble(*slots)), text + QLatin1Char('\n'));
    }

    void bringsTheCorpusBack_data() { tests::addCorpusRows(QStringLiteral(DSCOPE_SOURCE "/../shared/bpf_conformance/tests")); }
    void bringsTheCorpusBack()
    {
        QFETCH(QString, path);
        if (path.isEmpty()) QSKIP(tests::kNoCorpus);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        auto text = file.readAll();
        text = text.mid(text.indexOf("-- asm\n") + 7);
        text.truncate(text.indexOf("\n-- ") + 1);
        const auto slots = bpf::assemble(text.toStdString());
        QVERIFY2(slots, slots ? "" : slots.error().message.c_str());
        comesBack(*slots);
    }

    /// Any bytes at all are printed so that they come back.
    void bringsRandomBytesBack()
    {
        QRandomGenerator random(20260101);
        for (int round = 0; round < 2000; ++round) {
            std::vector<bpf::Slot> slots(16);
            for (auto& s : slots) {
                const auto word = random.generate64();
                std::memcpy(&s, &word, sizeof s);
                if (random.bounded(2)) s.offset = 0; // the unused fields of most instructions are 0: so meet more real ones
                if (random.bounded(2)) s.imm = random.bounded(2);
                if (random.bounded(2)) s.src = static_cast<std::uint8_t>(random.bounded(5)) & 15;
            }
            comesBack(slots);
            if (QTest::currentTestFailed()) return;
        }
    }

    void namesTheLineThatIsWrong_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        auto row = [](const char* name, const char* text, const char* message) {
            QTest::newRow(name) << QString::fromUtf8(text) << QString::fromUtf8(message);
        };
        row("unknown word", "exit\n\nfrobnicate %r1", "line 3: no instruction: frobnicate %r1");
        row("register 11", "mov %r11, 0", "line 1: no instruction: mov %r11, 0");
        row("too few operands", "add %r1", "line 1: no instruction: add %r1");
        row("too many operands", "exit 1", "line 1: no instruction: exit 1");
        row("number too large", "mov %r1, 4294967296", "line 1: no instruction: mov %r1, 4294967296");
        row("offset too large", "ldxw %r1, [%r2+65536]", "line 1: no instruction: ldxw %r1, [%r2+65536]");
        row("no bracket", "ldxw %r1, %r2+8", "line 1: no instruction: ldxw %r1, %r2+8");
        row("unknown label", "mov %r0, 0\nja nowhere\nexit", "line 2: unknown label nowhere");
        row("odd width", "be17 %r1", "line 1: no instruction: be17 %r1");
        row("bare sign", "mov %r1, -", "line 1: no instruction: mov %r1, -");
        row("empty memory", "stb [], 1", "line 1: no instruction: stb [], 1");
        row("no size", "st [%r1], 1", "line 1: no instruction: st [%r1], 1");
    }
    void namesTheLineThatIsWrong()
    {
        QFETCH(QString, text);
        QFETCH(QString, message);
        const auto slots = bpf::assemble(text.toStdString());
        QVERIFY(!slots);
        QCOMPARE(QString::fromStdString(slots.error().message), message);
    }
};
QTEST_GUILESS_MAIN(TestAssemble)
#include "tst_assemble.moc"
