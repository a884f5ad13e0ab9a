// needs: engine/record
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN // moc stumbles over <concepts>
#include "graph/keys.h"
#endif
using namespace dscope::graph;

class KeysTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void blanksDoNotTellExpressionsApart_data()
    {
        QTest::addColumn<QString>("one");
        QTest::addColumn<QString>("other");
        QTest::addColumn<bool>("same");
        QTest::newRow("around an operator") << "timestamp - self->ts" << "timestamp-self->ts" << true;
        QTest::newRow("around all") << " arg0 " << "arg0" << true;
        QTest::newRow("lines") << "a ?\n\tb : c" << "a?b:c" << true;
        QTest::newRow("nothing") << "" << " " << true;
        QTest::newRow("other words") << "arg0" << "arg1" << false;
        QTest::newRow("a beginning") << "arg0" << "arg0 + 1" << false;
        QTest::newRow("two words and one") << "sizeof x" << "sizeofx" << false;
        QTest::newRow("in text") << "\"a b\"" << "\"ab\"" << false;
        QTest::newRow("behind text") << "\"a\\\" b\" , x" << "\"a\\\" b\",x" << true;
        QTest::newRow("text without its end") << "\"a b" << "\"ab" << false;
        QTest::newRow("a backslash at the end") << "\"a\\" << "\"a\\" << true;
    }
    void blanksDoNotTellExpressionsApart()
    {
        QFETCH(QString, one);
        QFETCH(QString, other);
        QFETCH(bool, same);
        QCOMPARE(isSameExpression(one.toStdString(), other.toStdString()), same);
        QCOMPARE(isSameExpression(other.toStdString(), one.toStdString()), same);
    }
};
QTEST_APPLESS_MAIN(KeysTest)
#include "tst_keys.moc"
