#include "engine/symbols/mapped_ranges.h"
#include "engine/symbols/modules.h"
#include "engine/symbols/process_maps.h"
#include "tests/support/ended_process.h"
#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QObject>
#include <QTemporaryDir>
#include <QTest>
#include <fcntl.h>
#include <set>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
using namespace dscope;
using namespace dscope::symbols;

namespace {
/// This machine, and how often a file of it was opened.
struct Counting final : host::Host {
    Result<std::string> read(const std::string& path) const override { return m_local->read(path); }
    Result<std::vector<std::string>> entries(const std::string& directory) const override { return m_local->entries(directory); }
    Fd open(const std::string& path, int flags) const override
    {
        ++opened;
        return m_local->open(path, flags);
    }
    std::optional<struct stat> status(const std::string& path) const override { return m_local->status(path); }
    std::uint32_t kernelVersion() const override { return m_local->kernelVersion(); }
    std::string kernelRelease() const override { return m_local->kernelRelease(); }
    std::string hostName() const override { return m_local->hostName(); }
    int cpuCount() const override { return m_local->cpuCount(); }
    std::vector<int> onlineCpus() const override { return m_local->onlineCpus(); }
    mutable int opened = 0;

private:
    std::unique_ptr<host::Host> m_local = host::local();
};
} // namespace

class TestProcessMaps : public QObject {
    Q_OBJECT
    enum class Read { All, Nothing };

