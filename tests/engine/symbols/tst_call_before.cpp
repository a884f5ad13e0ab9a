#include "engine/symbols/call_before.h"
#include "engine/symbols/elf_file.h"
#include <QFile>
#include <QObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>
#include <fcntl.h>
using namespace dscope;
using namespace dscope::symbols;

class TestCallBefore : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyCallThatObjdumpShowsIsOne_data()
    {
        QTest::addColumn<QString>("library");
        for (const char* name : {"libz.so.1", "libgcc_s.so.1", "libgomp.so.1"})
            QTest::newRow(name) << QStringLiteral("/usr/lib/x86_64-linux-gnu/") + QString::fromUtf8(name);
    }
    /// And few of what is no call looks like one.
    void everyCallThatObjdumpShowsIsOne()
    {
        QFETCH(QString, library);
        auto file = ElfFile::open(Fd(::open(QFile::encodeName(library).constData(), O_RDONLY | O_CLOEXEC)));
        if (!file) QSKIP("that file is not here");
        if (QStandardPaths::findExecutable(QStringLiteral("objdump")).isEmpty()) QSKIP("needs objdump of binutils");
        QProcess objdump;
        objdump.start(QStringLiteral("objdump"), {QStringLiteral("-d"), QStringLiteral("-w"), library});
        QVERIFY(objdump.waitForFinished(60'000));
        int calls = 0, others = 0, mistaken = 0;
        for (const auto& line : objdump.readAllStandardOutput().split('\n')) {
            const auto cells = line.split('\t'); // address, bytes, instruction
            if (cells.size() < 3) continue;
            const auto bytes = QByteArray::fromHex(cells[1].simplified().replace(' ', ""));
            const auto address = cells[0].trimmed().chopped(1).toULongLong(nullptr, 16) + static_cast<std::uint64_t>(bytes.size());
            const auto offset = file->offsetOf(address - kLongestCall);
            if (!offset || bytes.isEmpty()) continue;
            const auto found = callBefore(file->bytes(*offset, kLongestCall), address, Architecture::X86);
            const auto words = cells[2].simplified().split(' ');
            if (!words.contains("call")) {
                ++others;
                mistaken += found.isCall ? 1 : 0;
                continue;
            }
            ++calls;
            QVERIFY2(found.isCall, line.constData());
            if (words.last().startsWith('<')) QVERIFY2(found.target == words[words.size() - 2].toULongLong(nullptr, 16), line.constData());
        }
        QVERIFY(calls > 10);
        QVERIFY2(mistaken * 50 < others, QByteArray::number(mistaken) + " of " + QByteArray::number(others));
    }
    void callsOfAarch64()
    {
        const auto of = [](std::uint32_t word) { return callBefore(std::as_bytes(std::span(&word, 1)), 0x10004, Architecture::Aarch64); };
        QVERIFY(of(0x94000001).isCall); // bl .+4
        QCOMPARE(of(0x94000001).target, std::uint64_t{0x10004});
        QCOMPARE(of(0x97ffffff).target, std::uint64_t{0xfffc});
        for (const std::uint32_t call : {0xd63f0000U, 0xd63f03c0U, 0xd63f0b1fU, 0xd73f0a11U}) // blr x0, blr x30, blraaz x24, blraa x16, x17
            QVERIFY(of(call).isCall);
        for (const std::uint32_t other : {0xd61f0000U, 0xd65f03c0U, 0x14000001U, 0xd503201fU}) // br x0, ret, b .+4, nop
            QVERIFY(!of(other).isCall);
    }
};
QTEST_GUILESS_MAIN(TestCallBefore)
#include "tst_call_before.moc"
