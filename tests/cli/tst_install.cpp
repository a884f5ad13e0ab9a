// needs-programs: dscope dscope-raster
// What is installed runs from any folder: `cmake --install` of this build, moved elsewhere.
#include "tests/support/run_dscope.h"
#include <QDir>
#include <QObject>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope::tests;

class TestInstall : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatWasInstalledMayBeMoved()
    {
        const QTemporaryDir dir;
        const auto first = dir.filePath("first/prefix"), then = dir.filePath("then");
        const auto install = runDscope({"--install", DSCOPE_BIN "/..", "--component", "dscope", "--prefix", first}, {}, "cmake");
        QVERIFY2(install.status == 0, install.err.constData());
        QVERIFY(QDir().rename(first, then));
        const auto program = then + "/bin/dscope";

        const auto version = runDscope({"-V"}, {}, program);
        QCOMPARE(version.status, 0);

        // The module that paints is found where it was installed: no other is near.
        const auto picture = dir.filePath("sizes.png");
        const auto drawn = runDscope({"--replay", DSCOPE_SOURCE "/examples/recordings/write-sizes.dscope", "--export", picture}, {}, program);
        QCOMPARE(drawn.err, QByteArray());
        QCOMPARE(drawn.status, 0);
        QFile file(picture);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.read(8), QByteArray("\x89PNG\r\n\x1a\n"));
    }
    void theLicenceIsInstalled()
    {
        const QTemporaryDir dir;
        const auto install = runDscope({"--install", DSCOPE_BIN "/..", "--component", "dscope", "--prefix", dir.path()}, {}, "cmake");
        QVERIFY2(install.status == 0, install.err.constData());
        QFile own(DSCOPE_SOURCE "/LICENSE"), installed(dir.filePath("share/doc/dscope/LICENSE"));
        QVERIFY(own.open(QIODevice::ReadOnly) && installed.open(QIODevice::ReadOnly));
        QCOMPARE(installed.readAll(), own.readAll());
    }
};
QTEST_GUILESS_MAIN(TestInstall)
#include "tst_install.moc"
