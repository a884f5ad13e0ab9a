// Folded stacks as tools of all kinds write them: fractions, comments, comparisons.
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN
#include "engine/text/decimal.h"
#include "tests/support/imported.h"
#endif
using namespace dscope;
using namespace dscope::tests;

class FoldedTextTest : public QObject {
    Q_OBJECT
    static QStringList told(const text::Imported& imported)
    {
        QStringList all;
        for (const auto& record : imported.records)
            if (const auto* warning = std::get_if<record::Diagnostic>(&record)) all << QString::fromStdString(warning->message);
        return all;
    }
private Q_SLOTS:
    void aTextSaysWhatItSays_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* name, const char* text, const char* says) {
            QTest::newRow(name) << QByteArray(text) << QByteArray(says);
        };
        row("fractions are whole", "foo;bar 0.156\nfoo;baz 0.98\nfoo 2\n", "foo 2\nfoo;bar 0.156\nfoo;baz 0.98\n");
        row("as Python prints small numbers", "a;b 1.5e-05\na;c 2.0\n", "a;b 0.000015\na;c 2\n");
        row("comments are no stacks", "# austin: 3.7.0\n# mode: wall\nP1;T2;f 500\n", "P1;T2;f 500\n");
        row("a tab before the number", "a;b\t7\na;c 1\n", "a;b 7\na;c 1\n");
        row("marks are facts", "app;libc.so.6`read;sys_read_[k] 1\n", "app;libc.so.6`read;sys_read_[k] 1\n");
        row("mangled names", "main;_ZN3foo3barEi 3\nmain;_RNvCs1234_1r4leaf 5\n", "main;foo::bar 3\nmain;r::leaf 5\n");
        row("one name with a number behind it is no comparison", "a;sleep 10 5\na;b 3\n", "a;b 3\na;sleep 10 5\n");
    }
    void aTextSaysWhatItSays()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, says);
        const auto imported = read("folded", text);
        QVERIFY(imported);
        QCOMPARE(said(*imported), says);
        QVERIFY(imported->comparedWith.empty());
    }
    /// As many decimals are kept as leave room for the sum: a number with nineteen of them once made one of its neighbour.
    void decimalsLeaveRoomForWholeNumbers()
    {
        const auto imported = read("folded", "a;b 0.333333333333333333333333\na;c 2\na;d 150\n");
        QVERIFY(imported);
        QCOMPARE(said(*imported), QByteArray("a;b 0.3333333333333333\na;c 2\na;d 150\n"));
        QCOMPARE(told(*imported),
            QStringList("the values of samples are rounded to 16 decimals: 64 bits have no room for more beside the largest of them"));
        const auto exact = read("folded", "a;b 9007199254740993\na;c 0.25\na;d 0.5\n");
        QVERIFY(exact);
        QCOMPARE(said(*exact), QByteArray("a;b 9007199254740993\na;c 0.25\na;d 0.5\n"));
        QVERIFY(told(*exact).isEmpty());
    }
    /// A stack that is gone has not only lost decimals.
    void stacksOfVerySmallValuesAreTold()
    {
        const auto beside = read("folded", "a;b 900000000000000000\na;c 1e-20\na;d 0.04\na;e 0.26\n");
        QVERIFY(beside);
        QCOMPARE(said(*beside), QByteArray("a;b 900000000000000000\na;e 0.3\n"));
        QCOMPARE(told(*beside),
            (QStringList{"the values of samples are rounded to 1 decimal: 64 bits have no room for more beside the largest of them",
                "2 stacks are left out: their values are 0 when rounded so"}));
        const auto tiny = read("folded", "a;b 5\na;c 1e-31\na;d 1e-500\n");
        QVERIFY(tiny);
        QCOMPARE(said(*tiny), QByteArray("a;b 5\n"));
        QCOMPARE(told(*tiny), QStringList("2 lines are left out: 64 bits have no room for values of less than 1e-30"));
        QCOMPARE(tiny->notUnderstood, std::size_t{0});
    }
    /// Files of which nothing can be drawn: what to do is told, and not that they are of no format.
    void numbersThatCannotBeReadAreRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("decimal commas")
            << QByteArray("a;b 1,5\na;c 2,25\n")
            << QByteArray("its numbers have commas: write them with a point before the decimals and no commas; line 1: \"a;b 1,5\"");
        QTest::newRow("commas of thousands") << QByteArray("a;b 1,234\n") << QByteArray("line 1: \"a;b 1,234\"");
        QTest::newRow("too small") << QByteArray("a;b 1e-31\na;c 2e-300\n") << QByteArray("its values are less than 1e-30: scale them up");
        QTest::newRow("too large") << QByteArray("a;b 18446744073709551616\n")
                                   << QByteArray("a number is larger than 9223372036854775807; line 1");
    }
    void numbersThatCannotBeReadAreRefused()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, says);
        QCOMPARE(guessed(text), QByteArray("folded"));
        const auto imported = read("folded", text);
        QVERIFY(!imported);
        QVERIFY2(QByteArray::fromStdString(imported.error().message).contains(says), imported.error().message.c_str());
    }
    void moreThan64BitsHoldIsTold()
    {
        const auto imported = read("folded", "a;b 9223372036854775800\na;c 100\n");
        QVERIFY(imported);
        QCOMPARE(said(*imported), QByteArray("a;b 9223372036854775800\n"));
        QCOMPARE(told(*imported),
            QStringList("the values of samples add up to more than 9223372036854775807: what is beyond it is left out"));
        QCOMPARE(imported->notUnderstood, std::size_t{0});
    }
    /// Not the largest, whose place in the order is behind the others.
    void theSmallestAreLeftOutOfWhatIsTooMuch()
    {
        const auto out = read("folded", "m;a 3\nm;b 9223372036854775806\nm;c 1\nm;d 2\n");
        QVERIFY(out);
        QCOMPARE(said(*out), QByteArray("m;b 9223372036854775806\nm;c 1\n"));
    }
    void aTextWithoutTheLastLineFeedIsNoComparison()
    {
        const auto imported = read("folded", "main;f 1 7\nmain;g 2 5\nmain;h 8");
        QVERIFY(imported);
        QCOMPARE(said(*imported), QByteArray("main;f 1 7\nmain;g 2 5\nmain;h 8\n"));
    }
    /// Source: FlameGraph, difffolded.pl: the stack, then the counts of the first file and of the second.
    void twoNumbersAreAComparison()
    {
        const auto imported = read("folded", "main;read 10 5\nmain;write 3 0\nmain;new 0 4\n");
        QVERIFY(imported);
        QCOMPARE(said(*imported), QByteArray("main;new 4\nmain;read 5\n"));
        QVERIFY(std::holds_alternative<record::Program>(imported->comparedWith.front()));
        text::Imported before;
        before.records = imported->comparedWith;
        QCOMPARE(said(before), QByteArray("main;read 10\nmain;write 3\n"));
    }
    void numbersAreReadWhole_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<qlonglong>("digits");
        QTest::addColumn<int>("exponent");
        QTest::newRow("0.343") << QByteArray("0.343") << 343LL << -3;
        QTest::newRow("-2.50") << QByteArray("-2.50") << -25LL << -1;
        QTest::newRow("7") << QByteArray("7") << 7LL << 0;
        QTest::newRow("1e3") << QByteArray("1e3") << 1000LL << 0;
        QTest::newRow("the largest") << QByteArray("9223372036854775807") << 9223372036854775807LL << 0;
    }
    void numbersAreReadWhole()
    {
        QFETCH(QByteArray, text);
        const auto number = text::decimal({text.constData(), static_cast<std::size_t>(text.size())});
        QVERIFY(number);
        QTEST(static_cast<qlonglong>(number->digits), "digits");
        QTEST(number->exponent, "exponent");
        QVERIFY(!number->isCut);
    }
    void whatIsNoNumberIsNone()
    {
        for (const char* text : {"", ".", "-", "1.2.3", "0x10", "1e", "9223372036854775808", "1e400", "1e999", "--1"})
            QVERIFY2(!text::decimal(text), text);
        QVERIFY(text::decimal("0.1234567890123456789012")->isCut);
    }
};
QTEST_GUILESS_MAIN(FoldedTextTest)
#include "tst_folded_text.moc"
