#include "engine/host/host.h"
#include "engine/symbols/map_events.h"
#include "engine/symbols/stack_walker.h"
#include <QFile>
#include <QFileInfo>
#include <QObject>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
using namespace dscope;
using namespace dscope::symbols;

namespace {
/// Records as the kernel lays them out.
Bytes bytesOf(std::uint32_t type, std::uint16_t misc, const Bytes& body, std::uint64_t time)
{
    ByteWriter out;
    out.put(type);
    out.put(misc);
    out.put(static_cast<std::uint16_t>(8 + body.size() + 8));
    out.raw(body);
    out.put(time);
    return out.take();
}
Bytes words(std::initializer_list<std::uint32_t> list)
{
    ByteWriter out;
    for (const auto w : list)
        out.put(w);
    return out.take();
}
Bytes mapped(std::uint32_t pid, std::uint64_t start, std::uint64_t length, std::uint32_t protection, std::string_view path)
{
    ByteWriter out;
    out.put(pid);
    out.put(pid);
    out.put(start);
    out.put(length);
    out.put(std::uint64_t{0x2000});
    out.put(std::uint32_t{0xfe});
    out.put(std::uint32_t{1});
    out.put(std::uint64_t{4711});
    out.put(std::uint64_t{1234567});
    out.put(protection);
    out.put(std::uint32_t{2});
    Bytes name(path.size() / 8 * 8 + 8);
    std::memcpy(name.data(), path.data(), path.size());
    out.raw(name);
    return out.take();
}
} // namespace

