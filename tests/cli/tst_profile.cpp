// needs-programs: dscope
// sanitized: a clock on each CPU
// Timers, held against the clock that the program itself reads.
#include "tests/support/busy_cpus.h"
#include "tests/support/run_dscope.h"
#include <QFile>
#include <QHash>
#include <QObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <optional>
#include <thread>
using namespace dscope::tests;

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
        const auto row = [](const char* probe, qint64 interval) { QTest::newRow(probe) << probe << interval << !QByteArray(probe).startsWith("tick"); };
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
    /// Never more often; less often only where a virtual machine was not let run, which this one may be.
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
        for (qsizetype i = 1; i < lines.size(); ++i) {
            const auto fired = lines[i].split(' ').value(1).toLongLong();
            QVERIFY2(fired <= due + due / 100 + 2 && fired >= due / 4, "fired " + QByteArray::number(fired) + ", due " + QByteArray::number(due));
        }
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
        const auto run = runDscope({"-qn", "profile-4999 /arg0/ { @[" + key + "] = count(); }", "-c",
            DSCOPE_PROGRAMS "/storm root 200 " + dir.filePath("log")});
        QCOMPARE(run.status, 0);
        QHash<QByteArray, int> lines;
        for (const auto& line : run.out.split('\n'))
            if (const auto words = line.simplified().split(' '); words.size() == 2) ++lines[words[0]];
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
        const auto run = runDscope({"-qn", "profile-4999 /arg0/ { printf(\"%a\\n\", arg0); }", "-c",
            DSCOPE_PROGRAMS "/storm root 200 " + dir.filePath("log")});
        QCOMPARE(run.status, 0);
        static const QRegularExpression kPlace("^[a-z0-9_]+`[^+\n]+\\+0x[0-9a-f]+$", QRegularExpression::MultilineOption);
        QVERIFY2(kPlace.match(QString::fromUtf8(run.out)).hasMatch(), run.out + run.err);
    }
};
QTEST_GUILESS_MAIN(TestProfile)
#include "tst_profile.moc"
