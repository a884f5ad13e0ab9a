#include "graph/noun.h"
#include "graph/tongue.h"
#include "graph/units.h"
#include <QTest>
#include <thread>
using namespace dscope::graph;

class TestTongue : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void withoutATongueItIsEnglish()
    {
        QCOMPARE(said("self %1, total %2, %3 of all", "1", "2", "50 %"), std::string("self 1, total 2, 50 % of all"));
        QCOMPARE(Noun("samples").with("1"), std::string("1 sample"));
        QCOMPARE(saidOf(1, "%1 level of %2", "%1 levels of %2", "1", "f"), std::string("1 level of f"));
        QCOMPARE(saidOf(0, "%1 level of %2", "%1 levels of %2", "0", "f"), std::string("0 levels of f"));
    }

    /// Another language may need the values in another order, and has plurals of its own.
    void aTongueSaysItInItsOwnOrder()
    {
        const Tongue tongue(
            [](const char* english) {
                return std::string(english) == "%1 of %2"  ? std::string("von %2 sind es %1")
                    : std::string(english) == "samples"    ? std::string("Stichproben")
                    : std::string(english) == "%1 sample"  ? std::string("%1 Stichprobe")
                    : std::string(english) == "%1 samples" ? std::string("%1 Stichproben")
                                                           : std::string(english);
            },
            {});
        QCOMPARE(said("%1 of %2", "3", "10 %"), std::string("von 10 % sind es 3"));
        QCOMPARE(Noun("samples").said(), std::string("Stichproben"));
        QCOMPARE(Noun("samples").with("7"), std::string("7 Stichproben"));
        QCOMPARE(Noun("samples").with("1"), std::string("1 Stichprobe"));
        QCOMPARE(Noun("samples").plural(), std::string("samples")); // in files
        QCOMPARE(Noun("cycles").with("1"), std::string("1 cycle")); // of another tool
        QCOMPARE(said("unknown to it"), std::string("unknown to it"));
    }

    /// A name may look like the place of a value.
    void valuesAreNotReadAgain()
    {
        QCOMPARE(said("%1 starts %2", "%2", "cc"), std::string("%2 starts cc"));
        QCOMPARE(said("100 %"), std::string("100 %"));
    }

    void numbersHaveItsSeparators_data()
    {
        QTest::addColumn<QString>("english");
        QTest::addColumn<QString>("german");
        const auto row = [](const char* name, auto number) {
            const auto english = number();
            const Tongue tongue([](const char* words) { return std::string(words); }, {.decimal = ",", .group = "."});
            QTest::newRow(name) << QString::fromStdString(english) << QString::fromStdString(number());
        };
        row("grouped", [] { return formatGrouped(-1234567); });
        row("duration", [] { return formatDuration(2.41e9); });
        row("days", [] { return formatDuration(1e9 * 86400 * 12345); });
        row("moment", [] { return formatMoment(1'500'000, 500'000); });
        row("moment that its digits tell", [] { return formatMoment(2'000'000, 500'000); });
        row("bytes", [] { return formatBytes(1536); });
        row("compact", [] { return formatCompact(35'640); });
        row("share", [] { return formatShare(2, 3); });
        row("least share", [] { return formatShare(1, 1e9); });
        row("most of it", [] { return formatShare(9999, 10000); });
        row("range", [] { return formatRange(8200, 16400, Unit::Nanoseconds); });
    }
    void numbersHaveItsSeparators()
    {
        QFETCH(QString, english);
        QFETCH(QString, german);
        for (auto& c : english) // point and comma change places
            c = c == u'.' ? u',' : c == u',' ? u'.' : c;
        QCOMPARE(german, english);
    }

    void numbersForProgramsAreEnglish()
    {
        const Tongue tongue([](const char* words) { return std::string(words); }, {.decimal = ",", .group = "."});
        QCOMPARE(formatFixed(1.5, 2), std::string("1.50"));
    }

    void itIsOfOneThreadAndEnds()
    {
        {
            const Tongue outer([](const char*) { return std::string("outer"); }, {});
            {
                const Tongue inner([](const char*) { return std::string("inner"); }, {});
                QCOMPARE(said("x"), std::string("inner"));
            }
            QCOMPARE(said("x"), std::string("outer"));
            std::string elsewhere;
            std::thread([&] { elsewhere = said("x"); }).join();
            QCOMPARE(elsewhere, std::string("x"));
        }
        QCOMPARE(said("x"), std::string("x"));
    }
};
QTEST_GUILESS_MAIN(TestTongue)
#include "tst_tongue.moc"
