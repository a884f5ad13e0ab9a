// needs-programs: dscope
// PNG and PDF as they are painted with fonts that join letters. What poppler finds in a PDF tells.
#include "tests/support/reader_fonts.h"
#include "tests/support/run_dscope.h"
#include <QObject>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope::tests;

class TestRaster : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// "->" would be an arrow in Inter, and "0x1" a product: narrower and wider than their letters in another order.
    void lettersAreNotJoined_data()
    {
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("mixed");
        QTest::newRow("arrow") << "self->ts" << "self>-ts";
        QTest::newRow("hexadecimal") << "0x1b" << "x01b";
    }
    void lettersAreNotJoined()
    {
        QFETCH(QString, word);
        QFETCH(QString, mixed);
        const auto fonts = interAndJetBrainsMono();
        if (const auto missing = fonts.missing(); !missing.isEmpty()) QSKIP(qPrintable(missing + " is not installed"));
        if (QStandardPaths::findExecutable("pdftotext").isEmpty()) QSKIP("pdftotext is not installed");
        const double one = widthOf(word, fonts), other = widthOf(mixed, fonts);
        QVERIFY(one > 10);
        QVERIFY2(qAbs(one - other) < 0.02 * one, qPrintable(QString("%1 points, mixed %2").arg(one).arg(other))); // kerning
    }

private:
    /// Points of that word in a figure's title.
    double widthOf(const QString& word, const ReaderFonts& fonts)
    {
        const auto pdf = m_dir.filePath("title.pdf"), environment = "FONTCONFIG_FILE=" + fonts.configuration(m_dir);
        const auto drawn = runDscope({environment, DSCOPE_BIN "/dscope", "--replay", DSCOPE_SOURCE "/examples/recordings/write-sizes.dscope",
                                         "--title", word + ' ' + word, "--export", "histogram=" + pdf},
            {}, "env");
        if (drawn.status != 0) return -1;
        static const QRegularExpression kPlace("<word xMin=\"([\\d.]+)\"[^>]* xMax=\"([\\d.]+)\"");
        const auto first = kPlace.match(QString::fromUtf8(runDscope({"-l", "1", "-bbox", pdf, "-"}, {}, "pdftotext").out));
        return first.captured(2).toDouble() - first.captured(1).toDouble();
    }
    QTemporaryDir m_dir;
};
QTEST_GUILESS_MAIN(TestRaster)
#include "tst_raster.moc"
