// needs: graph graph/models
#include "gui/preferences_dialog.h"
#include "window_fixture.h"
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <array>
#include <cmath>
using namespace dscope;
using gui::Preferences;
namespace {
using Vector = std::array<double, 3>;
double linear(int channel)
{
    const double c = channel / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}
Vector linearOf(std::int32_t rgb) { return {linear(rgb >> 16 & 255), linear(rgb >> 8 & 255), linear(rgb & 255)}; }
Vector times(const std::array<Vector, 3>& m, const Vector& v)
{
    Vector out{};
    for (std::size_t i = 0; i < 3; ++i)
        out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
    return out;
}
Vector lab(const Vector& rgb)
{
    const auto xyz = times({{{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}}, rgb);
    const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    const double x = f(xyz[0] / 0.9505), y = f(xyz[1]), z = f(xyz[2] / 1.089);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}
/// As somebody sees them who lacks one kind of cones. Source of the matrices: G. Machado, M. Oliveira, L. Fernandes, "A Physiologically-based
/// Model for Simulation of Color Vision Deficiency" (2009), severity 1.0.
const std::array<std::array<Vector, 3>, 4> kSights{{
    {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
    {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
    {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}},
}};
double apart(std::int32_t a, std::int32_t b, std::size_t sight)
{
    const auto x = lab(times(kSights[sight], linearOf(a))), y = lab(times(kSights[sight], linearOf(b)));
    return std::sqrt((x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) + (x[2] - y[2]) * (x[2] - y[2]));
}
std::int32_t fillOf(graph::Shade shade, const graph::Palette& palette)
{
    graph::Item item{graph::Role::Frame, graph::Box{0, 0, 10, 10, 0}};
    item.shade = shade;
    return graph::style(item, palette).fill;
}
std::int32_t lineOf(std::size_t hue, const graph::Palette& palette)
{
    graph::Item item{graph::Role::Series, graph::Path{{{0, 0}, {1, 1}}}};
    item.level = static_cast<double>(hue);
    return graph::style(item, palette).stroke;
}
/// The least distance of two kinds of frames for whoever sees them worst.
double leastApart(const graph::Palette& palette)
{
    double least = 1000;
    constexpr std::array kKinds{graph::Shade::User, graph::Shade::Library, graph::Shade::Kernel, graph::Shade::Jit, graph::Shade::System};
    for (std::size_t i = 0; i < kKinds.size(); ++i)
        for (std::size_t k = i + 1; k < kKinds.size(); ++k)
            for (std::size_t sight = 0; sight < kSights.size(); ++sight)
                least = std::min(least, apart(fillOf(kKinds[i], palette), fillOf(kKinds[k], palette), sight));
    return least;
}
void openAndWait(gui::MainWindow& window, const QString& path)
{
    QSignalSpy finished(&window, &gui::MainWindow::runFinished);
    window.open(path);
    QTRY_VERIFY_WITH_TIMEOUT(finished.count() > 0, tests::kPatience);
}
gui::PreferencesDialog* asked(gui::MainWindow& window)
{
    QTest::keyClick(&window, Qt::Key_Comma, Qt::ControlModifier);
    return window.findChild<gui::PreferencesDialog*>();
}
template <typename Widget> Widget* named(QWidget& in, const QString& label)
{
    for (auto* one : in.findChildren<Widget*>())
        if (one->accessibleName() == label) return one;
    return nullptr;
}
} // namespace

class TestPreferences : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { gui::MainWindow::setPreferences({}); }

    void theyAreKept()
    {
        Preferences set;
        set.ground = Preferences::Ground::Dark;
        set.colours = Preferences::Colours::Own;
        set.ownColours = QStringLiteral("#0B5FA5, #F2A900");
        set.numbers = Preferences::Numbers::Readable;
        set.textSize = 13;
        set.programFont = QStringLiteral("DejaVu Sans Mono");
        set.debugFolders = QStringList{QStringLiteral("/opt/debug"), QStringLiteral("/srv/debug")};
        set.asksServers = true;
        set.sources = {{QStringLiteral("/build/a"), QStringLiteral("/home/a")}};
        set.keep();
        QVERIFY(Preferences::kept() == set);
        QCOMPARE(set.helperOptions(), (QStringList{"-x", "debugpath=/opt/debug:/srv/debug:/usr/lib/debug", "-x", "debuginfod"}));
        QCOMPARE(Preferences().helperOptions(), QStringList());
    }

    void aFolderOfSourceIsElsewhere_data()
    {
        QTest::addColumn<QString>("named");
        QTest::addColumn<QString>("here");
        QTest::newRow("in it") << "/build/pkg/src/a.c" << "/home/me/pkg/src/a.c";
        QTest::newRow("the longest folder") << "/build/pkg/lib/b.c" << "/opt/lib/b.c";
        QTest::newRow("another that begins alike") << "/build/pkg2/a.c" << "/build/pkg2/a.c";
        QTest::newRow("elsewhere") << "/usr/include/stdio.h" << "/usr/include/stdio.h";
    }
    void aFolderOfSourceIsElsewhere()
    {
        QFETCH(QString, named);
        QFETCH(QString, here);
        Preferences set;
        set.sources = {{QStringLiteral("/build/pkg/"), QStringLiteral("/home/me/pkg/")}, {QStringLiteral("/build/pkg/lib"), QStringLiteral("/opt/lib")}};
        QCOMPARE(QString::fromStdString(set.sourceHere(named.toStdString())), here);
    }

    void thoseWhoLackConesTellThemApart_data()
    {
        QTest::addColumn<int>("ground");
        QTest::newRow("light") << int(Preferences::Ground::Light);
        QTest::newRow("dark") << int(Preferences::Ground::Dark);
    }
    void thoseWhoLackConesTellThemApart()
    {
        QFETCH(int, ground);
        Preferences set;
        set.ground = static_cast<Preferences::Ground>(ground);
        const auto ours = leastApart(set.paletteOrTheme());
        set.colours = Preferences::Colours::Distinct;
        const auto palette = set.palette();
        QVERIFY2(palette, palette ? "" : palette.error().message.c_str());
        const auto distinct = leastApart(*palette);
        QVERIFY2(distinct >= 60 && distinct > ours, qPrintable(QStringLiteral("%1, and %2 in the theme").arg(distinct).arg(ours)));
        double lines = 1000;
        for (std::size_t i = 0; i < graph::kSeriesHues; ++i)
            for (std::size_t k = i + 1; k < graph::kSeriesHues; ++k)
                for (std::size_t sight = 0; sight < kSights.size(); ++sight)
                    lines = std::min(lines, apart(lineOf(i, *palette), lineOf(k, *palette), sight));
        QVERIFY2(lines >= 10, qPrintable(QString::number(lines)));
    }

    /// What is chosen in the dialog is seen in figures, tables and programs at once, and in the next window.
    void theDialogIsObeyedAtOnce()
    {
        gui::MainWindow window;
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        openAndWait(window, m_desk.recording(QStringLiteral("stacks.dscope"), test::profile(200, 40, 12)));
        auto& figure = window.views().panel(0).figure();
        QTRY_VERIFY_WITH_TIMEOUT(figure.isSettled() && !figure.figure().items.empty(), tests::kPatience);
        auto* dialog = asked(window);
        QVERIFY(dialog && dialog->isVisible());
        QCOMPARE(dialog->findChild<QScrollArea*>()->verticalScrollBar()->maximum(), 0); // all of it is in sight
        tests::picture(*dialog, QStringLiteral("preferences"));
        auto boxes = dialog->findChildren<QComboBox*>();
        QCOMPARE(boxes.size(), 4);
        // What is chosen in a menu meanwhile is seen in it.
        auto print = window.preferences();
        print.ground = Preferences::Ground::Print;
        gui::MainWindow::setPreferences(print);
        QCOMPARE(boxes[0]->currentIndex(), int(Preferences::Ground::Print));
        boxes[0]->setCurrentIndex(int(Preferences::Ground::Dark));
        QCOMPARE(window.palette().color(QPalette::Base).lightness() < 128, true);
        QCOMPARE(figure.colours().theme(), graph::Theme::Dark);
        tests::picture(*dialog, QStringLiteral("preferences-dark"));
        const auto before = fillOf(graph::Shade::Kernel, figure.colours());
        boxes[1]->setCurrentIndex(int(Preferences::Colours::Distinct));
        QVERIFY(fillOf(graph::Shade::Kernel, figure.colours()) != before);
        QCOMPARE(dialog->trouble(), QString());
        tests::picture(window, QStringLiteral("window-distinct"));

        // One's own are looked at, and refused where they can't be read.
        boxes[1]->setCurrentIndex(int(Preferences::Colours::Own));
        auto* own = named<QLineEdit>(*dialog, QStringLiteral("My own colours"));
        QVERIFY(own && own->isVisible());
        own->setText(QStringLiteral("#12"));
        QVERIFY2(dialog->trouble().contains(QStringLiteral("is no colour")), qPrintable(dialog->trouble()));
        own->setText(QStringLiteral("#0B5FA5"));
        QCOMPARE(fillOf(graph::Shade::User, figure.colours()), 0x0B5FA5);

        auto* size = dialog->findChild<QDoubleSpinBox*>();
        size->setValue(16);
        QCOMPARE(window.editor().font().pointSizeF(), 16.0);
        QCOMPARE(window.font().pointSizeF(), 16.0);
        QCOMPARE(window.results().output().font().pointSizeF(), 16.0);
        gui::MainWindow next;
        QCOMPARE(next.editor().font().pointSizeF(), 16.0);
        QVERIFY(next.preferences() == dialog->preferences());
        next.programs().add({}, {});
        QCOMPARE(next.editor().font().pointSizeF(), 16.0);

        // Folders that are not there are told.
        auto* folders = named<QPlainTextEdit>(*dialog, QStringLiteral("Debug files"));
        folders->setPlainText(QStringLiteral("/nowhere/debug"));
        QVERIFY2(dialog->trouble().contains(QStringLiteral("/nowhere/debug")), qPrintable(dialog->trouble()));

        // The defaults are those of the look: where things are stays.
        for (auto* button : dialog->findChildren<QPushButton*>())
            if (button->text().contains(QStringLiteral("Defaults"))) button->click();
        Preferences looks;
        looks.debugFolders = QStringList{QStringLiteral("/nowhere/debug")};
        QVERIFY(window.preferences() == looks);
        QCOMPARE(folders->toPlainText(), QStringLiteral("/nowhere/debug"));
        QVERIFY(window.font().pointSizeF() < 16.0);
        dialog->close();
    }

    /// pkexec and sudo take the variable away that names the servers.
    void serversAreAskedByRootOnly_data()
    {
        QTest::addColumn<int>("servers");
        QTest::addColumn<bool>("isOffered");
        QTest::newRow("as root") << int(gui::PreferencesDialog::Servers::Reached) << true;
        QTest::newRow("through pkexec or sudo") << int(gui::PreferencesDialog::Servers::OutOfReach) << false;
    }
    void serversAreAskedByRootOnly()
    {
        QFETCH(int, servers);
        QFETCH(bool, isOffered);
        gui::PreferencesDialog dialog({}, static_cast<gui::PreferencesDialog::Servers>(servers));
        dialog.show();
        QCOMPARE(dialog.findChild<QCheckBox*>()->isEnabled(), isOffered);
        bool isSaid = false;
        for (const auto* label : dialog.findChildren<QLabel*>())
            isSaid |= label->isVisible() && label->text().contains(QStringLiteral("--preserve-env=DEBUGINFOD_URLS"));
        QCOMPARE(isSaid, !isOffered);
        tests::picture(dialog, QStringLiteral("preferences-servers-%1").arg(servers));
    }

    /// Option debugpath has ':' between folders.
    void aFolderWithAColonIsLeftOutAndTold()
    {
        Preferences set;
        set.debugFolders = QStringList{QStringLiteral("/srv/a:b"), QStringLiteral("/tmp")};
        QCOMPARE(set.helperOptions(), (QStringList{"-x", "debugpath=/tmp:/usr/lib/debug"}));
        const gui::PreferencesDialog dialog(set, gui::PreferencesDialog::Servers::Reached);
        const_cast<gui::PreferencesDialog&>(dialog).show();
        QVERIFY2(dialog.trouble().contains(QStringLiteral("/srv/a:b")), qPrintable(dialog.trouble()));
        set.debugFolders = QStringList{QStringLiteral("/srv/a:b")};
        QCOMPARE(set.helperOptions(), QStringList());
    }

    /// The screen of the tests is small, and so is a laptop's beside large text.
    void theButtonsAreOnTheScreen()
    {
        gui::MainWindow window;
        auto large = window.preferences();
        large.textSize = 24;
        gui::MainWindow::setPreferences(large);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        auto* dialog = asked(window);
        QVERIFY(dialog);
        QVERIFY2(dialog->height() <= dialog->screen()->availableSize().height(), qPrintable(QString::number(dialog->height())));
        for (const auto* button : dialog->findChild<QDialogButtonBox*>()->findChildren<QPushButton*>())
            QVERIFY(dialog->rect().contains(QRect(button->mapTo(dialog, QPoint(0, 0)), button->size())));
        // What is wider or higher than the screen is reached by scrolling.
        QVERIFY(dialog->findChild<QScrollArea*>()->verticalScrollBar()->isVisible());
        tests::picture(*dialog, QStringLiteral("preferences-large"));
        dialog->close();
    }

    void numbersAreReadOrCounted()
    {
        gui::MainWindow window;
        window.show();
        openAndWait(window, m_desk.recording(QStringLiteral("sums.dscope"), test::written({"tar", "cc", "ld"}, true)));
        auto& table = window.results().table();
        int sums = -1;
        for (int c = 0; c < table.columnCount(); ++c)
            if (table.headerData(c, Qt::Horizontal, Qt::DisplayRole).toString() == QStringLiteral("bytes")) sums = c;
        QVERIFY(sums >= 0);
        const auto exact = table.index(0, sums).data().toString();
        auto set = window.preferences();
        set.numbers = Preferences::Numbers::Readable;
        gui::MainWindow::setPreferences(set);
        const auto readable = table.index(0, sums).data().toString();
        QVERIFY2(readable != exact && readable.endsWith(QChar('B')), qPrintable(exact + QStringLiteral(" | ") + readable));
        // What is copied has every digit all the same.
        QVERIFY(!table.cell(0, sums).contains(QChar('B')));
    }

private:
    tests::Desk m_desk;
};
DSCOPE_WINDOW_TEST(TestPreferences)
#include "tst_preferences.moc"
