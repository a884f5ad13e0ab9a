// needs: engine/record
// What changed between two runs, in the views that can say it.
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN // moc stumbles over <concepts>
#include "graph/palette.h"
#include "graph/store.h"
#include "graph/visual.h"
#include "tests/support/counted.h"
#include "tests/support/streams.h"
#include <algorithm>
#include <map>
#include <memory>
#endif
using namespace dscope;
using namespace dscope::graph;
using namespace dscope::test;

namespace {
std::unique_ptr<Visual> compared(const Stream& before, const Stream& after, std::string_view name)
{
    Store old, now;
    for (const auto& r : before)
        old.take(r);
    for (const auto& r : after)
        now.take(r);
    for (const auto& kind : kinds())
        if (kind.name == name && kind.compare) return kind.compare(old, now);
    return nullptr;
}
/// Rows by their text columns, joined by a blank.
std::map<std::string, std::map<std::string, std::string>> rowsOf(const Visual& v)
{
    const auto table = v.table();
    std::map<std::string, std::map<std::string, std::string>> out;
    for (const auto& row : table.rows) {
        std::map<std::string, std::string> cells;
        std::string key;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const auto& title = table.columns[i].title;
            const bool ours = title.ends_with("before") || title.ends_with("after") || title.ends_with("difference");
            if (!ours) key += (key.empty() ? "" : " ") + row[i];
            cells[title] = row[i];
        }
        out[key] = cells;
    }
    return out;
}
Stream stacks(const std::vector<std::pair<std::vector<std::string>, std::int64_t>>& all)
{
    Stream s;
    auto p = program("profile-97 { @[ustack()] = count(); }", {"profile:::profile-97"});
    p.aggregations = {aggregation("", Aggregator::Count, "", {stackKey(FieldKind::UserStack)})};
    begin(s, p);
    std::vector<record::AggregationRow> rowsOfAll;
    std::uint32_t id = 0;
    for (const auto& [names, value] : all) {
        std::vector<record::Frame> frames;
        for (const auto& name : names)
            frames.push_back(frame("a", name, record::Frame::Kind::User));
        s.emplace_back(stack(++id, frames));
        rowsOfAll.push_back({Key().stack(id).bytes(), {value}});
    }
    s.emplace_back(rows(0, rowsOfAll));
    return s;
}
const Item* markOf(const Figure& figure, const std::string& key)
{
    for (const auto& item : figure.items)
        if (item.key == key && std::holds_alternative<Box>(item.shape)) return &item;
    return nullptr;
}
std::string textOf(const Figure& figure)
{
    std::string all;
    for (const auto& item : figure.items)
        if (const auto* t = std::get_if<Text>(&item.shape)) all += t->text + '\n';
    return all;
}
Stream sizes(const std::vector<std::pair<std::int64_t, std::int64_t>>& buckets, const std::string& key = "imapd")
{
    Stream s;
    auto p = program("syscall::write:entry { @[execname] = quantize(arg2); }", {"syscall::write:entry"});
    p.aggregations = {aggregation("", Aggregator::Quantize, "arg2", {textKey("execname")})};
    begin(s, p);
    std::vector<std::int64_t> data;
    for (const auto& [bucket, count] : buckets)
        data.insert(data.end(), {bucket, count});
    s.emplace_back(rows(0, {{Key().text(key).bytes(), data}}));
    return s;
}
Stream counts(const std::vector<std::pair<std::string, std::int64_t>>& all)
{
    Stream s;
    auto p = program("syscall:::entry { @[execname] = count(); }", {"syscall:::entry"});
    p.aggregations = {aggregation("", Aggregator::Count, "", {textKey("execname")})};
    begin(s, p);
    std::vector<record::AggregationRow> some;
    for (const auto& [key, value] : all)
        some.push_back({Key().text(key).bytes(), {value}});
    s.emplace_back(rows(0, some));
    return s;
}
/// Files that programs opened.
Stream opened(std::int64_t factor)
{
    Stream s;
    auto p = program("syscall::openat:entry { @[execname, copyinstr(arg1)] = count(); }", {"syscall::openat:entry"});
    p.aggregations = {aggregation("", Aggregator::Count, "", {textKey("execname"), textKey("copyinstr(arg1)")})};
    begin(s, p);
    std::vector<record::AggregationRow> some;
    for (int i = 0; i < 9; ++i)
        some.push_back({Key().text("program-" + std::to_string(i)).text("/var/lib/some/folder/file-" + std::to_string(i)).bytes(), {100 * i * factor}});
    s.emplace_back(rows(0, some));
    return s;
}
} // namespace

