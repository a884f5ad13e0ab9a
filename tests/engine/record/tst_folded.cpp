// Folded text: frames, their marks, parts of bounded size, and the heaviest stacks.
#include "engine/record/folded.h"
#include <QObject>
#include <QTest>
using namespace dscope::record;
namespace {
FoldedStacks stacksOf(std::vector<std::pair<std::string, std::int64_t>> all)
{
    const auto kept = std::make_shared<const std::vector<std::pair<std::string, std::int64_t>>>(std::move(all));
    std::vector<FoldedLines::Line> lines;
    for (const auto& [stack, value] : *kept)
        lines.push_back({stack, value});
    return {FoldedLines(std::move(lines), kept), "samples"};
}
QStringList words(std::string_view stack)
{
    QStringList out;
    eachFrame(stack, [&](std::string_view word) { out << QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size())); });
    return out;
}
} // namespace

class FoldedTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aStackIsTakenApartAndPutTogether()
    {
        QCOMPARE(words("a;b c;d"), QStringList({"a", "b c", "d"}));
        QCOMPARE(words("a;"), QStringList({"a", ""}));
        QCOMPARE(words(""), QStringList({""}));
        QVERIFY(framesOf("").empty());
        std::string path;
        for (const auto word : framesOf("a;b c;d"))
            appendFrame(path, word);
        QCOMPARE(path, std::string("a;b c;d"));
        QVERIFY(lastFrame("a;b") == "b" && lastFrame("a") == "a");
    }
    void aMarkSaysWhatKindOfCodeAFrameIs_data()
    {
        QTest::addColumn<QByteArray>("word");
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<int>("kind");
        QTest::addColumn<bool>("inlined");
        QTest::newRow("kernel") << QByteArray("read_[k]") << QByteArray("read") << int(Frame::Kind::Kernel) << false;
        QTest::newRow("generated") << QByteArray("run_[j]") << QByteArray("run") << int(Frame::Kind::Jit) << false;
        QTest::newRow("inlined: another call, not another function") << QByteArray("run_[i]") << QByteArray("run_[i]") << int(Frame::Kind::Unknown) << true;
        QTest::newRow("none") << QByteArray("a[3]") << QByteArray("a[3]") << int(Frame::Kind::Unknown) << false;
    }
    void aMarkSaysWhatKindOfCodeAFrameIs()
    {
        QFETCH(QByteArray, word);
        QFETCH(QByteArray, name);
        QFETCH(int, kind);
        QFETCH(bool, inlined);
        const std::string given = word.toStdString();
        const auto frame = foldedFrame(given);
        QCOMPARE(QByteArray(frame.name.data(), static_cast<qsizetype>(frame.name.size())), name);
        QCOMPARE(int(frame.kind), kind);
        QCOMPARE(frame.inlined, inlined);
        if (!inlined) QCOMPARE(foldedWord({frame.name, frame.kind}), given);
    }
    void aSeparatorWithinANameIsWrittenAsAColon() { QCOMPARE(foldedWord({"a;b", Frame::Kind::Kernel}), std::string("a:b_[k]")); }
    void partsAreNoLargerThanWasAskedAndLoseNothing()
    {
        std::vector<std::pair<std::string, std::int64_t>> all;
        for (int i = 0; i < 1000; ++i)
            all.emplace_back("main;function" + std::to_string(i), i + 1);
        const auto stacks = stacksOf(all);
        std::vector<FoldedLines::Line> found;
        const auto parts = inParts(stacks, 500);
        QVERIFY(parts.size() > 10);
        for (const auto& part : parts) {
            QVERIFY(textSize(part) <= 500);
            QCOMPARE(part.noun, stacks.noun);
            found.insert(found.end(), part.lines.begin(), part.lines.end());
        }
        QVERIFY(std::equal(found.begin(), found.end(), stacks.lines.begin(), stacks.lines.end()));
        QCOMPARE(inParts(stacksOf({{std::string(1000, 'x'), 1}}), 500).size(), std::size_t{1}); // a line is not cut
        QVERIFY(inParts(FoldedStacks{}, 500).empty());
    }
    void whatMeasuresTheSameIsJoined()
    {
        auto time = stacksOf({{"t", 5}}), calls = stacksOf({{"c", 6}});
        time.unit = StackUnit::Time;
        calls.noun = "calls";
        const auto all = byMeasure({stacksOf({{"b", 1}}), time, stacksOf({{"a", 2}}), calls});
        QCOMPARE(all.size(), std::size_t{3});
        QVERIFY(all[0] == stacksOf({{"b", 1}, {"a", 2}}) && all[1] == time && all[2] == calls);
        QVERIFY(all[1].lines.all().data() == time.lines.all().data()); // not copied
    }
    void theHeaviestStayInTheirOrder()
    {
        const auto kept = heaviest(stacksOf({{"a", 1}, {"b", 9}, {"c", 2}, {"d", 8}}), textSize(stacksOf({{"a", 1}, {"b", 2}})));
        QCOMPARE(kept.lines.size(), std::size_t{2});
        QVERIFY(kept.lines.all()[0].stack == "b" && kept.lines.all()[1].stack == "d");
    }
};
QTEST_GUILESS_MAIN(FoldedTest)
#include "tst_folded.moc"
