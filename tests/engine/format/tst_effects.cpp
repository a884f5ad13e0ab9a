// What system(), freopen() and ftruncate() do to real files.
#include "engine/format/effects.h"
#include <QFile>
#include <QObject>
#include <QTemporaryDir>
#include <QTest>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
using namespace dscope;
using namespace dscope::format;

class TestEffects : public QObject {
    Q_OBJECT
    QTemporaryDir m_dir;
    std::string path(const char* name) const { return m_dir.filePath(QString::fromLatin1(name)).toStdString(); }
    static QByteArray content(const std::string& file)
    {
        QFile f(QString::fromStdString(file));
        return f.open(QIODevice::ReadOnly) ? f.readAll() : QByteArray("cannot open");
    }
private Q_SLOTS:
    void redirectAppends()
    {
        LiveEffects effects(STDOUT_FILENO, [] {});
        for (const char* text : {"one\n", "two\n"}) {
            const auto write = effects.redirect(path("log"));
            QVERIFY(write.has_value());
            (*write)(text);
        }
        QCOMPARE(content(path("log")), QByteArray("one\ntwo\n"));
    }
    void whatRootWritesForAUserBelongsToThatUser()
    {
        if (::geteuid() != 0) QSKIP("only root can give files away");
        constexpr uid_t kAda = 12345;
        const auto folder = path("ada"), file = folder + "/log";
        QCOMPARE(::mkdir(folder.c_str(), 0755), 0);
        QCOMPARE(::chown(folder.c_str(), kAda, kAda), 0);
        qputenv("SUDO_UID", QByteArray::number(kAda));
        qputenv("SUDO_GID", QByteArray::number(kAda));
        LiveEffects effects(STDOUT_FILENO, [] {});
        const bool isWritten = effects.redirect(file).has_value();
        qunsetenv("SUDO_UID");
        qunsetenv("SUDO_GID");
        QVERIFY(isWritten);
        struct stat status { };
        QCOMPARE(::stat(file.c_str(), &status), 0);
        QCOMPARE(status.st_uid, kAda);
    }
    void redirectTellsWhyNot()
    {
        LiveEffects effects(STDOUT_FILENO, [] {});
        const auto write = effects.redirect(path("no/such/folder"));
        QVERIFY(!write);
        QCOMPARE(write.error().code, ENOENT);
        QCOMPARE(write.error().message, std::string("No such file or directory"));
    }
    void truncateEmptiesWhatIsWrittenNow()
    {
        const Fd out(::open(path("out").c_str(), O_RDWR | O_CREAT, 0644));
        int flushed = 0;
        LiveEffects effects(out.get(), [&] { ++flushed; });
        QCOMPARE(::write(out.get(), "abc", 3), ssize_t(3));
        const auto write = effects.redirect(path("other"));
        QVERIFY(write.has_value());
        (*write)("xyz");
        effects.truncate();
        QCOMPARE(content(path("other")), QByteArray());
        QCOMPARE(content(path("out")), QByteArray("abc"));
        effects.restore();
        effects.truncate();
        QCOMPARE(content(path("out")), QByteArray());
        QCOMPARE(::write(out.get(), "d", 1), ssize_t(1));
        QCOMPARE(content(path("out")), QByteArray("d"));
        QVERIFY(flushed >= 3);
    }
    void runWaitsForTheCommandAndFlushesFirst()
    {
        std::string order;
        LiveEffects effects(STDOUT_FILENO, [&] { order += QFile::exists(QString::fromStdString(path("made"))) ? "late" : "first"; });
        effects.run("echo made > '" + path("made") + "'");
        QCOMPARE(content(path("made")), QByteArray("made\n"));
        QCOMPARE(order, std::string("first"));
    }
    void aRedirectedRunWritesWhereTheTextGoes()
    {
        LiveEffects effects(STDOUT_FILENO, [] {});
        const auto write = effects.redirect(path("both"));
        QVERIFY(write.has_value());
        (*write)("text\n");
        effects.run("echo command");
        (*write)("text\n");
        QCOMPARE(content(path("both")), QByteArray("text\ncommand\ntext\n"));
    }
};
QTEST_GUILESS_MAIN(TestEffects)
#include "tst_effects.moc"
