// needs: engine/record
// Disassembly on pages of all sizes: what is said below the code has room there.
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN
#include "graph/store.h"
#include "graph/visual.h"
#include "tests/support/drawn/figures.h"
#include "tests/support/drawn/visuals.h"
#include "tests/support/streams.h"
#endif
using namespace dscope;
using namespace dscope::graph;
using namespace dscope::test;
namespace {
constexpr std::uint64_t kBegin = 0x7f0000c16490;
constexpr std::uint64_t kInstructions = 160; ///< each of a byte

Result<record::CodeText> nops(const record::CodeFile&, std::uint64_t)
{
    record::CodeText out{kBegin, kBegin + kInstructions, {}};
    for (auto at = out.begin; at < out.end; ++at) {
        auto& one = out.instructions.emplace_back();
        one.address = at;
        one.length = 1;
        one.text = "nop";
    }
    return out;
}
/// A sample or more of each instruction of one function.
Stream everywhere()
{
    Stream s;
    auto p = program("profile-997 { @[ustack()] = count(); }", {"profile:::profile-997"});
    p.aggregations = {aggregation("", Aggregator::Count, "", {stackKey(FieldKind::UserStack)})};
    begin(s, p);
    std::vector<record::AggregationRow> all;
    for (std::uint32_t i = 0; i < kInstructions; ++i) {
        auto one = frame("cc1plus", "walk", record::Frame::Kind::User);
        one.linked = kBegin + i;
        one.code = record::CodeFile{"/usr/lib/gcc/cc1plus", ""};
        s.emplace_back(stack(i + 1, {one}));
        all.push_back({Key().stack(i + 1).bytes(), {1 + i % 7}});
    }
    s.emplace_back(rows(0, all));
    s.emplace_back(end(kSecond));
    return s;
}
} // namespace

class CodeOnPagesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theNoteBelowTheCodeStaysOnThePage_data()
    {
        QTest::addColumn<double>("width");
        QTest::addColumn<double>("height");
        QTest::addColumn<double>("text");
        QTest::newRow("column") << 325.0 << 244.0 << 10.7;
        QTest::newRow("narrow") << 240.0 << 300.0 << 10.7;
        QTest::newRow("a4") << 794.0 << 1123.0 << 10.7;
        QTest::newRow("slide") << 1600.0 << 900.0 << 27.0;
    }
    void theNoteBelowTheCodeStaysOnThePage()
    {
        QFETCH(double, width);
        QFETCH(double, height);
        QFETCH(double, text);
        Store store;
        store.readCodeBy(nops);
        for (const auto& r : everywhere())
            store.take(r);
        for (const auto& kind : kinds()) {
            if (kind.name != "disassembly") continue;
            QVERIFY(kind.fits(store));
            const auto figure = kind.make(store)->figure({.width = width, .height = height, .text = text});
            const auto words = textOf(figure);
            QVERIFY2(words.find("more instructions with less") != std::string::npos, words.c_str());
            QCOMPARE(unreadable(figure), std::string());
        }
    }
};
QTEST_GUILESS_MAIN(CodeOnPagesTest)
#include "tst_code_on_pages.moc"