class TestCompare : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aFlameGraphShowsWhatIsNewAndWhatIsGone()
    {
        const auto v = compared(
            stacks({{{"main", "old"}, 300}, {{"main", "same"}, 700}}), stacks({{{"main", "new"}, 300}, {{"main", "same"}, 700}}), "flame");
        QVERIFY(v);
        auto rows = rowsOf(*v);
        QCOMPARE(rows.size(), std::size_t{3});
        QCOMPARE(rows["a`main;a`old"]["before"], std::string("300"));
        QCOMPARE(rows["a`main;a`old"]["difference"], std::string("-300"));
        QCOMPARE(rows["a`main;a`new"]["difference"], std::string("300"));
        QCOMPARE(rows["a`main;a`same"]["difference"], std::string("0"));
        const auto figure = v->figure({});
        const auto *gone = markOf(figure, "a`main;a`old"), *fresh = markOf(figure, "a`main;a`new"), *same = markOf(figure, "a`main;a`same");
        QVERIFY(gone && fresh && same);
        QCOMPARE(gone->level, 0.0);
        QCOMPARE(fresh->level, 1.0);
        QVERIFY(same->level < 0);
        // Source: docs/figures.md, "Colours": blue shrank, red grew.
        QCOMPARE(style(*gone, Theme::Light).fill, 0x2166AC);
        QCOMPARE(style(*fresh, Theme::Light).fill, 0xB2182B);
        // Neither is missing: each is as wide as the mean of its shares, 15 % and 15 % of the page.
        QVERIFY(std::abs(std::get<Box>(gone->shape).width - std::get<Box>(fresh->shape).width) < 1);
        QVERIFY(std::get<Box>(gone->shape).width > 100);
        const auto text = textOf(figure);
        QVERIFY(text.find("gone") != std::string::npos && text.find("new") != std::string::npos);
        QVERIFY2(text.find("numbers as they were recorded") != std::string::npos, text.c_str());
        QVERIFY(!v->stacks());
    }
    /// 0.5 and 2 of one text, 3 and 9007199254740993 of the other: once compared as 5 and 20 with 3 and 9007199254740992.
    void valuesOfImportedTextsHaveOneExponent()
    {
        const auto imported = [](const dscope::tests::FoldedLines& lines, int exponent) {
            Stream s;
            auto p = program("", {});
            p.isImported = true;
            begin(s, p);
            auto counted = dscope::tests::countedStacks(lines);
            counted.exponent = static_cast<std::int8_t>(exponent);
            s.emplace_back(counted);
            return s;
        };
        const auto before = imported({{"a;b", 5}, {"a;c", 20}}, -1), after = imported({{"a;b", 3}, {"a;c", 9007199254740993}}, 0);
        const auto flame = rowsOf(*compared(before, after, "flame"));
        QCOMPARE(flame.at("a;b").at("before"), std::string("0.5"));
        QCOMPARE(flame.at("a;b").at("after"), std::string("3"));
        QCOMPARE(flame.at("a;b").at("difference"), std::string("2.5"));
        QCOMPARE(flame.at("a;c").at("after"), std::string("9007199254740993"));
        QCOMPARE(rowsOf(*compared(before, after, "call-graph")).at("a b").at("before"), std::string("0.5"));
        QCOMPARE(rowsOf(*compared(after, before, "flame")).at("a;b").at("before"), std::string("3"));
        const auto huge = imported({{"a;b", INT64_MAX}}, 0); // there is no room for a decimal
        QCOMPARE(rowsOf(*compared(before, huge, "flame")).at("a;b").at("before"), std::string("1"));
    }
    void fewSamplesAreGrey()
    {
        const auto v
            = compared(stacks({{{"main", "x"}, 4}, {{"main", "y"}, 100}}), stacks({{{"main", "x"}, 7}, {{"main", "y"}, 100}}), "flame");
        const auto figure = v->figure({});
        const auto* x = markOf(figure, "a`main;a`x");
        QVERIFY(x && x->level < 0);
        QCOMPARE(style(*x, Theme::Light).fill, 0xDDE1E6);
        QVERIFY(x->tip.find("may be chance") != std::string::npos);
    }
    // One basis in all views: numbers as they were recorded, and how the whole changed in the title.
    void aLongerRunIsNotScaled()
    {
        const auto before = stacks({{{"main", "x"}, 1000}}), after = stacks({{{"main", "x"}, 2000}});
        for (const auto* view : {"flame", "icicle", "table"}) {
            const auto v = compared(before, after, view);
            const auto table = v->table();
            QCOMPARE(table.rows.size(), std::size_t{1});
            QCOMPARE(table.rows[0][1], std::string("1000"));
            QCOMPARE(table.rows[0][3], std::string("1000"));
            if (std::string_view(view) != "table") QVERIFY2(v->title().find("+100 %") != std::string::npos, v->title().c_str());
        }
    }
    void aHistogramComparesBuckets()
    {
        const auto v = compared(sizes({{power(3), 100}, {power(4), 100}}), sizes({{power(4), 300}, {power(6), 100}}), "histogram");
        QVERIFY(v);
        auto rows = rowsOf(*v);
        QCOMPARE(rows["imapd 8 15"]["before"], std::string("100"));
        QCOMPARE(rows["imapd 8 15"]["after"], std::string("0"));
        QCOMPARE(rows["imapd 16 31"]["difference"], std::string("200"));
        QCOMPARE(rows["imapd 32 63"]["after"], std::string("0")); // between the others
        QCOMPARE(rows["imapd 64 127"]["before"], std::string("0"));
        const auto text = textOf(v->figure({}));
        QVERIFY2(text.find("before: ") != std::string::npos, text.c_str());
    }
    void aKeyThatOneRunLacksHasAPanel()
    {
        const auto v = compared(sizes({{power(3), 100}}, "old"), sizes({{power(3), 50}}, "new"), "histogram");
        const auto rows = rowsOf(*v);
        QCOMPARE(rows.at("old 8 15").at("after"), std::string("0"));
        QCOMPARE(rows.at("new 8 15").at("before"), std::string("0"));
        QVERIFY(textOf(v->figure({})).find("none") != std::string::npos);
    }
    void barsKeepTheNumbersAsTheyWere()
    {
        const auto before = counts({{"cat", 100}, {"gone", 50}, {"sh", 30}}), after = counts({{"cat", 240}, {"new", 90}, {"sh", 33}});
        for (const auto* view : {"bars", "table"}) {
            const auto v = compared(before, after, view);
            QVERIFY(v);
            const auto table = v->table();
            QCOMPARE(table.columns.size(), std::size_t{4});
            QCOMPARE(table.columns[1].title, std::string("before"));
            QCOMPARE(table.columns[2].title, std::string("after"));
            QCOMPARE(table.columns[3].title, std::string("difference"));
            const std::vector<std::vector<std::string>> wanted{
                {"cat", "100", "240", "140"}, {"new", "0", "90", "90"}, {"gone", "50", "0", "-50"}, {"sh", "30", "33", "3"}};
            QVERIFY(table.rows == wanted); // the largest first, what may be chance last
        }
        const auto table = textOf(compared(before, after, "table")->figure({}));
        QVERIFY2(table.find("~ +3\n") != std::string::npos && table.find("~ may be chance (within 2.5\u03c3)") != std::string::npos,
            table.c_str());
        QVERIFY2(table.find("\n+140\n") != std::string::npos, table.c_str());
        const auto column = textOf(compared(before, after, "table")->figure({.width = 325, .height = 244, .text = 10.7}));
        QVERIFY2(column.find("~ may be chance (within 2.5\u03c3)\n") != std::string::npos, column.c_str());
        const auto text = textOf(compared(before, after, "bars")->figure({}));
        QVERIFY2(text.find("100 \u2192 240 \u00b7 +140 %") != std::string::npos, text.c_str());
    }
    /// Of a wide text and numbers the numbers are never what has no room.
    void aColumnTooNarrowForAllNumbersHasTheDifference()
    {
        const auto figure = compared(opened(1), opened(5), "table")->figure({.width = 325, .height = 244, .text = 10.7});
        const auto texts = "\n" + textOf(figure);
        for (const auto* said : {"\ndifference\n", "\n+3,200\n", "\nprogram-8\n", "2 more columns\n"})
            QVERIFY2(texts.find(said) != std::string::npos, (said + texts).c_str());
        QVERIFY2(texts.find("\nbefore\n") == std::string::npos, texts.c_str());
    }
    void aWideTextLeavesRoomForAllNumbers()
    {
        std::vector<std::string> deep;
        for (int i = 0; i < 40; ++i)
            deep.push_back("function_with_a_name_" + std::to_string(i));
        for (const double width : {1600.0, 1123.0, 999.9, 794.0, 733.3}) {
            LayoutOptions options;
            options.width = width;
            const auto texts = "\n" + textOf(compared(stacks({{deep, 100}}), stacks({{deep, 1933}}), "table")->figure(options));
            for (const auto* said : {"\nbefore\n", "\nafter\n", "\ndifference\n", "\n1,933\n", "\n+1,833\n"})
                QVERIFY2(texts.find(said) != std::string::npos, (std::to_string(width) + texts).c_str());
            QVERIFY(texts.find("more column") == std::string::npos);
        }
    }
    void stacksToldByTheSameTextAreOneLine()
    {
        const auto run = [](std::int64_t times) {
            return stacks({{{"main", "x", "a", "b", "c"}, 40 * times}, {{"main", "x", "a", "b", "c"}, 60 * times}, {{"main", "d"}, 100}});
        };
        const auto table = compared(run(1), run(3), "table")->table();
        QCOMPARE(table.rows.size(), std::size_t{2});
        QCOMPARE(table.rows[0][0], std::string("a`c < a`b < a`a < a`x < a`main")); // whole: a table is for reading on
        QCOMPARE(table.rows[0][1], std::string("100"));
        QCOMPARE(table.rows[0][2], std::string("300"));
        QCOMPARE(table.rows[1][3], std::string("0"));
    }
    void twoRunsThatAreAlikeShowNoChange()
    {
        for (const auto* view : {"flame", "histogram", "bars"}) {
            const auto stream = std::string_view(view) == "flame" ? profile(60, 30, 8)
                : std::string_view(view) == "histogram"           ? writeTimes({"a", "b"})
                                                                  : written({"a", "b"});
            const auto v = compared(stream, stream, view);
            for (const auto& item : v->figure({}).items)
                if (item.row) QVERIFY2(item.level < 0, view);
            const auto table = v->table();
            for (std::size_t c = 0; c < table.columns.size(); ++c)
                for (const auto& row : table.rows)
                    if (table.columns[c].title.ends_with("difference")) QCOMPARE(row[c], std::string("0"));
        }
    }
    void emptyRunsSaySo()
    {
        for (const auto& kind : kinds()) {
            if (!kind.compare) continue;
            const Store nothing;
            const auto v = kind.compare(nothing, nothing);
            QVERIFY(v->empty());
            QVERIFY(!v->figure({}).items.empty());
            QVERIFY(v->table().rows.empty());
        }
    }
};
QTEST_GUILESS_MAIN(TestCompare)
#include "tst_compare.moc"