    static std::string shown(const ProcessMaps& maps)
    {
        std::string s;
        for (const auto& m : maps.all()) {
            char line[128];
            std::snprintf(line, sizeof line, "%llx-%llx %llx ", static_cast<unsigned long long>(m.start),
                static_cast<unsigned long long>(m.end), static_cast<unsigned long long>(m.offset));
            s += line + m.path + (m.deleted ? "!" : "") + "\n";
        }
        return s;
    }
    static Mapping mapping(std::uint64_t start, std::uint64_t end, std::uint64_t offset, const char* path)
    {
        Mapping m;
        m.start = start;
        m.end = end;
        m.offset = offset;
        m.path = path;
        return m;
    }

private Q_SLOTS:
    void linesOfProcMapsAreRead_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("maps");
        const auto row
            = [](const char* name, const char* text, const char* maps) { QTest::newRow(name) << QByteArray(text) << QByteArray(maps); };
        row("nothing", "", "");
        row("a program", "55f41df98000-55f41df9d000 r-xp 00002000 fe:00 247134                     /usr/bin/cat\n",
            "55f41df98000-55f41df9d000 2000 /usr/bin/cat\n");
        row("data", "55f41df9d000-55f41dfa0000 r--p 00007000 fe:00 247134 /usr/bin/cat\n", "");
        row("anonymous", "7f54c52000-7f54c53000 rwxp 00000000 00:00 0 \n", "7f54c52000-7f54c53000 0 \n");
        row("vdso", "7f54c545c000-7f54c545e000 r-xp 00000000 00:00 0                          [vdso]\n",
            "7f54c545c000-7f54c545e000 0 [vdso]\n");
        row("deleted", "1000-2000 r-xp 00001000 fe:00 12 /tmp/a b (deleted)\n", "1000-2000 1000 /tmp/a b!\n");
        row("anonymous and deleted", "1000-2000 rwxs 00000000 00:01 12 /memfd:jit (deleted)\n", "1000-2000 0 /memfd:jit!\n");
        row("a newline in the name", "1000-2000 r-xp 00000000 fe:00 12 /tmp/a\\012b\n", "1000-2000 0 /tmp/a\nb\n");
        row("vsyscall", "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0                  [vsyscall]\n",
            "ffffffffff600000-ffffffffff601000 0 [vsyscall]\n");
        row("no newline at the end", "1000-2000 r-xp 00000000 fe:00 12 /a", "1000-2000 0 /a\n");
        row("nonsense between", "what\n1000-2000 r-xp 00000000 fe:00 12 /a\n2000-1000 r-xp 00000000 fe:00 12 /b\n1000-",
            "1000-2000 0 /a\n");
    }
    void linesOfProcMapsAreRead()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, maps);
        QCOMPARE(QByteArray(shown(ProcessMaps::parse(text.toStdString())).c_str()), maps);
    }

    void laterMappingsCoverEarlierOnes_data()
    {
        QTest::addColumn<std::uint64_t>("start");
        QTest::addColumn<std::uint64_t>("end");
        QTest::addColumn<QByteArray>("maps");
        const auto row = [](const char* name, std::uint64_t start, std::uint64_t end, const char* maps) {
            QTest::newRow(name) << start << end << QByteArray(maps);
        };
        row("behind", 0x5000, 0x6000, "1000-4000 100 /old\n5000-6000 0 /new\n");
        row("adjacent", 0x4000, 0x6000, "1000-4000 100 /old\n4000-6000 0 /new\n");
        row("the same", 0x1000, 0x4000, "1000-4000 0 /new\n");
        row("the middle", 0x2000, 0x3000, "1000-2000 100 /old\n2000-3000 0 /new\n3000-4000 2100 /old\n");
        row("the front", 0x0, 0x2000, "0-2000 0 /new\n2000-4000 1100 /old\n");
        row("the back", 0x3000, 0x9000, "1000-3000 100 /old\n3000-9000 0 /new\n");
        row("empty", 0x3000, 0x3000, "1000-4000 100 /old\n");
    }
    void laterMappingsCoverEarlierOnes()
    {
        QFETCH(std::uint64_t, start);
        QFETCH(std::uint64_t, end);
        QFETCH(QByteArray, maps);
        ProcessMaps all;
        all.add(mapping(0x1000, 0x4000, 0x100, "/old"));
        all.add(mapping(start, end, 0, "/new"));
        QCOMPARE(QByteArray(shown(all).c_str()), maps);
    }

    /// Asked range by range, the kernel tells what it writes into /proc/PID/maps.
    void rangesAreThoseOfTheText()
    {
        QTemporaryDir folder;
        const auto odd = folder.filePath(QStringLiteral("two\nlines")), gone = folder.filePath(QStringLiteral("gone"));
        std::vector<std::pair<void*, std::size_t>> mapped;
        for (const auto& path : {odd, gone}) {
            QVERIFY(QFile::copy(QStringLiteral("/bin/true"), path));
            const Fd file(::open(path.toLocal8Bit().constData(), O_RDONLY | O_CLOEXEC));
            mapped.emplace_back(::mmap(nullptr, 8192, PROT_READ | PROT_EXEC, MAP_PRIVATE, file.get(), 4096), 8192);
            QVERIFY(mapped.back().first != MAP_FAILED);
        }
        QVERIFY(QFile::remove(gone));
        mapped.emplace_back(::mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 4096);
        QVERIFY(mapped.back().first != MAP_FAILED);

        const auto ranges = symbols::mappedRanges(*m_host, static_cast<std::uint32_t>(::getpid()));
        QFile text(QStringLiteral("/proc/self/maps"));
        QVERIFY(text.open(QIODevice::ReadOnly));
        const auto parsed = ProcessMaps::parse(text.readAll().toStdString());
        for (const auto& [at, size] : mapped)
            ::munmap(at, size);
        QVERIFY(ranges);
        const auto said = [](const ProcessMaps& maps) {
            QStringList all;
            for (const auto& one : maps.all())
                all << QStringLiteral("%1-%2 %3 %4:%5 %6 %7%8").arg(one.start, 0, 16).arg(one.end, 0, 16).arg(one.offset, 0, 16)
                           .arg(one.major).arg(one.minor).arg(one.inode).arg(QString::fromStdString(one.path),
                               one.deleted ? QStringLiteral(" gone") : QString());
            return all;
        };
        QVERIFY(said(parsed).size() > 3);
        QCOMPARE(said(*ranges), said(parsed));
        QVERIFY(!symbols::mappedRanges(*m_host, static_cast<std::uint32_t>(tests::endedProcess())));
    }

    void addressesAreFound()
    {
        ProcessMaps maps;
        maps.add(mapping(0x1000, 0x2000, 0, "/a"));
        maps.add(mapping(0x3000, 0x4000, 0, "/b"));
        for (int turn = 0; turn < 2; ++turn) { // the second time from what the last question left behind
            QVERIFY(!maps.find(0xfff));
            QCOMPARE(maps.find(0x1000)->path, "/a");
            QCOMPARE(maps.find(0x1fff)->path, "/a");
            QVERIFY(!maps.find(0x2000));
            QCOMPARE(maps.find(0x3000)->path, "/b");
            QVERIFY(!maps.find(0x4000));
        }
    }

    void modulesAreCalledByTheirFiles_data()
    {
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("library") << QByteArray("/usr/lib/libc.so.6") << QByteArray("libc.so.6");
        QTest::newRow("vdso") << QByteArray("[vdso]") << QByteArray("[vdso]");
        QTest::newRow("deleted") << QByteArray("/usr/bin/ls (deleted)") << QByteArray("ls");
        QTest::newRow("nothing") << QByteArray("") << QByteArray("");
    }
    void modulesAreCalledByTheirFiles()
    {
        QFETCH(QByteArray, path);
        QFETCH(QByteArray, name);
        QCOMPARE(QByteArray(moduleName(path.toStdString()).c_str()), name);
    }

    void ownFunctionsAreFoundInOwnModules()
    {
        QFile file(QStringLiteral("/proc/self/maps"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        auto maps = ProcessMaps::parse(file.readAll().toStdString());
        Modules modules(*m_host);
        const auto check = [&](std::uint64_t address, const char* module, const char* function, bool main) {
            auto* at = maps.find(address);
            QVERIFY(at);
            modules.resolve(static_cast<std::uint32_t>(::getpid()), *at);
            QVERIFY(at->module);
            QVERIFY2(QByteArray(at->module->name().c_str()).startsWith(module), at->module->name().c_str());
            QVERIFY2(at->module->named(address - at->displacement).function.ends_with(function),
                at->module->named(address - at->displacement).function.c_str());
            QCOMPARE(at->main, main);
        };
        const auto self = QFileInfo(QCoreApplication::applicationFilePath()).fileName().toUtf8();
        check(reinterpret_cast<std::uint64_t>(&ownFunction), self.constData(), "TestProcessMaps::ownFunction", true);
        check(reinterpret_cast<std::uint64_t>(&::getpid), "libc.so", "getpid", false); // or __getpid, the strong name
    }
    static int ownFunction() { return 1; }

    /// The mappings of this program that are of a file, resolved, and read as far as is asked.
    static std::vector<symbols::Mapping> ownMappings(Modules& modules, Read read = Read::All)
    {
        QFile file(QStringLiteral("/proc/self/maps"));
        if (!file.open(QIODevice::ReadOnly)) return {};
        std::vector<symbols::Mapping> mapped;
        auto maps = ProcessMaps::parse(file.readAll().toStdString());
        for (auto& m : maps.all()) {
            if (!m.path.starts_with('/')) continue;
            modules.resolve(static_cast<std::uint32_t>(::getpid()), m);
            if (!m.module) continue;
            if (read == Read::All) m.module->settle();
            mapped.push_back(std::move(m));
        }
        return mapped;
    }
    /// Each process maps what others have mapped: a file that still has its name is not opened again, another one of that name is.
    void aKnownFileIsNotOpenedAgain()
    {
        QTemporaryDir folder;
        const auto path = folder.filePath(QStringLiteral("program"));
        const auto put = [&path](const QString& from) { return (!QFile::exists(path) || QFile::remove(path)) && QFile::copy(from, path); };
        QVERIFY(put(QStringLiteral("/bin/true")));
        const auto mapped = [&path](std::uint64_t inode) {
            struct stat status { };
            if (::stat(path.toLocal8Bit().constData(), &status) != 0) qFatal("no file");
            auto one = mapping(0x400000, 0x500000, 0, "");
            one.path = path.toStdString();
            one.major = ::major(status.st_dev);
            one.minor = ::minor(status.st_dev);
            one.inode = inode != 0 ? inode : status.st_ino;
            return one;
        };
        Counting counting;
        Modules modules(counting);
        constexpr std::uint32_t kNobody = 0x7ffffff0; // above any pid_max
        auto first = mapped(0), second = first;
        QVERIFY(!modules.knows(first));
        modules.resolve(kNobody, first);
        const auto opened = counting.opened;
        QVERIFY(opened > 0 && modules.knows(second));
        modules.resolve(kNobody, second);
        QCOMPARE(counting.opened, opened);
        QCOMPARE(modules.size(), std::size_t{1});
        // Even where it got the inode of the one before.
        QVERIFY(put(QStringLiteral("/bin/ls")));
        auto other = mapped(first.inode);
        QVERIFY(!modules.knows(other));
        modules.resolve(kNobody, other);
        QVERIFY(counting.opened > opened);
    }
    void filesThatAreMappedStay()
    {
        Modules modules(*m_host, {.files = 2, .openFiles = 1, .openMapped = 0, .unmappedMemory = 0});
        const auto mapped = ownMappings(modules);
        QVERIFY(mapped.size() > 4);
        modules.makeRoom();
        QVERIFY(modules.size() >= mapped.size());
        QCOMPARE(modules.unmappedMemory(), std::size_t{0});
        for (const auto& m : mapped)
            QVERIFY(!m.module->file().isOpen());
    }
    /// A machine has hundreds of files mapped: all that they tell takes more memory than the little that is asked for.
    void mappedFilesStayOpenWhileThereAreDescriptors()
    {
        Modules modules(*m_host, {.files = 2, .openFiles = 1, .unmappedMemory = 0});
        const auto mapped = ownMappings(modules, Read::Nothing);
        QVERIFY(mapped.size() > 4);
        modules.makeRoom();
        for (const auto& m : mapped)
            QVERIFY(m.module->file().isOpen() && !m.module->isSettled());

        Modules tight(*m_host, {.files = 2, .openFiles = 1, .openMapped = 4, .unmappedMemory = 0});
        const auto again = ownMappings(tight, Read::Nothing);
        tight.makeRoom();
        std::set<const symbols::Module*> open;
        for (const auto& m : again)
            if (m.module->file().isOpen()) open.insert(m.module.get());
        QVERIFY(open.size() <= 4 && open.contains(again.back().module.get()));
    }
    void filesThatNobodyMapsAreBounded_data()
    {
        QTest::addColumn<quint64>("files");
        QTest::addColumn<quint64>("share"); // of the memory of all, in percent
        QTest::newRow("by memory") << quint64{1000} << quint64{50};
        QTest::newRow("by number") << quint64{3} << quint64{100};
        QTest::newRow("none") << quint64{1000} << quint64{0};
    }
    void filesThatNobodyMapsAreBounded()
    {
        QFETCH(quint64, files);
        QFETCH(quint64, share);
        Modules roomy(*m_host, {.files = 1000, .openFiles = 1000, .unmappedMemory = std::size_t{1} << 40});
        ownMappings(roomy);
        const auto most = static_cast<std::size_t>(roomy.unmappedMemory() * share / 100);
        QVERIFY(roomy.size() > 4 && roomy.unmappedMemory() > 1000);

        Modules modules(*m_host, {.files = files, .openFiles = 1000, .unmappedMemory = most});
        auto mapped = ownMappings(modules);
        const auto first = mapped.front();
        const auto early = mapped[1], late = mapped.back();
        mapped.clear(); // but for these three
        modules.makeRoom();
        QVERIFY(modules.size() <= std::max<std::size_t>(files, 3) || share != 100);
        QVERIFY2(modules.unmappedMemory() <= most, QByteArray::number(quint64(modules.unmappedMemory())).constData());
        for (const auto& kept : {first, early, late})
            QVERIFY(modules.knows(kept));

        // What was dropped is read again for the next process that maps it.
        for (const auto& m : ownMappings(modules))
            QVERIFY(m.module->isSettled());
    }
    /// Names of addresses that were asked for are kept within a limit, also of files that stay mapped; all are told again.
    void namesOfMappedFilesAreBounded()
    {
        constexpr std::size_t kLimit = 100'000;
        Modules modules(*m_host, {.files = 1000, .openFiles = 1000, .unmappedMemory = std::size_t{1} << 40, .namedMemory = kLimit});
        const auto mapped = ownMappings(modules);
        const auto nameAll = [&] {
            QStringList names;
            for (const auto& m : mapped)
                for (const auto& segment : m.module->file().segments())
                    for (std::uint64_t at = 0; segment.executable && at < std::min<std::uint64_t>(segment.fileSize, 4000); at += 16)
                        names << QString::fromStdString(m.module->named(segment.address + at).function);
            return names;
        };
        const auto first = nameAll();
        QVERIFY2(modules.namedMemory() > kLimit, QByteArray::number(quint64(modules.namedMemory())).constData());
        modules.makeRoom();
        QVERIFY2(modules.namedMemory() <= kLimit, QByteArray::number(quint64(modules.namedMemory())).constData());
        QCOMPARE(nameAll(), first);
    }
    void filesUsedLeastRecentlyAreDroppedFirst()
    {
        Modules modules(*m_host, {.files = 2, .openFiles = 1000, .unmappedMemory = std::size_t{1} << 40});
        auto mapped = ownMappings(modules);
        QVERIFY(mapped.size() > 4);
        const auto nameOnly = [](symbols::Mapping mapping) {
            mapping.module = nullptr;
            mapping.resolved = false;
            return mapping;
        };
        auto first = nameOnly(mapped.front());
        const auto second = nameOnly(mapped[1]), last = nameOnly(mapped.back());
        modules.resolve(static_cast<std::uint32_t>(::getpid()), first); // used again
        first = nameOnly(first);
        mapped.clear();
        modules.makeRoom();
        QCOMPARE(modules.size(), std::size_t{2});
        QVERIFY(modules.knows(first) && modules.knows(last));
        QVERIFY(!modules.knows(second));
    }

private:
    const std::unique_ptr<host::Host> m_host = host::local();
};
QTEST_GUILESS_MAIN(TestProcessMaps)
#include "tst_process_maps.moc"
