// needs: graph/models engine/record
// The tables of functions, held against sums that are made of the stacks one by one.
#include <QMap>
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN
#include "graph/cost_tree.h"
#include "graph/store.h"
#include "tests/support/counted_stacks.h"
#endif
using namespace dscope;
using namespace dscope::graph;
using namespace dscope::test;
namespace {
using Counted = std::vector<std::pair<std::string, std::int64_t>>;
using From = CostTree::From;
const Counted kCounted{{"main;run;write", 4}, {"main;run;read", 3}, {"main;run", 2}, {"main", 1}, {"other;read", 5}, {"other;walk;walk;read", 7}};

std::shared_ptr<const Stacks> counted()
{
    Store store;
    for (const auto& r : stacks(kCounted))
        store.take(r);
    return stacksOf(store);
}
/// What a path of a tree took by itself and in all, by definition: a look at each stack. Top down it begins the stack. Bottom up its
/// first function is called by the second and so on, anywhere in the stack.
std::pair<qint64, qint64> expected(const QStringList& path, From from)
{
    qint64 self = 0, total = 0;
    for (const auto& [text, value] : kCounted) {
        const auto frames = QString::fromStdString(text).split(QChar(';'));
        bool isIn = false, isLast = false;
        for (qsizetype at = 0; at < frames.size(); ++at) {
            bool fits = true;
            for (qsizetype i = 0; i < path.size() && fits; ++i) {
                const auto place = from == From::Roots ? i : at - i;
                fits = place >= 0 && place < frames.size() && frames[place] == path[i];
            }
            if (!fits) continue;
            isIn = true;
            if ((from == From::Roots ? path.size() - 1 : at) == frames.size() - 1) isLast = true;
        }
        if (isIn) total += value;
        if (isLast) self += value;
    }
    return {self, total};
}
void walk(CostTree& tree, From from, std::uint32_t row, const QStringList& path, QStringList& all)
{
    for (const auto below : tree.below(row)) {
        const auto name = tree.nameOf(below);
        const auto longer = path + QStringList{QString::fromUtf8(name.data(), qsizetype(name.size()))};
        all << longer.join(QChar(';'));
        const auto is = expected(longer, from);
        QVERIFY2(tree[below].self == is.first && tree[below].total == is.second,
            qPrintable(QStringLiteral("%1: %2 of %3, %4 of %5").arg(longer.join(QChar(';'))).arg(tree[below].self).arg(is.first)
                           .arg(tree[below].total).arg(is.second)));
        QCOMPARE(tree.hasBelow(below), !tree.below(below).empty());
        walk(tree, from, below, longer, all);
    }
}
} // namespace

class TestCostTree : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void eachRowSaysWhatItsStacksSay_data()
    {
        QTest::addColumn<bool>("isDown");
        QTest::newRow("top down") << true;
        QTest::newRow("bottom up") << false;
    }
    void eachRowSaysWhatItsStacksSay()
    {
        QFETCH(const bool, isDown);
        const auto from = isDown ? From::Roots : From::Functions;
        CostTree tree(counted()->tree({}), from);
        QStringList paths;
        walk(tree, from, CostTree::kTop, {}, paths);
        for (const auto& path : isDown ? QStringList{"main;run;read", "other;walk;walk;read"} : QStringList{"read;run;main", "read;walk;walk;other", "walk;walk;other", "walk;other"})
            QVERIFY2(paths.contains(path), qPrintable(paths.join(QChar('\n'))));
        QCOMPARE(paths.size(), QSet<QString>(paths.begin(), paths.end()).size());

        bool isAll = false;
        const auto table = tableOf(tree, counted()->measure(), 1000, isAll);
        QVERIFY(isAll);
        QCOMPARE(qsizetype(table.rows.size()), paths.size());
        (void)tableOf(tree, counted()->measure(), 3, isAll);
        QVERIFY(!isAll);
    }
    void aFilterLeavesTheWaysToWhatIsCalledSo()
    {
        const auto test = [](std::string_view name) { return name == "walk"; };
        CostTree down(counted()->tree({}), From::Roots, test), up(counted()->tree({}), From::Functions, test);
        QStringList paths;
        walk(down, From::Roots, CostTree::kTop, {}, paths);
        // "other" keeps all its costs: a filter hides rows, it takes nothing out of the run.
        QCOMPARE(paths, (QStringList{"other", "other;walk", "other;walk;walk", "other;walk;walk;read"}));
        QCOMPARE(up.below(CostTree::kTop).size(), std::size_t{1});
        QCOMPARE(up.nameOf(up.below(CostTree::kTop).front()), std::string_view("walk"));
    }
    void keysAreSummedUp()
    {
        Stream s;
        auto p = program("profile-997 { @[execname, tid, ustack()] = count(); }", {"profile:::profile-997"});
        p.aggregations = {aggregation("", Aggregator::Count, "", {textKey("execname"), numberKey("tid"), stackKey(record::FieldKind::UserStack)})};
        begin(s, p);
        s.emplace_back(stack(1, {frame("", "main", record::Frame::Kind::User), frame("", "work", record::Frame::Kind::User)}));
        s.emplace_back(stack(2, {frame("", "main", record::Frame::Kind::User)}));
        s.emplace_back(rows(0, {{Key().text("cc").number(7).stack(1).bytes(), {5}}, {Key().text("cc").number(7).stack(2).bytes(), {2}},
                                   {Key().text("ld").number(9).stack(2).bytes(), {3}}}));
        s.emplace_back(end(kSecond));
        Store store;
        for (const auto& r : s)
            store.take(r);
        const auto table = costsByKey(*stacksOf(store));
        const std::vector<std::vector<std::string>> all{{"cc", "7", "7", "70.0", "work"}, {"ld", "9", "3", "30.0", "main"}};
        QVERIFY(table.rows == all);
        QCOMPARE(table.columns[1].title, std::string("tid"));
        QVERIFY(costsByKey(*counted()).columns.empty());
    }
    void linesAreSummedUp()
    {
        auto at = [](const char* function, std::uint32_t line) {
            auto f = frame("prog", function, record::Frame::Kind::User);
            f.address = line;
            f.file = std::string("/src/prog.c");
            f.line = line;
            return f;
        };
        Stream s;
        auto p = program("profile-997 { @[ustack()] = count(); }", {"profile:::profile-997"});
        p.aggregations = {aggregation("", Aggregator::Count, "", {stackKey(record::FieldKind::UserStack)})};
        begin(s, p);
        // A function that calls itself from one line counts once there.
        s.emplace_back(stack(1, {at("main", 3), at("walk", 8), at("walk", 8), at("walk", 9)}));
        s.emplace_back(stack(2, {at("main", 4), at("walk", 9)}));
        s.emplace_back(rows(0, {{Key().stack(1).bytes(), {5}}, {Key().stack(2).bytes(), {2}}}));
        s.emplace_back(end(kSecond));
        Store store;
        for (const auto& r : s)
            store.take(r);
        const auto table = costsByLine(*stacksOf(store));
        QMap<QString, QString> costs;
        for (const auto& row : table.rows)
            costs[QString::fromStdString(row[0])] = QString::fromStdString(row[2] + ' ' + row[4]);
        QCOMPARE(costs, (QMap<QString, QString>{{"prog.c:3", "0 5"}, {"prog.c:4", "0 2"}, {"prog.c:8", "0 5"}, {"prog.c:9", "7 7"}}));
        QVERIFY(costsByLine(*counted()).columns.empty());
    }
};
QTEST_GUILESS_MAIN(TestCostTree)
#include "tst_cost_tree.moc"