class TestMapEvents : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void mappingsAreParsed()
    {
        const auto event = parseMapEvent(bytesOf(10, 2, mapped(7, 0x1000, 0x3000, PROT_READ | PROT_EXEC, "/usr/lib/libc.so.6"), 99));
        QVERIFY(event);
        QCOMPARE(event->when, std::uint64_t{99});
        const auto& m = std::get<Mapped>(event->event);
        QCOMPARE(m.pid, 7u);
        QCOMPARE(m.mapping.start, std::uint64_t{0x1000});
        QCOMPARE(m.mapping.end, std::uint64_t{0x4000});
        QCOMPARE(m.mapping.offset, std::uint64_t{0x2000});
        QCOMPARE(m.mapping.inode, std::uint64_t{4711});
        QCOMPARE(m.mapping.generation, std::uint64_t{1234567});
        QCOMPARE(m.mapping.path, std::string("/usr/lib/libc.so.6"));
        QVERIFY(!m.mapping.deleted);
        QVERIFY(!parseMapEvent(bytesOf(10, 2, mapped(7, 0x1000, 0x3000, PROT_READ, "/a"), 99)));
        const auto deleted = parseMapEvent(bytesOf(10, 2, mapped(7, 0x1000, 0x3000, PROT_EXEC, "/a b (deleted)"), 99));
        QVERIFY(std::get<Mapped>(deleted->event).mapping.deleted);
        QCOMPARE(std::get<Mapped>(deleted->event).mapping.path, std::string("/a b"));
    }
    void tasksAreParsed()
    {
        const auto task = [](std::uint32_t type, std::initializer_list<std::uint32_t> ids) {
            auto body = words(ids);
            body.resize(body.size() + 8);
            return parseMapEvent(bytesOf(type, 0, body, 5));
        };
        QCOMPARE(std::get<Forked>(task(7, {20, 10, 20, 10})->event).pid, 20u);
        QCOMPARE(std::get<Forked>(task(7, {20, 10, 20, 10})->event).parent, 10u);
        QVERIFY(!task(7, {10, 10, 21, 10})); // a thread
        QCOMPARE(std::get<Exited>(task(4, {20, 10, 20, 10})->event).pid, 20u);
        QVERIFY(!task(4, {20, 10, 21, 10})); // a thread
        QCOMPARE(std::get<Execed>(parseMapEvent(bytesOf(3, 1 << 13, words({20, 20, 0x736c, 0}), 5))->event).pid, 20u);
        QVERIFY(!parseMapEvent(bytesOf(3, 0, words({20, 20, 0x736c, 0}), 5))); // prctl(PR_SET_NAME)
        QCOMPARE(std::get<Lost>(parseMapEvent(bytesOf(2, 0, words({1, 0, 12, 0}), 5))->event).count, std::uint64_t{12});
    }
    void cutRecordsAreRefused()
    {
        const auto whole = bytesOf(10, 2, mapped(7, 0x1000, 0x3000, PROT_EXEC, "/a"), 99);
        for (std::size_t n = 0; n < whole.size(); ++n)
            QVERIFY(!parseMapEvent(ByteView(whole).first(n)));
        QVERIFY(parseMapEvent(whole));
    }

    void processesThatAreGoneAreKnown()
    {
        int gate[2];
        QCOMPARE(::pipe(gate), 0);
        const auto shell = ::fork();
        if (shell == 0) {
            char c = 0;
            ::close(gate[1]);
            if (::read(gate[0], &c, 1) < 0) ::_exit(1);
            ::execl("/bin/sh", "sh", "-c", "/bin/ls / >/dev/null; /bin/true; exit 3", nullptr);
            ::_exit(127);
        }
        ::close(gate[0]);
        const auto host = host::local();
        auto events = MapEvents::open(*host, static_cast<std::uint32_t>(shell));
        Symbolizer symbolizer(*host);
        symbolizer.attend(static_cast<std::uint32_t>(shell));
        ::close(gate[1]);
        int status = 0;
        QCOMPARE(::waitpid(shell, &status, 0), shell);
        if (!events) QSKIP(events.error().message.c_str());
        QCOMPARE(WEXITSTATUS(status), 3);

        std::uint64_t last = 0;
        std::vector<Mapped> maps;
        std::vector<std::uint32_t> forked, execed, exited;
        (*events)->drain([&](const TimedMapEvent& e) {
            QVERIFY(e.when >= last);
            last = e.when;
            if (const auto* m = std::get_if<Mapped>(&e.event)) maps.push_back(*m);
            if (const auto* f = std::get_if<Forked>(&e.event)) forked.push_back(f->pid);
            if (const auto* x = std::get_if<Execed>(&e.event)) execed.push_back(x->pid);
            if (const auto* x = std::get_if<Exited>(&e.event)) exited.push_back(x->pid);
            QVERIFY(!std::holds_alternative<Lost>(e.event));
            symbolizer.follow(e.event);
        });
        QVERIFY(!forked.empty());    // ls; true may be exec'ed by the shell itself
        QVERIFY(execed.size() >= 3); // sh, ls, true
        QVERIFY(std::find(exited.begin(), exited.end(), static_cast<std::uint32_t>(shell)) != exited.end());
        const auto ls = std::find_if(maps.begin(), maps.end(), [](const Mapped& m) { return m.mapping.path.ends_with("/ls"); });
        QVERIFY(ls != maps.end());
        QCOMPARE(ls->pid, forked.front());
        // The process is gone; its frames have names all the same.
        const auto libc = std::find_if(maps.begin(), maps.end(),
            [&](const Mapped& m) { return m.pid == ls->pid && m.mapping.path.find("/libc.so") != std::string::npos; });
        QVERIFY(libc != maps.end());
        int named = 0;
        for (std::uint64_t at = libc->mapping.start + 0x1000; at + 0x1000 < libc->mapping.end; at += 0x1000) {
            const auto frame = symbolizer.user(libc->pid, at);
            QVERIFY(frame.module.starts_with("libc.so"));
            QVERIFY(frame.kind == record::Frame::Kind::Library);
            named += !frame.function.empty();
        }
        QVERIFY(named > 50);
        QCOMPARE(symbolizer.user(ls->pid, ls->mapping.start + 0x1000).module, std::string("ls"));
        QVERIFY(symbolizer.user(ls->pid, ls->mapping.start + 0x1000).kind == record::Frame::Kind::User);
        // The shell's own mappings went with the exec, and what the child had before it with its own.
        const auto sh = std::find_if(maps.begin(), maps.end(), [&](const Mapped& m) { return m.pid == static_cast<std::uint32_t>(shell); });
        QVERIFY(sh != maps.end());
        QVERIFY(symbolizer.user(ls->pid, sh->mapping.start).module != symbolizer.user(sh->pid, sh->mapping.start).module
            || sh->mapping.start == ls->mapping.start);
    }
    /// A library that was unloaded and removed before anyone asked about it; what the file at its path became is another.
    void filesThatAreGoneAreKnown()
    {
        const auto pid = static_cast<std::uint32_t>(::getpid());
        const auto host = host::local();
        auto events = MapEvents::open(*host, pid);
        if (!events) QSKIP(events.error().message.c_str());
        Symbolizer symbolizer(*host);
        symbolizer.meet(pid);
        void* zlib = ::dlopen("libz.so.1", RTLD_NOW);
        link_map* map = nullptr;
        if (!zlib || ::dlinfo(zlib, RTLD_DI_LINKMAP, &map) != 0) QSKIP("needs libz.so.1");
        const QTemporaryDir dir;
        const auto path = dir.filePath("liblate.so");
        QVERIFY(QFile::copy(QFileInfo(map->l_name).canonicalFilePath(), path));
        void* library = ::dlopen(QFile::encodeName(path).constData(), RTLD_NOW);
        QVERIFY(library);
        const auto address = reinterpret_cast<std::uint64_t>(::dlsym(library, "zlibVersion"));
        QVERIFY(address != 0 && address != reinterpret_cast<std::uint64_t>(::dlsym(zlib, "zlibVersion")));
        std::vector<MapEvent> later;
        (*events)->drain([&](const TimedMapEvent& e) {
            later.push_back(e.event);
            symbolizer.prepare(later.back());
        });
        QCOMPARE(::dlclose(library), 0);
        QVERIFY(QFile::remove(path));
        QVERIFY(QFile::copy("/bin/true", path));
        for (const auto& event : later)
            symbolizer.follow(event);
        const auto frame = symbolizer.user(pid, address);
        QCOMPARE(frame.module, std::string("liblate.so"));
        QCOMPARE(frame.function, std::string("zlibVersion"));
    }
};
QTEST_GUILESS_MAIN(TestMapEvents)
#include "tst_map_events.moc"
