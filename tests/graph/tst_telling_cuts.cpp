// needs: graph
// Names that are cut say which is which: what is held here is that they differ, fit, and are their own text's.
#include "graph/telling_cuts.h"
#include <QObject>
#include <QTest>
#include <set>
using namespace dscope::graph;

class TestTellingCuts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatDiffersStillDoes_data()
    {
        QTest::addColumn<QStringList>("texts");
        QTest::addColumn<int>("letters"); // that have room
        QTest::addColumn<bool>("middle");
        QTest::newRow("stacks that end alike") << QStringList{"hot`mix < hot`hash_line < hot`report < hot`main",
            "hot`mix < hot`hash_line < hot`sort < hot`main", "hot`mix < hot`hash_line < hot`sort < hot`other"}
                                               << 22 << false;
        QTest::newRow("folders that differ in the middle")
            << QStringList{"/usr/include/x86_64/bits/types/long_name.h", "/usr/include/aarch64/bits/types/long_name.h"} << 18 << true;
        QTest::newRow("one is the beginning of the other")
            << QStringList{"a_very_long_name_of_a_function", "a_very_long_name_of_a_function_and_more_of_it"} << 16 << false;
        QTest::newRow("letters of several bytes")
            << QStringList{QString::fromUtf8("日本語の関数の長い名前その一つ目"), QString::fromUtf8("日本語の関数の長い名前その二つ目")}
            << 18 << false;
        QTest::newRow("nothing to cut") << QStringList{"a", "b"} << 10 << true;
        QTest::newRow("equal ones") << QStringList{"the same long name", "the same long name", "another long name"} << 8 << true;
        QTest::newRow("none") << QStringList{} << 8 << true;
    }
    void whatDiffersStillDoes()
    {
        QFETCH(QStringList, texts);
        QFETCH(int, letters);
        QFETCH(bool, middle);
        const double size = 12, width = letters * textWidth("m", size, {.mono = true}) + 0.5;
        std::vector<std::string> given;
        for (const auto& text : texts)
            given.push_back(text.toStdString());
        const auto cuts = tellingCuts(given, width, size, middle ? Elide::Middle : Elide::End, {.mono = true});
        QCOMPARE(cuts.size(), given.size());
        QCOMPARE(std::set<std::string>(cuts.begin(), cuts.end()).size(), std::set<std::string>(given.begin(), given.end()).size());
        for (std::size_t i = 0; i < cuts.size(); ++i) {
            QVERIFY2(textWidth(cuts[i], size, {.mono = true}) <= width, cuts[i].c_str());
            QVERIFY2(QString::fromStdString(cuts[i]).toStdString() == cuts[i], cuts[i].c_str()); // no letter is cut
            // Every part between ellipses is of the text, and in its order.
            std::size_t at = 0;
            for (const auto& part : QString::fromStdString(cuts[i]).split(QChar(0x2026), Qt::SkipEmptyParts)) {
                const auto found = given[i].find(part.toStdString(), at);
                QVERIFY2(found != std::string::npos, cuts[i].c_str());
                at = found + 1;
            }
        }
    }
    /// Where nothing is alike the cut is the usual one.
    void otherCutsAreAsEver()
    {
        const std::vector<std::string> texts{"alpha_with_a_long_name", "beta_with_a_long_name"};
        const double width = 10 * textWidth("m", 12, {.mono = true});
        const auto cuts = tellingCuts(texts, width, 12, Elide::End, {.mono = true});
        for (std::size_t i = 0; i < texts.size(); ++i)
            QCOMPARE(cuts[i], elided(texts[i], width, 12, Elide::End, {.mono = true}));
    }
};
QTEST_GUILESS_MAIN(TestTellingCuts)
#include "tst_telling_cuts.moc"
