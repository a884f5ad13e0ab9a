// needs: graph/models engine/record
// Stacks of both origins, of records and of folded text, say the same: the numbers are made by hand.
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN
#include "engine/record/folded.h"
#include "graph/stacks.h"
#include "graph/store.h"
#include "tests/support/counted.h"
#include "tests/support/counted_stacks.h"
#include "tests/support/drawn/folded_lines.h"
#include "tests/support/drawn/visuals.h"
#include "tests/support/streams.h"
#endif
using namespace dscope;
using namespace dscope::graph;
using namespace dscope::test;
namespace {
using Counted = std::vector<std::pair<std::string, std::int64_t>>;
const Counted kCounted{{"main;run;write", 4}, {"main;run;read", 3}, {"main;run", 2}, {"main", 1}, {"other;read", 5}};

record::CountedStacks foldedText(const Counted& all) { return tests::countedStacks(all); }
/// The stacks of records, or of text.
std::shared_ptr<const Stacks> stacksOfBoth(const Counted& all, bool ofText)
{
    Store store;
    if (ofText)
        store.take(foldedText(all));
    else
        for (const auto& r : stacks(all))
            store.take(r);
    return stacksOf(store);
}
Counted lines(const Stacks& stacks)
{
    Counted out;
    stacks.eachLine([&](std::string_view stack, std::int64_t value) { out.emplace_back(stack, value); });
    return out;
}
/// The frames that `each` gives, with their kinds: "main.read!5" of a stack whose last frame is the kernel's.
QStringList steps(const Stacks& stacks)
{
    QStringList out;
    Frames frames;
    stacks.each(frames, [&](std::span<const StackStep> all, std::int64_t value) {
        QString line;
        for (const auto& step : all)
            line += (line.isEmpty() ? "" : ".") + q(frames[step.frame].shown()) + (step.shade == Shade::Kernel ? "!" : "")
                + (step.shade == Shade::Jit ? "?" : "");
        out << line + ' ' + QString::number(value);
    });
    return out;
}
} // namespace

class StacksTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void recordsAndTextSayTheSame_data()
    {
        QTest::addColumn<bool>("ofText");
        QTest::newRow("records") << false;
        QTest::newRow("text") << true;
    }
    void recordsAndTextSayTheSame()
    {
        QFETCH(bool, ofText);
        const auto stacks = stacksOfBoth(kCounted, ofText);
        QCOMPARE(stacks->total(), std::int64_t{15});
        QVERIFY((lines(*stacks) == Counted{{"main", 1}, {"main;run", 2}, {"main;run;read", 3}, {"main;run;write", 4}, {"other;read", 5}}));
        QCOMPARE(steps(*stacks), QStringList({"main 1", "main.run 2", "main.run.read 3", "main.run.write 4", "other.read 5"}));
        QVERIFY((stacks->leaves(2) == Counted{{"read", 8}, {"write", 4}}));

        const auto tree = stacks->tree({});
        QCOMPARE(tree->nodes.size(), std::size_t{7});
        const std::vector<std::string_view> path{"main", "run"};
        const auto node = tree->find(path);
        QVERIFY(node != 0);
        QCOMPARE(tree->nodes[node].total, std::int64_t{9});
        QCOMPARE(tree->nodes[node].self, std::int64_t{2});
        QCOMPARE(tree->path(node), std::string("main;run"));
    }
    void whatKindOfCodeAFrameIsIsKnownOfText()
    {
        const auto stacks = stacksOfBoth({{"app;unix`trap;genunix`read;zfs`io", 1}, {"app;jitted_[j];read_[k];copy", 2}, {"a_[i];b", 4}}, true);
        QCOMPARE(steps(*stacks), QStringList({"a.b 4", "app.jitted?.read!.copy! 2", "app.unix`trap!.genunix`read!.zfs`io! 1"}));
        // Its spelling stays: the text that is written is the one that was read.
        QVERIFY((lines(*stacks) == Counted{{"a_[i];b", 4}, {"app;jitted_[j];read_[k];copy", 2}, {"app;unix`trap;genunix`read;zfs`io", 1}}));
        Frames frames;
        QCOMPARE(frames[frames.of(stackFrame(record::namedFrame("unix`trap")))].module, 4u);
    }
    void aFrameIsFoundWithTheMarkOfItsKindAndWithout_data()
    {
        QTest::addColumn<QString>("focus");
        QTest::addColumn<qlonglong>("total");
        QTest::newRow("as spelled") << "app;read_[k]" << 2LL;
        QTest::newRow("as shown, the spelling first") << "app;read" << 5LL;
        QTest::newRow("as shown") << "app;copy" << 7LL;
        QTest::newRow("both") << "app;copy;x_[k]" << 7LL;
        QTest::newRow("not there: all") << "app;copy;y" << 14LL;
    }
    void aFrameIsFoundWithTheMarkOfItsKindAndWithout()
    {
        QFETCH(QString, focus);
        QFETCH(qlonglong, total);
        const auto stacks = stacksOfBoth({{"app;read_[k]", 2}, {"app;read", 5}, {"app;copy_[k];x_[k]", 7}}, true);
        const auto typed = focus.toStdString();
        const auto path = record::framesOf(typed);
        const auto tree = stacks->tree({path, 0.001});
        const auto node = tree->find(path);
        QCOMPARE(static_cast<qlonglong>(tree->nodes[node].total), total);
    }
    void recordsOfTextAddUpAndWhatMeasuresSomethingElseIsLeftOut()
    {
        Store store;
        store.take(foldedText({{"main;a", 4}, {"main;b", 1}}));
        store.take(foldedText({{"main;a", 2}}));
        auto other = foldedText({{"main;a", 100}});
        other.unit = record::StackUnit::Time;
        store.take(other);
        store.take(other); // in two records, and yet one measure
        const auto stacks = stacksOf(store);
        QVERIFY((lines(*stacks) == Counted{{"main;a", 6}, {"main;b", 1}}));
        QCOMPARE(stacks->total(), std::int64_t{7});
        QCOMPARE(stacks->leftOut(), std::size_t{1});
    }
    void importedStacksSayWhatTheyMeasure_data()
    {
        QTest::addColumn<int>("unit");
        QTest::addColumn<QString>("amount"); ///< of 1,500 "things"
        QTest::addColumn<QString>("name");
        QTest::newRow("a count") << int(record::StackUnit::Count) << "1,500 things"
                                 << "";
        QTest::newRow("time") << int(record::StackUnit::Time) << "1.5 \u00b5s"
                              << "";
        QTest::newRow("bytes") << int(record::StackUnit::Bytes) << "1.5 KiB"
                               << "";
        QTest::newRow("a sum of no known unit") << int(record::StackUnit::Unknown) << "1,500"
                                                << "things";
    }
    void importedStacksSayWhatTheyMeasure()
    {
        QFETCH(int, unit);
        QFETCH(QString, amount);
        QFETCH(QString, name);
        auto text = foldedText({{"main", 1500}});
        text.noun = "things";
        text.unit = static_cast<record::StackUnit>(unit);
        Store store;
        store.take(text);
        const auto& measure = stacksOf(store)->measure();
        QCOMPARE(q(measure.amount(1500)), amount);
        QCOMPARE(q(measure.name), name);
    }
    void aStoreOfRecordsMakesItsStacksOnceForAllViews()
    {
        Store store;
        for (const auto& r : stacks(kCounted))
            store.take(r);
        const auto first = stacksOf(store);
        QVERIFY(stacksOf(store) == first);
        for (const auto& kind : kinds())
            if (kind.name == "flame" || kind.name == "icicle") QVERIFY(kind.make(store)->stacks() == first);
        store.take(record::Drop{});
        QVERIFY(stacksOf(store) != first); // another state of the store
    }
    void aStackOfAMillionFramesIsDrawnToALimitAndSaysSo()
    {
        std::string deep = "a";
        for (int i = 1; i < 1'000'000; ++i)
            deep += ";a";
        const auto stacks = stacksOfBoth({{deep, 7}, {"b", 3}}, true);
        const auto tree = stacks->tree({});
        QVERIFY(tree->nodes.size() < 10'000);
        QCOMPARE(tree->cutAtDepth, std::int64_t{7});
        QCOMPARE(tree->nodes.front().total, std::int64_t{10});
        QCOMPARE(lines(*stacks).front().first.size(), deep.size()); // what is written is whole
        Store store;
        store.take(foldedText({{deep, 7}, {"b", 3}}));
        for (const auto& kind : kinds())
            if (kind.name == "flame" || kind.name == "sandwich") {
                const auto figure = kind.make(store)->figure({.focus = kind.name == "sandwich" ? "a" : ""});
                QVERIFY2(textOf(figure).find("not shown further") != std::string::npos, kind.name.data());
            }
    }
    void aVeryLongNameIsCutInFiguresAndDiffersFromItsLike()
    {
        const std::string one = std::string(100'000, 'x') + "1", two = std::string(100'000, 'x') + "2";
        Frames frames;
        const auto of = [&](const std::string& name) { return frames.of(stackFrame({.name = name})); };
        const auto a = of(one), b = of(two);
        QVERIFY(a != b && of(one) == a);
        QVERIFY(frames[a].name.size() < 5'000 && frames[a].name != frames[b].name);
        QVERIFY(frames[a].name.find("100001 bytes") != std::string::npos);
        QVERIFY((lines(*stacksOfBoth({{one, 1}}, true)) == Counted{{one, 1}}));
        int found = 0; // by its cut name
        Frames again;
        stacksOfBoth({{"main;" + one, 1}}, true)->eachWith(frames[a], again, [&](std::span<const StackStep>, std::int64_t) { ++found; });
        QCOMPARE(found, 1);
    }
};
QTEST_GUILESS_MAIN(StacksTest)
#include "tst_stack_model.moc"
