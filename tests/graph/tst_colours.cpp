// needs: graph/models
// Colours that mean different things look different, also to those who see fewer of them, and on a printer without colours.
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN
#include "graph/palette.h"
#include <array>
#include <cmath>
#include <set>
#endif
using namespace dscope::graph;
namespace {
using Linear = std::array<double, 3>;
using Matrix = std::array<std::array<double, 3>, 3>;
struct Sight {
    const char* name;
    Matrix matrix;
};
/// Source: G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency",
/// 2009, the matrices of severity 1.0, for linear RGB.
constexpr std::array<Sight, 4> kSights{{{"all colours", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
    {"protan", {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}}},
    {"deutan", {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}}},
    {"tritan", {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}}}};

Linear linear(std::int32_t rgb)
{
    Linear out{};
    for (int i = 0; i < 3; ++i) {
        const double v = ((rgb >> (16 - 8 * i)) & 255) / 255.0;
        out[std::size_t(i)] = v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    }
    return out;
}
Linear seen(const Linear& c, const Matrix& m)
{
    Linear out{};
    for (std::size_t i = 0; i < 3; ++i)
        out[i] = std::clamp(m[i][0] * c[0] + m[i][1] * c[1] + m[i][2] * c[2], 0.0, 1.0);
    return out;
}
/// CIE L*a*b*, D65.
Linear lab(const Linear& c)
{
    const double x = (0.4124564 * c[0] + 0.3575761 * c[1] + 0.1804375 * c[2]) / 0.95047,
                 y = 0.2126729 * c[0] + 0.7151522 * c[1] + 0.0721750 * c[2],
                 z = (0.0193339 * c[0] + 0.1191920 * c[1] + 0.9503041 * c[2]) / 1.08883;
    const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
    return {116 * f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))};
}
double seenDistance(std::int32_t a, std::int32_t b, const Matrix& sight)
{
    const auto x = lab(seen(linear(a), sight)), y = lab(seen(linear(b), sight));
    return std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
}
double seenLightness(std::int32_t rgb) { return lab(linear(rgb))[0]; }
Style frame(Shade shade, Theme theme)
{
    Item item;
    item.role = Role::Frame;
    item.shade = shade;
    item.shape = Box{0, 0, 100, 20, 0};
    return style(item, theme);
}
Style ofLevel(Role role, double level, Theme theme)
{
    Item item;
    item.role = role;
    item.level = level;
    item.shape = Box{0, 0, 100, 20, 0};
    return style(item, theme);
}
constexpr std::array kKinds{Shade::User, Shade::Library, Shade::Kernel, Shade::Jit, Shade::System, Shade::Inlined, Shade::Unknown};
} // namespace

class TestColours : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void kindsOfFramesAreApart_data() { themes(); }
    void kindsOfFramesAreApart()
    {
        QFETCH(int, theme);
        const auto of = static_cast<Theme>(theme);
        // A just noticeable difference is about 2.3. Of paper's grays few are apart by more, and hatches tell most kinds.
        const double apart = of == Theme::Print ? 4 : 9;
        QStringList alike;
        for (std::size_t i = 0; i < kKinds.size(); ++i)
            for (std::size_t k = i + 1; k < kKinds.size(); ++k) {
                const auto a = frame(kKinds[i], of), b = frame(kKinds[k], of);
                const bool isToldByInk = a.hatch != b.hatch || a.dash.size() != b.dash.size();
                for (const auto& sight : kSights)
                    if (!isToldByInk && seenDistance(a.fill, b.fill, sight.matrix) < apart)
                        alike << QStringLiteral("%1 and %2, %3: %4")
                                     .arg(i)
                                     .arg(k)
                                     .arg(sight.name)
                                     .arg(seenDistance(a.fill, b.fill, sight.matrix));
            }
        QVERIFY2(alike.isEmpty(), qPrintable(alike.join('\n')));
    }
    // More is always darker, or always lighter; no two steps are the same in gray.
    void rampsAreReadInGray_data() { themes(); }
    void rampsAreReadInGray()
    {
        QFETCH(int, theme);
        const auto of = static_cast<Theme>(theme);
        for (const auto role : {Role::Cell, Role::Node}) {
            std::vector<double> steps;
            for (int i = 0; i <= 5; ++i)
                steps.push_back(seenLightness(ofLevel(role, i / 5.0, of).fill));
            const bool rises = steps.back() > steps.front();
            for (std::size_t i = 1; i < steps.size(); ++i)
                QVERIFY2((steps[i] - steps[i - 1]) * (rises ? 1 : -1) >= 2.5,
                    qPrintable(QStringLiteral("role %1, step %2: %3 after %4").arg(int(role)).arg(i).arg(steps[i]).arg(steps[i - 1])));
        }
    }
    void linesDifferWithoutColour_data() { themes(); }
    void linesDifferWithoutColour()
    {
        QFETCH(int, theme);
        std::set<std::vector<double>> dashes;
        for (std::size_t i = 0; i < kSeriesHues; ++i) {
            Item item;
            item.role = Role::Series;
            item.level = double(i);
            item.shape = Path{{{0, 0}, {10, 10}}};
            const auto dash = style(item, static_cast<Theme>(theme)).dash;
            dashes.emplace(dash.begin(), dash.end());
        }
        QCOMPARE(dashes.size(), kSeriesHues);
    }
    void whatGrewIsApartFromWhatShrank_data() { themes(); }
    void whatGrewIsApartFromWhatShrank()
    {
        QFETCH(int, theme);
        const auto of = static_cast<Theme>(theme);
        const auto grew = ofLevel(Role::Bar, 1, of), shrank = ofLevel(Role::Bar, 0, of);
        for (const auto& sight : kSights)
            QVERIFY2(grew.hatch != shrank.hatch || seenDistance(grew.fill, shrank.fill, sight.matrix) > 20, sight.name);
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
QTEST_GUILESS_MAIN(TestColours)
#include "tst_colours.moc"
