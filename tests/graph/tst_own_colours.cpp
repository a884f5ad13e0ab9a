// needs: graph/models
// --palette: what is read, what is refused and why, and that what passes reaches every role.
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN
#include "graph/palette.h"
#include <cmath>
#endif
using namespace dscope;
using graph::Item;
using graph::Palette;
using graph::Role;
using graph::Shade;
using graph::Theme;
namespace {
Item box(Role role, Shade shade = Shade::Plain, double level = -1)
{
    Item item;
    item.role = role;
    item.shade = shade;
    item.level = level;
    item.shape = graph::Box{0, 0, 100, 20, 0};
    return item;
}
Palette made(std::string_view text, Theme theme)
{
    const auto own = graph::ownColoursOf(text, text.front() == '#' ? "" : "brand.txt");
    if (!own) qFatal("%s", own.error().message.c_str());
    auto palette = Palette::of(theme, *own);
    if (!palette) qFatal("%s", palette.error().message.c_str());
    return *std::move(palette);
}
constexpr const char* kGood = "#0B5FA5,#F2A900,#C8102E,#6CC24A,#B7A6D9";
} // namespace

class TestOwnColours : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aListIsInOrder()
    {
        const auto palette = made(kGood, Theme::Light);
        QCOMPARE(graph::style(box(Role::Frame, Shade::User), palette).fill, 0x0B5FA5);
        QCOMPARE(graph::style(box(Role::Frame, Shade::Library), palette).fill, 0xF2A900);
        QCOMPARE(graph::style(box(Role::Frame, Shade::Kernel), palette).fill, 0xC8102E);
        QCOMPARE(graph::style(box(Role::Bar), palette).fill, 0x0B5FA5);
        Item line = box(Role::Series, Shade::Plain, 1);
        line.shape = graph::Path{{{0, 0}, {1, 1}}};
        QCOMPARE(graph::style(line, palette).stroke, 0xF2A900);
        QCOMPARE(graph::style(box(Role::Frame, Shade::User), palette).text, -1);
        QCOMPARE(graph::ground(palette), 0xFFFFFF); // of the theme
    }
    /// Ramps have the hue that was asked for and are read in gray as those of the theme: each step has its lightness, but for rounding.
    void rampsAreAsLightAsThoseOfTheTheme_data() { themes(); }
    void rampsAreAsLightAsThoseOfTheTheme()
    {
        QFETCH(int, theme);
        const auto palette = made("ramp = #0B7A3B\nheat = #7A0B6B\n", Theme(theme));
        for (const auto role : {Role::Node, Role::Cell})
            for (int i = 0; i <= 5; ++i) {
                const auto own = graph::style(box(role, Shade::Plain, i / 5.0), palette).fill, ours = graph::style(box(role, Shade::Plain, i / 5.0), Theme(theme)).fill;
                QVERIFY2(std::abs(graph::lightness(own) - graph::lightness(ours)) < 1.2, qPrintable(QString::fromStdString(graph::colourText(own))));
                QVERIFY(own != ours || graph::lightness(ours) > 99.5); // white stays white
            }
    }
    /// A colour that is not given gives way to those that are.
    void whatIsNotGivenLooksOtherThanWhatIs()
    {
        const auto palette = made("user = #8EA8FF\n", Theme::Light); // the theme's own of libraries
        const auto user = graph::style(box(Role::Frame, Shade::User), palette).fill, library = graph::style(box(Role::Frame, Shade::Library), palette).fill;
        QCOMPARE(user, 0x8EA8FF);
        for (const auto sight : {graph::Sight::Full, graph::Sight::Protan, graph::Sight::Deutan, graph::Sight::Tritan})
            QVERIFY(graph::distance(user, library, sight) >= 9);
    }
    void whatCannotBeReadOrToldApartIsRefused_data()
    {
        QTest::addColumn<int>("theme");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, Theme theme, const char* text, const char* says) { QTest::newRow(name) << int(theme) << text << says; };
        row("text", Theme::Light, "user = #6E7F80\n", "text on user, #6E7F80, is read neither in #1A1A1A nor in #FFFFFF (4.2 to 1, and it takes 4.5): make it lighter or darker; #");
        row("bar on white", Theme::Light, "bar = #FFE680\n", "bar, #FFE680, is hardly seen on the ground, #FFFFFF (1.2 to 1, and it takes 2.0): make it darker; #");
        row("line on black", Theme::Dark, "lines = #101820\n", "line 1, #101820, is hardly seen on the ground, #14171C (1.0 to 1, and it takes 2.0): make it lighter; #");
        row("red and green", Theme::Light, "user = #C87137\nlibrary = #7E8C2F\n", "user, #C87137, and library, #7E8C2F, look alike without ");
        row("one twice", Theme::Light, "user = #FFB732\nlibrary = #FFB732\n", "user, #FFB732, and library, #FFB732, look alike with all colours: make one lighter");
        row("lines twice", Theme::Light, "lines = #0072B2 #0072B4\n", "line 1, #0072B2, and line 2, #0072B4, look alike with all colours: change one of them");
        row("paper in gray", Theme::Print, "user = #E0B0B0\nlibrary = #B0C4DE\n", "user, #E0B0B0, and library, #B0C4DE, look alike in gray");
        row("sides", Theme::Light, "grew = #1F6FB0\nshrank = #2166AC\n", "shrank, #2166AC, and grew, #1F6FB0, look alike with");
    }
    void whatCannotBeReadOrToldApartIsRefused()
    {
        QFETCH(int, theme);
        QFETCH(QString, text);
        QFETCH(QString, says);
        const auto own = graph::ownColoursOf(text.toStdString(), "brand.txt");
        QVERIFY2(own, own ? "" : own.error().message.c_str());
        const auto palette = Palette::of(Theme(theme), *own);
        QVERIFY(!palette);
        QVERIFY2(QString::fromStdString(palette.error().message).contains(says), palette.error().message.c_str());
    }
    /// What a refusal proposes passes.
    void whatIsProposedWillDo()
    {
        const auto refused = Palette::of(Theme::Light, *graph::ownColoursOf("bar = #FFE680\n", "brand.txt"));
        QVERIFY(!refused);
        const auto& message = refused.error().message;
        const auto at = message.find("; #");
        QVERIFY2(at != std::string::npos, message.c_str());
        QVERIFY(Palette::of(Theme::Light, *graph::ownColoursOf("bar = " + message.substr(at + 2, 7), "brand.txt")));
    }
    void whatIsPaleIsTold()
    {
        const auto palette = made("bar = #C9A227\n", Theme::Light);
        QCOMPARE(palette.warnings().size(), std::size_t(1));
        QVERIFY2(palette.warnings().front().starts_with("pale on the ground, #FFFFFF, where 3 to 1 is good: bar, #C9A227 (2."), palette.warnings().front().c_str());
    }
    void linesOfAFileAreNamed_data()
    {
        QTest::addColumn<QString>("says");
        const auto row = [](const char* text, const char* says) { QTest::newRow(text) << says; };
        row("bar = #0057B8\nbare = #0057B8", "brand.txt:2: nothing is called \"bare\", but user, library,");
        row("bar #0057B8", "brand.txt:1: expected NAME = #RRGGBB, not \"bar #0057B8\"");
        row("\n// ours\nbar = blue", "brand.txt:3: \"blue\" is no colour: write #RRGGBB, as #0057B8");
        row("bar = #0057B8 #FFFFFF", "brand.txt:1: bar has one colour, not 2");
        row("lines =", "brand.txt:1: lines have 1 to 6 colours, not 0");
        row("// nothing", "brand.txt: it gives no colour");
    }
    void linesOfAFileAreNamed()
    {
        QFETCH(QString, says);
        const auto own = graph::ownColoursOf(QTest::currentDataTag(), "brand.txt");
        QVERIFY(!own);
        QVERIFY2(QString::fromStdString(own.error().message).startsWith(says), own.error().message.c_str());
    }
    /// Distances as colour science has them: black and white are 100 apart, and equal grays are equal to all.
    void distancesAreThoseOfCie()
    {
        QVERIFY(std::abs(graph::distance(0x000000, 0xFFFFFF, graph::Sight::Full) - 100) < 0.1);
        QVERIFY(std::abs(graph::contrast(0x000000, 0xFFFFFF) - 21) < 0.01);
        QVERIFY(std::abs(graph::lightness(0x777777) - 50) < 0.5);
        QVERIFY(graph::distance(0xFF0000, 0x00B000, graph::Sight::Deutan) < graph::distance(0xFF0000, 0x00B000, graph::Sight::Full) / 2);
        QCOMPARE(graph::colourOf("#fa0"), std::optional(0xFFAA00));
        QVERIFY(!graph::colourOf("#12345"));
    }

private:
    static void themes()
    {
        QTest::addColumn<int>("theme");
        QTest::newRow("light") << int(Theme::Light);
        QTest::newRow("dark") << int(Theme::Dark);
        QTest::newRow("print") << int(Theme::Print);
    }
};
QTEST_GUILESS_MAIN(TestOwnColours)
#include "tst_own_colours.moc"
