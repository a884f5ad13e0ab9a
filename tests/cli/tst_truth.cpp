// needs-programs: dscope
// The three headline figures held against programs whose behaviour is known.
#include "tests/support/csv.h"
#include "tests/support/run_dscope.h"
#include <QFile>
#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QObject>
#include <QTemporaryDir>
#include <QTest>
#include <cstring>
using namespace dscope::tests;
namespace {
QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
const QString kPrograms = QStringLiteral(DSCOPE_PROGRAMS "/");

struct Truth {
    QByteArray parent, exit, signal, execs, args;
};
/// What tests/programs/storm.c wrote about the processes it started.
QHash<QByteArray, Truth> stormTruth(const QString& log)
{
    QHash<QByteArray, Truth> out;
    for (const auto& line : contents(log).split('\n')) {
        const auto f = line.split('\t');
        if (f.size() != 6) continue;
        QByteArray args;
        for (qsizetype i = 0; i < f[5].size(); ++i) {
            if (f[5][i] != '\\')
                args += f[5][i];
            else
                args += f[5][++i] == 'n' ? '\n' : f[5][i] == 't' ? '\t' : '\\';
        }
        out[f[0]] = {f[1], f[2], f[3], f[4], args};
    }
    return out;
}
/// What untrusted bytes become in files that must be harmless text: invalid UTF-8 is U+FFFD, a control character that a
/// terminal or parser would act on its picture (U+2400 and up). Tabs and line ends are text.
QByteArray harmless(const QByteArray& raw)
{
    auto text = QString::fromUtf8(raw);
    for (auto& c : text)
        if (c.unicode() < 0x20 && c != QChar('\t') && c != QChar('\n')) c = QChar(0x2400 + c.unicode());
    return text.toUtf8();
}
} // namespace

