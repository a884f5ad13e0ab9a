// needs: tests/support
#include "compiled.h"
#include <QObject>
#include <QTest>
using namespace dscope;
using tests::compiled;

/// Whole programs: what is left of a D text after analysis.
class AnalyseTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void says_data();
    void says();
};
void AnalyseTest::says_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("x") << QString::fromUtf8(qgetenv("D"));
}
void AnalyseTest::says()
{
    QFETCH(QString, text);
    const auto c = compiled(text);
    qInfo().noquote() << c.said() << c.hints();
    if (c.program) qInfo().noquote() << QString::fromStdString(sema::print(*c.program)) << QString::fromStdString(c.program->matched);
}
QTEST_GUILESS_MAIN(AnalyseTest)
#include "tst_analyse.moc"
