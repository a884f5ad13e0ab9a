#include "engine/host/containers.h"
#include <QFile>
#include <QObject>
#include <QTest>
using namespace dscope;

class TestContainers : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aPathTellsAContainer_data()
    {
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<QByteArray>("name");
        QFile list(QStringLiteral(TEST_DATA "/containers.txt"));
        QVERIFY(list.open(QIODevice::ReadOnly));
        for (const auto& line : list.readAll().trimmed().split('\n')) {
            const auto words = line.split('\t');
            if (words.size() == 2) QTest::newRow(words[0].constData()) << words[0] << words[1];
        }
    }
    void aPathTellsAContainer()
    {
        QFETCH(QByteArray, path);
        QFETCH(QByteArray, name);
        const auto found = host::containerIn(path.toStdString());
        QCOMPARE(QByteArray::fromStdString(found.name), name);
        if (name.isEmpty()) return;
        // Nothing below the container's folder changes what it is.
        const auto below = host::containerIn(path.toStdString() + "/init.scope");
        QCOMPARE(below.name, found.name);
        QCOMPARE(below.end, found.end);
        const auto folder = path.toStdString().substr(0, found.end);
        QCOMPARE(host::containerIn(folder).end, folder.size());
        QVERIFY(found.id.empty() || folder.find(found.id) != std::string::npos);
    }
    void theRootIsNone() { QVERIFY(host::containerIn("/").name.empty() && host::containerIn("").name.empty()); }
};
QTEST_GUILESS_MAIN(TestContainers)
#include "tst_containers.moc"