class TestTruth : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
    }
    void loadAveragesAreTheKernels()
    {
        const auto known = [] {
            QFile file("/proc/loadavg");
            return file.open(QIODevice::ReadOnly) ? file.readAll().split(' ').mid(0, 3).join(' ') : QByteArray();
        };
        // As /proc rounds them: half a hundredth in 2048ths, in 65536ths. Source: fs/proc/loadavg.c, FIXED_1 / 200
        const QString program = R"(
            int load[int];
            BEGIN {
                load[0] = `hp_avenrun[0] + 320; load[1] = `hp_avenrun[1] + 320; i = 2; load[2] = unix`hp_avenrun[i] + 320;
                printf("%d.%02d ", load[0] / 65536, load[0] % 65536 * 100 / 65536);
                printf("%d.%02d ", load[1] / 65536, load[1] % 65536 * 100 / 65536);
                printf("%d.%02d", load[2] / 65536, load[2] % 65536 * 100 / 65536);
                exit(0);
            })";
        // They change every five seconds.
        for (int i = 0; i < 5; ++i) {
            const auto before = known();
            const auto run = runDscope({"-qn", program});
            QCOMPARE(run.err, QByteArray());
            if (before == known()) {
                QCOMPARE(run.out.trimmed(), before);
                break;
            }
        }
        const auto beyond = runDscope({"-qn", "BEGIN { trace(`hp_avenrun[3]); } ERROR { printf(\"%d\", arg4); exit(0); }"});
        QCOMPARE(beyond.out.trimmed(), QByteArray("1")); // DTRACEFLT_BADADDR
    }
    void randomNumbersHave32BitsAndAreNotNegative()
    {
        const auto run = runDscope({"-qn",
            QString("BEGIN { x = rand(); @ = min(x); @or = max(x >> 31); @tenth = min(rand() % 10); } ").repeated(40)
                + "BEGIN { printa(\"%@d %@d %@d\", @, @or, @tenth); exit(0); }"});
        QCOMPARE(run.err, QByteArray());
        const auto numbers = run.out.trimmed().split(' ');
        QCOMPARE(numbers.size(), 3);
        QVERIFY2(numbers[0].toLongLong() >= 0 && numbers[1] == "1" && numbers[2].toLongLong() >= 0, run.out);
    }
    void theProcessTreeIsWhatHappened()
    {
        const QTemporaryDir dir;
        const auto log = dir.filePath("log"), csv = dir.filePath("tree.csv"), dot = dir.filePath("tree.dot");
        const auto run
            = runDscope({"-qn", "proc:::exit { }", "-c", kPrograms + (isSlowMachine() ? "storm root 90 " : "storm root 900 ") + log,
                "--export", "process-tree=" + csv, "--export", "process-tree=" + dot});
        QCOMPARE(run.err, QByteArray());
        QCOMPARE(run.status, 0);
        const auto truth = stormTruth(log);
        QCOMPARE(truth.size(), isSlowMachine() ? 100 : 1000);
        QHash<QByteArray, QMap<QByteArray, QByteArray>> told;
        for (const auto& row : csvRows(contents(csv)))
            told[row["pid"]] = row;
        for (auto t = truth.begin(); t != truth.end(); ++t) {
            QVERIFY2(told.contains(t.key()), "pid " + t.key() + " is missing: " + t->args);
            const auto& row = told[t.key()];
            const auto where = "pid " + t.key() + ": " + t->args;
            QVERIFY2(row["ppid"] == t->parent, where + ": parent " + row["ppid"] + ", not " + t->parent);
            QVERIFY2(row["exit_status"] == t->exit, where + ": exit status " + row["exit_status"] + ", not " + t->exit);
            QVERIFY2(row["signal"] == t->signal, where + ": signal " + row["signal"] + ", not " + t->signal);
            QVERIFY2(row["execs"] == t->execs, where + ": execs " + row["execs"] + ", not " + t->execs);
            QVERIFY2(row["args"] == harmless(t->args), where + ": arguments " + row["args"]);
        }
        QCOMPARE(told.size(), truth.size() + 1); // and the root, nothing else

        QProcess graphviz;
        graphviz.start("dot", {"-Tjson0", "-Knop2", dot});
        QVERIFY(graphviz.waitForFinished(60'000));
        QCOMPARE(graphviz.exitCode(), 0);
        const auto graph = QJsonDocument::fromJson(graphviz.readAllStandardOutput()).object();
        int found = 0;
        for (const auto& value : graph["objects"].toArray()) {
            const auto node = value.toObject();
            const auto pid = node["pid"].toString().toUtf8();
            if (!truth.contains(pid)) continue;
            ++found;
            const auto& t = truth[pid];
            QCOMPARE(node["ppid"].toString().toUtf8(), t.parent);
            // Graphs tell signals by name, tables by number.
            const auto end = t.signal.isEmpty() ? t.exit : QByteArray("SIG") + ::sigabbrev_np(t.signal.toInt());
            QCOMPARE(node["exit"].toString().toUtf8(), end);
            const auto args = node["args"].toString();
            const auto wanted = QString::fromUtf8(harmless(t.args));
            // A graph's attributes are escaped: line ends and tabs are pictures, and a backslash is two, as DOT has no other
            // way to write a text that ends in one.
            const auto read = QString(args)
                                  .replace(QStringLiteral("\\\\"), QStringLiteral("\\"))
                                  .replace(QChar(0x240A), QChar('\n'))
                                  .replace(QChar(0x2409), QChar('\t'));
            QVERIFY2(read == wanted, qPrintable("pid " + pid + ": " + args));
        }
        QCOMPARE(found, truth.size());
    }
    void theHistogramCountsEveryWrite()
    {
        const QTemporaryDir dir;
        const auto csv = dir.filePath("sizes.csv");
        const auto run = runDscope({"-qn", "syscall::write:entry /pid == $target/ { @bytes[execname] = quantize(arg2); }", "-c",
            kPrograms + "known_writes 0 3 1 5 100 7 4096 250 5000 1000 65536 12", "--text", "--export", "histogram=" + csv});
        QCOMPARE(run.err, QByteArray());
        QCOMPARE(run.status, 0);
        QHash<QByteArray, QByteArray> counts;
        for (const auto& row : csvRows(contents(csv)))
            if (row["count"] != "0") {
                QCOMPARE(row["execname"], QByteArray("known_writes"));
                counts[row["low"] + ".." + row["high"]] = row["count"];
            }
        QCOMPARE(counts,
            (QHash<QByteArray, QByteArray>{
                {"0..0", "3"}, {"1..1", "5"}, {"64..127", "7"}, {"4096..8191", "1250"}, {"65536..131071", "12"}}));
        QHash<QByteArray, QByteArray> printed;
        for (const auto& line : run.out.split('\n'))
            if (const auto bar = line.indexOf('|'); bar > 0 && !line.contains("---")) {
                const auto n = line.mid(bar + 41).trimmed();
                if (n != "0") printed[line.left(bar).trimmed()] = n;
            }
        QCOMPARE(printed, (QHash<QByteArray, QByteArray>{{"0", "3"}, {"1", "5"}, {"64", "7"}, {"4096", "1250"}, {"65536", "12"}}));
    }
    void everyLostRecordIsCounted()
    {
        // A buffer far too small for the flood, read once a second, so that a machine which is slower than its reader loses, too: what is
        // not printed must be told as dropped, to the last record, and an aggregation loses nothing at all.
        const auto run = runDscope({"-x", "bufsize=128k", "-x", "switchrate=1s", "-qn",
            "syscall::getppid:entry /pid == $target/ { printf(\"x\\n\"); @ = count(); }", "-c", kPrograms + "flood 300000"});
        QCOMPARE(run.status, 0);
        qint64 dropped = 0;
        for (const auto& line : run.err.split('\n'))
            if (line.contains(" drops on CPU ")) dropped += line.mid(8, line.indexOf(" drops") - 8).toLongLong();
        QVERIFY2(dropped > 0, "the flood was not enough to lose anything");
        QCOMPARE(run.out.count("x\n") + dropped, 300'000);
        QCOMPARE(run.out.trimmed().split('\n').last().trimmed(), QByteArray("300000"));
    }
    /// A clock's probe interrupts those of system calls in the middle of the same keys, some of which find no slot.
    void whatInterruptsLosesNoCount()
    {
        const auto run = runDscope({"-x", "aggsortkey", "-qn",
            "int n; syscall::getppid:entry /pid == $target/ { @all[n % 300] = count(); @calls = count(); n++; }"
            " profile-4999 /pid == $target/ { @all[n % 300] = count(); @ticks = count(); }"
            " END { printa(\"all %d %@d\\n\", @all); printa(\"calls %@d\\n\", @calls); printa(\"ticks %@d\\n\", @ticks); }",
            "-c", kPrograms + "flood 1000000"});
        QCOMPARE(run.err, QByteArray());
        QCOMPARE(run.status, 0);
        QHash<QByteArray, qint64> sums;
        for (const auto& line : run.out.split('\n'))
            if (const auto words = line.split(' '); words.size() > 1) sums[words.first()] += words.last().toLongLong();
        QCOMPARE(sums["calls"], 1'000'000);
        QVERIFY2(sums["ticks"] > 100, QByteArray::number(sums["ticks"]));
        QCOMPARE(sums["all"], sums["calls"] + sums["ticks"]);
    }
    void theFlameGraphShowsBothChains()
    {
        const QTemporaryDir dir;
        const auto folded = dir.filePath("flame.folded");
        const auto run = runDscope({"-qn", "profile-997 /pid == $target && arg1 != 0/ { @[ustack()] = count(); }", "-c",
            kPrograms + "two_chains 3", "--export", "flame=" + folded});
        QCOMPARE(run.err, QByteArray());
        QCOMPARE(run.status, 0);
        double all = 0, wide = 0, narrow = 0;
        for (const auto& line : contents(folded).split('\n')) {
            const auto blank = line.lastIndexOf(' ');
            if (blank < 0) continue;
            const auto n = line.mid(blank + 1).toDouble();
            all += n;
            // Inlining and tail calls are off in the program: a whole chain is every link of it, in order, below main.
            if (line.contains("`main;two_chains`wide_a;two_chains`wide_b;two_chains`wide_c;two_chains`wide_leaf")) wide += n;
            if (line.contains("`main;two_chains`narrow_a;two_chains`narrow_b;two_chains`narrow_leaf")) narrow += n;
        }
        QVERIFY2(all > (isSlowMachine() ? 100 : 1000), QByteArray::number(all) + " samples");
        QVERIFY2((wide + narrow) / all >= 0.98, QByteArray::number(100 * (wide + narrow) / all) + " % of the samples are whole");
        QVERIFY2(qAbs(wide / all - 0.75) < (isSlowMachine() ? 0.15 : 0.05), QByteArray::number(100 * wide / all) + " % in the wide chain");
    }
};
QTEST_GUILESS_MAIN(TestTruth)
#include "tst_truth.moc"
