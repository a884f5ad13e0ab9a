// needs: graph graph/models
// needs-programs: dscope
// What the window looks like in each of its states: nothing that is written in it is cut, and nothing lies out of sight. With
// DSCOPE_PICTURES=folder each state is a picture there, in both languages and grounds, small and large (QT_SCALE_FACTOR=2: finer).
#include "engine/base/fd.h"
#include "gui/dock.h"
#include "gui/doctor_dialog.h"
#include "gui/recipes.h"
#include "gui/run_history.h"
#include "gui/start_page.h"
#include "gui/translation.h"
#include "window_fixture.h"
#include <QAbstractButton>
#include <QCheckBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QToolButton>
#include <functional>
#include <sys/stat.h>
using namespace dscope;
using namespace dscope::tests;
using gui::MainWindow;
namespace {
const QString kRecordings = QStringLiteral(DSCOPE_SOURCE "/examples/recordings/");
const QString kStacks = QStringLiteral("hot-stacks.dscope"), kProcesses = QStringLiteral("process-tree.dscope");

void openAndWait(MainWindow& window, const QString& file)
{
    QSignalSpy finished(&window, &MainWindow::runFinished);
    window.open(file);
    QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, kPatience);
    for (std::size_t place = 0; place < window.views().count(); ++place) {
        QTRY_VERIFY_WITH_TIMEOUT(window.views().panel(place).figure().isSettled(), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(!window.views().panel(place).figure().drawing()->marks().empty(), kPatience);
    }
}
gui::Dock* dock(const MainWindow& window, const QString& name) { return window.findChild<gui::Dock*>(name); }

struct State {
    const char* name;
    /// Brings a window there, and gives what is to be looked at where that is not the window.
    std::function<QWidget*(MainWindow&)> enter;
};
QWidget* dialogOf(MainWindow& window, Qt::Key key, Qt::KeyboardModifiers modifiers)
{
    QTest::keyClick(&window, key, modifiers);
    QWidget* found = nullptr;
    for (auto* one : window.findChildren<QDialog*>())
        if (one->isVisible()) found = one;
    return found;
}
QWidget* opened(MainWindow& window, const QString& recording)
{
    openAndWait(window, kRecordings + recording);
    return nullptr;
}
QWidget* detailsOf(MainWindow& window, const QString& recording)
{
    openAndWait(window, kRecordings + recording);
    dock(window, QStringLiteral("details"))->toggleViewAction()->trigger();
    auto& figure = window.views().panel(0).figure();
    QTest::qWait(0);
    [&] { QTRY_VERIFY_WITH_TIMEOUT(figure.isSettled(), kPatience); }();
    figure.setFocus();
    for (int i = 0; i < 4; ++i)
        QTest::keyClick(&figure, figure.visual()->facts().zoomsAlong ? Qt::Key_Up : Qt::Key_Down);
    return nullptr;
}
/// A run that goes on and has counted nothing: its other end stays open as long as the window.
QWidget* nothingYet(MainWindow& window)
{
    auto program = test::program("syscall::reboot:entry { @[execname] = count(); }", {"syscall::reboot:entry"});
    program.aggregations = {test::aggregation("", record::Aggregator::Count, "", {test::textKey("execname")})};
    const Desk desk;
    const auto pipe = desk.path(QStringLiteral("reboots.dscope"));
    [&] { QCOMPARE(::mkfifo(QFile::encodeName(pipe).constData(), 0600), 0); }();
    if (QTest::currentTestFailed()) return nullptr;
    const auto end = std::make_shared<Fd>(::open(QFile::encodeName(pipe).constData(), O_RDWR | O_CLOEXEC));
    QObject::connect(&window, &QObject::destroyed, [end] {});
    test::Stream stream;
    test::begin(stream, program);
    record::Writer writer(end->get());
    for (const auto& r : stream)
        writer.take(r);
    writer.flush();
    window.open(pipe);
    [&] { QTRY_VERIFY_WITH_TIMEOUT(window.snapshot() && window.isRunning(), kPatience); }();
    return nullptr;
}
/// Samples of perf, one second of them, of one thread.
QWidget* samples(MainWindow& window)
{
    const Desk desk;
    openAndWait(window, desk.text(QStringLiteral("perf.txt"), samplesOfPerf()));
    const auto started = window.snapshot()->started;
    gui::Selection selection;
    selection.time = {started + test::kSecond / 2, started + 3 * test::kSecond / 2};
    selection.keys = {{"execname", "packer"}};
    QSignalSpy shown(&window, &MainWindow::snapshotShown);
    window.select(selection);
    [&] { QTRY_VERIFY_WITH_TIMEOUT(shown.count() > 0, kPatience); }();
    return nullptr;
}
QWidget* compared(MainWindow& window)
{
    openAndWait(window, kRecordings + kStacks); // a second recording would have a window of its own: this one is compared with itself
    QSignalSpy finished(&window, &MainWindow::runFinished);
    Q_EMIT window.runs().compareAsked(0, 0);
    [&] { QTRY_VERIFY_WITH_TIMEOUT(finished.count() == 1, kPatience); }();
    return nullptr;
}
QWidget* doctorOf(MainWindow& window)
{
    Q_EMIT window.findChild<gui::StartPage*>()->doctorAsked();
    auto* dialog = window.findChild<gui::DoctorDialog*>();
    QSignalSpy looked(dialog, &gui::DoctorDialog::finishedLooking);
    [&] { QTRY_VERIFY_WITH_TIMEOUT(looked.count() == 1, 4 * kPatience); }();
    return dialog;
}

const std::vector<State>& states()
{
    static const std::vector<State> all{
        {"start", [](MainWindow&) -> QWidget* { return nullptr; }},
        {"recipe",
            [](MainWindow& window) -> QWidget* {
                for (const auto& recipe : gui::recipes())
                    if (QByteArray(recipe.program).contains("inline"))
                        Q_EMIT window.sidebar().recipeChosen(QString::fromUtf8(recipe.program));
                return nullptr;
            }},
        {"mistake",
            [](MainWindow& window) -> QWidget* {
                window.editor().setProgram(QStringLiteral("syscall::write:entry\n{\n\t@[execname = count();\n}\n"));
                [&] { QTRY_VERIFY(!window.editor().mistake().isEmpty()); }();
                return nullptr;
            }},
        {"stacks", [](MainWindow& window) { return opened(window, kStacks); }},
        {"stacks-details", [](MainWindow& window) { return detailsOf(window, kStacks); }},
        {"processes", [](MainWindow& window) { return opened(window, kProcesses); }},
        {"processes-details", [](MainWindow& window) { return detailsOf(window, kProcesses); }},
        {"distribution", [](MainWindow& window) { return opened(window, QStringLiteral("write-sizes.dscope")); }},
        {"amounts", [](MainWindow& window) { return opened(window, QStringLiteral("who-opens-what.dscope")); }},
        {"rates", [](MainWindow& window) { return opened(window, QStringLiteral("write-rates.dscope")); }},
        {"search",
            [](MainWindow& window) {
                auto* shown = opened(window, kStacks);
                window.searchLine().setText(QStringLiteral("a"));
                return shown;
            }},
        {"one-view",
            [](MainWindow& window) {
                auto* shown = opened(window, kStacks);
                QTest::keyClick(&window, Qt::Key_2, Qt::ControlModifier);
                return shown;
            }},
        {"behind-one-another",
            [](MainWindow& window) {
                auto* shown = opened(window, kStacks);
                window.tabifyDockWidget(dock(window, QStringLiteral("program")), dock(window, QStringLiteral("results")));
                window.tabifyDockWidget(dock(window, QStringLiteral("questions")), dock(window, QStringLiteral("history")));
                return shown;
            }},
        {"nothing-yet", nothingYet},
        {"sandwich",
            [](MainWindow& window) {
                auto* shown = opened(window, kStacks);
                window.views().show("sandwich", {});
                [&] { QTRY_VERIFY_WITH_TIMEOUT(window.views().panel(0).figure().isSettled(), kPatience); }();
                return shown;
            }},
        {"samples", samples},
        {"compared", compared},
        {"doctor", doctorOf},
        {"refused",
            [](MainWindow& window) -> QWidget* {
                window.open(QStringLiteral("/bin/true"));
                return nullptr;
            }},
        {"preferences", [](MainWindow& window) { return dialogOf(window, Qt::Key_Comma, Qt::ControlModifier); }},
        {"commands", [](MainWindow& window) { return dialogOf(window, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier); }},
        {"keys", [](MainWindow& window) { return dialogOf(window, Qt::Key_F1, Qt::ShiftModifier); }},
        {"process", [](MainWindow& window) { return dialogOf(window, Qt::Key_P, Qt::ControlModifier); }},
        {"tour",
            [](MainWindow& window) -> QWidget* {
                window.takeTour();
                return nullptr;
            }},
    };
    return all;
}

/// What of a widget's text is not seen; empty: all is.
QString whatIsCut(const QWidget& within, const QWidget& widget)
{
    QString text;
    const auto* button = qobject_cast<const QAbstractButton*>(&widget);
    const auto* label = qobject_cast<const QLabel*>(&widget);
    if (button) text = button->text();
    if (label) text = label->text();
    if (text.isEmpty() || !widget.isVisible()) return {};
    for (const auto* around = &widget; around; around = around->parentWidget())
        if (qobject_cast<const gui::Dock*>(around) && around->visibleRegion().isEmpty()) return {}; // behind another
    const QRect place(widget.mapTo(&within, QPoint()), widget.size());
    // In a page that scrolls only the width has to be in sight.
    const bool isOut = place.left() < 0 || place.right() > within.width();
    const bool wraps = label ? label->wordWrap() : widget.hasHeightForWidth();
    const bool isNarrow = !wraps && widget.width() < widget.sizeHint().width() && widget.sizePolicy().horizontalPolicy() != QSizePolicy::Ignored;
    const bool isLow = wraps && widget.heightForWidth(widget.width()) > widget.height();
    if (isOut || isNarrow || isLow)
        return QStringLiteral("\"%1\" %2 (%3x%4 of %5x%6)")
            .arg(text, isOut ? QStringLiteral("is out of sight") : QStringLiteral("is cut"))
            .arg(widget.width())
            .arg(widget.height())
            .arg(widget.sizeHint().width())
            .arg(wraps ? widget.heightForWidth(widget.width()) : widget.sizeHint().height());
    return {};
}
} // namespace

