// needs: graph graph/models engine/host
// needs-programs: dscope
#include "graph/store.h"
#include "tests/support/run_dscope.h"
#include "window_fixture.h"
#include <QAction>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <algorithm>
#include <chrono>
#include <map>
#include <unistd.h>
using namespace dscope;
using namespace dscope::tests;
using gui::MainWindow;
namespace {
/// Writes without end, until its tracer ends.
const QString kWriter = QStringLiteral(DSCOPE_PROGRAMS "/known_writes 100 1000000000 4096 1000000000");
const QString kCount = QStringLiteral("syscall::write:entry /pid == $target/ { @writes[execname] = count(); }\n");
double counted(const MainWindow& window)
{
    auto& snapshot = const_cast<MainWindow&>(window).snapshot();
    if (!snapshot) return -1;
    for (const auto& view : snapshot->views)
        if (view.facts.isTable) return columnSum(view.visual->table(), "writes");
    return -1;
}
/// How often the writer that is a child of `pid`, or a child of one, has written; -1: there is none. It is the kernel's count.
qint64 written(const QByteArray& pid)
{
    QFile children("/proc/" + pid + "/task/" + pid + "/children"), io("/proc/" + pid + "/io");
    if (QFileInfo(QString::fromUtf8("/proc/" + pid + "/exe")).symLinkTarget().endsWith(QStringLiteral("/known_writes"))
        && io.open(QIODevice::ReadOnly))
        for (const auto& line : io.readAll().split('\n'))
            if (line.startsWith("syscw: ")) return line.mid(7).toLongLong();
    if (!children.open(QIODevice::ReadOnly)) return -1;
    for (const auto& child : children.readAll().simplified().split(' '))
        if (const auto times = child.isEmpty() ? -1 : written(child); times >= 0) return times;
    return -1;
}
QAction* actionOf(const MainWindow& window, const QString& text)
{
    for (auto* action : window.findChildren<QAction*>())
        if (action->text() == text) return action;
    return nullptr;
}
} // namespace

