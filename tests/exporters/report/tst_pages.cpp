// needs: graph/models
// Pages of a report: what stands together stays together.
#include "exporters/report/pages.h"
#include <QObject>
#include <QTest>
#include <algorithm>
using namespace dscope;
using report::Pages;
namespace {
/// How many rows of a table are on a page; its head is counted, too.
std::size_t rowsOn(const Pages::Sheet& sheet)
{
    const auto& items = sheet.figure.items;
    return static_cast<std::size_t>(std::count_if(items.begin(), items.end(), [](const graph::Item& item) { return item.role == graph::Role::Grid; }));
}
} // namespace
class TestPages : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Wherever a table begins and however long it is: no page has its last row, or its first, alone.
    void rowsOfATableStandTogether_data()
    {
        QTest::addColumn<std::size_t>("more"); // rows that are only counted
        QTest::newRow("whole") << std::size_t{0};
        QTest::newRow("cut") << std::size_t{7};
    }
    void rowsOfATableStandTogether()
    {
        QFETCH(std::size_t, more);
        bool isOverTwo = false;
        for (std::size_t count = 1; count <= 60; ++count)
            for (double begin = 0; begin < Pages::kRoomHeight; begin += 37) {
                graph::Digest digest;
                digest.table.columns = {graph::Column::text("name"), graph::Column::number("value")};
                for (std::size_t i = 0; i < count; ++i)
                    digest.table.rows.push_back({"row " + std::to_string(i), std::to_string(i)});
                digest.more = more;
                Pages pages("footer");
                pages.text("above", Pages::Style::Plain);
                pages.gap(begin);
                pages.table(digest);
                std::size_t rows = 0;
                for (const auto& sheet : pages.take()) {
                    const auto here = rowsOn(sheet);
                    if (here == 0) continue;
                    QVERIFY2(here - 1 >= std::min<std::size_t>(count, 3), qPrintable(QStringLiteral("%1 of %2 rows from %3 px").arg(here - 1).arg(count).arg(begin)));
                    isOverTwo = isOverTwo || here - 1 < count;
                    rows += here - 1;
                    for (const auto& item : sheet.figure.items)
                        if (const auto* text = std::get_if<graph::Text>(&item.shape); text && item.role == graph::Role::Label)
                            QVERIFY2(text->at.y <= Pages::kMargin + Pages::kRoomHeight, text->text.c_str());
                }
                QCOMPARE(rows, count);
            }
        QVERIFY(isOverTwo);
    }
};
QTEST_APPLESS_MAIN(TestPages)
#include "tst_pages.moc"
