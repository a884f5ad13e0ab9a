// needs-programs: dscope dscope-raster
// What is installed runs from any folder: `cmake --install` of this build, moved elsewhere.
#include "tests/support/run_dscope.h"
#include <QDir>
#include <QObject>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope::tests;
namespace {
const auto kLong = QStringLiteral("(?<![-\\w])--");
}

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
    void whatTellsTheOptionsTellsAllAndNoOther_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("before");
        QTest::newRow("manual page") << "packaging/dscope.8" << kLong;
        QTest::newRow("bash") << "packaging/dscope.bash" << kLong;
        QTest::newRow("zsh") << "packaging/_dscope" << kLong;
        QTest::newRow("fish") << "packaging/dscope.fish" << " -l ";
        QTest::newRow("docs") << "docs/command-line.md" << kLong;
    }
    /// What dscope itself prints is the truth.
    void whatTellsTheOptionsTellsAllAndNoOther()
    {
        QFETCH(QString, file);
        QFETCH(QString, before);
        const auto options = [](const QString& text, const QString& prefix) {
            QSet<QString> all;
            const QRegularExpression option(prefix + "([a-z]+(-[a-z]+)*)");
            for (auto found = option.globalMatch(text); found.hasNext();)
                all << found.next().captured(1);
            return all;
        };
        const auto help = runDscope({"--help"});
        auto known = options(QString::fromUtf8(help.out + help.err), kLong);
        QVERIFY(known.size() > 10);
        known << "help"; // which does not name itself
        QFile page(DSCOPE_SOURCE "/" + file);
        QVERIFY(page.open(QIODevice::ReadOnly));
        const auto text = QString::fromUtf8(page.readAll()).replace("\\-", "-");
        auto told = options(text, before);
        const auto sorted = [](const QSet<QString>& all) {
            QStringList list(all.begin(), all.end());
            list.sort();
            return list.join(' ');
        };
        QCOMPARE(sorted(told), sorted(known));
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
