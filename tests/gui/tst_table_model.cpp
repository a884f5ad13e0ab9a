#include "gui/table_model.h"
#include <QAbstractItemModelTester>
#include <QItemSelectionModel>
#include <QObject>
#include <QSignalSpy>
#include <QTest>
using namespace dscope;
namespace {
using Rows = std::vector<std::vector<std::string>>;
std::shared_ptr<const graph::Table> table(Rows rows, const char* second = "count")
{
    auto t = std::make_shared<graph::Table>();
    t->columns = {graph::Column::text("execname"), graph::Column::number(second, graph::Column::Unit::Count)};
    t->rows = std::move(rows);
    return t;
}
QStringList firstColumn(const QAbstractItemModel& model)
{
    QStringList names;
    for (int row = 0; row < model.rowCount(); ++row)
        names << model.index(row, 0).data().toString();
    return names;
}
} // namespace

class TestTableModel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void isAModelThroughAllChanges()
    {
        gui::TableModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setTable(table({{"sh", "3"}, {"cc", "20"}}));
        model.setTable(table({{"sh", "3"}, {"cc", "20"}, {"ld", "1"}, {"as", "100"}}));
        model.sort(1, Qt::DescendingOrder);
        model.setTable(table({{"sh", "3"}}));
        model.setTable(table({{"sh", "3"}, {"make", "9"}}, "bytes"));
        model.sort(-1, Qt::AscendingOrder);
        QCOMPARE(firstColumn(model), (QStringList{QStringLiteral("sh"), QStringLiteral("make")}));
        model.setTable(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }
    void numbersSortByValueAndTextByText()
    {
        gui::TableModel model;
        model.setTable(table({{"b", "9"}, {"a", "100"}, {"c", "20"}}));
        QCOMPARE(firstColumn(model).join(QChar(' ')), QStringLiteral("b a c"));
        model.sort(1, Qt::AscendingOrder);
        QCOMPARE(firstColumn(model).join(QChar(' ')), QStringLiteral("b c a"));
        model.sort(0, Qt::DescendingOrder);
        QCOMPARE(firstColumn(model).join(QChar(' ')), QStringLiteral("c b a"));
        model.sort(-1, Qt::AscendingOrder);
        QCOMPARE(firstColumn(model).join(QChar(' ')), QStringLiteral("b a c"));
    }
    void aLiveTableKeepsOrderAndSelection()
    {
        gui::TableModel model;
        model.setTable(table({{"sh", "3"}, {"cc", "20"}}));
        model.sort(1, Qt::DescendingOrder);
        QItemSelectionModel selection(&model);
        selection.select(model.index(0, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
        QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        model.setTable(table({{"sh", "4"}, {"cc", "25"}, {"ld", "7"}}));
        QCOMPARE(resets.count(), 0);
        QCOMPARE(firstColumn(model).join(QChar(' ')), QStringLiteral("cc ld sh"));
        QVERIFY(selection.isRowSelected(0));
    }
    void selectionFollowsItsRowWhenSorted()
    {
        gui::TableModel model;
        model.setTable(table({{"b", "9"}, {"a", "100"}, {"c", "20"}}));
        const QPersistentModelIndex a = model.index(1, 0);
        model.sort(0, Qt::AscendingOrder);
        QCOMPARE(a.row(), 0);
        QCOMPARE(a.data().toString(), QStringLiteral("a"));
    }
    void traceTextIsNeverMarkup()
    {
        gui::TableModel model;
        model.setTable(table({{"<img src=x> & <b>bold</b>", "1"}}));
        const auto cell = model.index(0, 0);
        QCOMPARE(cell.data().toString(), QStringLiteral("<img src=x> & <b>bold</b>"));
        const auto tip = cell.data(Qt::ToolTipRole).toString();
        QVERIFY2(!tip.contains(QStringLiteral("<img")) && !tip.contains(QStringLiteral("<b>")), qPrintable(tip));
        QVERIFY(tip.contains(QStringLiteral("&lt;img")));
    }
};
QTEST_MAIN(TestTableModel)
#include "tst_table_model.moc"
