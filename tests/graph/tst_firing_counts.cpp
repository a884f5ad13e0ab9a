// needs: graph/models engine/record
// Two distributions that one clause fills count its firings once.
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN
#include "graph/firing_counts.h"
#include "graph/store.h"
#include "tests/support/drawn/visuals.h"
#include "tests/support/streams.h"
#endif
using namespace dscope;
using namespace dscope::graph;
using namespace dscope::test;
namespace {
/// Times and sizes of read(2), `times` and `sizes` values of them. `fills`: by clause.
Stream reads(const std::vector<std::string>& probes, const std::vector<std::vector<std::uint32_t>>& fills, std::int64_t times, std::int64_t sizes)
{
    auto p = program("", probes);
    p.aggregations = {aggregation("time", record::Aggregator::Quantize, "timestamp - self->ts", {}), aggregation("size", record::Aggregator::Lquantize, "arg0", {})};
    p.aggregations[1].parameters = {0, 100, 10, 0};
    for (std::size_t i = 0; i < fills.size(); ++i)
        for (const auto id : fills[i])
            p.clauses[i].fills.push_back(AggregationId{id});
    Stream s;
    begin(s, p);
    s.emplace_back(rows(0, {{{}, {power(11), times}}}));
    s.emplace_back(rows(1, {{{}, {3, sizes}}}));
    s.emplace_back(end(5 * kSecond));
    return s;
}
} // namespace

class TestFiringCounts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theSubtitleCountsEachFiringOnce_data()
    {
        QTest::addColumn<QStringList>("probes");
        QTest::addColumn<QString>("fills"); // of each clause
        QTest::addColumn<QString>("subtitle");
        QTest::newRow("one clause") << QStringList{"syscall:vmlinux:read:return"} << "01" << "95,614 calls in 5.00 s";
        QTest::newRow("two clauses at one probe") << QStringList{"syscall:vmlinux:read:return", "syscall:vmlinux:read:return"} << "0 1" << "191k values in 5.00 s";
        QTest::newRow("a clause for both and one for one") << QStringList{"syscall:vmlinux:read:return", "syscall:vmlinux:read:entry"} << "01 0" << "191k values in 5.00 s";
        QTest::newRow("two probes") << QStringList{"syscall:vmlinux:read:return", "syscall:vmlinux:read:entry"} << "0 1" << "191k calls in 5.00 s";
        QTest::newRow("nobody knows") << QStringList{"syscall:vmlinux:read:return"} << "" << "191k values in 5.00 s";
    }
    void theSubtitleCountsEachFiringOnce()
    {
        QFETCH(QStringList, probes);
        QFETCH(QString, fills);
        QFETCH(QString, subtitle);
        std::vector<std::string> written;
        for (const auto& probe : probes)
            written.push_back(probe.toStdString());
        std::vector<std::vector<std::uint32_t>> all;
        for (const auto& clause : fills.split(' ', Qt::SkipEmptyParts)) {
            auto& ids = all.emplace_back();
            for (const auto digit : clause)
                ids.push_back(static_cast<std::uint32_t>(digit.digitValue()));
        }
        const auto stream = reads(written, all, 95'614, 95'614);
        for (const auto* view : {"histogram", "ecdf"}) {
            const auto figure = visual(stream, view)->figure({});
            QVERIFY2(q(figure.words.subtitle).contains(subtitle), qPrintable(q(view) + ": " + q(figure.words.subtitle)));
        }
    }
    void aTitleIsOfAllDistributions()
    {
        const auto both = reads({"syscall:vmlinux:read:return"}, {{0, 1}}, 5'000, 5'000);
        QCOMPARE(q(visual(both, "histogram")->title()), QString("2 distributions of read(2)"));
        QCOMPARE(q(visual(both, "ecdf")->title()), QString("2 distributions of read(2)"));
        auto one = reads({"syscall:vmlinux:read:return"}, {{0, 1}}, 5'000, 0); // sizes have no values
        QCOMPARE(q(visual(one, "histogram")->title()), QString("How long does read(2) take?"));
    }
};
QTEST_GUILESS_MAIN(TestFiringCounts)
#include "tst_firing_counts.moc"
