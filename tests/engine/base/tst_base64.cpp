#include "engine/base/base64.h"
#include <QByteArray>
#include <QObject>
#include <QProcess>
#include <QTest>
using namespace dscope;
namespace {
/// What `base64`, the command of coreutils, makes of `input`; nothing when it refuses it or is not there.
std::optional<QByteArray> coreutils(const QStringList& arguments, const QByteArray& input)
{
    QProcess process;
    process.start(QStringLiteral("base64"), arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished() || process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0) return {};

    return process.readAllStandardOutput();
}

/// Bytes of every value, different at each length.
QByteArray someBytes(int count)
{
    QByteArray bytes;
    for (int i = 0; i < count; ++i)
        bytes += static_cast<char>(i * 167 + count);
    return bytes;
}
} // namespace

class TestBase64 : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Source: RFC 4648, section 10.
    void theVectorsOfTheRfc_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("nothing") << QByteArray("") << QByteArray("");
        QTest::newRow("f") << QByteArray("f") << QByteArray("Zg==");
        QTest::newRow("fo") << QByteArray("fo") << QByteArray("Zm8=");
        QTest::newRow("foo") << QByteArray("foo") << QByteArray("Zm9v");
        QTest::newRow("foob") << QByteArray("foob") << QByteArray("Zm9vYg==");
        QTest::newRow("fooba") << QByteArray("fooba") << QByteArray("Zm9vYmE=");
        QTest::newRow("foobar") << QByteArray("foobar") << QByteArray("Zm9vYmFy");
    }
    void theVectorsOfTheRfc()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, text);

        QCOMPARE(QByteArray::fromStdString(base64(bytes.toStdString())), text);

        const auto back = fromBase64(text.toStdString());
        QVERIFY(back);
        QCOMPARE(QByteArray::fromStdString(*back), bytes);
    }

    void bytesOfAnyLengthAreWrittenAsCoreutilsWritesThem()
    {
        if (!coreutils({QStringLiteral("-w0")}, "x")) QSKIP("needs the command base64");

        for (const int length : {0, 1, 2, 3, 4, 5, 57, 58, 255, 256, 257, 1000, 100'000}) {
            const auto bytes = someBytes(length);
            QCOMPARE(QByteArray::fromStdString(base64(bytes.toStdString())), *coreutils({QStringLiteral("-w0")}, bytes));
        }
    }
    void brokenLinesAreReadAsCoreutilsWritesThem()
    {
        const auto bytes = someBytes(1000);
        const auto lines = coreutils({}, bytes);
        if (!lines) QSKIP("needs the command base64");
        QVERIFY(lines->count('\n') > 1);

        const auto back = fromBase64(lines->toStdString());
        QVERIFY(back);
        QCOMPARE(QByteArray::fromStdString(*back), bytes);
    }

    /// coreutils refuses each of these too.
    void whatIsNoBase64IsRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("a byte that is no digit") << QByteArray("Zm9*");
        QTest::newRow("a NUL") << QByteArray("Zm9\0", 4);
        QTest::newRow("the alphabet of URLs") << QByteArray("-_-_");
        QTest::newRow("digits behind the padding") << QByteArray("Zg==Zg=x");
        QTest::newRow("one digit, which holds no byte") << QByteArray("Z");
        QTest::newRow("one digit more than whole groups") << QByteArray("Zm9vY");
        QTest::newRow("more padding than a group has room for") << QByteArray("Zg====");
        QTest::newRow("padding of nothing") << QByteArray("====");
        QTest::newRow("padding behind a whole group") << QByteArray("Zm9v=");
    }
    void whatIsNoBase64IsRefused()
    {
        QFETCH(QByteArray, text);
        QVERIFY(!fromBase64(text.toStdString()));
        if (coreutils({}, "x")) QVERIFY(!coreutils({QStringLiteral("-d")}, text));
    }

    /// So a figure that was cut within its data is found out. (coreutils does without padding from 9.5 on.)
    void paddingIsNotOptional_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("two digits") << QByteArray("Zg");
        QTest::newRow("two digits and half of the padding") << QByteArray("Zg=");
        QTest::newRow("three digits") << QByteArray("Zm9vYmE");
    }
    void paddingIsNotOptional()
    {
        QFETCH(QByteArray, text);
        QVERIFY(!fromBase64(text.toStdString()));
    }
};
QTEST_GUILESS_MAIN(TestBase64)
#include "tst_base64.moc"
