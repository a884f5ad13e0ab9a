// needs: engine/record
// Where a note at a line points to, and how differences of distributions are written.
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN
#include "graph/annotated.h"
#include "tests/support/drawn/visuals.h"
#endif
using namespace dscope;
using namespace dscope::graph;
using namespace dscope::test;
namespace {
Stream distribution(std::int64_t count)
{
    return ticking(aggregation("", Aggregator::Quantize, "arg2", {textKey("execname")}), {{{Key().text("a").bytes(), {64, count}}}}, true);
}
} // namespace

class MarksAndSignsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aNoteAtALinePointsToItsHighestPoint()
    {
        std::vector<std::vector<record::AggregationRow>> seconds;
        for (const std::int64_t value : {10, 90, 20, 30})
            seconds.push_back({{Key().text("a").bytes(), {value}}});
        const auto v = visual(ticking(aggregation("", Aggregator::Count, "", {textKey("execname")}), seconds, true), "series");
        LayoutOptions options;
        options.marks = {{"a", "why"}};
        const auto figure = annotatedFigure(*v, options);
        double highest = 1e9;
        for (const auto& item : figure.items)
            if (const auto* path = std::get_if<Path>(&item.shape); path && item.role == Role::Series && item.key == "a")
                for (const auto& point : path->points)
                    highest = std::min(highest, point.y);
        const Box* target = nullptr;
        for (const auto& item : figure.items)
            if (const auto* box = std::get_if<Box>(&item.shape); box && item.role == Role::Marker && !target) target = box;
        QVERIFY(target != nullptr);
        QVERIFY2(target->width < 30 && target->height < 30, std::to_string(target->width).c_str()); // not as large as the plot
        QVERIFY(std::abs(target->y + target->height / 2 - highest) < 1);
    }
    void differencesOfDistributionsHaveSignsAndGroups_data()
    {
        QTest::addColumn<int>("before");
        QTest::addColumn<int>("after");
        QTest::addColumn<QString>("shown");
        QTest::newRow("more") << 100 << 12345 << QStringLiteral("\n+12,245\n");
        QTest::newRow("less") << 12345 << 100 << QStringLiteral("\n\u221212,245\n");
    }
    void differencesOfDistributionsHaveSignsAndGroups()
    {
        QFETCH(int, before);
        QFETCH(int, after);
        QFETCH(QString, shown);
        Store old, now;
        for (const auto& r : distribution(before))
            old.take(r);
        for (const auto& r : distribution(after))
            now.take(r);
        for (const auto& kind : kinds())
            if (kind.name == "table") {
                const auto words = textOf(kind.compare(old, now)->figure({}));
                QVERIFY2(q(words).contains(shown), words.c_str());
            }
    }
};
QTEST_GUILESS_MAIN(MarksAndSignsTest)
#include "tst_marks_and_signs.moc"
