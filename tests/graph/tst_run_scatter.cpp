// Runs that should be alike differ by more than counting does: what that is worth when two sides of several runs are compared.
#include <QObject>
#include <QTest>
#include <cmath>
#include <random>
#include <string>
#include <vector>
#ifndef Q_MOC_RUN
#include "graph/difference.h"
#include "graph/run_scatter.h"
#endif
using namespace dscope::graph;
namespace {
constexpr int kKeys = 20, kRuns = 3;
/// A run's counts, by key: each key's rate is off by `apart` of itself from run to run.
std::vector<double> run(std::mt19937& random, double apart, double more = 1)
{
    std::vector<double> out;
    for (int i = 0; i < kKeys; ++i) {
        const double mean = 20'000.0 / (i + 1) * (i == 3 ? more : 1);
        std::gamma_distribution<double> rate(1 / (apart * apart), mean * apart * apart); // the negative binomial one, by its parts
        std::poisson_distribution<int> count(rate(random));
        out.push_back(count(random));
    }
    return out;
}
struct Sides {
    std::vector<double> before = std::vector<double>(kKeys), after = std::vector<double>(kKeys);
    RunScatter scatter;
};
Sides sides(std::mt19937& random, double apart, double more = 1)
{
    Sides out;
    for (const bool isAfter : {false, true}) {
        std::vector<std::vector<double>> values(kKeys);
        for (int r = 0; r < kRuns; ++r) {
            const auto counts = run(random, apart, isAfter ? more : 1);
            for (std::size_t key = 0; key < counts.size(); ++key) {
                values[key].push_back(counts[key]);
                (isAfter ? out.after : out.before)[key] += counts[key];
            }
        }
        for (std::size_t key = 0; key < values.size(); ++key)
            out.scatter.add(std::to_string(key), values[key], true);
    }
    return out;
}
} // namespace

class TestRunScatter : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void likeRunsAreSeldomCalledDifferent()
    {
        std::mt19937 random(5);
        int loud = 0, loudByCounting = 0, found = 0;
        constexpr int kFigures = 200;
        for (int i = 0; i < kFigures; ++i) {
            const auto same = sides(random, 0.1);
            bool any = false, anyByCounting = false;
            for (std::size_t key = 0; key < kKeys; ++key) {
                const double a = same.before[key], b = same.after[key], deviations = deviationsAmong(kKeys);
                any = any || countChange(a, b, 1, deviations, same.scatter.variance(std::to_string(key), a, b)).told;
                anyByCounting = anyByCounting || countChange(a, b, 1, deviations).told;
            }
            loud += any;
            loudByCounting += anyByCounting;
            const auto other = sides(random, 0.1, 1.6);
            found += countChange(other.before[3], other.after[3], 1, deviationsAmong(kKeys),
                other.scatter.variance("3", other.before[3], other.after[3]))
                         .told;
        }
        QVERIFY2(loud <= 0.11 * kFigures, qPrintable(QString::number(loud))); // one in twenty, and three deviations of that
        QVERIFY2(loudByCounting > 0.9 * kFigures, qPrintable(QString::number(loudByCounting))); // what this is about
        QVERIFY2(found > 0.8 * kFigures, qPrintable(QString::number(found)));
    }
    void howFarRunsAreApartIsFound()
    {
        std::mt19937 random(7);
        double sum = 0;
        constexpr int kTimes = 100;
        for (int i = 0; i < kTimes; ++i)
            sum += sides(random, 0.2).scatter.relative();
        QVERIFY2(std::abs(sum / kTimes - 0.2) < 0.03, qPrintable(QString::number(sum / kTimes)));
    }
    /// What scatters by counting alone adds next to nothing.
    void countingIsNotCountedTwice()
    {
        std::mt19937 random(9);
        double sum = 0;
        for (int i = 0; i < 100; ++i)
            sum += sides(random, 1e-4).scatter.relative();
        QVERIFY2(sum / 100 < 0.01, qPrintable(QString::number(sum / 100)));
    }
    void aThingThatSwingsIsItsOwnNoise()
    {
        RunScatter scatter;
        for (int i = 0; i < 9; ++i)
            scatter.add("steady " + std::to_string(i), std::vector<double>{10'000, 10'010}, true);
        scatter.add("wild", std::vector<double>{100, 1'900}, true);
        scatter.add("wild", std::vector<double>{400, 3'000}, true);
        QVERIFY(!countChange(2'000, 3'400, 1, 2, scatter.variance("wild", 2'000, 3'400)).told);
        QVERIFY(countChange(20'000, 26'000, 1, 2, scatter.variance("steady 1", 20'000, 26'000)).told);
    }
    void ofOneRunNothingIsKnown()
    {
        RunScatter scatter;
        QVERIFY(!scatter.isKnown() && scatter.variance("a", 10, 20) == 0);
        scatter.add("a", std::vector<double>{10}, true);
        QVERIFY(!scatter.isKnown() && scatter.variance("a", 10, 20) == 0 && !Noise(Noise::Of::Counts, 2, &scatter).likeRuns);
    }
};
QTEST_GUILESS_MAIN(TestRunScatter)
#include "tst_run_scatter.moc"
