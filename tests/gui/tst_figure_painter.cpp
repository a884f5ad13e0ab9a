// needs: graph
#include "gui/figure_painter.h"
#include "tests/support/reader_fonts.h"
#include <QFontDatabase>
#include <QImage>
#include <QObject>
#include <QPainter>
#include <QTest>
using namespace dscope;
using namespace dscope::tests;

class TestFigurePainter : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Inter draws "->" as an arrow and "0x1" as a product, JetBrains Mono as wide as the letters were.
    void lettersAreNotJoined_data()
    {
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("mixed");
        QTest::newRow("arrow") << "a->b a->b a->b" << "a>-b a>-b a>-b";
        QTest::newRow("hexadecimal") << "0x1b 0x1b 0x1b" << "x01b x01b x01b";
        QTest::newRow("with an ellipsis") << QString::fromUtf8("0x1b 0x1b\u2026") << QString::fromUtf8("x01b x01b\u2026");
    }
    void lettersAreNotJoined()
    {
        QFETCH(QString, word);
        QFETCH(QString, mixed);
        if (const auto missing = interAndJetBrainsMono().missing(); !missing.isEmpty()) QSKIP(qPrintable(missing + " is not installed"));
        for (const auto& [path, package] : interAndJetBrainsMono().files)
            QVERIFY(QFontDatabase::addApplicationFont(path) >= 0);
        const int one = inkWidth(word), other = inkWidth(mixed);
        QVERIFY(one > 50);
        QVERIFY2(qAbs(one - other) < 0.02 * one, qPrintable(QString("%1 pixels, mixed %2").arg(one).arg(other)));
    }

private:
    static int inkWidth(const QString& word)
    {
        graph::Figure figure;
        figure.width = 1000;
        figure.height = 100;
        graph::Item item;
        item.shape = graph::Text{.at = {10, 70}, .text = word.toStdString(), .size = 60, .width = 980, .bold = true};
        figure.items.push_back(item);
        QImage image(1000, 100, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        gui::Drawing(figure).paint(painter, {}, image.rect(), 1);
        painter.end();
        int first = image.width(), last = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (qGray(image.pixel(x, y)) < 128) {
                    first = std::min(first, x);
                    last = std::max(last, x);
                }
        return last - first;
    }
};
QTEST_MAIN(TestFigurePainter)
#include "tst_figure_painter.moc"
