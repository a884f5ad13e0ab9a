// needs: engine/text
// A JSON text that comes in pieces is read as it is when it is whole; numbers keep every digit.
#include "engine/text/json.h"
#include <QObject>
#include <QTest>
using namespace dscope;
using text::JsonReader;
namespace {
/// Everything that a text has, in its order.
std::string allOf(JsonReader& reader)
{
    std::string out, word;
    const auto value = [&](auto self) -> bool {
        switch (reader.kind()) {
        case JsonReader::Kind::Object:
            return reader.members([&](std::string_view key) { return out += "k:", out += key, out += '\n', self(self); });
        case JsonReader::Kind::Array: return reader.elements([&] { return self(self); });
        case JsonReader::Kind::Text: return reader.text(word) && (out += "t:" + word + '\n', true);
        case JsonReader::Kind::Number: {
            const auto number = reader.number();
            if (number) out += "n:" + std::string(*number) + '\n';
            return number.has_value();
        }
        default: return out += "w\n", reader.skip();
        }
    };
    value(value);
    return out + (reader.failed() ? std::string("failed: ") + reader.what() : "") + " at " + std::to_string(reader.position()) + " line "
        + std::to_string(reader.line());
}
} // namespace

class TestJsonReader : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aTextInPiecesIsReadAsAWhole_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::newRow("all kinds") << QByteArray("\xEF\xBB\xBF{\"a\" : [1, -2.5e10,\n \"x\\\"y\\\\\\u00e4\\ud83d\\ude00\\n\", "
                                                 "true,null],\r\n\"\\u0041\":{\"deep\":[[[12345678901234567890]]]} , \"z\":\"\"}\n");
        QTest::newRow("half of a character") << QByteArray("[\"\\ud83dx\", \"\\ud83d\\n\", \"\\ud83d\\u0041\", \"\\udc00\"]");
        QTest::newRow("cut in a text") << QByteArray("[1,\"abc");
        QTest::newRow("cut in a number") << QByteArray("[1,23");
        QTest::newRow("damaged") << QByteArray("[1,{\"a\":2,,}]");
        QTest::newRow("no escape") << QByteArray("[\"\\u00g0\"]");
    }
    void aTextInPiecesIsReadAsAWhole()
    {
        QFETCH(QByteArray, json);
        JsonReader whole{std::string_view(json.constData(), static_cast<std::size_t>(json.size()))};
        const auto expected = allOf(whole);
        for (qsizetype size = 1; size < 12; ++size) {
            qsizetype from = 0;
            QByteArray piece;
            JsonReader pieces([&] {
                piece.fill('#'); // what was given before is gone
                piece = json.mid(from, size);
                from += piece.size();
                return std::string_view(piece.constData(), static_cast<std::size_t>(piece.size()));
            });
            QCOMPARE(QByteArray::fromStdString(allOf(pieces)), QByteArray::fromStdString(expected));
        }
    }
    void whatIsSkippedInPiecesIsSkipped()
    {
        const QByteArray json = "[{\"a\":[1,{\"b\":\"]}\\\"\"}],\"c\":NaN}, 7]";
        for (qsizetype size = 1; size < 9; ++size) {
            qsizetype from = 0;
            QByteArray piece;
            JsonReader reader([&] {
                piece = json.mid(from, size);
                from += piece.size();
                return std::string_view(piece.constData(), static_cast<std::size_t>(piece.size()));
            });
            std::string last;
            QVERIFY(reader.elements([&] {
                if (reader.kind() != JsonReader::Kind::Number) return reader.skip();
                const auto number = reader.number();
                last = number.value_or("");
                return true;
            }));
            QCOMPARE(last, std::string("7"));
        }
    }
    void numbersKeepEveryDigit_data()
    {
        QTest::addColumn<QByteArray>("number");
        QTest::addColumn<int>("power");
        QTest::addColumn<qlonglong>("value");
        QTest::addColumn<int>("decimals");
        QTest::newRow("whole") << QByteArray("9223372036854775807") << 0 << Q_INT64_C(9223372036854775807) << 0;
        QTest::newRow("beyond a double") << QByteArray("9007199254740993") << 0 << Q_INT64_C(9007199254740993) << 0;
        QTest::newRow("a fraction") << QByteArray("-1.2500") << 3 << Q_INT64_C(-1250) << 2;
        QTest::newRow("rounded") << QByteArray("0.0005") << 3 << Q_INT64_C(1) << 4;
        QTest::newRow("an exponent is exact, too") << QByteArray("9.007199254740993e15") << 0 << Q_INT64_C(9007199254740993) << 0;
        QTest::newRow("a small one") << QByteArray("2.5E-6") << 9 << Q_INT64_C(2500) << 7;
        QTest::newRow("far too small") << QByteArray("7e-300") << 3 << Q_INT64_C(0) << 300;
        QTest::newRow("zero with a large exponent") << QByteArray("0e300") << 3 << Q_INT64_C(0) << 0;
    }
    void numbersKeepEveryDigit()
    {
        QFETCH(QByteArray, number);
        QFETCH(int, power);
        QFETCH(qlonglong, value);
        QFETCH(int, decimals);
        const std::string_view text(number.constData(), static_cast<std::size_t>(number.size()));
        const auto scaled = text::scaledNumber(text, power);
        QVERIFY(scaled.has_value());
        QCOMPARE(qlonglong(*scaled), value);
        QCOMPARE(text::decimalsOf(text).value_or(-1), decimals);
    }
    void whatIsNoNumberIsNothing()
    {
        for (const auto* text : {"", "-", ".", "1.2.3", "noon", "1e", "1e400000", "9223372036854775808", "1e300", "0x10", "1e-401"})
            QVERIFY2(!text::scaledNumber(text, 0), text);
    }
};
QTEST_GUILESS_MAIN(TestJsonReader)
#include "tst_json_reader.moc"
