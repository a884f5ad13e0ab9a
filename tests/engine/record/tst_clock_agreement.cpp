// How far the times of several machines may be apart, added up here by hand from what each says of its clock.
#include "engine/record/clock_agreement.h"
#include "tests/support/streams.h"
#include <QObject>
#include <QTest>
using namespace dscope;
using namespace dscope::test;
using record::ClockAgreements;
using record::ClockOffset;
using record::ClockReading;
using Kept = record::ClockReading::Kept;
namespace {
constexpr std::int64_t kWall = 1'795'165'000 * kSecond;
ClockReading reading(Kept kept, std::int64_t maxError, std::int64_t width, std::int64_t moved = 0)
{
    return {kStart, kWall + kStart + moved, width, kept, maxError};
}
struct Told {
    ClockReading begin{}, end{};
    std::optional<ClockOffset> measured{};
    record::ClockAgreement merged{};
};
QString outcomeOf(const std::vector<std::pair<std::string, Told>>& runs)
{
    ClockAgreements all;
    for (const auto& [host, told] : runs) {
        auto p = program("x", {"syscall::read:entry"});
        p.host = host;
        p.clock = told.begin;
        record::Exit exit;
        exit.clock = told.end;
        exit.agreement = told.merged;
        all.add(host, p, exit, told.measured);
    }
    auto text = QString::fromStdString(record::textOf(all.agreement()));
    for (const auto& one : all.complaints(2))
        text += "; " + QString::fromStdString(one);
    return text;
}
} // namespace

class TestClockAgreement : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theErrorIsTold_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("told");
        const auto row = [](const char* name, const std::vector<std::pair<std::string, Told>>& runs, const char* told) {
            QTest::newRow(name) << outcomeOf(runs) << QString::fromUtf8(told);
        };
        const auto ms = kMillisecond;
        const Told good{reading(Kept::Yes, 2 * ms, 200), reading(Kept::Yes, 3 * ms, 200)};    // 3 ms and 100 ns at most
        const Told better{reading(Kept::Yes, 500'000, 200), reading(Kept::Yes, 400'000, 200)}; // 500 us and 100 ns
        const Told unkept{reading(Kept::No, 0, 200), reading(Kept::No, 0, 200)};
        row("one host", {{"a", good}}, "");
        row("two runs of one host", {{"a", good}, {"a", better}}, "");
        row("two hosts", {{"a", good}, {"b", better}}, "the clocks of 2 hosts agree within 3.51 ms");
        row("the two worst of three", {{"a", good}, {"b", better}, {"c", good}}, "the clocks of 3 hosts agree within 6.01 ms");
        row("cut before its end", {{"a", {good.begin, {}}}, {"b", better}}, "the clocks of 2 hosts agree within 2.51 ms");
        row("a clock that was set", {{"a", {good.begin, reading(Kept::Yes, 3 * ms, 200, 2 * kSecond)}}, {"b", better}},
            "the clocks of 2 hosts agree within 2.01 s; while it ran, the clock was set, or the machine slept, of a (2.00 s on)");
        row("a clock that nobody keeps", {{"a", good}, {"b", better}, {"c", unkept}},
            "the clocks of 2 of 3 hosts agree within 3.51 ms; nothing keeps the clock of c: how far it is off is not known");
        row("many of them", {{"a", unkept}, {"b", unkept}, {"c", unkept}},
            "how far the clocks of 3 hosts are apart is not known; nothing keeps the clock of a, b and 1 more: how far it is off is not known");
        row("recordings of before", {{"a", {}}, {"b", {}}}, "how far the clocks of 2 hosts are apart is not known");
        row("measured from here", {{"a", {unkept.begin, unkept.end, ClockOffset{-200 * ms, 400 * ms}}}, {"b", {unkept.begin, unkept.end, ClockOffset{-100 * ms, 300 * ms}}}},
            "the clocks of 2 hosts agree within 700 ms; nothing keeps the clock of a, b: how far it is off is known by what was measured from here alone");
        row("measured, which is worse than what they know", {{"a", {good.begin, good.end, ClockOffset{-200 * ms, 400 * ms}}}, {"b", {better.begin, better.end, ClockOffset{-100 * ms, 300 * ms}}}},
            "the clocks of 2 hosts agree within 3.51 ms");
        row("a clock that is wrong", {{"a", {good.begin, good.end, ClockOffset{-200 * ms, 400 * ms}}}, {"b", {good.begin, good.end, ClockOffset{59'800 * ms, 60'200 * ms}}}},
            "the clocks of 2 hosts agree within 600 ms; the clock of b is some 60.0 s ahead of this machine's: its times are put right by that, within 200 ms");
        row("with what was merged before", {{"a, b", {good.begin, {}, {}, {2, 0, 7 * ms}}}, {"c", better}}, "the clocks of 3 hosts agree within 7.51 ms");
    }
    void theErrorIsTold()
    {
        QFETCH(QString, text);
        QFETCH(QString, told);
        QCOMPARE(text, told);
    }
};
QTEST_GUILESS_MAIN(TestClockAgreement)
#include "tst_clock_agreement.moc"