/// A run is held, begins again when its program is saved, and may keep its last seconds alone.
class TestRunControl : public QObject {
    Q_OBJECT
    Desk m_desk;
    static void prepare(MainWindow& window)
    {
        window.setHelper(QStringLiteral(DSCOPE_BIN "/dscope"));
        window.show();
    }
private Q_SLOTS:
    void init()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
    }

    void aPauseRecordsNothing()
    {
        MainWindow window;
        prepare(window);
        QSignalSpy finished(&window, &MainWindow::runFinished), shown(&window, &MainWindow::snapshotShown);
        window.editor().setProgram(kCount);
        window.command().setText(kWriter);
        window.run();
        QTRY_VERIFY_WITH_TIMEOUT(counted(window) > 0, kPatience);
        window.pause(MainWindow::Paused::Yes);

        // Once it holds, the sums stand still though rows go on coming, and the writer writes: on a busy machine it may stand still, too.
        double held = -1;
        qint64 times = 0;
        qsizetype seen = 0;
        const auto holds = [&] {
            if (std::exchange(held, counted(window)) != counted(window)) {
                times = written(QByteArray::number(::getpid()));
                seen = shown.count();
            }
            return times >= 0 && written(QByteArray::number(::getpid())) > times + 1000 && shown.count() > seen + 3;
        };
        QTRY_VERIFY_WITH_TIMEOUT(holds(), kPatience);
        const auto snapshots = shown.count();
        QTRY_VERIFY_WITH_TIMEOUT(shown.count() > snapshots + 3, kPatience);
        QCOMPARE(counted(window), held);
        picture(window, QStringLiteral("paused"));
        window.pause(MainWindow::Paused::No);
        QTRY_VERIFY_WITH_TIMEOUT(counted(window) > held, kPatience);
        QTRY_VERIFY2_WITH_TIMEOUT(window.message().contains(QStringLiteral("tracing paused for")), qPrintable(window.message()), kPatience);
        auto* pause = actionOf(window, QStringLiteral("Pause"));
        QVERIFY(pause && pause->isEnabled());
        window.stop();
        QVERIFY(!pause->isEnabled()); // nobody hears it any more
        QTRY_VERIFY_WITH_TIMEOUT(finished.count() > 0, kPatience);
    }

    /// Two seconds of a longer run: what is shown is no older at the end, and what is not shown was older. It holds however late the
    /// machine is: each firing says when it was, and sums, which go over the whole run, know all of them.
    void onlyTheLastSecondsAreShown()
    {
        MainWindow window;
        prepare(window);
        window.resize(1366, 768);
        QSignalSpy finished(&window, &MainWindow::runFinished), shown(&window, &MainWindow::snapshotShown);
        window.keepLast(2);
        window.editor().setProgram(QStringLiteral("tick-100ms { n++; printf(\"%d\\n\", n); @fired[n] = max(timestamp); }\n"
                                                  "tick-100ms /n == 60/ { exit(0); }\n"));
        window.run();
        QTRY_VERIFY_WITH_TIMEOUT(window.snapshot() != nullptr, kPatience);
        picture(window, QStringLiteral("keeping-the-last"));
        QTRY_VERIFY_WITH_TIMEOUT(finished.count() > 0, kPatience);
        constexpr qint64 kKept = 2'000'000'000, kTold = 100'000'000; // ns; what may lie between a firing and its timestamp
        const auto end = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
        QList<int> lines; // what printf() wrote; the sums are printed behind it
        for (const auto& line : window.results().output().text().split(QChar('\n'))) {
            bool isNumber = false;
            const int number = line.section(QStringLiteral(":tick-100ms"), 1).toInt(&isNumber);
            if (isNumber) lines << number;
        }
        std::map<int, qint64> fired;
        for (const auto& view : window.snapshot()->views)
            if (view.facts.isTable)
                for (const auto& row : view.visual->table().rows)
                    fired[std::atoi(row[0].c_str())] = std::atoll(row[1].c_str());
        QCOMPARE(fired.size(), std::size_t{60});
        QVERIFY(fired.begin()->first == 1 && fired.rbegin()->first == 60);
        for (const auto& [tick, when] : fired)
            if (lines.contains(tick))
                QVERIFY2(when >= fired[60] - kKept, qPrintable(QString::number(tick)));
            else
                QVERIFY2(when <= end - kKept + kTold, qPrintable(QString::number(tick)));
        picture(window, QStringLiteral("kept-the-last"));
    }

    /// Instructions of a function are there before the run ends, and stay while it goes on.
    void codeIsReadWhileItRuns()
    {
        MainWindow window;
        prepare(window);
        window.resize(1366, 900);
        QSignalSpy finished(&window, &MainWindow::runFinished), shown(&window, &MainWindow::snapshotShown);
        window.editor().setProgram(QStringLiteral("syscall::write:entry /pid == $target/ { @[ustack()] = count(); }\n"));
        window.command().setText(kWriter);
        window.run();
        const auto function = [&] {
            for (const auto& view : window.snapshot() ? window.snapshot()->views : std::vector<gui::Snapshot::View>())
                if (view.facts.name == "disassembly") return view.visual->empty() ? std::string() : view.visual->table().rows.front()[0];
            return std::string();
        };
        QTRY_VERIFY_WITH_TIMEOUT(!function().empty(), kPatience);
        window.views().show("disassembly", QString::fromStdString(function()));
        auto* panel = &window.views().panel(0);
        for (std::size_t place = 0; place < window.views().count(); ++place)
            if (window.views().panel(place).shown()->name() == "disassembly") panel = &window.views().panel(place);
        auto& figure = panel->figure();
        const auto instructions = [&] {
            return std::count_if(figure.figure().items.begin(), figure.figure().items.end(), [](const graph::Item& item) {
                const auto* text = std::get_if<graph::Text>(&item.shape);
                return text && (text->text.starts_with("mov") || text->text.starts_with("syscall") || text->text.starts_with("call"));
            });
        };
        QTRY_VERIFY_WITH_TIMEOUT(figure.visual() && figure.visual()->name() == "disassembly" && instructions() >= 2, kPatience);
        const auto snapshots = shown.count();
        QTRY_VERIFY_WITH_TIMEOUT(shown.count() > snapshots + 5, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(instructions() >= 2, kPatience);
        QVERIFY(window.isRunning());
        picture(window, QStringLiteral("live-code"));
        window.stop();
        QTRY_VERIFY_WITH_TIMEOUT(finished.count() > 0, kPatience);
    }

    void savingRunsAgain()
    {
        MainWindow window;
        prepare(window);
        QSignalSpy finished(&window, &MainWindow::runFinished);
        const auto path = m_desk.text(QStringLiteral("once.d"), "BEGIN { printf(\"first\\n\"); exit(0); }\n");
        window.open(path);
        QAction *save = nullptr, *again = nullptr;
        for (auto* action : window.findChildren<QAction*>()) {
            if (action->text() == QStringLiteral("&Save program")) save = action;
            if (action->text() == QStringLiteral("Run again on &save")) again = action;
        }
        QVERIFY(save && again && again->isCheckable() && !again->isChecked());
        save->trigger();
        QVERIFY(!window.isRunning());
        again->trigger();
        save->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(finished.count() == 1, kPatience);
        QTRY_VERIFY(window.results().output().text().contains(QStringLiteral("first")));

        // While it runs: the run that is under way ends first.
        window.editor().replaceProgram(QStringLiteral("tick-1s { } END { printf(\"ended\\n\"); }\n"));
        save->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(window.snapshot() && window.snapshot()->probes > 0, kPatience);
        window.editor().replaceProgram(QStringLiteral("BEGIN { printf(\"third\\n\"); exit(0); }\n"));
        save->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(finished.count() == 3, kPatience);
        QTRY_VERIFY(window.results().output().text().contains(QStringLiteral("third")));
        QCOMPARE(window.runs().count(), 3);
        // It is kept for the next window.
        MainWindow next;
        for (auto* action : next.findChildren<QAction*>())
            if (action->text() == again->text()) QVERIFY(action->isChecked());
    }
};
DSCOPE_WINDOW_TEST(TestRunControl)
#include "tst_run_control.moc"
