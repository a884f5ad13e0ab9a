// needs: engine/base
// What stood in a file stays until the new text is whole, and links lead nobody astray.
#include "engine/base/output_file.h"
#include "tests/support/own_mounts.h"
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QObject>
#include <QTemporaryDir>
#include <QTest>
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>
using namespace dscope;
using Kind = OutputFile::Kind;
namespace {
constexpr uid_t kAda = 12'345, kBob = 12'346;
struct stat statOf(const QString& path)
{
    struct stat info { };
    ::lstat(QFile::encodeName(path).constData(), &info);
    return info;
}
} // namespace

class TestOutputFile : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (::geteuid() == 0) QVERIFY(tests::hasOwnMounts());
    }
    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        ::chmod(m_dir->path().toUtf8().constData(), 0777);
        qunsetenv("SUDO_UID");
        qunsetenv("SUDO_GID");
    }
    void theTargetChangesAtTheEnd()
    {
        put("f", "before");
        auto out = OutputFile::open(path("f"), Kind::Whole);
        QVERIFY(out);
        out->stream() << "after, and longer than a buffer " << std::string(100'000, 'x');
        out->stream().flush();
        QCOMPARE(get("f"), QByteArray("before"));
        QVERIFY(out->commit());
        QVERIFY(get("f").startsWith("after") && get("f").size() > 100'000);
        QCOMPARE(names(), QStringList{"f"});
    }
    void whatIsNotFinishedLeavesNothing()
    {
        put("f", "before");
        for (const char* name : {"f", "new"}) {
            auto out = OutputFile::open(path(name), Kind::Whole);
            QVERIFY(out);
            out->stream() << "half";
        }
        {
            const auto growing = OutputFile::open(path("grows"), Kind::Growing);
            QVERIFY(growing);
        }
        QCOMPARE(get("f"), QByteArray("before"));
        QCOMPARE(names(), QStringList{"f"});
    }
    void aGrowingFileIsEmptiedWhenItBegins()
    {
        put("f", "before");
        auto out = OutputFile::open(path("f"), Kind::Growing);
        QVERIFY(out);
        QCOMPARE(get("f"), QByteArray("before"));
        QVERIFY(out->begin());
        QCOMPARE(get("f"), QByteArray());
        QCOMPARE(::write(out->descriptor(), "x", 1), 1);
        QCOMPARE(get("f"), QByteArray("x")); // at once
    }
    void modeAndOwnerStay()
    {
        put("f", "before");
        ::chmod(file("f").constData(), 0640);
        if (::geteuid() == 0) QCOMPARE(::chown(file("f").constData(), kAda, kBob), 0);
        const auto was = statOf(m_dir->filePath("f"));
        write("f", "after");
        const auto now = statOf(m_dir->filePath("f"));
        QCOMPARE(get("f"), QByteArray("after"));
        QCOMPARE(now.st_mode, was.st_mode);
        QCOMPARE(now.st_uid, was.st_uid);
        QCOMPARE(now.st_gid, was.st_gid);
    }
    void aLinkStaysALink()
    {
        put("f", "before");
        QVERIFY(QFile::link("f", m_dir->filePath("link")));
        QVERIFY(QFile::link("nothing yet", m_dir->filePath("to come")));
        write("link", "after");
        write("to come", "new");
        QVERIFY(QFileInfo(m_dir->filePath("link")).isSymLink());
        QCOMPARE(get("f"), QByteArray("after"));
        QCOMPARE(get("nothing yet"), QByteArray("new"));
    }
    void devicesPipesAndDescriptorsAreWrittenDirectly()
    {
        write("/dev/null", "x");
        struct stat info { };
        QCOMPARE(::stat("/dev/null", &info), 0);
        QVERIFY(S_ISCHR(info.st_mode));

        QCOMPARE(::mkfifo(file("pipe").constData(), 0600), 0);
        const Fd reader(::open(file("pipe").constData(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
        write("pipe", "through");
        char got[8] = {};
        QCOMPARE(::read(reader.get(), got, sizeof got), 7);
        QVERIFY(S_ISFIFO(statOf(m_dir->filePath("pipe")).st_mode));

        // A descriptor of a file: behind what was written to it, into the same file.
        const Fd own(::open(file("own").constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
        QCOMPARE(::write(own.get(), "1 ", 2), 2);
        write(("/dev/fd/" + std::to_string(own.get())).c_str(), "2");
        QCOMPARE(get("own"), QByteArray("1 2"));
    }
    void theReasonIsTold_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("reason");
        QTest::newRow("a folder") << "." << QByteArray("Is a directory");
        QTest::newRow("a folder of the folder") << "folder" << QByteArray("Is a directory");
        QTest::newRow("with a slash") << "new/" << QByteArray("No such file or directory");
        QTest::newRow("no folder") << "none/f" << QByteArray("No such file or directory");
        QTest::newRow("a file as a folder") << "f/x" << QByteArray("Not a directory");
        QTest::newRow("a ring of links") << "ring" << QByteArray("Too many levels of symbolic links");
        QTest::newRow("no name") << "" << QByteArray("No such file or directory");
    }
    void theReasonIsTold()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, reason);
        put("f", "before");
        QDir(m_dir->path()).mkdir("folder");
        QVERIFY(QFile::link("ring", m_dir->filePath("ring")));
        const auto target = name.isEmpty() ? std::string() : path(name.toUtf8().constData());
        for (const auto kind : {Kind::Whole, Kind::Growing, Kind::Appended}) {
            const auto out = OutputFile::open(target, kind);
            QVERIFY(!out);
            QCOMPARE(QByteArray::fromStdString(out.error().message), "cannot write " + QByteArray::fromStdString(target) + ": " + reason);
        }
        const auto checked = OutputFile::check(target);
        QVERIFY(!checked);
        QVERIFY(QByteArray::fromStdString(checked.error().message).endsWith(reason));
    }
    void aFullDiskLosesNothing()
    {
        if (::geteuid() != 0) QSKIP("needs root: mounts a small disk");
        QDir(m_dir->path()).mkdir("disk");
        QCOMPARE(::mount("none", file("disk").constData(), "tmpfs", 0, "size=64k"), 0);
        put("disk/f", "before");
        std::string told;
        {
            auto out = OutputFile::open(path("disk/f"), Kind::Whole);
            if (out) {
                out->stream() << std::string(1'000'000, 'x');
                const auto done = out->commit();
                if (!done) told = done.error().message;
            }
        }
        const auto kept = get("disk/f");
        const auto left = QDir(m_dir->filePath("disk")).entryList(QDir::Files | QDir::Hidden);
        QCOMPARE(::umount(file("disk").constData()), 0);
        QCOMPARE(told, "cannot write " + path("disk/f") + ": No space left on device");
        QCOMPARE(kept, QByteArray("before"));
        QCOMPARE(left, QStringList{"f"});
    }
    /// A folder that takes no new file: the file that is there is written all the same, when all is known to fit.
    void aFolderThatTakesNoFiles()
    {
        if (::geteuid() != 0) QSKIP("needs root: becomes another user");
        put("f", "before, and longer");
        ::chmod(file("f").constData(), 0666);
        ::chmod(m_dir->path().toUtf8().constData(), 0755);
        QCOMPARE(::seteuid(kAda), 0);
        const auto checked = OutputFile::check(path("f")), refused = OutputFile::check(path("new"));
        auto out = OutputFile::open(path("f"), Kind::Whole);
        const auto isFine = out && (out->stream() << "after", true) && get("f") == "before, and longer" && out->commit();
        QCOMPARE(::seteuid(0), 0);
        QVERIFY(checked && !refused && isFine);
        QCOMPARE(get("f"), QByteArray("after"));
        QCOMPARE(names(), QStringList{"f"});
    }
    void aFileThatMayNotBeWrittenIsNotReplaced()
    {
        if (::geteuid() != 0) QSKIP("needs root: becomes another user");
        put("f", "before");
        ::chmod(file("f").constData(), 0444);
        QCOMPARE(::seteuid(kAda), 0);
        const auto out = OutputFile::open(path("f"), Kind::Whole);
        QCOMPARE(::seteuid(0), 0);
        QVERIFY(!out);
        QVERIFY(QByteArray::fromStdString(out.error().message).endsWith("Permission denied"));
    }
    void underSudoTheUsersFolderGetsTheUsersFiles_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("whole") << int(Kind::Whole);
        QTest::newRow("growing") << int(Kind::Growing);
        QTest::newRow("appended") << int(Kind::Appended);
    }
    void underSudoTheUsersFolderGetsTheUsersFiles()
    {
        if (::geteuid() != 0) QSKIP("needs root: makes folders of others");
        QFETCH(int, kind);
        qputenv("SUDO_UID", QByteArray::number(kAda));
        qputenv("SUDO_GID", QByteArray::number(kBob));
        for (const auto* folder : {"adas", "roots"})
            QDir(m_dir->path()).mkdir(folder);
        QCOMPARE(::chown(file("adas").constData(), kAda, kAda), 0);
        put("adas/old", "root's");
        for (const auto* name : {"adas/new", "adas/old", "roots/new"}) {
            auto out = OutputFile::open(path(name), Kind(kind));
            QVERIFY(out && out->begin() && out->commit());
        }
        QCOMPARE(statOf(m_dir->filePath("adas/new")).st_uid, kAda);
        QCOMPARE(statOf(m_dir->filePath("adas/new")).st_gid, kBob);
        QCOMPARE(statOf(m_dir->filePath("adas/old")).st_uid, uid_t(0)); // an owner stays
        QCOMPARE(statOf(m_dir->filePath("roots/new")).st_uid, uid_t(0));
    }
    /// Whose link it is, and whose what it leads to.
    void asRootNoLinkLeadsIntoAnothersFile_data()
    {
        QTest::addColumn<uint>("linkOwner");
        QTest::addColumn<uint>("fileOwner");
        QTest::addColumn<bool>("isFolder"); ///< the link is one of the path's folders
        QTest::addColumn<bool>("isFollowed");
        for (const bool isFolder : {false, true}) {
            const QByteArray what = isFolder ? " folder" : " file";
            QTest::addRow("root's link to Ada's%s", what.constData()) << 0U << kAda << isFolder << true;
            QTest::addRow("Ada's link to Ada's%s", what.constData()) << kAda << kAda << isFolder << true;
            QTest::addRow("Ada's link to root's%s", what.constData()) << kAda << 0U << isFolder << false;
            QTest::addRow("Ada's link to Bob's%s", what.constData()) << kAda << kBob << isFolder << false;
        }
    }
    void asRootNoLinkLeadsIntoAnothersFile()
    {
        if (::geteuid() != 0) QSKIP("needs root: makes files of others");
        QFETCH(uint, linkOwner);
        QFETCH(uint, fileOwner);
        QFETCH(bool, isFolder);
        QFETCH(bool, isFollowed);
        QDir(m_dir->path()).mkdir("theirs");
        put("theirs/f", "before");
        QCOMPARE(::chown(file("theirs").constData(), fileOwner, fileOwner), 0);
        QCOMPARE(::chown(file("theirs/f").constData(), fileOwner, fileOwner), 0);
        QVERIFY(QFile::link(isFolder ? "theirs" : "theirs/f", m_dir->filePath("link")));
        QCOMPARE(::lchown(file("link").constData(), linkOwner, linkOwner), 0);
        const auto target = path(isFolder ? "link/f" : "link");
        for (const auto kind : {Kind::Whole, Kind::Growing, Kind::Appended}) {
            auto out = OutputFile::open(target, kind);
            QCOMPARE(bool(out), isFollowed);
            if (!out) QVERIFY2(out.error().message.find("name the file itself") != std::string::npos, out.error().message.c_str());
        }
        QCOMPARE(bool(OutputFile::check(target)), isFollowed);
        QCOMPARE(get("theirs/f"), QByteArray("before"));
    }

private:
    std::string path(const char* name) const { return *name == '/' ? name : m_dir->filePath(name).toStdString(); }
    QByteArray file(const char* name) const { return QFile::encodeName(m_dir->filePath(name)); }
    QStringList names() const { return QDir(m_dir->path()).entryList(QDir::Files | QDir::Hidden | QDir::System); }
    void put(const char* name, const QByteArray& text) const
    {
        QFile out(m_dir->filePath(name));
        QVERIFY(out.open(QIODevice::WriteOnly) && out.write(text) == text.size());
    }
    QByteArray get(const char* name) const
    {
        QFile in(m_dir->filePath(name));
        return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray("(cannot be read)");
    }
    void write(const char* name, const char* text) const
    {
        auto out = OutputFile::open(path(name), Kind::Whole);
        QVERIFY2(out, out ? "" : out.error().message.c_str());
        out->stream() << text;
        QVERIFY(out->commit());
    }
    std::unique_ptr<QTemporaryDir> m_dir;
};
QTEST_GUILESS_MAIN(TestOutputFile)
#include "tst_output_file.moc"
