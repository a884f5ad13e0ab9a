// needs-programs: dscope
#include "gui/recipes.h"
#include "gui/session.h"
#include "tests/support/run_dscope.h"
#include "tests/support/streams.h"
#include "window_fixture.h"
#include <QComboBox>
#include <QCursor>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QScrollBar>
#include <QSet>
#include <QTimer>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <unistd.h>
using namespace dscope;
using namespace dscope::tests;
namespace {
QToolButton* button(const QWidget& in, const QString& text)
{
    for (auto* one : in.findChildren<QToolButton*>())
        if (one->text() == text && one->isVisible()) return one;
    return nullptr;
}
QStringList textsIn(const QWidget& in)
{
    QStringList all;
    for (const auto* label : in.findChildren<QLabel*>())
        all << label->text();
    return all;
}
const gui::Recipe& recipe(const char* question)
{
    for (const auto& one : gui::recipes())
        if (qstrcmp(one.question, question) == 0) return one;
    qFatal("no recipe %s", question);
}
} // namespace

/// What stands where pictures come, and the tour over the window.
class TestStartPage : public QObject {
    Q_OBJECT
    Desk m_desk;
private Q_SLOTS:
    void init() { QSettings().clear(); }

    void everyQuestionIsThereAndWritesItsProgram()
    {
        gui::MainWindow window;
        window.resize(1366, 728);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QVERIFY(window.isAtStart() && window.startPage().isVisible());
        for (const auto& one : gui::recipes())
            QVERIFY2(button(window.startPage(), QString::fromUtf8(one.question)), one.question);
        picture(window, QStringLiteral("start"));
        const auto& asked = recipe("How large are the writes?");
        QTest::keyClicks(&window.startPage().command(), QStringLiteral("make all"));
        QTest::mouseClick(button(window.startPage(), QString::fromUtf8(asked.question)), Qt::LeftButton);
        QCOMPARE(window.editor().toPlainText(), QString::fromUtf8(asked.program));
        QCOMPARE(window.command().text(), QStringLiteral("make all")); // F5 traces what was written there
        QVERIFY(window.editor().hasFocus());
    }

