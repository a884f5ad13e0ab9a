// needs: engine/base engine/record
// Sizes are promises about text: in every view, on every page, nothing is smaller than can be read there.
#include <QDir>
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN
#include "engine/base/fd.h"
#include "engine/record/wire.h"
#include "graph/palette.h"
#include "graph/store.h"
#include "graph/visual.h"
#include "tests/support/drawn/figures.h"
#include "tests/support/drawn/visuals.h"
#include <fcntl.h>
#endif
using namespace dscope;
using namespace dscope::graph;
using namespace dscope::test;
namespace {
/// What real programs recorded, and what is hard to draw.
std::map<QString, Store> stores()
{
    std::map<QString, Store> out;
    const QDir folder(DSCOPE_SOURCE "/examples/recordings");
    for (const auto& name : folder.entryList({"*.dscope"}, QDir::Files)) {
        const Fd file(::open(qPrintable(folder.filePath(name)), O_RDONLY | O_CLOEXEC));
        record::Reader reader(file.get());
        auto& store = out[name];
        for (bool more = true; more;) {
            const auto polled = reader.poll(std::chrono::milliseconds(100), [&](const record::Record& r) { store.take(r); });
            more = polled && *polled;
        }
    }
    std::vector<std::string> many;
    for (int i = 0; i < 60; ++i)
        many.push_back("program-with-a-long-name-" + std::to_string(i));
    auto lined = profile(60, 40, 30);
    std::uint32_t line = 0;
    for (auto& r : lined)
        if (auto* stack = std::get_if<record::StackDef>(&r)) {
            std::vector<record::Frame> frames(stack->frames.begin(), stack->frames.end());
            for (auto& frame : frames) {
                frame.file = std::string("/home/ada/project/source/with_a_long_name_of_its_own_") + std::to_string(line % 7) + ".cpp";
                frame.line = 1 + line++ % 2000;
            }
            stack->frames = record::FrameList(std::move(frames));
        }
    const std::pair<const char*, Stream> made[]{{"forest", forest(900)}, {"build", build()}, {"deep stacks", profile(300, 60, 90)},
        {"many times", writeTimes(many)}, {"many bars", written(many, true)}, {"hostile names", written(hostileNames())},
        {"files", opened(many)}, {"lines of source", lined}};
    for (const auto& [name, stream] : made)
        for (const auto& r : stream)
            out[name].take(r);
    return out;
}
struct Sheet {
    const char* name;
    double width, height, text;
    double least; ///< px of the smallest text. Source: shared FIGURES.md, "Sizes are promises about text"
};
constexpr double kEightPoints = 8 * 96.0 / 72;
constexpr Sheet kSheets[]{{"16:9", 1600, 900, 0, 18}, {"slide", 1600, 900, 20, 20}, {"4:3", 1200, 900, 18, 18},
    {"a4", 794, 1123, kEightPoints, kEightPoints}, {"a4-landscape", 1123, 794, kEightPoints, kEightPoints},
    {"column", 325, 244, kEightPoints, kEightPoints}, {"960x540", 960, 540, 0, 10.8}, {"square", 1200, 1200, 0, 13.5},
    {"4K", 3840, 2160, 0, 43.2}, {"narrow", 600, 1200, 0, 8}};
} // namespace

