// needs: engine/decode engine/format providers
#include "../../simulated/simulated_run.h"
#include "engine/codegen/subroutine.h"
#include "engine/syntax/names.h"
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
        for (const auto& row : codegen::subroutines())
            for (const auto& example : row.examples)
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
    /// Else it would not be coloured, and a program could declare a variable of its name.
    void eachIsAWordOfTheLanguage()
    {
        for (const auto& row : codegen::subroutines()) {
            const auto head = row.prototype.substr(0, row.prototype.find('('));
            const auto name = head.substr(head.find_last_of(" *") + 1);
            if (name.starts_with("__") || name.starts_with("dscope_")) continue; // for our own use
            QVERIFY2(syntax::isBuiltin(name), std::string(row.prototype).c_str());
        }
    }
};
QTEST_GUILESS_MAIN(TestSubroutines)
#include "tst_subroutines.moc"
