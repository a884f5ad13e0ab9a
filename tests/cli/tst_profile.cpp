// needs-programs: dscope
// Timers, held against the clock that the program itself reads.
#include "tests/support/busy_cpus.h"
#include "tests/support/run_dscope.h"
#include <QElapsedTimer>
#include <QFile>
#include <QHash>
#include <QMap>
#include <QObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <optional>
#include <thread>
using namespace dscope::tests;

namespace {
/// Statements of some 4 microseconds each: they look for a letter in long strings `s`.
QByteArray slowStatements(int count)
{
    QByteArray slow;
    for (int i = 0; i < count; ++i)
        slow += " n += strstr(strjoin(s, s), \"b\") != NULL;";
    return slow;
}
} // namespace

class TestProfile : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
    }
    void firesAsOftenAsItsNameSays_data()
    {
        QTest::addColumn<QString>("probe");
        QTest::addColumn<qint64>("interval"); // ns
        QTest::addColumn<bool>("everyCpu");
        const auto row = [](const char* probe, qint64 interval) {
            QTest::newRow(probe) << probe << interval << !QByteArray(probe).startsWith("tick");
        };
        row("tick-10", 100'000'000);
        row("tick-100hz", 10'000'000);
        row("tick-5000", 200'000);
        row("tick-7ms", 7'000'000);
        row("tick-500us", 500'000);
        row("tick-100000ns", 100'000);
        row("profile-97", 1'000'000'000 / 97);
        row("profile-997hz", 1'000'000'000 / 997);
        row("profile-4999", 1'000'000'000 / 4999);
        row("profile-20000", 50'000);
        row("profile-3msec", 3'000'000);
    }
    /// Never more often. It may fire less often only where clocks of the machine skip, and then dscope says so.
    void firesAsOftenAsItsNameSays()
    {
        QFETCH(const QString, probe);
        QFETCH(const qint64, interval);
        QFETCH(const bool, everyCpu);
        constexpr qint64 kOnIdleCpus = 1'000'000; // ns; ticks this slow need nobody to keep their CPU awake
        std::optional<BusyCpus> busy;
        if (everyCpu || interval < kOnIdleCpus) busy.emplace();
        const auto run = runDscope({"-qn",
            "BEGIN { since = timestamp; } " + probe
                + " { @[cpu] = count(); }"
                  " tick-700ms { until = timestamp; exit(0); } END { printf(\"took %d\\n\", until - since); printa(\"%d %@d\\n\", @); }"});
        QCOMPARE(run.status, 0);
        const auto lines = run.out.trimmed().split('\n');
        QVERIFY2(lines.front().startsWith("took "), run.out);
        const auto due = lines.front().mid(5).toLongLong() / interval;
        const auto cpus = static_cast<qsizetype>(std::thread::hardware_concurrency());
        QCOMPARE(lines.size() - 1, everyCpu ? cpus : 1);
        static const QRegularExpression kMissing("(\\d+) firings not seen");
        const auto missing = kMissing.match(run.err).captured(1).toLongLong();
        for (qsizetype i = 1; i < lines.size(); ++i) {
            const auto fired = lines[i].split(' ').value(1).toLongLong();
            const auto said = run.err + "fired " + QByteArray::number(fired) + ", due " + QByteArray::number(due);
            QVERIFY2(fired <= due + due / 100 + 2, said);
            // Where clocks of the machine skip, whatDidNotComeIsTold() says how many.
            QVERIFY2(missing > 0 || fired >= due / 4, said);
        }
        if (missing > 0)
            QSKIP(("clocks of this machine skipped " + QByteArray::number(missing) + " firings: too few may have come").constData());
    }
    /// A clock that is late skips what it missed, as one does on an idle CPU of some virtual machines. Here the clauses take longer than
    /// the time between two samples. The machine's clock says how many were due: what came and what is told are as many.
    void whatDidNotComeIsTold()
    {
        constexpr double kRate = 20'000;
        const auto cpus = static_cast<double>(std::thread::hardware_concurrency());
        const BusyCpus busy;
        const auto slow = slowStatements(12);
        QElapsedTimer whole;
        whole.start();
        const auto run = runDscope({"-qn",
            "int n; BEGIN { s = \"" + QByteArray(200, 'a')
                + "\"; } profile-20000 { @first = min(timestamp); @last = max(timestamp); @ = count();" + slow
                + " } tick-500ms { exit(0); } END { printa(\"%@d \", @first); printa(\"%@d \", @last); printa(\"%@d\", @); }"});
        const auto most = static_cast<double>(whole.nsecsElapsed()) / 1e9 * kRate * cpus;
        QCOMPARE(run.status, 0);
        const auto words = run.out.simplified().split(' ');
        QCOMPARE(words.size(), 3);
        const auto least = static_cast<double>(words[1].toLongLong() - words[0].toLongLong()) / 1e9 * kRate * cpus,
                   came = words[2].toDouble();
        if (came > least * 0.9) QSKIP("this machine is fast enough for the clauses");
        const QRegularExpression told("(\\d+) firings not seen");
        const auto missing = told.match(run.err).captured(1).toDouble();
        QVERIFY2(came + missing >= least * 0.99 && came + missing <= most * 1.01,
            run.out + run.err + QByteArray::number(least) + ' ' + QByteArray::number(most));
    }
    /// Nor do such clauses take a CPU for themselves: the machine would stand still until they end. The kernel counts the time of programs;
    /// where it is more than option costlimit allows, the run ends there and says so.
    void slowClausesLeaveTimeToOthers()
    {
        const BusyCpus busy;
        const auto run = runDscope({"-x", "costlimit=80", "-qn",
            "int n; BEGIN { s = \"" + QByteArray(200, 'a') + "\"; } profile-20000 {" + slowStatements(48) + " } tick-2500ms { exit(0); }"});
        QCOMPARE(run.status, 0);
        QVERIFY2(!run.err.contains("costlimit"), run.err);
        QVERIFY2(run.err.contains("firings not seen"), run.err);
    }
    /// Whoever asks for one process misses nothing of an idle CPU.
    void whatOneProcessDoesNotNeedIsNotTold()
    {
        const auto run = runDscope({"-qn", "profile-997 /pid == $target/ { @ = count(); }", "-c", "sleep 0.5"});
        QCOMPARE(run.status, 0);
        QCOMPARE(run.err, "");
    }
    /// As hotkernel does: the symbol and offset of an address are those that /proc/kallsyms has.
    void printaNamesAddresses()
    {
        const BusyCpus busy(BusyCpus::In::Kernel);
        const auto run = runDscope({"-qn",
            "profile:::profile-997hz /arg0/ { @a[arg0] = count(); @n[arg0] = count(); } tick-300ms { exit(0); }"
            " dtrace:::END { printa(\"%a %@d\\n\", @a); printf(\"#\"); printa(\"%x %@d\\n\", @n); printf(\"#\"); printa(\"%x "
            "%@d\\n\", @a); }"});
        QCOMPARE(run.status, 0);
        const auto parts = run.out.trimmed().split('#');
        QCOMPARE(parts.size(), 3);
        const auto named = parts[0].trimmed().split('\n'), numbers = parts[1].trimmed().split('\n');
        QVERIFY2(!named.first().isEmpty(), run.out + run.err);
        QCOMPARE(named.size(), numbers.size());

        // What /proc/kallsyms has at or below each address: of several names any will do.
        QMap<quint64, QByteArrayList> symbols;
        QFile table("/proc/kallsyms");
        QVERIFY(table.open(QIODevice::ReadOnly));
        for (const auto& line : table.readAll().split('\n'))
            if (const auto cells = line.simplified().split(' '); cells.size() == 3) symbols[cells[0].toULongLong(nullptr, 16)] << cells[2];
        QByteArrayList expected;
        for (const auto& line : numbers) {
            const auto address = line.split(' ').first().toULongLong(nullptr, 16);
            auto at = symbols.upperBound(address);
            QVERIFY(at != symbols.begin());
            --at;
            const auto offset = address - at.key();
            for (const auto& name : at.value())
                expected << "vmlinux`" + name + (offset ? "+0x" + QByteArray::number(offset, 16) : QByteArray());
        }
        int found = 0; // the others are of modules
        for (const auto& line : named)
            if (line.startsWith("vmlinux`")) {
                QVERIFY2(expected.contains(line.split(' ').first()), line);
                ++found;
            }
        QVERIFY2(found > 0, run.out);
        auto again = parts[2].trimmed().split('\n');
        auto plain = numbers;
        std::sort(again.begin(), again.end());
        std::sort(plain.begin(), plain.end());
        QCOMPARE(again, plain);
    }
    void figuresTellAddressesOfOneFunctionApart()
    {
        const BusyCpus busy(BusyCpus::In::Kernel);
        const QTemporaryDir dir;
        const auto table = dir.filePath("table.csv");
        const auto run = runDscope({"-qn",
            "profile:::profile-997hz /arg0/ { @a[arg0] = count(); } tick-300ms { exit(0); } dtrace:::END { printa(\"%a %@d\\n\", @a); }",
            "--export", "table=" + table});
        QCOMPARE(run.status, 0);
        QFile file(table);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QByteArrayList rows;
        QFile kallsyms("/proc/kallsyms");
        QVERIFY(kallsyms.open(QIODevice::ReadOnly));
        const auto symbols = kallsyms.readAll();
        for (const auto& line : file.readAll().trimmed().split('\n').mid(1)) {
            const auto row = line.left(line.lastIndexOf(','));
            const auto name = row.mid(row.indexOf('`') + 1).split('+').first();
            // Some functions of the kernel share a name, as programs of other tracers may.
            if (!row.startsWith("bpf`") && symbols.count(' ' + name + '\n') < 2) rows << row;
        }
        QVERIFY(rows.join().contains("vmlinux`"));
        const auto count = rows.size();
        std::sort(rows.begin(), rows.end());
        rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
        QCOMPARE(rows.size(), count);
    }
    /// As hotuser does: `nm` knows the function.
    void printaNamesAddressesOfTheTarget()
    {
        const auto run = runDscope(
            {"-qn", "profile:::profile-997hz /pid == $target/ { @a[arg1] = count(); } dtrace:::END { printa(\"%A %@d\\n\", @a); }", "-c",
                QStringLiteral(DSCOPE_PROGRAMS "/deep plain 10 4000000")});
        QCOMPARE(run.status, 0);
        QByteArrayList functions;
        for (const auto& line : runDscope({QStringLiteral(DSCOPE_PROGRAMS "/deep")}, {}, "nm").out.split('\n'))
            functions << line.split(' ').last();
        int found = 0;
        for (const auto& line : run.out.split('\n'))
            if (line.startsWith("deep`") && !line.contains("@plt")) {
                const auto name = line.mid(5).split(' ').first().split('+').first();
                QVERIFY2(functions.contains(name), line);
                ++found;
            }
        QVERIFY2(found > 0, run.out + run.err);
    }
    /// One key by %A and by %a, in this order: the kernel's addresses, which Linux has in the upper half, have a name by %a alone.
    void eachConversionNamesItsOwnAddresses()
    {
        const BusyCpus busy(BusyCpus::In::Kernel);
        const auto run = runDscope({"-qn",
            "profile:::profile-997hz /arg0/ { @[arg0] = count(); } profile:::profile-997hz /pid == $target && arg1/ { @[arg1] = count(); }"
            " dtrace:::END { printa(\"A %A %@d\\n\", @); printa(\"a %a %@d\\n\", @); }",
            "-c", QStringLiteral(DSCOPE_PROGRAMS "/deep plain 10 4000000")});
        QCOMPARE(run.status, 0);
        int processes = 0, kernels = 0;
        for (const auto& line : run.out.split('\n')) {
            const bool isKernels = line.contains(" 0xffff") || line.contains(" vmlinux`");
            QVERIFY2(!line.startsWith("A vmlinux`") && !line.startsWith("a deep`"), line);
            processes += line.startsWith("A deep`");
            kernels += line.startsWith("a vmlinux`");
            if (isKernels && line.startsWith("a ")) QVERIFY2(!line.contains("0xffffffff8"), line); // the kernel's own code has names
        }
        QVERIFY2(processes > 0 && kernels > 0, run.out + run.err);
    }
    void samplesInOneFunctionAreOneKey_data()
    {
        QTest::addColumn<QString>("key");
        for (const auto* key : {"sym(arg0)", "func(arg0)", "mod(arg0)"})
            QTest::newRow(key) << QString(key);
    }
    void samplesInOneFunctionAreOneKey()
    {
        QFETCH(const QString, key);
        const QTemporaryDir dir;
        const auto run = runDscope(
            {"-qn", "profile-4999 /arg0/ { @[" + key + "] = count(); }", "-c", DSCOPE_PROGRAMS "/storm root 200 " + dir.filePath("log")});
        QCOMPARE(run.status, 0);
        QHash<QByteArray, int> lines;
        for (const auto& line : run.out.split('\n'))
            if (const auto words = line.simplified().split(' '); words.size() == 2 && !words[0].startsWith("bpf`")) ++lines[words[0]];
        QVERIFY2(!lines.isEmpty(), run.out + run.err);
        QFile file("/proc/kallsyms");
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto symbols = file.readAll();
        for (auto line = lines.begin(); line != lines.end(); ++line) {
            const auto name = line.key().mid(line.key().indexOf('`') + 1);
            QVERIFY2(line.value() <= std::max(1, int(symbols.count(' ' + name + '\n'))), run.out);
        }
    }
    void samplesAreWithinFunctions()
    {
        const QTemporaryDir dir;
        const auto run = runDscope(
            {"-qn", "profile-4999 /arg0/ { printf(\"%a\\n\", arg0); }", "-c", DSCOPE_PROGRAMS "/storm root 200 " + dir.filePath("log")});
        QCOMPARE(run.status, 0);
        static const QRegularExpression kPlace("^[a-z0-9_]+`[^+\n]+\\+0x[0-9a-f]+$", QRegularExpression::MultilineOption);
        QVERIFY2(kPlace.match(QString::fromUtf8(run.out)).hasMatch(), run.out + run.err);
    }
};
QTEST_GUILESS_MAIN(TestProfile)
#include "tst_profile.moc"
