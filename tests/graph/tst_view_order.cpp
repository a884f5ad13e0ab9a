// needs: graph/models engine/record
// Which view of a program is the first.
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN
#include "graph/view_order.h"
#endif
using namespace dscope;
using namespace dscope::graph;
namespace {
QStringList namesOf(const std::vector<Kind>& kinds)
{
    QStringList names;
    for (const auto& kind : kinds)
        names << QString::fromStdString(std::string(kind.name));
    return names;
}
QStringList orderWith(const std::map<std::string, std::string>& options)
{
    record::Program program;
    program.options = options;
    return namesOf(inOrderFor(program, kinds()));
}
} // namespace

class TestViewOrder : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theViewThatAProgramNamesIsFirst_data()
    {
        QTest::addColumn<QString>("name");
        for (const auto& name : namesOf(kinds()))
            QTest::newRow(qPrintable(name)) << name;
    }
    void theViewThatAProgramNamesIsFirst()
    {
        QFETCH(const QString, name);
        auto expected = namesOf(kinds());
        expected.removeOne(name);
        expected.prepend(name);
        QCOMPARE(orderWith({{"view", name.toStdString()}}), expected);
    }
    void withoutOneTheirOrderStays()
    {
        QCOMPARE(orderWith({}), namesOf(kinds()));
        QCOMPARE(orderWith({{"view", "none-of-them"}}), namesOf(kinds()));
    }
};
QTEST_MAIN(TestViewOrder)
#include "tst_view_order.moc"