// Source: WCAG 2.1, relative luminance and contrast ratio.
double luminance(std::int32_t rgb)
{
    const auto part = [&](int shift) {
        const double v = ((rgb >> shift) & 255) / 255.0;
        return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * part(16) + 0.7152 * part(8) + 0.0722 * part(0);
}
double wcagContrast(std::int32_t a, std::int32_t b)
{
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}
/// What is painted below the middle of a text, by painter's order.
std::int32_t groundOf(const Figure& figure, std::size_t text, Theme theme)
{
    const auto bounds = boundsOf(std::get<Text>(figure.items[text].shape));
    const double x = bounds.x + bounds.width / 2, y = bounds.y + bounds.height / 2;
    for (std::size_t i = text; i-- > 0;)
        if (const auto* box = std::get_if<Box>(&figure.items[i].shape);
            box && x >= box->x && x < box->x + box->width && y >= box->y && y < box->y + box->height)
            if (const auto fill = style(figure.items[i], theme).fill; fill >= 0) return fill;
    return ground(theme);
}

/// What a run's kinds make of it, alone and compared with another run.
std::vector<std::pair<QString, std::unique_ptr<Visual>>> visualsOf(const Store& store, const std::map<QString, Store>& all)
{
    std::vector<std::pair<QString, std::unique_ptr<Visual>>> out;
    for (const auto& kind : kinds()) {
        if (!kind.fits(store)) continue;
        out.emplace_back(q(kind.name), kind.make(store));
        if (!kind.compare) continue;
        const auto* before = &store;
        for (const auto& [what, other] : all)
            if (&other != &store && kind.fits(other)) before = &other;
        out.emplace_back(q(kind.name) + ", compared", kind.compare(*before, store));
    }
    return out;
}

class TextSizesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void nothingIsSmallerThanCanBeRead_data()
    {
        QTest::addColumn<int>("sheet");
        for (int i = 0; i < int(std::size(kSheets)); ++i)
            QTest::newRow(kSheets[i].name) << i;
    }
    void nothingIsSmallerThanCanBeRead()
    {
        QFETCH(int, sheet);
        const auto& [name, width, height, text, least] = kSheets[sheet];
        LayoutOptions options;
        options.width = width;
        options.height = height;
        options.text = text;
        static const auto all = stores();
        int figures = 0;
        QStringList wrong;
        for (const auto& [what, store] : all)
            for (const auto& [kind, visual] : visualsOf(store, all)) {
                const auto figure = visual->figure(options);
                const QString where = what + ' ' + kind + ": ";
                QCOMPARE(figure.width, width);
                QCOMPARE(figure.height, height);
                for (const auto& item : figure.items)
                    if (const auto* words = std::get_if<Text>(&item.shape); words && words->size < least - 0.001) {
                        wrong << where + QString::number(words->size) + " px: " + q(words->text);
                        break;
                    }
                if (const auto bad = unreadable(figure); !bad.empty()) wrong << where + q(bad);
                ++figures;
            }
        QVERIFY(figures > 30);
        QVERIFY2(wrong.isEmpty(), qPrintable('\n' + wrong.join('\n')));
    }
    // Source: WCAG 2.1, 1.4.3, level AA: 4.5 to 1.
    void everyTextStandsOutFromItsGround_data()
    {
        QTest::addColumn<int>("theme");
        QTest::newRow("light") << int(Theme::Light);
        QTest::newRow("dark") << int(Theme::Dark);
        QTest::newRow("print") << int(Theme::Print);
    }
    void everyTextStandsOutFromItsGround()
    {
        QFETCH(int, theme);
        const auto of = static_cast<Theme>(theme);
        static const auto all = stores();
        QStringList wrong;
        std::size_t texts = 0;
        for (const auto& [what, store] : all)
            for (const auto& [kind, visual] : visualsOf(store, all)) {
                const auto figure = visual->figure({});
                for (std::size_t i = 0; i < figure.items.size(); ++i) {
                    const auto* words = std::get_if<Text>(&figure.items[i].shape);
                    if (!words) continue;
                    ++texts;
                    const auto ink = style(figure.items[i], of).text, below = groundOf(figure, i, of);
                    if (wcagContrast(ink, below) >= 4.5) continue;
                    wrong << what + ' ' + kind + ": " + q(words->text) + " " + q(colourText(ink)) + " on " + q(colourText(below));
                    break;
                }
            }
        QVERIFY(texts > 1000);
        QVERIFY2(wrong.isEmpty(), qPrintable('\n' + wrong.join('\n')));
    }
    // What an option adds or changes can be read like all else.
    void whatOptionsChangeCanBeRead_data()
    {
        QTest::addColumn<int>("which");
        QTest::newRow("top") << 0;
        QTest::newRow("by name") << 1;
        QTest::newRow("logarithmic") << 2;
        QTest::newRow("large text") << 3;
    }
    void whatOptionsChangeCanBeRead()
    {
        QFETCH(int, which);
        LayoutOptions options;
        if (which == 0) options.top = 3;
        if (which == 1) options.order = Order::Name;
        if (which == 2) options.values = ValueScale::Logarithmic;
        if (which == 3) options.text = 26;
        static const auto all = stores();
        QStringList wrong;
        for (const auto& [what, store] : all)
            for (const auto& kind : kinds()) {
                const auto& heeds = kind.heeds;
                if (!kind.fits(store) || (which == 0 && !heeds.top) || (which == 1 && !heeds.order) || (which == 2 && !heeds.log)) continue;
                if (const auto bad = unreadable(kind.make(store)->figure(options)); !bad.empty())
                    wrong << what + ' ' + q(kind.name) + ": " + q(bad);
            }
        QVERIFY2(wrong.isEmpty(), qPrintable('\n' + wrong.join('\n')));
    }
};
QTEST_GUILESS_MAIN(TextSizesTest)
#include "tst_text_sizes.moc"
