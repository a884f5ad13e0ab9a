#include "engine/base/bytes.h"
#include <QByteArray>
#include <QDataStream>
#include <QObject>
#include <QTest>
#include <limits>
using namespace dscope;
namespace {
enum class Letter : std::uint8_t { A = 7 };

QByteArray bytesOf(const ByteWriter& writer)
{
    return {reinterpret_cast<const char*>(writer.bytes().data()), static_cast<qsizetype>(writer.bytes().size())};
}
ByteView viewOf(const QByteArray& bytes) { return std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size()))); }
} // namespace

class TestBytes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// QDataStream, told to be little endian, is the oracle.
    void integersAreWrittenLittleEndian()
    {
        QByteArray expected;
        QDataStream stream(&expected, QIODevice::WriteOnly);
        stream.setByteOrder(QDataStream::LittleEndian);
        stream << quint8(0xAB) << qint8(-2) << quint16(0x1234) << qint32(std::numeric_limits<qint32>::min()) << quint32(0xDEADBEEF)
               << qint64(-3) << quint64(0x0102030405060708U) << quint8(7);

        ByteWriter writer;
        writer.put(std::uint8_t{0xAB});
        writer.put(std::int8_t{-2});
        writer.put(std::uint16_t{0x1234});
        writer.put(std::numeric_limits<std::int32_t>::min());
        writer.put(std::uint32_t{0xDEADBEEF});
        writer.put(std::int64_t{-3});
        writer.put(std::uint64_t{0x0102030405060708U});
        writer.put(Letter::A);

        QCOMPARE(bytesOf(writer).toHex(), expected.toHex());
    }
    void integersAreReadLittleEndian()
    {
        QByteArray bytes;
        QDataStream stream(&bytes, QIODevice::WriteOnly);
        stream.setByteOrder(QDataStream::LittleEndian);
        stream << quint8(0xAB) << qint16(-2) << quint32(0xDEADBEEF) << qint64(-3) << quint8(7);

        ByteReader reader(viewOf(bytes));
        QCOMPARE(reader.get<std::uint8_t>(), std::uint8_t(0xAB));
        QCOMPARE(reader.get<std::int16_t>(), std::int16_t(-2));
        QCOMPARE(reader.get<std::uint32_t>(), 0xDEADBEEFU);
        QCOMPARE(reader.get<std::int64_t>(), std::int64_t(-3));
        QVERIFY(reader.get<Letter>() == Letter::A);
        QCOMPARE(reader.left(), std::size_t(0));
        QVERIFY(reader.ok());
    }

    void textStandsBehindItsLength()
    {
        ByteWriter writer;
        writer.text(std::string_view("a\0b", 3));
        writer.blob({});
        QCOMPARE(bytesOf(writer).toHex(),
            QByteArray("03000000610062"
                       "00000000"));

        ByteReader reader(writer.bytes());
        QVERIFY(reader.text() == std::string("a\0b", 3));
        QVERIFY(reader.blob().empty());
        QVERIFY(reader.ok());
    }

    void readingPastTheEndGivesZerosAndSaysSo_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("a part of the integer") << QByteArray("\1\2\3", 3);
    }
    void readingPastTheEndGivesZerosAndSaysSo()
    {
        QFETCH(QByteArray, bytes);
        ByteReader reader(viewOf(bytes));
        QCOMPARE(reader.get<std::uint32_t>(), 0U);
        QVERIFY(!reader.ok());

        // Nothing that was left over is read as something else.
        QCOMPARE(reader.get<std::uint8_t>(), std::uint8_t(0));
        QCOMPARE(reader.left(), std::size_t(0));
        QVERIFY(!reader.ok());
    }

    void aLengthThatGoesPastTheEndIsNotBelieved_data()
    {
        QTest::addColumn<quint32>("length");
        QTest::newRow("by one") << quint32(4);
        QTest::newRow("by as much as there can be") << std::numeric_limits<quint32>::max();
    }
    void aLengthThatGoesPastTheEndIsNotBelieved()
    {
        QFETCH(quint32, length);
        ByteWriter writer;
        writer.put(std::uint32_t{length});
        writer.raw(std::as_bytes(std::span("abc", 3)));

        ByteReader text(writer.bytes()), blob(writer.bytes());
        QVERIFY(text.text().empty());
        QVERIFY(!text.ok());
        QVERIFY(blob.blob().empty());
        QVERIFY(!blob.ok());
    }

    void anIntegerThatWouldReachPastTheEndIsZero_data()
    {
        QTest::addColumn<quint64>("at");
        QTest::addColumn<quint32>("value");
        QTest::newRow("first") << quint64(0) << quint32(0x04030201);
        QTest::newRow("last that fits") << quint64(1) << quint32(0x05040302);
        QTest::newRow("one byte short") << quint64(2) << quint32(0);
        QTest::newRow("at the end") << quint64(5) << quint32(0);
        QTest::newRow("so far that adding the size overflows") << std::numeric_limits<quint64>::max() << quint32(0);
    }
    void anIntegerThatWouldReachPastTheEndIsZero()
    {
        QFETCH(quint64, at);
        QFETCH(quint32, value);
        const QByteArray bytes("\1\2\3\4\5", 5);
        QCOMPARE(readAt<std::uint32_t>(viewOf(bytes), at), value);
    }

    void textEndsAtItsNulOrAtTheEnd_data()
    {
        QTest::addColumn<quint64>("at");
        QTest::addColumn<quint64>("size");
        QTest::addColumn<QString>("text");
        QTest::newRow("at its NUL") << quint64(0) << quint64(6) << QStringLiteral("ab");
        QTest::newRow("at its size") << quint64(0) << quint64(1) << QStringLiteral("a");
        QTest::newRow("at the end of the view") << quint64(3) << quint64(100) << QStringLiteral("cde");
        QTest::newRow("a NUL at once") << quint64(2) << quint64(4) << QString();
        QTest::newRow("past the end") << quint64(7) << quint64(1) << QString();
        QTest::newRow("a size that overflows") << quint64(4) << std::numeric_limits<quint64>::max() << QStringLiteral("de");
    }
    void textEndsAtItsNulOrAtTheEnd()
    {
        QFETCH(quint64, at);
        QFETCH(quint64, size);
        QFETCH(QString, text);
        const QByteArray bytes("ab\0cde", 6);
        QCOMPARE(QString::fromStdString(textAt(viewOf(bytes), at, size)), text);
    }
};
QTEST_GUILESS_MAIN(TestBytes)
#include "tst_bytes.moc"
