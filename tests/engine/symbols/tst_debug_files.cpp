// uses: PkgConfig::DW
#include "compiled_program.h"
#include "engine/host/host.h"
#include "engine/symbols/code_file.h"
#include "engine/symbols/module.h"
#include "engine/symbols/stack_walker.h"
#include "stopped_process.h"
#include "tests/support/programs_at_hand.h"
#include <QDir>
#include <QFileInfo>
#include <QObject>
#include <QTest>
#include <map>
#include <random>
#include <set>
using namespace dscope;
using namespace dscope::symbols;

using dscope::tests::has;
namespace {
constexpr const char* kSource = "#include <signal.h>\n"
                                "#define N __attribute__((noipa, noinline))\n"
                                "static N int inner(int n) { return raise(SIGSTOP) + n; }\n"
                                "static N int middle(int n) { return inner(n + 1) + 1; }\n"
                                "N int outer(int n) { return middle(n + 1) + 1; }\n"
                                "int main(int n, char** v) { return outer(n) + (v != 0); }\n";
QByteArray run(const QString& program, const QStringList& arguments)
{
    QProcess process;
    process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process.start(program, arguments);
    process.waitForFinished(60'000);
    return process.readAllStandardOutput();
}
ElfFile opened(const QString& path)
{
    auto elf = ElfFile::open(openToRead(path.toStdString()));
    return elf ? std::move(*elf) : ElfFile{};
}
/// Functions with a size as nm lists them: their names by address.
std::map<std::uint64_t, std::set<std::string>> listed(const QString& file)
{
    std::map<std::uint64_t, std::set<std::string>> names;
    for (const auto& line : run(QStringLiteral("nm"), {QStringLiteral("-S"), QStringLiteral("--defined-only"), file}).split('\n')) {
        const auto cells = line.split(' ');
        if (cells.size() == 4 && QByteArray("TtWwi").contains(cells[2]))
            names[cells[0].toULongLong(nullptr, 16)].insert(cells[3].toStdString());
    }
    return names;
}
QString buildIdPath(const QString& folder, const ElfFile& file)
{
    const auto id = QString::fromStdString(file.buildId());
    return folder + QStringLiteral("/.build-id/") + id.left(2) + u'/' + id.mid(2) + QStringLiteral(".debug");
}
void moveTo(const QString& from, const QString& to)
{
    QVERIFY(QDir().mkpath(QFileInfo(to).path()));
    QVERIFY(QFile::rename(from, to));
}
} // namespace

/// Symbols that were stripped off a file are found wherever distributions put them. nm on the file before that is the truth.
class TestDebugFiles : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    QString path(const QString& name) { return m_folder.filePath(name); }
    DebugPlaces places(const QString& file) { return {path(QStringLiteral("lib-debug")).toStdString(), file.toStdString(), nullptr}; }
    /// How many functions of `whole` have their name in the module that `stripped` is, and how many there are.
    static std::pair<int, int> named(const QString& whole, const QString& stripped, const DebugPlaces& places)
    {
        Module module(opened(stripped), "stripped", places);
        int good = 0, all = 0;
        for (const auto& [start, names] : listed(whole)) {
            ++all;
            const auto found = module.symbols().find(start);
            good += found && found->start == start && names.contains(std::string(found->name));
        }
        return {good, all};
    }
    /// A program in a folder of its own, and beside it what was stripped off it, not yet where it belongs.
    struct Split {
        QString whole, stripped, debug;
    };
    Split split(const QString& name, const QStringList& flags, bool linked)
    {
        QDir().mkpath(path(name));
        Split s{
            compiled(m_folder, name + QStringLiteral("-whole"), kSource, QStringList{QStringLiteral("-O2"), QStringLiteral("-g")} + flags),
            path(name + QStringLiteral("/program")), path(name + QStringLiteral("/program.debug"))};
        if (s.whole.isEmpty()) return {};
        run(QStringLiteral("objcopy"), {QStringLiteral("--only-keep-debug"), s.whole, s.debug});
        run(QStringLiteral("objcopy"), {QStringLiteral("--strip-all"), s.whole, s.stripped});
        if (linked) run(QStringLiteral("objcopy"), {QStringLiteral("--add-gnu-debuglink=") + s.debug, s.stripped});
        return s;
    }

private Q_SLOTS:
    void initTestCase()
    {
        for (const char* tool : {"cc", "nm", "objcopy"})
            if (!has(tool)) QSKIP("needs a C compiler and binutils");
    }

