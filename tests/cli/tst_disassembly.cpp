// needs-programs: dscope
// The view disassembly: its addresses and instructions are those of objdump -d, and the share of a hot loop is where the loop is.
#include "tests/support/mixing.h"
#include "tests/support/programs_at_hand.h"
#include "tests/support/run_dscope.h"
#include <QFile>
#include <QObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope::tests;
namespace {
const QString kHotLoop = "profile-997 /pid == $target && arg1 != 0/ { @[ustack()] = count(); }";
}

class TestDisassembly : public QObject {
    Q_OBJECT
    QTemporaryDir m_dir;
    QString path(const QString& name) { return m_dir.filePath(name); }

private Q_SLOTS:
    void initTestCase()
    {
        if (!has("cc") || !has("objdump")) QSKIP("needs a C compiler and objdump");
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        QFile source(path("hot.c"));
        QVERIFY(source.open(QIODevice::WriteOnly));
        source.write(kMixing + "int main(int argc, char** argv)\n{\n    unsigned v[64] = { 1 };\n"
                               "    for (long i = 0; i < atol(argv[argc - 1]); ++i)\n        v[i % 64] ^= mix(v, 64);\n    return v[0] == 1;\n}\n");
        source.close();
        QCOMPARE(runDscope({"-O2", "-g", "-Wl,--build-id", path("hot.c"), "-o", path("hot")}, {}, "cc").status, 0);
    }
    void theHotLoopHasTheShare()
    {
        const auto run = runDscope({"--export", "disassembly=" + path("live.csv"), "--export", "disassembly=" + path("live.svg"), "--record",
            path("live.dscope"), "-qn", kHotLoop, "-c", path("hot") + (isSlowMachine() ? " 300000" : " 6000000")});
        QVERIFY2(run.status == 0, run.err.constData());
        // What loops in mix(): from the target of its last jump backwards to that jump.
        static const QRegularExpression jump("^ *([0-9a-f]+):\t(?:j[a-z]+) +([0-9a-f]+) <mix\\+"),
            any("^ *([0-9a-f]+):\t(?:(?:cs|data16) +)*([a-z0-9]+)"); // prefixes of a nop
        QMap<qulonglong, QString> instructions;
        qulonglong from = 0, to = 0;
        const auto dump = runDscope({"-d", "--no-show-raw-insn", "--disassemble=mix", path("hot")}, {}, "objdump").out;
        for (const auto& line : QString::fromUtf8(dump).split('\n')) {
            if (const auto match = any.match(line); match.hasMatch()) instructions[match.captured(1).toULongLong(nullptr, 16)] = match.captured(2);
            const auto match = jump.match(line);
            const auto at = match.captured(1).toULongLong(nullptr, 16), target = match.captured(2).toULongLong(nullptr, 16);
            if (match.hasMatch() && target < at) {
                from = target;
                to = at;
            }
        }
        QVERIFY(from != 0);
        QFile table(path("live.csv"));
        QVERIFY(table.open(QIODevice::ReadOnly));
        QCOMPARE(table.readLine().trimmed(), QByteArray("function,file,address,self,total,instruction,source"));
        qint64 all = 0, within = 0;
        bool hasLines = false;
        while (!table.atEnd()) {
            static const QRegularExpression row("^(.+),([^,]*),(0x[0-9a-f]+),([0-9]+),([0-9]+),\"?([a-z0-9]*)(.*)$");
            const auto match = row.match(QString::fromUtf8(table.readLine()).trimmed());
            QVERIFY(match.hasMatch());
            if (match.captured(1) != "hot`mix") continue;
            QCOMPARE(match.captured(2), path("hot"));
            const auto address = match.captured(3).toULongLong(nullptr, 0);
            QVERIFY2(instructions.contains(address), qPrintable(match.captured(3)));
            // Each takes names of its own for some (tst_code_reader compares them).
            QVERIFY2(match.captured(6).startsWith(instructions[address].first(1)), qPrintable(match.captured()));
            all += match.captured(4).toLongLong();
            if (address >= from && address <= to) within += match.captured(4).toLongLong();
            hasLines = hasLines || match.captured(7).contains("hot.c:");
        }
        QVERIFY(all > 20 && hasLines);
        QVERIFY2(within * 10 > all * 9, qPrintable(QString("%1 of %2").arg(within).arg(all)));
        QFile figure(path("live.svg"));
        QVERIFY(figure.open(QIODevice::ReadOnly));
        const auto svg = figure.readAll();
        QVERIFY(svg.contains("hot`mix") && svg.contains("data-address=\"") && svg.contains('>' + QByteArray::number(to, 16) + '<'));
    }
    /// From the recording the same comes, where the file still is; where it is another one that is said.
    void aRecordingKnowsItsCode()
    {
        if (!QFile::exists(path("live.dscope"))) QSKIP("nothing was recorded");
        QCOMPARE(runDscope({"--replay", path("live.dscope"), "--export", "disassembly=" + path("later.csv")}).status, 0);
        QFile live(path("live.csv")), later(path("later.csv"));
        QVERIFY(live.open(QIODevice::ReadOnly) && later.open(QIODevice::ReadOnly));
        QCOMPARE(later.readAll(), live.readAll());
        QCOMPARE(runDscope({"-O1", "-Wl,--build-id", path("hot.c"), "-o", path("hot")}, {}, "cc").status, 0);
        QCOMPARE(runDscope({"--replay", path("live.dscope"), "--export", "disassembly=" + path("gone.txt")}).status, 0);
        QFile gone(path("gone.txt"));
        QVERIFY(gone.open(QIODevice::ReadOnly));
        const auto text = gone.readAll();
        QVERIFY2(!text.contains("rol") || !text.contains("hot.c:"), text.constData());
    }
};
QTEST_GUILESS_MAIN(TestDisassembly)
#include "tst_disassembly.moc"
