// needs: graph/models
// Where values lie on an axis, by arithmetic.
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN
#include "graph/value_axis.h"
#endif
using namespace dscope::graph;
namespace {
ValueRange rangeOf(std::initializer_list<double> values)
{
    ValueRange range;
    for (const double v : values)
        range.add(v);
    return range;
}
QString ticks(const ValueAxis& axis)
{
    QStringList out;
    for (const double t : axis.ticks())
        out << QString::number(t);
    return out.join(' ');
}
} // namespace
class TestValueAxis : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aLinearAxisHasZero()
    {
        const ValueAxis axis(rangeOf({3, 40}), ValueScale::Linear, 4, {Unit::Count, 1});
        QCOMPARE(ticks(axis), QStringLiteral("0 10 20 30 40"));
        QCOMPARE(axis.at(0), 0.0);
        QCOMPARE(axis.at(40), 1.0);
        QCOMPARE(axis.at(10), 0.25);
    }
    void aLogarithmicAxisGoesFromPowerToPower()
    {
        const ValueAxis axis(rangeOf({3, 40'000}), ValueScale::Logarithmic, 8, {Unit::Count, 1});
        QCOMPARE(ticks(axis), QStringLiteral("1 10 100 1000 10000 100000"));
        QVERIFY(qAbs(axis.at(1)) < 1e-9);
        QVERIFY(qAbs(axis.at(100) - 0.4) < 1e-9);
        QVERIFY(qAbs(axis.at(100'000) - 1) < 1e-9);
        QCOMPARE(axis.at(0), 0.0);
        QCOMPARE(axis.at(-5), 0.0);
    }
    void sizesDouble()
    {
        const ValueAxis axis(rangeOf({1024, 4096}), ValueScale::Logarithmic, 8, {Unit::Bytes, 1});
        QCOMPARE(ticks(axis), QStringLiteral("1024 2048 4096"));
    }
    void ticksAreInUnitsAndValuesAsTheyWereTraced()
    {
        const ValueAxis axis(rangeOf({1, 1000}), ValueScale::Logarithmic, 8, {Unit::Nanoseconds, 1000}); // microseconds
        QCOMPARE(ticks(axis), QStringLiteral("1000 10000 100000 1e+06"));
        QVERIFY(qAbs(axis.at(1)) < 1e-9);
        QVERIFY(qAbs(axis.at(1000) - 1) < 1e-9);
        QVERIFY(qAbs(axis.atTick(10'000) - axis.at(10)) < 1e-9);
    }
    void nothingAboveZeroHasNoLogarithm()
    {
        const ValueAxis axis(rangeOf({0, -3}), ValueScale::Logarithmic, 4, {Unit::None, 1});
        QVERIFY(!axis.isLogarithmic());
    }
};
QTEST_GUILESS_MAIN(TestValueAxis)
#include "tst_value_axis.moc"
