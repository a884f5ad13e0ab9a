// needs: engine/decode engine/format providers
#include "../../simulated/simulated_run.h"
#include "engine/language/subroutines.h"
#include <QObject>
#include <QTest>
using namespace dscope;
/// Every example of every row of the table of subroutines, run on the simulated machine.
class TestSubroutines : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void examplesGiveWhatTheManualSays_data()
    {
        QTest::addColumn<QString>("expression");
        QTest::addColumn<QString>("value");
        const auto text = [](std::string_view t) { return QString::fromUtf8(t.data(), static_cast<qsizetype>(t.size())); };
        for (const auto& row : language::kSubroutines)
            for (const auto& example : row.examples)
                if (!example.expression.empty())
                    QTest::newRow(std::string(example.expression).c_str()) << text(example.expression) << text(example.value);
    }
    void examplesGiveWhatTheManualSays()
    {
        QFETCH(QString, expression);
        QFETCH(QString, value);
        tests::SimulatedRun run;
        QVERIFY(run.options.set("quiet", ""));
        const auto started = run.start("BEGIN { trace(" + expression.toStdString() + "); }");
        QVERIFY2(started, started ? "" : started.error().message.c_str());
        QCOMPARE(QString::fromStdString(run.output()), value);
    }
};
QTEST_GUILESS_MAIN(TestSubroutines)
#include "tst_subroutines.moc"
