// needs: graph graph/models engine/host
// needs-programs: dscope dscope-gui
#include "engine/host/host.h"
#include "graph/store.h"
#include "gui/process_picker.h"
#include "tests/support/run_dscope.h"
#include "window_fixture.h"
#include <QDir>
#include <QAction>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QMenu>
#include <QProcess>
#include <QTreeWidget>
#include <algorithm>
#include <csignal>
using namespace dscope;
using namespace dscope::tests;
using gui::MainWindow;
namespace {
const QString kDscope = QStringLiteral(DSCOPE_BIN "/dscope");
/// Writes without end, until its tracer ends.
const QString kWriter = QStringLiteral(DSCOPE_PROGRAMS "/known_writes 100 1000000000 4096 1000000000");
const QString kSizes = QStringLiteral("syscall::write:entry\n/pid == $target/\n{\n\t@bytes[execname] = quantize(arg2);\n}\n");
double counted(const gui::Snapshot& snapshot)
{
    for (const auto& view : snapshot.views)
        if (view.facts.name == "histogram") return columnSum(view.visual->table(), "count");
    return -1;
}
bool isAlive(qint64 pid) { return ::kill(static_cast<pid_t>(pid), 0) == 0; }
} // namespace

class TestLive : public QObject {
    Q_OBJECT
    Desk m_desk;
    /// A window that traces with `helper`.
    struct Window : MainWindow {
        explicit Window(const QString& helper = kDscope) : finished(this, &MainWindow::runFinished), shown(this, &MainWindow::snapshotShown)
        {
            setHelper(helper);
            show();
        }
        void start(const QString& program, const QString& cmd = {}, const QString& recordTo = {})
        {
            editor().setProgram(program);
            command().setText(cmd);
            run(recordTo);
        }
        QSignalSpy finished, shown;
    };
private Q_SLOTS:
    void init()
    {
        const QByteArray test = QTest::currentTestFunction();
        if (test.startsWith("theWindow") || test == "aProgramWithoutTextIsNotRun") return;
        // Without root the helper goes through pkexec or sudo, which ask a person.
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
    }
    void theWindowLinksNoLibbpf()
    {
        QProcess readelf;
        readelf.start(QStringLiteral("readelf"), {QStringLiteral("-d"), QStringLiteral(DSCOPE_BIN "/dscope-gui")});
        if (!readelf.waitForFinished()) QSKIP("readelf (binutils) is not installed");
        const auto all = readelf.readAllStandardOutput();
        QVERIFY(all.contains("libQt6Widgets"));
        QVERIFY2(!all.contains("bpf"), all.constData());
    }
    void theWindowsWordsNeedNoDisplay_data()
    {
        QTest::addColumn<QString>("word");
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("out");
        QTest::addColumn<QByteArray>("err");
        QTest::newRow("--help") << "--help" << 0 << QByteArray("process trees, histograms and flame graphs") << QByteArray();
        QTest::newRow("-h") << "-h" << 0 << QByteArray("--version") << QByteArray();
        QTest::newRow("--version") << "--version" << 0 << QByteArray("dscope " DSCOPE_VERSION "\n") << QByteArray();
        QTest::newRow("a file") << "x.dscope" << 1 << QByteArray() << QByteArray("dscope-gui: there is no display: start it in a desktop session, or draw with dscope --export\n");
    }
    void theWindowsWordsNeedNoDisplay()
    {
        QFETCH(QString, word);
        QFETCH(QByteArray, out);
        const auto run = runDscope({"-u", "DISPLAY", "-u", "WAYLAND_DISPLAY", "-u", "QT_QPA_PLATFORM", DSCOPE_BIN "/dscope-gui", word}, {}, "env");
        QVERIFY2(run.out.contains(out), run.out.constData());
        QTEST(run.err, "err");
        QTEST(run.status, "status");
    }
    void aProgramWithoutTextIsNotRun()
    {
        Window window;
        window.start(QStringLiteral("  \n"));
        QVERIFY(!window.isRunning());
        QVERIFY(window.message().contains(QStringLiteral("no program")));
    }
    void aHistogramGrowsWhileItIsTracedAndStopEndsIt()
    {
        Window window;
        window.start(kSizes, kWriter);
        QVERIFY(window.isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(window.snapshot() && counted(*window.snapshot()) > 0, kPatience);
        double before = counted(*window.snapshot());
        for (int i = 0; i < 3; ++i) {
            QTRY_VERIFY_WITH_TIMEOUT(counted(*window.snapshot()) > before, kPatience);
            before = counted(*window.snapshot());
        }
        QVERIFY(window.finished.isEmpty());
        QTRY_VERIFY_WITH_TIMEOUT(!window.views().panel(0).figure().figure().items.empty(), kPatience);
        QCOMPARE(window.views().panel(0).shown()->name(), std::string_view("histogram"));
        picture(window, QStringLiteral("live"));
        window.stop();
        QTRY_COMPARE_WITH_TIMEOUT(window.finished.count(), 1, kPatience);
        QVERIFY(!window.isRunning());
        QVERIFY(counted(*window.snapshot()) >= before);
        QTRY_VERIFY(window.results().output().text().contains(QStringLiteral("@@@"))); // END printed the aggregation
        QVERIFY2(window.message().contains(QStringLiteral("1 probe matched")), qPrintable(window.message()));
    }
    void snapshotsComeTenTimesASecond()
    {
        Window window;
        window.start(kSizes, kWriter);
        QTRY_VERIFY_WITH_TIMEOUT(window.shown.count() > 2, kPatience);
        QElapsedTimer since;
        since.start();
        const auto before = window.shown.count();
        QTRY_VERIFY_WITH_TIMEOUT(window.shown.count() >= before + 20, kPatience);
        qInfo("20 snapshots in %lld ms", static_cast<long long>(since.elapsed()));
        QVERIFY(since.elapsed() < 25'000); // 2 s when the machine is ours
        window.stop();
        QTRY_COMPARE_WITH_TIMEOUT(window.finished.count(), 1, kPatience);
    }
    void aCommandThatEndsEndsTheRun()
    {
        Window window;
        window.start(kSizes, QStringLiteral(DSCOPE_PROGRAMS "/known_writes 100 3 4096 10"));
        QTRY_COMPARE_WITH_TIMEOUT(window.finished.count(), 1, kPatience);
        QCOMPARE(counted(*window.snapshot()), 13.0);
    }
    void whatTheCommandPrintsIsOutputAndDisturbsNothing()
    {
        Window window;
        window.start(QStringLiteral("#pragma D option quiet\nproc:::exit\n/pid == $target/\n{\n\t@ended[execname] = count();\n}\n"),
            QStringLiteral("seq 1 2000"));
        QTRY_COMPARE_WITH_TIMEOUT(window.finished.count(), 1, kPatience);
        QVERIFY2(window.snapshot() && window.snapshot()->trouble.isEmpty(), qPrintable(window.message()));
        QTRY_VERIFY2_WITH_TIMEOUT(
            window.results().output().text().contains(QStringLiteral("2000")), qPrintable(window.message()), kPatience);
        QVERIFY2(!window.message().contains(QStringLiteral("2000")), qPrintable(window.message()));
    }
    void anErrorOfTheCompilerIsToldAndUnderlined()
    {
        Window window;
        window.start(QStringLiteral("BEGIN\n{\n\ttrace(nosuchvariable);\n}\n"));
        QTRY_COMPARE_WITH_TIMEOUT(window.editor().markedLine(), 3, kPatience);
        QVERIFY2(window.message().contains(QStringLiteral("nosuchvariable")), qPrintable(window.message()));
        QVERIFY2(!window.message().contains(QStringLiteral("/tmp/")), qPrintable(window.message()));
        QTRY_VERIFY_WITH_TIMEOUT(!window.isRunning(), kPatience);
        QVERIFY(window.message().contains(QStringLiteral("line 3"))); // still, when all has ended
        window.start(QStringLiteral("BEGIN\n{\n\texit(0);\n}\n"));
        QCOMPARE(window.editor().markedLine(), 0);
        QTRY_COMPARE_WITH_TIMEOUT(window.finished.count(), 2, kPatience);
        QVERIFY2(window.message().contains(QStringLiteral("1 probe matched")), qPrintable(window.message()));
    }
    void runsAgainAndAgain()
    {
        Window window;
        for (int i = 1; i <= 3; ++i) {
            window.start(QStringLiteral("BEGIN\n{\n\tprintf(\"run %1\");\n\texit(0);\n}\n").arg(i));
            QTRY_COMPARE_WITH_TIMEOUT(window.finished.count(), i, kPatience);
            QTRY_VERIFY(window.results().output().text().contains(QStringLiteral("run %1").arg(i)));
        }
        QVERIFY(!window.results().output().text().contains(QStringLiteral("run 1")));
    }
    void stopRightAfterRun()
    {
        Window window;
        window.start(QStringLiteral("tick-1s { printf(\"tick\"); }"));
        window.stop();
        QTRY_COMPARE_WITH_TIMEOUT(window.finished.count(), 1, kPatience);
        QVERIFY(!window.isRunning());
    }
    void runsAreRecordedAndOpenAgain()
    {
        const auto file = m_desk.path(QStringLiteral("kept.dscope"));
        {
            Window window;
            window.start(kSizes, QStringLiteral(DSCOPE_PROGRAMS "/known_writes 100 3 4096 10"), file);
            QTRY_COMPARE_WITH_TIMEOUT(window.finished.count(), 1, kPatience);
        }
        Window again;
        again.open(file);
        QTRY_COMPARE_WITH_TIMEOUT(again.finished.count(), 1, kPatience);
        QCOMPARE(counted(*again.snapshot()), 13.0);
        QVERIFY(!again.snapshot()->cut);
        QCOMPARE(again.editor().toPlainText().trimmed(), kSizes.trimmed());
    }
    void aRecordingWithoutRoomIsToldWhileTheRunGoesOn()
    {
        Window window;
        window.start(kSizes, kWriter, QStringLiteral("/dev/full"));
        QTRY_COMPARE_WITH_TIMEOUT(window.message(), QStringLiteral("cannot write /dev/full: No space left on device"), kPatience);
        QVERIFY(window.isRunning());
        window.stop();
        QTRY_COMPARE_WITH_TIMEOUT(window.finished.count(), 1, kPatience);
    }
    /// Nothing that stays when the window is killed.
    void theProgramIsInNoFileOfADisk()
    {
        const auto programs = [] { return QDir(QDir::tempPath()).entryList({QStringLiteral("dscope-*")}, QDir::AllEntries | QDir::System); };
        const auto before = programs();
        Window window;
        window.start(kSizes, kWriter);
        QTRY_VERIFY_WITH_TIMEOUT(window.snapshot() && counted(*window.snapshot()) > 0, kPatience);
        auto after = programs();
        after.removeIf([&](const QString& name) { return before.contains(name) || !name.endsWith(QStringLiteral(".d")); });
        QCOMPARE(after, QStringList());
        window.stop();
        QTRY_COMPARE_WITH_TIMEOUT(window.finished.count(), 1, kPatience);
    }
    void closingTheWindowEndsTheHelper()
    {
        const auto pidFile = m_desk.path(QStringLiteral("pid"));
        const auto helper = m_desk.text(
            QStringLiteral("helper"), "#!/bin/sh\necho $$ > '" + pidFile.toUtf8() + "'\nexec " + kDscope.toUtf8() + " \"$@\"\n", true);
        {
            Window window(helper);
            window.start(kSizes, kWriter);
            QTRY_VERIFY_WITH_TIMEOUT(window.snapshot() && counted(*window.snapshot()) > 0, kPatience);
            QVERIFY(isAlive(contents(pidFile).toLongLong()));
            window.close();
        }
        QVERIFY(!isAlive(contents(pidFile).toLongLong()));
    }
    void aHelperThatRefusesIsHeard()
    {
        Window window(m_desk.text(QStringLiteral("refuses"), "#!/bin/sh\necho 'dtrace: this kernel has no BTF' >&2\nexit 1\n", true));
        window.start(kSizes);
        QTRY_VERIFY2_WITH_TIMEOUT(window.message().contains(QStringLiteral("no BTF")), qPrintable(window.message()), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(!window.isRunning(), kPatience);
        QVERIFY(window.message().contains(QStringLiteral("no BTF")));
    }
    void aHelperThatIsKilledIsTold()
    {
        const auto pidFile = m_desk.path(QStringLiteral("pid2"));
        Window window(m_desk.text(
            QStringLiteral("helper2"), "#!/bin/sh\necho $$ > '" + pidFile.toUtf8() + "'\nexec " + kDscope.toUtf8() + " \"$@\"\n", true));
        window.start(QStringLiteral("tick-10ms { @ticks = count(); }"));
        QTRY_VERIFY_WITH_TIMEOUT(window.snapshot() && window.snapshot()->records > 3, kPatience);
        ::kill(static_cast<pid_t>(contents(pidFile).toLongLong()), SIGKILL);
        QTRY_VERIFY_WITH_TIMEOUT(!window.isRunning(), kPatience);
        QTRY_VERIFY2_WITH_TIMEOUT(window.message().contains(QStringLiteral("unexpectedly")), qPrintable(window.message()), kPatience);
        QVERIFY(window.views().count() > 0); // what had arrived stays
    }
    void aHelperThatIsNotThereIsTold()
    {
        Window window(QStringLiteral("/nowhere/dscope"));
        window.start(kSizes);
        QVERIFY(!window.isRunning());
        QVERIFY2(window.message().contains(QStringLiteral("/nowhere/dscope")), qPrintable(window.message()));
    }
    void aRunningProcessIsTraced()
    {
        // A private copy, whose name nobody else has.
        const auto copy = m_desk.path(QStringLiteral("picked"));
        QVERIFY(QFile::copy(QStringLiteral(DSCOPE_PROGRAMS "/known_writes"), copy));
        QProcess writer; // killed when it goes out of scope
        writer.setStandardOutputFile(QProcess::nullDevice());
        writer.start(copy, {"100", "1000000000", "4096", "1000000000"});
        QVERIFY(writer.waitForStarted());
        const auto all = gui::runningProcesses(*host::local());
        QVERIFY(std::any_of(all.begin(), all.end(), [&](const auto& p) { return p.pid == writer.processId() && p.name == "picked"; }));

        gui::ProcessPicker picker(all);
        picker.show();
        picker.filter().setText(QStringLiteral("picked"));
        QSignalSpy chosen(&picker, &gui::ProcessPicker::chosen);
        Q_EMIT picker.list().itemActivated(picker.list().currentItem(), 0);
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(qint64(chosen.front().front().toInt()), writer.processId());

        Window window;
        window.start(kSizes, gui::targetText(chosen.front().front().toInt()));
        QTRY_VERIFY_WITH_TIMEOUT(window.snapshot() && counted(*window.snapshot()) > 1000, kPatience);
        window.stop();
        QTRY_VERIFY_WITH_TIMEOUT(window.finished.count() > 0, kPatience);
        QCOMPARE(window.snapshot()->views.front().visual->table().rows.front().front(), std::string("picked"));
        QVERIFY(writer.state() == QProcess::Running); // it is not ours to end
        writer.kill();
        writer.waitForFinished();
    }
    void aRunIsStoppedAfterItsLimit()
    {
        Window window;
        for (const auto* menu : window.findChildren<QMenu*>())
            if (menu->title() == QStringLiteral("Stop &after"))
                for (auto* action : menu->actions())
                    if (action->text() == QStringLiteral("5 s")) action->trigger();
        QElapsedTimer since;
        since.start();
        window.start(kSizes, kWriter);
        QTRY_VERIFY_WITH_TIMEOUT(window.finished.count() > 0, kPatience);
        QVERIFY(since.elapsed() >= 5000);
        QVERIFY(counted(*window.snapshot()) > 0);
    }
    void theProbesOfThisMachineAreListed()
    {
        Window window;
        QSignalSpy listed(&window.sidebar(), &gui::Sidebar::probesListed);
        window.sidebar().listProbes();
        QTRY_COMPARE_WITH_TIMEOUT(listed.count(), 1, kPatience);
        QStringList providers;
        for (int i = 0; i < window.sidebar().probes().topLevelItemCount(); ++i)
            providers << window.sidebar().probes().topLevelItem(i)->text(0);
        QVERIFY2(providers.contains(QStringLiteral("syscall")), qPrintable(providers.join(QChar(' '))));
    }
};
DSCOPE_WINDOW_TEST(TestLive)
#include "tst_live.moc"
