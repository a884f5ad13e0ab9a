#include "gui/flat_tabs.h"
#include <QTest>
using dscope::gui::FlatTabs;
namespace {
const QStringList kGerman{QStringLiteral("Flammengraph"), QStringLiteral("Aufrufgraph"), QStringLiteral("Eiszapfen"),
    QStringLiteral("Sandwich"), QStringLiteral("Disassemblierung")};
int allTabs(const FlatTabs& tabs)
{
    int all = 0;
    for (int i = 0; i < tabs.count(); ++i)
        all += tabs.tabRect(i).width();
    return all;
}
} // namespace

class TestFlatTabs : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// With less room they stand closer, then the longest words are cut; none goes out of sight.
    void allAreSeenInLittleRoom_data()
    {
        QTest::addColumn<int>("percent");
        for (const int percent : {120, 100, 90, 75, 60})
            QTest::addRow("%d %%", percent) << percent;
    }
    void allAreSeenInLittleRoom()
    {
        QFETCH(const int, percent);
        FlatTabs tabs(QStringLiteral("Views"));
        for (const auto& text : kGerman)
            tabs.addTab(text);
        tabs.resize(tabs.sizeHint().width() * percent / 100, 34);
        tabs.show();
        QVERIFY(QTest::qWaitForWindowExposed(&tabs));
        QVERIFY(!tabs.usesScrollButtons());
        QVERIFY2(allTabs(tabs) <= tabs.width(), qPrintable(QStringLiteral("%1 of %2").arg(allTabs(tabs)).arg(tabs.width())));
        // The shortest is whole as long as others are longer.
        QVERIFY(tabs.tabRect(3).width() >= QFontMetrics(tabs.font()).horizontalAdvance(kGerman[3]));
        QTest::mouseClick(&tabs, Qt::LeftButton, {}, tabs.tabRect(4).center());
        QCOMPARE(tabs.currentIndex(), 4);
    }

    void theyGrowAgain()
    {
        FlatTabs tabs(QStringLiteral("Views"));
        for (const auto& text : kGerman)
            tabs.addTab(text);
        const auto whole = tabs.sizeHint();
        tabs.resize(whole.width() / 2, 34);
        tabs.show();
        QVERIFY(QTest::qWaitForWindowExposed(&tabs));
        QCOMPARE(tabs.sizeHint(), whole);
        tabs.resize(whole);
        QTRY_COMPARE(allTabs(tabs), whole.width());
    }

    void hiddenOnesTakeNoRoom()
    {
        FlatTabs tabs(QStringLiteral("Functions"));
        for (const auto& text : kGerman)
            tabs.addTab(text);
        const int all = tabs.sizeHint().width();
        tabs.setTabVisible(4, false);
        QVERIFY(tabs.sizeHint().width() < all);
    }
};
QTEST_MAIN(TestFlatTabs)
#include "tst_flat_tabs.moc"