    void debugFilesAreFoundWhereTheyBelong_data()
    {
        QTest::addColumn<QString>("place"); // "" for none; @ stands for the program's folder, # for that of all debug files
        QTest::addColumn<bool>("linked");
        QTest::addColumn<bool>("buildId");
        QTest::addColumn<bool>("found");
        QTest::newRow("by build id") << "#id" << false << true << true;
        QTest::newRow("link, beside") << "@/program.debug" << true << true << true;
        QTest::newRow("link, in .debug") << "@/.debug/program.debug" << true << true << true;
        QTest::newRow("link, in the folder of all") << "#@/program.debug" << true << true << true;
        QTest::newRow("link, beside, without a build id") << "@/program.debug" << true << false << true;
        QTest::newRow("link, in the folder of all, without a build id") << "#@/program.debug" << true << false << true;
        QTest::newRow("beside, without a link") << "@/program.debug" << false << true << false;
        QTest::newRow("nowhere") << "@/elsewhere/program.debug" << true << true << false;
    }
    void debugFilesAreFoundWhereTheyBelong()
    {
        QFETCH(QString, place);
        QFETCH(bool, linked);
        QFETCH(bool, buildId);
        QFETCH(bool, found);
        const auto name = QStringLiteral("row%1").arg(qHash(QString::fromUtf8(QTest::currentDataTag())));
        const auto s = split(name, {buildId ? QStringLiteral("-Wl,--build-id=sha1") : QStringLiteral("-Wl,--build-id=none")}, linked);
        QVERIFY(!s.whole.isEmpty());
        QCOMPARE(opened(s.stripped).buildId().empty(), !buildId);
        const auto all = path(QStringLiteral("lib-debug"));
        if (place == u"#id")
            place = buildIdPath(all, opened(s.stripped));
        else
            place.replace(u'@', path(name)).replace(u'#', all);
        if (place != s.debug) moveTo(s.debug, place);
        const auto [good, of] = named(s.whole, s.stripped, places(s.stripped));
        QVERIFY(of >= 5);
        if (found)
            QCOMPARE(good, of);
        else
            QVERIFY(good <= 1); // .dynsym may name one
        // What probes of functions are found by.
        const auto code = CodeFile::open(s.stripped.toStdString(), places(s.stripped));
        QVERIFY(code);
        QCOMPARE((*code)->namesAll(), found);
        QCOMPARE((*code)->named("middle") != nullptr, found);
    }

    void theDebugFileOfAnotherBuildIsRefused_data()
    {
        QTest::addColumn<QString>("id");
        QTest::newRow("by its build id") << "-Wl,--build-id=sha1";
        QTest::newRow("by the link's checksum") << "-Wl,--build-id=none";
    }
    void theDebugFileOfAnotherBuildIsRefused()
    {
        QFETCH(QString, id);
        const auto s = split(QStringLiteral("other%1").arg(qHash(id)), {id}, true);
        const auto other = compiled(m_folder, QStringLiteral("other"), QByteArray("int before;\n") + kSource, {QStringLiteral("-O1"), id});
        QVERIFY(!s.whole.isEmpty() && !other.isEmpty());
        QVERIFY(debugFileOf(opened(s.stripped), places(s.stripped)));
        QVERIFY(QFile::remove(s.debug));
        run(QStringLiteral("objcopy"), {QStringLiteral("--only-keep-debug"), other, s.debug});
        QVERIFY(!debugFileOf(opened(s.stripped), places(s.stripped)));
    }

    /// As Fedora makes them: only what .dynsym does not name, without anything else, packed by xz.
    void symbolsPackedIntoTheFileAreRead()
    {
        if (!has("xz")) QSKIP("needs xz");
        const auto s = split(QStringLiteral("mini"), {QStringLiteral("-rdynamic")}, false);
        QVERIFY(!s.whole.isEmpty());
        QVERIFY(QFile::remove(s.debug));
        std::set<QByteArray> exported;
        for (const auto& line : run(QStringLiteral("nm"), {QStringLiteral("-D"), QStringLiteral("--defined-only"), s.whole}).split('\n'))
            exported.insert(line.mid(line.lastIndexOf(' ') + 1));
        QVERIFY(exported.contains("outer") && !exported.contains("inner"));
        QFile keep(path(QStringLiteral("keep")));
        QVERIFY(keep.open(QIODevice::WriteOnly));
        for (const auto& [start, names] : listed(s.whole))
            for (const auto& name : names)
                if (!exported.contains(QByteArray::fromStdString(name))) keep.write(QByteArray::fromStdString(name) + '\n');
        keep.close();
        const auto mini = path(QStringLiteral("mini.elf"));
        run(QStringLiteral("objcopy"),
            {QStringLiteral("-S"), QStringLiteral("--remove-section=.comment"), QStringLiteral("--keep-symbols=") + keep.fileName(),
                s.whole, mini});
        run(QStringLiteral("xz"), {mini});
        run(QStringLiteral("objcopy"), {QStringLiteral("--add-section=.gnu_debugdata=") + mini + QStringLiteral(".xz"), s.stripped});
        const auto [good, of] = named(s.whole, s.stripped, places(s.stripped));
        QVERIFY(of >= 5);
        QCOMPARE(good, of);

        // However it is damaged, the rest of the file is read.
        const auto file = opened(s.stripped);
        const auto* section = file.section(".gnu_debugdata");
        QVERIFY(section);
        const auto image = file.bytes(0, file.size());
        std::mt19937 random(3);
        int whole = 0;
        for (int i = 0; i < 300; ++i) {
            auto spoilt = image;
            for (unsigned n = random() % 4; n > 0; --n)
                spoilt[section->offset + random() % section->size] = static_cast<std::byte>(random());
            const auto elf = ElfFile::inMemory(std::move(spoilt));
            QVERIFY(elf);
            whole += bool(miniDebugFileOf(*elf));
        }
        QVERIFY(whole > 10 && whole < 290);
        QVERIFY(!miniDebugFileOf(file, 1000));
    }
    void whatUnpacksToTooMuchIsLeftAlone()
    {
        if (!has("xz")) QSKIP("needs xz");
        const auto s = split(QStringLiteral("bomb"), {}, false);
        QVERIFY(!s.whole.isEmpty());
        QFile zeros(path(QStringLiteral("zeros")));
        QVERIFY(zeros.open(QIODevice::WriteOnly));
        zeros.write(run(QStringLiteral("cat"), {s.whole}));
        QVERIFY(zeros.resize(300 << 20));
        zeros.close();
        run(QStringLiteral("xz"), {QStringLiteral("-1"), zeros.fileName()});
        run(QStringLiteral("objcopy"),
            {QStringLiteral("--add-section=.gnu_debugdata=") + zeros.fileName() + QStringLiteral(".xz"), s.stripped});
        const auto file = opened(s.stripped);
        QVERIFY(file.section(".gnu_debugdata") && file.size() < 1 << 20);
        QVERIFY(!miniDebugFileOf(file));
        QVERIFY(!miniDebugFileOf(file, 400 << 20)); // no symbols shrink so far
    }