    void nothingIsWiderThanThePage_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("small") << QSize(1366, 728);
        QTest::newRow("smaller") << QSize(1024, 700);
        QTest::newRow("smallest") << QSize(800, 600);
        QTest::newRow("large") << QSize(2560, 1400);
    }
    void nothingIsWiderThanThePage()
    {
        QFETCH(QSize, size);
        gui::MainWindow window;
        window.resize(size);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        auto& page = window.startPage();
        QVERIFY2(page.horizontalScrollBar()->maximum() == 0, qPrintable(QString::number(page.horizontalScrollBar()->maximum())));
        picture(window, QStringLiteral("start-%1").arg(size.width()));
    }

    /// The pictures of what is opened take its place, and the page comes back when asked for.
    void picturesTakeItsPlace()
    {
        gui::MainWindow window;
        window.show();
        QSignalSpy finished(&window, &gui::MainWindow::runFinished);
        window.open(m_desk.recording(QStringLiteral("sums.dscope"), test::written({"tar", "cc"}, true)));
        QTRY_VERIFY_WITH_TIMEOUT(finished.count() > 0, kPatience);
        QVERIFY(!window.isAtStart() && window.views().isVisible() && !window.startPage().isVisible());
        QTest::keyClick(&window, Qt::Key_H, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(window.isAtStart() && window.startPage().isVisible());
        QTRY_VERIFY(button(window.startPage(), QStringLiteral("sums.dscope")));
        QTest::keyClick(&window, Qt::Key_H, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(window.views().isVisible());
    }

    void recentFilesAndSessionsAreFound()
    {
        const auto path = m_desk.text(QStringLiteral("mine.d"), "BEGIN { exit(0); }\n");
        {
            gui::MainWindow window;
            window.show();
            QVERIFY(textsIn(window.startPage()).filter(QStringLiteral("Nothing yet")).size() == 1); // an empty list says what to do
            window.open(path);
            window.command().setText(QStringLiteral("make all"));
            window.close();
        }
        gui::MainWindow window;
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QVERIFY(button(window.startPage(), QStringLiteral("mine.d")));
        window.command().clear();
        auto* before = button(window.startPage(), QStringLiteral("mine.d, with make all"));
        QVERIFY(before);
        QTest::mouseClick(before, Qt::LeftButton);
        QCOMPARE(window.editor().toPlainText(), QStringLiteral("BEGIN { exit(0); }\n"));
        QCOMPARE(window.command().text(), QStringLiteral("make all"));
        // A file that is gone is not offered.
        QFile::remove(path);
        gui::MainWindow later;
        later.show();
        QVERIFY(!button(later.startPage(), QStringLiteral("mine.d")));
        QVERIFY(gui::sessions().empty());
    }

    void aProgramThatWasThrownAwayIsNoSession()
    {
        {
            gui::MainWindow window([](QWidget&) { return gui::MainWindow::Answer::Discard; });
            window.show();
            QTest::keyClicks(&window.editor(), QStringLiteral("BEGIN { trace(1); }"));
            window.close();
        }
        QVERIFY(gui::sessions().empty());
    }

    /// One line an outcome, with the reasons that the command line tells.
    void theMachineIsToldInShortLines()
    {
        const auto run = runDscope({"--doctor", "--json"});
        const QByteArray json(run.out);
        const auto lines = gui::machineLines(json);
        QVERIFY(!lines.empty());
        const auto providers = QJsonDocument::fromJson(json).object().value(QLatin1String("providers")).toObject();
        QVERIFY(!providers.isEmpty());
        for (auto one = providers.begin(); one != providers.end(); ++one) {
            const auto trial = one.value().toObject();
            const auto outcome = trial.value(QLatin1String("outcome")).toString();
            const bool isTold = std::any_of(lines.begin(), lines.end(), [&](const gui::MachineLine& line) {
                using State = gui::MachineLine::State;
                if (outcome == QLatin1String("fails"))
                    return line.state == State::Fails && line.text.contains(one.key())
                        && line.why == trial.value(QLatin1String("why")).toString();
                return line.state == (outcome == QLatin1String("works") ? State::Works : State::Unknown)
                    && line.why.split(QStringLiteral(", ")).contains(one.key());
            });
            QVERIFY2(isTold, qPrintable(one.key() + QChar(' ') + outcome));
        }
        QVERIFY(gui::machineLines("no json").empty());
        QVERIFY(gui::machineLines("{}").empty());

        gui::MainWindow window;
        window.setHelper(QStringLiteral(DSCOPE_BIN "/dscope"));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(textsIn(window.startPage()).join(QChar('\n')).contains(lines.front().text), kPatience * 4);
        picture(window, QStringLiteral("start-machine"));
        // The next window knows it without asking.
        gui::MachineCheck again;
        QSignalSpy known(&again, &gui::MachineCheck::known);
        again.look(QStringLiteral(DSCOPE_BIN "/dscope"));
        QCOMPARE(known.count(), 1);
    }
    void withoutTheCommandLineItSaysSo()
    {
        gui::MachineCheck check;
        QSignalSpy failed(&check, &gui::MachineCheck::failed);
        check.look({});
        QCOMPARE(failed.count(), 1);
        QVERIFY(failed.front().front().toString().contains(QStringLiteral("install it")));
        check.look(QStringLiteral("/bin/false"));
        QVERIFY(failed.wait(kPatience));
    }

    void recordNowRuns()
    {
        if (::geteuid() != 0) QSKIP("tracing needs root");
        gui::MainWindow window;
        window.setHelper(QStringLiteral(DSCOPE_BIN "/dscope"));
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        auto& page = window.startPage();
        page.question().setCurrentIndex(page.question().findText(QStringLiteral("How do processes end?")));
        page.command().clear();
        const auto script = m_desk.text(QStringLiteral("three.sh"), "#!/bin/sh\n/bin/true\n/bin/true\n/bin/false\nexit 0\n", true);
        QTest::keyClicks(&page.command(), script);
        QSignalSpy finished(&window, &gui::MainWindow::runFinished);
        QTest::mouseClick(button(page, QStringLiteral("Record now")), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(finished.count() > 0, kPatience * 2);
        QVERIFY(!window.isAtStart());
        QCOMPARE(window.command().text(), script);
        QVERIFY2(window.snapshot() && window.snapshot()->table, qPrintable(window.message()));
        QCOMPARE(columnSum(*window.snapshot()->table, "value"), 4.0); // the shell, and each command that it forks for
        QCOMPARE(window.runs().count(), 1);
    }

    /// WCAG 2.1 asks for 4.5 to 1 where text is small: https://www.w3.org/TR/WCAG21/#contrast-minimum
    void quietTextCanBeRead_data()
    {
        QTest::addColumn<QString>("theme");
        for (const auto* name : {"light", "dark", "print"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void quietTextCanBeRead()
    {
        QFETCH(QString, theme);
        QSettings().setValue(QStringLiteral("window/theme"), theme);
        gui::MainWindow window;
        window.resize(1366, 728);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        const auto luminance = [](const QColor& c) {
            const auto part = [](double v) { return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
            return 0.2126 * part(c.redF()) + 0.7152 * part(c.greenF()) + 0.0722 * part(c.blueF());
        };
        for (const auto* quiet :
            {static_cast<QWidget*>(&window.command()), static_cast<QWidget*>(&window.searchLine()), static_cast<QWidget*>(&window.editor()),
                static_cast<QWidget*>(&window.sidebar().recipes()), static_cast<QWidget*>(&window.startPage().command())}) {
            const auto ink = quiet->palette().color(QPalette::PlaceholderText), ground = window.palette().color(QPalette::Base);
            QCOMPARE(ink.alpha(), 255);
            const auto light = std::max(luminance(ink), luminance(ground)), dark = std::min(luminance(ink), luminance(ground));
            QVERIFY2((light + 0.05) / (dark + 0.05) >= 4.5, quiet->metaObject()->className());
        }
        picture(window, QStringLiteral("start-") + theme);
    }

    void theTourGoesOnByKeysAndEndsByEscape()
    {
        gui::MainWindow window;
        window.resize(1366, 728);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QTest::mouseClick(button(window.startPage(), QStringLiteral("Two-minute tour")), Qt::LeftButton);
        QPointer<gui::Tour> tour = window.findChild<gui::Tour*>();
        QVERIFY(tour && tour->hasFocus());
        QVERIFY(tour->count() >= 6);
        const auto first = tour->text();
        picture(window, QStringLiteral("tour"));
        QTest::keyClick(tour, Qt::Key_Return);
        QCOMPARE(tour->place(), std::size_t{1});
        QVERIFY(tour->text() != first && tour->accessibleDescription() == tour->text());
        QTest::keyClick(tour, Qt::Key_Left);
        QCOMPARE(tour->text(), first);
        QTest::keyClick(tour, Qt::Key_Escape);
        QTRY_VERIFY(!tour);
        QVERIFY(button(window.startPage(), QStringLiteral("Tour again")));
        gui::MainWindow next;
        next.show();
        QVERIFY(button(next.startPage(), QStringLiteral("Tour again")));
    }
    /// Its keyboard stays in it, and each of its buttons does what it says.
    void theTourKeepsTheKeyboard()
    {
        gui::MainWindow window;
        window.resize(1366, 728);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        window.takeTour();
        QPointer<gui::Tour> tour = window.findChild<gui::Tour*>();
        QVERIFY(tour && tour->hasFocus());
        QSet<QWidget*> seen;
        for (int i = 0; i < 4; ++i) {
            QTest::keyClick(window.focusWidget(), Qt::Key_Tab);
            QVERIFY(tour->isAncestorOf(window.focusWidget()) || window.focusWidget() == tour);
            seen << window.focusWidget();
        }
        QCOMPARE(seen.size(), qsizetype(3));
        auto* next = button(*tour, QStringLiteral("Next"));
        next->setFocus();
        QTest::keyClick(next, Qt::Key_Return);
        QCOMPARE(tour->place(), std::size_t{1});
        QTest::keyClick(next, Qt::Key_Left);
        QCOMPARE(tour->place(), std::size_t{0});
        auto* close = button(*tour, QStringLiteral("End the tour (Esc)"));
        close->setFocus();
        QTest::keyClick(close, Qt::Key_Return);
        QTRY_VERIFY(!tour);
    }
    /// Somebody who has pressed a key reads as long as it takes, and so does one whose mouse is over the hint.
    void theTourWaitsForWhoLeadsIt()
    {
        gui::MainWindow window;
        window.resize(1366, 728);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QCursor::setPos(window.mapToGlobal(window.rect().bottomRight())); // no hint is there
        window.takeTour();
        auto* tour = window.findChild<gui::Tour*>();
        QVERIFY(tour);
        auto* timer = tour->findChild<QTimer*>();
        QVERIFY(timer && timer->isActive());
        auto* bubble = button(*tour, QStringLiteral("Next"))->parentWidget();
        QEvent leave(QEvent::Leave);
        QEnterEvent enter(QPointF(5, 5), QPointF(5, 5), QPointF(5, 5));
        QCoreApplication::sendEvent(bubble, &enter);
        QVERIFY(!timer->isActive());
        QCoreApplication::sendEvent(bubble, &leave);
        QVERIFY(timer->isActive());
        QTest::keyClick(tour, Qt::Key_Right);
        QVERIFY(!timer->isActive() && tour->place() == 1);
        QTest::keyClick(tour, Qt::Key_Escape);
    }
    void theTourEndsByItself()
    {
        gui::MainWindow window;
        window.show();
        window.takeTour();
        QPointer<gui::Tour> tour = window.findChild<gui::Tour*>();
        QVERIFY(tour);
        QSignalSpy ended(tour, &gui::Tour::ended);
        tour->setPace(20);
        QTRY_VERIFY_WITH_TIMEOUT(!tour, kPatience);
        QCOMPARE(ended.count(), 1);
    }
};
DSCOPE_WINDOW_TEST(TestStartPage)
#include "tst_start_page.moc"