class TestWindowStates : public QObject {
    Q_OBJECT
    Desk m_desk;
private Q_SLOTS:
    void cleanup() { QLocale::setDefault(QLocale::c()); }

    void nothingIsCut_data()
    {
        QTest::addColumn<int>("state");
        QTest::addColumn<bool>("isGerman");
        QTest::addColumn<bool>("isDark");
        QTest::addColumn<QSize>("size");
        const bool isForPeople = !qEnvironmentVariableIsEmpty("DSCOPE_PICTURES");
        const QSize small(1366, 728), large(1920, 1040); // the desktop's panel takes some of the screen
        for (const bool isGerman : {false, true})
            for (const bool isDark : {false, true})
                for (const auto& size : {small, large}) {
                    // Words are longest in German, and their room least on a small screen.
                    if (!isForPeople && !(size == small && isGerman == isDark)) continue;
                    for (std::size_t i = 0; i < states().size(); ++i)
                        QTest::addRow("%s-%s-%s-%d", states()[i].name, isGerman ? "de" : "en", isDark ? "dark" : "light", size.width())
                            << static_cast<int>(i) << isGerman << isDark << size;
                }
    }
    void nothingIsCut()
    {
        QFETCH(const int, state);
        QFETCH(const bool, isGerman);
        QFETCH(const bool, isDark);
        QFETCH(const QSize, size);
        QSettings().clear();
        QLocale::setDefault(isGerman ? QLocale(QLocale::German, QLocale::Germany) : QLocale(QLocale::English, QLocale::UnitedStates));
        const auto words = gui::Translation::of(QLocale());
        QCOMPARE(words != nullptr, isGerman);
        if (words) QCoreApplication::installTranslator(words.get());
        gui::Preferences preferences;
        preferences.ground = isDark ? gui::Preferences::Ground::Dark : gui::Preferences::Ground::Light;
        preferences.keep();

        MainWindow window;
        window.setHelper(QStringLiteral(DSCOPE_BIN "/dscope"));
        window.resize(size);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QWidget* shown = states()[static_cast<std::size_t>(state)].enter(window);
        if (QTest::currentTestFailed()) return;
        if (!shown) shown = &window;
        for (std::size_t place = 0; place < window.views().count(); ++place)
            QTRY_VERIFY_WITH_TIMEOUT(window.views().panel(place).figure().isSettled(), kPatience);
        QCoreApplication::sendPostedEvents();
        picture(*shown, QString::fromUtf8(QTest::currentDataTag()));

        QVERIFY(shown->width() <= size.width() && shown->height() <= size.height());
        const auto cut = [&] {
            QStringList all;
            for (const auto* widget : shown->findChildren<QWidget*>())
                if (const auto what = whatIsCut(*shown, *widget); !what.isEmpty()) all << what;
            return all.join(QChar('\n'));
        };
        QTRY_COMPARE(cut(), QString()); // what is counted on a thread may come late
        window.close();
    }
};
DSCOPE_WINDOW_TEST(TestWindowStates)
#include "tst_window_states.moc"
