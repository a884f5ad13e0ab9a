// needs: graph
// What paths share is left out of their names where there is little room, and nothing else is.
#include "graph/shared_folders.h"
#include <QObject>
#include <QTest>
namespace {
using Names = std::vector<std::string>;
}
class TestSharedFolders : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void pathsAreWithoutWhatAllOfThemShare_data()
    {
        QTest::addColumn<QStringList>("names");
        QTest::addColumn<QStringList>("shorter");
        const QString dots = QString::fromUtf8("\u2026");
        QTest::newRow("one folder") << QStringList{"/src/lib/a.c", "/src/lib/b.c"} << QStringList{dots + "/a.c", dots + "/b.c"};
        QTest::newRow("whole folders only") << QStringList{"/src/lib/a.c", "/src/line/b.c"} << QStringList{dots + "/lib/a.c", dots + "/line/b.c"};
        QTest::newRow("other names stay") << QStringList{"/src/lib/a.c", "pipe", "/src/lib/b.c"} << QStringList{dots + "/a.c", "pipe", dots + "/b.c"};
        QTest::newRow("nothing is shared") << QStringList{"/etc/a", "/usr/b"} << QStringList{"/etc/a", "/usr/b"};
        QTest::newRow("too little is shared") << QStringList{"/a/b", "/a/c"} << QStringList{"/a/b", "/a/c"};
        QTest::newRow("one path") << QStringList{"/src/lib/a.c", "x"} << QStringList{"/src/lib/a.c", "x"};
        QTest::newRow("equal paths") << QStringList{"/src/lib/a.c", "/src/lib/a.c"} << QStringList{"/src/lib/a.c", "/src/lib/a.c"};
        QTest::newRow("none") << QStringList{} << QStringList{};
    }
    void pathsAreWithoutWhatAllOfThemShare()
    {
        QFETCH(QStringList, names);
        QFETCH(QStringList, shorter);
        Names given;
        for (const auto& name : names)
            given.push_back(name.toStdString());
        QStringList got;
        for (const auto& name : dscope::graph::withoutSharedFolders(given))
            got << QString::fromStdString(name);
        QCOMPARE(got, shorter);
    }
};
QTEST_GUILESS_MAIN(TestSharedFolders)
#include "tst_shared_folders.moc"
