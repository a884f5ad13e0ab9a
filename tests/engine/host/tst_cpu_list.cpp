#include "engine/host/cpu_list.h"
#include <QList>
#include <QObject>
#include <QTest>
using namespace dscope;

class TestCpuList : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Source: Documentation/admin-guide/cputopology.rst and Documentation/admin-guide/kernel-parameters.rst (cpu lists).
    void listsAsTheKernelWritesThem_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QList<int>>("cpus");
        QTest::newRow("one") << QByteArray("0\n") << QList<int>{0};
        QTest::newRow("a range") << QByteArray("0-3\n") << QList<int>{0, 1, 2, 3};
        QTest::newRow("numbers and ranges") << QByteArray("0,2-4,7,10-11\n") << QList<int>{0, 2, 3, 4, 7, 10, 11};
        QTest::newRow("a range of one") << QByteArray("5-5") << QList<int>{5};
        QTest::newRow("two digits and more") << QByteArray("9-10,255") << QList<int>{9, 10, 255};
        QTest::newRow("none: a node without processors") << QByteArray("\n") << QList<int>{};
        QTest::newRow("nothing") << QByteArray() << QList<int>{};
    }
    void listsAsTheKernelWritesThem()
    {
        QFETCH(QByteArray, text);
        QFETCH(QList<int>, cpus);
        const auto found = host::cpuList(text.toStdString());
        QCOMPARE(QList<int>(found.begin(), found.end()), cpus);
    }

    void whatIsNoListEndsIt_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QList<int>>("cpus");
        QTest::newRow("words") << QByteArray("all") << QList<int>{};
        QTest::newRow("behind a number") << QByteArray("1,x,3") << QList<int>{1};
        QTest::newRow("no end of a range") << QByteArray("1,2-") << QList<int>{1};
        QTest::newRow("backwards") << QByteArray("0,5-2,7") << QList<int>{0};
        QTest::newRow("negative") << QByteArray("-1") << QList<int>{};
        QTest::newRow("more than memory has room for") << QByteArray("0-2147483647") << QList<int>{};
        QTest::newRow("more than a number holds") << QByteArray("3,99999999999999999999") << QList<int>{3};
    }
    void whatIsNoListEndsIt() { listsAsTheKernelWritesThem(); }
};
QTEST_GUILESS_MAIN(TestCpuList)
#include "tst_cpu_list.moc"
