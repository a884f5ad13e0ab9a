#include "graph/budget.h"
#include <QObject>
#include <QTest>
using namespace dscope;
using graph::Budget;

class TestBudget : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void isReadAsItIsWritten_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("function");
        QTest::addColumn<double>("percentile");
        QTest::addColumn<QString>("of");
        QTest::addColumn<int>("relation");
        QTest::addColumn<int>("bound");
        QTest::addColumn<int>("dimension");
        QTest::addColumn<double>("number");
        using F = Budget::Function;
        using R = Budget::Relation;
        using B = Budget::Bound;
        using D = Budget::Dimension;
        const auto row = [](const char* text, F function, double percentile, const char* of, R relation, B bound, D dimension, double number) {
            QTest::newRow(text) << text << int(function) << percentile << of << int(relation) << int(bound) << int(dimension) << number;
        };
        row("p99(@lat) < +5 %", F::Percentile, 99, "@lat", R::Less, B::Change, D::Percent, 5);
        row("p99.9(@)<=20ms", F::Percentile, 99.9, "@", R::AtMost, B::Value, D::Time, 20e6);
        row(" count ( @calls [ \"cc1\" , 7, * ] ) > 1.5k ", F::Count, 0, "@calls[cc1|7|*]", R::More, B::Value, D::Plain, 1500);
        row("sum(@bytes) >= -2 MiB", F::Sum, 0, "@bytes", R::AtLeast, B::Distance, D::Size, -2097152);
        row("avg(@t) < +0.5 us", F::Average, 0, "@t", R::Less, B::Distance, D::Time, 500);
        row("min(@a) > -10%", F::Least, 0, "@a", R::More, B::Change, D::Percent, -10);
        row("max(@a) < 1 h", F::Most, 0, "@a", R::Less, B::Value, D::Time, 3600e9);
        row("share('hot') < 10 %", F::Share, 0, "'hot'", R::Less, B::Value, D::Percent, 10);
        row("share('it\\'s') < +3 points", F::Share, 0, "'it's'", R::Less, B::Distance, D::Percent, 3);
        row("total(/^malloc|free$/) < +5 %", F::Total, 0, "/^malloc|free$/", R::Less, B::Change, D::Percent, 5);
        row("share(@calls[\"-x\"]) < 50 %", F::Share, 0, "@calls[-x]", R::Less, B::Value, D::Percent, 50);
    }
    void isReadAsItIsWritten()
    {
        QFETCH(QString, text);
        const auto budget = graph::budgetOf(text.toStdString());
        QVERIFY2(budget, budget ? "" : budget.error().message.c_str());
        std::string of;
        if (const auto* rows = std::get_if<Budget::Rows>(&budget->of)) {
            of = '@' + rows->name;
            for (std::size_t i = 0; i < rows->keys.size(); ++i)
                of += (i == 0 ? "[" : "|") + rows->keys[i].value_or("*");
            if (!rows->keys.empty()) of += ']';
        } else if (const auto* pattern = std::get_if<graph::NamePattern>(&budget->of)) {
            of = '/' + pattern->text() + '/';
        } else {
            of = '\'' + std::get<Budget::NamedFrame>(budget->of).name + '\'';
        }
        QTEST(QString::fromStdString(of), "of");
        QTEST(int(budget->function), "function");
        QTEST(budget->percentile, "percentile");
        QTEST(int(budget->relation), "relation");
        QTEST(int(budget->bound), "bound");
        QTEST(int(budget->dimension), "dimension");
        QTEST(budget->number, "number");
    }
    void whatIsWrongHasItsPlace_data()
    {
        QTest::addColumn<QString>("says");
        const auto row = [](const char* text, const char* says) { QTest::newRow(text) << says; };
        row("", "character 1: expected count, sum, total, avg, min, max, share or a percentile as p99, not the end");
        row("median(@a) < 1", "character 1: expected count, sum, total, avg, min, max, share or a percentile as p99, not \"median\"");
        row("p101(@a) < 1 s", "character 1: percentiles are above p0 and up to p100, and p101 is not");
        row("p99 @lat < 1 s", "character 5: expected \"(\" and what it is of, not \"@lat\"");
        row("p99(lat) < 1 s", "character 5: expected an aggregation as @lat, not \"lat\"");
        row("share(hot) < 1 %", "character 7: expected an aggregation as @lat, or a frame as 'main', not \"hot\"");
        row("p99('hot') < 1 s", "character 5: a frame of stacks has a share and a total, and nothing else");
        row("share('hot) < 1 %", "character 7: the ' has no other to end it");
        row("share('') < 1 %", "character 7: nothing has no name");
        row("share(/a(/) < 1 %", "character 7: \"a(\" is not a regular expression: ");
        row("p99(@lat[read]) < 1 s", "character 10: expected a key: \"text\", a number or *, not \"read\"");
        row("p99(@lat[\"read\") < 1 s", "character 16: expected \",\" or \"]\", not \")\"");
        row("p99(@lat = 1 s", "character 10: expected \")\", not \"=\"");
        row("p99(@lat) = 1 s", "character 11: expected <, <=, > or >=, not \"=\"");
        row("p99(@lat) < fast", "character 13: expected a number, not \"fast\"");
        row("p99(@lat) < 1.2.3 s", "character 13: expected a number, not \"1.2.3\"");
        row("p99(@lat) < 5 parsec", "character 15: expected a unit (%, points, ns,");
        row("p99(@lat) < 5 %", "character 15: % is of a share; of what it was before, write +5 %");
        row("p99(@lat) < +5 points", "character 16: only a share gains or loses points");
        row("share('a') < 5 ms", "character 16: a share is in %");
        row("share('a') < +5 ms", "character 17: a share gains or loses points, or % of itself");
        row("share('a') < 5 points", "character 16: points are what a share gains or loses: write +5 points");
        row("p99(@lat) < 5 ms or so", "character 18: expected the end, not \"or\"");
    }
    void whatIsWrongHasItsPlace()
    {
        QFETCH(QString, says);
        const auto budget = graph::budgetOf(QTest::currentDataTag());
        QVERIFY(!budget);
        QVERIFY2(QString::fromStdString(budget.error().message).startsWith('"' + QString::fromUtf8(QTest::currentDataTag()) + "\", " + says),
            budget.error().message.c_str());
    }
};
QTEST_GUILESS_MAIN(TestBudget)
#include "tst_budget.moc"
