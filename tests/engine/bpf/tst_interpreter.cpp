#include "conformance_corpus.h"
#include "engine/bpf/encode.h"
#include "engine/bpf/interpreter.h"
#include <QMap>
#include <QObject>
#include <QTest>
#include <cerrno>
using namespace dscope;
class TestInterpreter : public QObject {
    Q_OBJECT
private:
    static std::vector<bpf::Slot> assembled(const char* text)
    {
        auto code = bpf::assemble(text);
        if (!code) qFatal("%s", code.error().message.c_str());
        return *std::move(code);
    }
private Q_SLOTS:
    /// Every program of the public bpf_conformance corpus: sections `-- asm` or `-- raw`, `-- mem`, `-- result`.
    void computesWhatTheConformanceCorpusExpects_data()
    {
        tests::addCorpusRows(QStringLiteral(DSCOPE_SOURCE "/../shared/bpf_conformance/tests"));
    }
    void computesWhatTheConformanceCorpusExpects()
    {
        QFETCH(QString, path);
        if (path.isEmpty()) QSKIP(tests::kNoCorpus);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QMap<QString, QString> part;
        QString section;
        for (const auto& line : QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'))) {
            if (line.startsWith(QStringLiteral("-- ")))
                section = line.mid(3).trimmed();
            else if (!line.startsWith(QLatin1Char('#')))
                part[section] += line + QLatin1Char('\n');
        }
        const auto code = bpf::assemble(part[QStringLiteral("asm")].toStdString());
        QVERIFY2(code, code ? "" : code.error().message.c_str());
        if (part.contains(QStringLiteral("raw"))) { // the same program as 64-bit words: checks the assembler
            std::vector<quint64> words(code->size());
            std::memcpy(words.data(), code->data(), words.size() * sizeof(quint64));
            QStringList hex;
            for (const auto word : words)
                hex << QStringLiteral("0x%1").arg(word, 16, 16, QLatin1Char('0'));
            QCOMPARE(hex, part[QStringLiteral("raw")].split(QLatin1Char('\n'), Qt::SkipEmptyParts));
        }
        auto memory = QByteArray::fromHex(part[QStringLiteral("mem")].toLatin1());
        bpf::Interpreter machine;
        machine.allow(std::as_writable_bytes(std::span(memory.data(), static_cast<std::size_t>(memory.size()))));
        machine.setHelper([](std::int32_t, std::span<std::uint64_t, 5> a) -> Result<std::uint64_t> { return a[0]; });
        const auto r0 = machine.run(
            *code, memory.isEmpty() ? 0 : reinterpret_cast<std::uint64_t>(memory.data()), static_cast<std::uint64_t>(memory.size()));
        QVERIFY2(r0, r0 ? "" : r0.error().message.c_str());
        QCOMPARE(QString::number(*r0, 16), QString::number(part[QStringLiteral("result")].trimmed().toULongLong(nullptr, 0), 16));
    }

