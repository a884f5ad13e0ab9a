// needs: engine/record
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN // moc stumbles over <concepts>
#include "graph/store.h"
#include "graph/visual.h"
#include "tests/support/drawn/figures.h"
#include "tests/support/drawn/visuals.h"
#include <algorithm>
#endif
using namespace dscope;
using namespace dscope::graph;
using namespace dscope::test;

namespace {
QStringList fitting(const Stream& stream)
{
    Store store;
    store.take(stream.front());
    QStringList names;
    for (const auto& kind : kinds())
        if (kind.fits(store)) names << q(kind.name);
    return names;
}
} // namespace

class ModelsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theShapeOfAProgramPicksItsViews()
    {
        QCOMPARE(fitting(build()), QStringList({"process-tree", "process-timeline"}));
        QCOMPARE(fitting(profile(3, 3, 3)), QStringList({"flame", "call-graph", "icicle", "sandwich", "table"}));
        QCOMPARE(fitting(writeTimes({"a"})), QStringList({"histogram", "ecdf", "heatmap", "series", "table"}));
        QCOMPARE(fitting(written({"a"})), QStringList({"bars", "series", "table"}));
        QCOMPARE(fitting(opened({"a"})), QStringList({"table"}));
    }
    void viewsAreOfferedInOneOrder()
    {
        QStringList names;
        for (const auto& kind : kinds())
            names << q(kind.name);
        QCOMPARE(names.join(' '),
            QString(
                "process-tree process-timeline flame call-graph icicle sandwich lines disassembly source histogram ecdf flame-chart heatmap bars graph series table"));
    }
    void whatIsCountedIsToldByTheProbesNotByHowTheyWereWritten()
    {
        const auto drawn = [](const std::string& written, const record::ProbeDef& probe) {
            auto stream = profile(3, 3, 3);
            auto& p = std::get<record::Program>(stream.front());
            p.clauses.front().probes = written;
            for (auto& r : stream)
                if (auto* def = std::get_if<record::ProbeDef>(&r)) *def = probe;
            const auto v = visual(stream, "flame");
            return q(v->title()) + '|' + q(textOf(v->figure({})));
        };
        const auto sampled = drawn("*:::profile-99", {ProbeId{7}, "profile", "", "", "profile-99"});
        QVERIFY2(sampled.startsWith("Where the CPU time goes") && sampled.contains("samples"), qPrintable(sampled));
        const auto called = drawn("profiler*:::entry", {ProbeId{7}, "pid77", "profiler", "main", "entry"});
        QVERIFY2(called.startsWith("What leads to") && called.contains("calls"), qPrintable(called));
        const auto ticked = drawn("profile:::tick-1s", {ProbeId{7}, "profile", "", "", "tick-1s"});
        QVERIFY2(ticked.contains("events"), qPrintable(ticked));
    }
    void everyViewStatesItsFacts()
    {
        const Store nothing;
        for (const auto& kind : kinds()) {
            const auto v = kind.make(nothing);
            QCOMPARE(v->name(), kind.name);
            QVERIFY2(!kind.tab.empty() && !kind.summary.empty(), std::string(kind.name).c_str());
            QVERIFY(v->facts().growth == kind.growth && v->facts().hasFocus == kind.hasFocus && v->facts().isTable == kind.isTable);
        }
    }
    void everyViewSaysInWordsThatItIsEmpty()
    {
        for (const auto& stream : {build(), profile(3, 3, 3), writeTimes({"a"}), written({"a"}), opened({"a"})}) {
            Store store;
            store.take(stream.front());
            for (const auto& kind : kinds()) {
                if (!kind.fits(store)) continue;
                const auto v = kind.make(store);
                QVERIFY(v->empty());
                QVERIFY(v->table().rows.empty());
                QVERIFY(!v->table().columns.empty());
                const std::string words = textOf(v->figure({}));
                QVERIFY2(words.find(" yet") != std::string::npos, words.c_str());
            }
        }
    }
    void aVisualOutlivesChangesOfTheStore()
    {
        Store store;
        for (const auto& r : writeTimes({"imapd"}))
            store.take(r);
        const auto kind = kinds();
        const auto it = std::find_if(kind.begin(), kind.end(), [](const Kind& k) { return k.name == "histogram"; });
        const auto v = it->make(store);
        const auto before = v->table().rows;
        store = Store();
        QVERIFY(v->table().rows == before);
    }
    void caveatsStayWhateverTheSubtitle()
    {
        auto stream = profile(200, 30, 200);
        std::get<record::Program>(stream.front()).source = "profile-997 { @[ustack()] = count(); }";
        stream.insert(stream.end() - 1, record::Drop{});
        std::get<record::Drop>(stream[stream.size() - 2]).count = 1234;
        LayoutOptions options;
        options.subtitle = "my own words";
        const auto text = textOf(visual(stream, "flame")->figure(options));
        QVERIFY2(text.find("my own words") != std::string::npos, text.c_str());
        QVERIFY2(text.find("deeper levels are not shown") != std::string::npos, text.c_str());
        QVERIFY2(text.find("1,234 records lost") != std::string::npos, text.c_str());
    }
    void aLiteralNamesNoFigure()
    {
        Stream s;
        auto p = program("x:::y { @[\"neg\", execname] = sum(-1); }", {"x:::y"});
        p.aggregations = {aggregation("S", Aggregator::Sum, "-1", {textKey("\"neg\""), textKey("execname")})};
        begin(s, p);
        s.emplace_back(rows(0, {{Key().text("neg").text("cat").bytes(), {-5}}}));
        QCOMPARE(q(visual(s, "bars")->title()), QString("Sum of a constant by execname"));
        QCOMPARE(q(visual(s, "series")->title()), QString("Sum of a constant by execname over time"));
        for (const auto* view : {"bars", "series"}) {
            const auto columns = visual(s, view)->table().columns;
            QVERIFY(std::any_of(columns.begin(), columns.end(), [](const Column& c) { return c.title == "key"; }));
        }
    }
    void afterAClearTheFormerRowsAreShown()
    {
        auto s = written({"a", "b"});
        auto& p = std::get<record::Program>(s.front());
        p.clauses[0].actions = {{record::ActionKind::Clear, "", {}, {AggregationId{0}}}};
        s.insert(s.end() - 1, record::Fired{ClauseId{0}, ProbeId{1}, 0, 0, 0, record::Nanoseconds(kStart + kSecond), {}});
        QCOMPARE(visual(s, "bars")->table().rows.size(), std::size_t{2});
        QVERIFY(!visual(s, "bars")->empty());
        QCOMPARE(q(rowsOf(*visual(s, "bars"))[0].at("bytes")), QString("98765432"));
    }
    void whereItIsEmptiedAtIntervalsTheWholeRunIsShown_data()
    {
        QTest::addColumn<double>("after"); // of the last clear, in seconds: something came in, and the program ended
        QTest::addColumn<QString>("told");
        QTest::newRow("next to nothing since") << 0.02 << QStringLiteral("in 3.02 s");
        QTest::newRow("most of another interval") << 0.9 << QStringLiteral("in 3.90 s");
    }
    void whereItIsEmptiedAtIntervalsTheWholeRunIsShown()
    {
        QFETCH(double, after);
        QFETCH(QString, told);
        const QString value = "67"; // 10, 20, 30 and 7
        const auto of = [](std::int64_t n) { return std::vector<record::AggregationRow>{{Key().text("a").bytes(), {n}}}; };
        auto s = ticking(aggregation("n", Aggregator::Count, "", {textKey("execname")}), {of(10), of(20), of(30)}, true);
        s.pop_back();
        const auto at = std::int64_t{3} * kSecond + static_cast<std::int64_t>(after * 1e9);
        s.emplace_back(record::AggregationRows{AggregationId{0}, record::Nanoseconds(kStart + at), of(7)});
        s.emplace_back(end(at));
        for (const auto* view : {"bars", "table"}) {
            QCOMPARE(q(rowsOf(*visual(s, view))[0].at("n")), value);
            const auto text = textOf(visual(s, view)->figure({}));
            QVERIFY2(text.find(told.toStdString()) != std::string::npos, text.c_str());
        }
        // Emptied once, as an END clause does with what it has printed, it is what came in since the beginning.
        auto once = ticking(aggregation("n", Aggregator::Count, "", {textKey("execname")}), {of(10)}, true);
        const auto text = textOf(visual(once, "bars")->figure({}));
        QVERIFY2(text.find("in 1.00 s") != std::string::npos && text.find("interval") == std::string::npos, text.c_str());
    }
    void nothingOfHostAndArgumentsIsLeftWhenRedacted()
    {
        LayoutOptions options;
        options.redact = true;
        const auto figure = visual(build(), "process-tree")->figure(options);
        std::string all = textOf(figure) + figure.title + figure.description;
        for (const auto& item : figure.items)
            all += item.tip;
        for (const auto* secret : {"build01", "--selftest", "config", "src/", "/home/me", "-j4"})
            QVERIFY2(all.find(secret) == std::string::npos, secret);
    }
    /// What is read from memory is called by its name in titles; the table keeps the expression.
    void aTitleNamesWhatIsReadByItsName()
    {
        auto stream = written({"a", "b"});
        auto& keys = std::get<record::Program>(stream.front()).aggregations[0].keys;
        keys[0].name = "dirname(copyinstr(self->path))";
        const auto v = visual(stream, "bars");
        QVERIFY2(v->title().find("by dirname(path)") != std::string::npos, v->title().c_str());
        QCOMPARE(v->table().columns[0].title, std::string("dirname(copyinstr(self->path))"));
        keys[0].name = "copyinstr(arg0)"; // no name: what it is must be seen
        QVERIFY(visual(stream, "bars")->title().find("by copyinstr(arg0)") != std::string::npos);
    }
    void aRedactedTitleHasNoCommandOnAnyPage_data()
    {
        QTest::addColumn<QString>("view");
        QTest::addColumn<double>("height");
        QTest::addColumn<bool>("higher");
        for (const auto* view : {"flame", "icicle", "call-graph"}) {
            const QByteArray name = view;
            QTest::newRow((name + ", all of it").constData()) << QString(view) << 1200.0 << false;
            QTest::newRow((name + ", levels left out").constData()) << QString(view) << 240.0 << false;
            QTest::newRow((name + ", higher than asked").constData()) << QString(view) << 240.0 << true;
        }
    }
    void aRedactedTitleHasNoCommandOnAnyPage()
    {
        QFETCH(QString, view);
        QFETCH(double, height);
        QFETCH(bool, higher);
        auto stream = profile(30, 15, 30);
        std::get<record::Program>(stream.front()).command = "plan-for-2027 --customer acme";
        LayoutOptions options;
        options.height = height;
        options.higher = higher;
        const auto v = visual(stream, view.toStdString());
        QVERIFY(textOf(v->figure(options)).find("plan-for-2027") != std::string::npos);
        options.redact = true;
        QCOMPARE(textOf(v->figure(options)).find("plan-for-2027"), std::string::npos);
    }
};
QTEST_GUILESS_MAIN(ModelsTest)
#include "tst_models.moc"
