// needs: engine/options
#include "engine/options/options.h"
#include "gui/advice.h"
#include <QTest>
using namespace dscope;
using Kind = record::Drop::Kind;

class TestAdvice : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatWasLostMostIsGivenRoom_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("advised");
        QTest::newRow("events") << int(Kind::Principal) << "BEGIN { }" << "#pragma D option bufsize=16m\nBEGIN { }";
        QTest::newRow("keys") << int(Kind::Aggregation) << "BEGIN { }" << "#pragma D option aggsize=16m\nBEGIN { }";
        QTest::newRow("variables") << int(Kind::Dynamic) << "BEGIN { }" << "#pragma D option dynvarsize=4m\nBEGIN { }";
        QTest::newRow("more than the program asks for")
            << int(Kind::Principal) << "#pragma D option quiet\n#pragma D option bufsize=64k\nBEGIN { }"
            << "#pragma D option quiet\n#pragma D option bufsize=256k\nBEGIN { }";
        QTest::newRow("a program with faults") << int(Kind::Principal) << "BEGIN {" << "#pragma D option bufsize=16m\nBEGIN {";
        QTest::newRow("no option") << int(Kind::Error) << "BEGIN { }" << QString();
    }
    void whatWasLostMostIsGivenRoom()
    {
        QFETCH(int, kind);
        QFETCH(QString, program);
        QFETCH(QString, advised);
        const gui::Losses losses{{Kind(kind), 20}, {Kind::Stack, 3}};
        const auto advice = gui::adviceOn(losses, program);
        QCOMPARE(advice ? gui::withOption(program, *advice) : QString(), advised);
        // What is advised is an option of the engine, and a value that it takes.
        options::Options set;
        if (advice) QVERIFY(set.set(advice->option.toStdString(), advice->value.toStdString()));
    }
    void nothingLostNothingSaid()
    {
        QVERIFY(!gui::adviceOn({}, QStringLiteral("BEGIN { }")));
        QVERIFY(gui::lossText({}, 5).isEmpty());
        QVERIFY(!gui::adviceOn({{Kind::Principal, 0}}, {}));
    }
    void aShareIsSaidWhereTheWholeIsKnown()
    {
        QLocale::setDefault(QLocale::c());
        QVERIFY2(gui::lossText({{Kind::Principal, 30}, {Kind::Stack, 2}}, 70).startsWith(QStringLiteral("30 of 100 ")),
            qPrintable(gui::lossText({{Kind::Principal, 30}}, 70)));
    }
};
QTEST_GUILESS_MAIN(TestAdvice)
#include "tst_advice.moc"