    /// In the process's own root, by a symbolic link that is absolute there.
    void debugFilesOfAContainerAreFoundInIt_data()
    {
        QTest::addColumn<bool>("byId");
        QTest::newRow("by build id") << true;
        QTest::newRow("by link") << false;
    }
    void debugFilesOfAContainerAreFoundInIt()
    {
        QFETCH(bool, byId);
        if (::geteuid() != 0) QSKIP("needs root for chroot");
        const auto name = byId ? QStringLiteral("root-id") : QStringLiteral("root-link");
        const auto s = split(name, {QStringLiteral("-static")}, !byId);
        if (s.whole.isEmpty()) QSKIP("no static programs are made here");
        const auto root = path(name), all = root + QStringLiteral("/usr/lib/debug");
        moveTo(s.debug, root + QStringLiteral("/kept"));
        const auto place = byId ? buildIdPath(all, opened(s.stripped)) : all + QStringLiteral("/program.debug");
        QVERIFY(QDir().mkpath(QFileInfo(place).path()));
        QCOMPARE(::symlink("/kept", place.toLocal8Bit().constData()), 0);
        StoppedProcess child({"/usr/sbin/chroot", root.toStdString(), "/program"});
        child.run(); // past the second exec
        for (int stops = 0; stops < 5 && child.alive() && child.signal() != SIGSTOP; ++stops)
            child.run();
        QVERIFY(child.alive());
        const auto host = host::local();
        Symbolizer symbolizer(*host);
        Bytes stack;
        QStringList names;
        for (const auto& frame : symbolizer.name(child.pid(), symbolizer.unwind(child.pid(), child.context(stack), 64).addresses))
            names += QString::fromStdString(frame.function);
        QVERIFY2(names.join(u' ').contains(QStringLiteral("inner middle outer main")), qPrintable(names.join(u' ')));
    }
    void pathsOfAContainerDoNotLeaveIt()
    {
        if (::geteuid() != 0) QSKIP("needs root to look into another root");
        const auto root = path(QStringLiteral("jail"));
        QVERIFY(QDir().mkpath(root));
        QFile inside(root + QStringLiteral("/hostname"));
        QVERIFY(inside.open(QIODevice::WriteOnly));
        inside.close();
        QCOMPARE(::symlink("/etc/passwd", (root + QStringLiteral("/out")).toLocal8Bit().constData()), 0);
        QCOMPARE(::symlink("/hostname", (root + QStringLiteral("/in")).toLocal8Bit().constData()), 0);
        const FileRoot jail(Fd(::open(root.toLocal8Bit().constData(), O_PATH | O_DIRECTORY | O_CLOEXEC)));
        QVERIFY(jail.open("/in"));
        QVERIFY(!jail.open("/out"));
        QVERIFY(!jail.open("/../../../../../../etc/passwd"));
        QCOMPARE(jail.inside(root.toStdString() + "/usr/bin/x"), std::string("/usr/bin/x"));
        QCOMPARE(jail.inside("/usr/bin/x"), std::string("/usr/bin/x"));
        QVERIFY(!FileRoot::identityOf(*host::local(), static_cast<std::uint32_t>(::getpid())));
    }
};
QTEST_GUILESS_MAIN(TestDebugFiles)
#include "tst_debug_files.moc"