    void refusesWhatTheVerifierRefuses_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        auto row = [](const char* name, const char* text, const char* message) {
            QTest::newRow(name) << QString::fromUtf8(text) << QString::fromUtf8(message);
        };
        row("read outside", "mov %r1, 0\nldxw %r0, [%r1]\nexit", "instruction 1: read outside of memory");
        row("write below the frame", "stxdw [%r10-520], %r1\nmov %r0, 0\nexit", "instruction 0: write outside of memory");
        row("write above the frame", "stxdw [%r10], %r1\nmov %r0, 0\nexit", "instruction 0: write outside of memory");
        row("callee's frame after its return", "call local f\nstxdw [%r10-520], %r0\nexit\nf: mov %r0, 0\nexit",
            "instruction 1: write outside of memory");
        row("unset register", "mov %r0, %r3\nexit", "instruction 0: reads r3, which holds nothing");
        row("argument register after a call", "call 5\nmov %r0, %r1\nexit", "instruction 1: reads r1, which holds nothing");
        row("no result", "exit", "instruction 0: reads r0, which holds nothing");
        row("frame pointer", "mov %r10, 0\nexit", "instruction 0: register 10 cannot be written");
        row("endless loop", "mov %r0, 0\nagain: ja again", "instruction 1: instruction budget spent");
        row("no exit", "mov %r0, 0", "instruction 1: ran off the end of the program");
        row("backwards out of the program", "mov %r0, 0\nja -3", "instruction 18446744073709551615: ran off the end of the program");
        row("recursion", "f: mov %r0, 0\ncall local f\nexit", "instruction 1: more than eight frames");
        row("unpatched map", "lddw %r1, map 2\nexit", "instruction 0: a map that was not patched");
        row("half of a long load", ".slot 0x18, 0, 0, 0, 0", "instruction 0: unknown load");
        row("register 15", ".slot 0xbf, 15, 1, 0, 0", "instruction 0: register 15 cannot be written");
        row("atomic on two bytes", ".slot 0xcb, 10, 1, -8, 0", "instruction 0: unknown atomic operation");
        row("unknown arithmetic", ".slot 0xe7, 1, 0, 0, 0", "instruction 0: unknown arithmetic");
        row("unknown jump", ".slot 0xe5, 1, 0, 0, 0", "instruction 0: unknown jump");
    }
    void refusesWhatTheVerifierRefuses()
    {
        QFETCH(QString, text);
        QFETCH(QString, message);
        bpf::Interpreter machine;
        machine.setHelper([](std::int32_t, std::span<std::uint64_t, 5>) -> Result<std::uint64_t> { return 0; });
        const auto code = assembled(text.toUtf8().constData());
        const auto r0 = machine.run(code, 1, 2, 1000);
        QVERIFY(!r0);
        QCOMPARE(QString::fromStdString(r0.error().message), message);
    }

    void keepsReadOnlyMemoryAsItIs()
    {
        std::array<std::byte, 8> text{std::byte{7}};
        bpf::Interpreter machine;
        machine.allow(text, bpf::Access::Read);
        const auto address = reinterpret_cast<std::uint64_t>(text.data());
        const auto read = assembled("ldxb %r0, [%r1]\nexit"), write = assembled("stb [%r1], 1\nmov %r0, 0\nexit");
        QCOMPARE(*machine.run(read, address, 0), 7u);
        const auto refused = machine.run(write, address, 0);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, EFAULT);
        QVERIFY(machine.reaches(address + 7, 1));
        QVERIFY(!machine.reaches(address + 7, 2));
        QVERIFY(!machine.reaches(address, 1, bpf::Access::Write));
        machine.forget(text.data());
        QVERIFY(!machine.run(read, address, 0));
    }

    /// bpf_loop(n, callback, context): the callback has a frame of its own and reaches its caller's.
    void callsBackIntoTheRunningProgram()
    {
        const auto code = assembled("mov %r6, 42\n"
                                    "stdw [%r10-8], 0\n"
                                    "mov %r1, 10\n"
                                    "lddw %r2, function body\n"
                                    "mov %r3, %r10\n"
                                    "add %r3, -8\n"
                                    "mov %r4, 0\n"
                                    "call 181\n"
                                    "ldxdw %r0, [%r10-8]\n"
                                    "add %r0, %r6\n"
                                    "exit\n"
                                    "body: stxdw [%r10-8], %r1\n"
                                    "ldxdw %r3, [%r2]\n"
                                    "ldxdw %r4, [%r10-8]\n"
                                    "add %r3, %r4\n"
                                    "stxdw [%r2], %r3\n"
                                    "mov %r6, 0\n"
                                    "mov %r0, 0\n"
                                    "exit\n");
        bpf::Interpreter machine;
        machine.setHelper([&](std::int32_t number, std::span<std::uint64_t, 5> a) -> Result<std::uint64_t> {
            if (number != 181) return Error{0, "unexpected"};
            const auto rounds = a[0], entry = a[1], context = a[2];
            for (std::uint64_t i = 0; i < rounds; ++i) {
                DSCOPE_TRY(const auto stop, machine.callBack(entry, i, context));
                if (stop) return i + 1;
            }
            return rounds;
        });
        const auto r0 = machine.run(code, 0, 0);
        QVERIFY2(r0, r0 ? "" : r0.error().message.c_str());
        QCOMPARE(*r0, 45u + 42u);
        const auto spent = machine.run(code, 0, 0, 50); // the callback runs on the program's budget
        QVERIFY(!spent);
        QVERIFY(spent.error().message.ends_with("instruction budget spent"));
    }
};
QTEST_GUILESS_MAIN(TestInterpreter)
#include "tst_interpreter.moc"
