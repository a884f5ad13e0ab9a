#include "engine/text/words.h"
#include <QObject>
#include <QString>
#include <QTest>
#include <limits>
using namespace dscope;
namespace {
/// -1 000 stands for "no number": no row has it.
constexpr qint64 kNone = -1'000;
qint64 orNone(std::optional<std::int64_t> value) { return value.value_or(kNone); }
} // namespace

class TestWords : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void blanksAroundAreLeftOut_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("trimmed");
        QTest::newRow("none") << QByteArray("a b") << QByteArray("a b");
        QTest::newRow("blanks and tabs") << QByteArray(" \ta b\t ") << QByteArray("a b");
        QTest::newRow("nothing else") << QByteArray(" \t ") << QByteArray();
        QTest::newRow("nothing") << QByteArray() << QByteArray();
        QTest::newRow("ends of lines stay") << QByteArray("\na\n") << QByteArray("\na\n");
    }
    void blanksAroundAreLeftOut()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, trimmed);
        const auto bytes = text.toStdString();
        QCOMPARE(QByteArray::fromStdString(std::string(text::trimmed(bytes))), trimmed);
    }

    void numbers_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("digits");
        QTest::addColumn<qint64>("leading");
        QTest::addColumn<qint64>("whole");
        QTest::newRow("digits") << QByteArray("0042") << true << qint64(42) << qint64(42);
        QTest::newRow("negative") << QByteArray("-7") << false << qint64(-7) << qint64(-7);
        QTest::newRow("with text behind") << QByteArray("12us") << false << qint64(12) << kNone;
        QTest::newRow("with text in front") << QByteArray("x12") << false << kNone << kNone;
        QTest::newRow("a blank in front") << QByteArray(" 1") << false << kNone << kNone;
        QTest::newRow("a plus") << QByteArray("+1") << false << kNone << kNone;
        QTest::newRow("nothing") << QByteArray() << false << kNone << kNone;
        QTest::newRow("largest") << QByteArray("9223372036854775807") << true << std::numeric_limits<qint64>::max()
                                 << std::numeric_limits<qint64>::max();
        QTest::newRow("smallest") << QByteArray("-9223372036854775808") << false << std::numeric_limits<qint64>::min()
                                  << std::numeric_limits<qint64>::min();
        QTest::newRow("larger than a number holds") << QByteArray("9223372036854775808") << true << kNone << kNone;
    }
    void numbers()
    {
        QFETCH(QByteArray, text);
        QFETCH(bool, digits);
        QFETCH(qint64, leading);
        QFETCH(qint64, whole);
        const auto bytes = text.toStdString();
        QCOMPARE(text::isDigits(bytes), digits);
        QCOMPARE(orNone(text::leadingInteger(bytes)), leading);
        QCOMPARE(orNone(text::integer(bytes)), whole);
    }
};
QTEST_GUILESS_MAIN(TestWords)
#include "tst_words.moc"
