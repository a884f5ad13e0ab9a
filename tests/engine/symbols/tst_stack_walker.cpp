// uses: PkgConfig::DW
#include "engine/host/host.h"
#include "engine/symbols/module.h"
#include "engine/symbols/plt_names.h"
#include "engine/symbols/stack_walker.h"
#include "stopped_process.h"
#include <QFileInfo>
#include <QObject>
#include <QTest>
#include <algorithm>
#include <cstdio>
#include <map>
#include <random>
#include <unistd.h>
using namespace dscope;
using symbols::Symbolizer;

namespace {
std::string text(const record::FrameList& frames)
{
    std::string s;
    for (const auto& f : frames) {
        char line[64];
        std::snprintf(line, sizeof line, "  %llx ", static_cast<unsigned long long>(f.address));
        s += line + f.module + "`" + f.function;
        std::snprintf(line, sizeof line, "+0x%llx\n", static_cast<unsigned long long>(f.offset));
        s += line;
    }
    return s;
}

/// A machine that has these files alone.
struct Files : host::Host {
    std::map<std::string, std::string> files;
    mutable int reads = 0;
    Result<std::string> read(const std::string& path) const override
    {
        ++reads;
        const auto f = files.find(path);
        if (f == files.end()) return Error{ENOENT, "cannot open " + path};
        return f->second;
    }
    std::vector<std::string> processes;
    Result<std::vector<std::string>> entries(const std::string&) const override { return processes; }
    Fd open(const std::string&, int) const override
    {
        errno = ENOENT;
        return Fd();
    }
    std::optional<struct stat> status(const std::string&) const override
    {
        errno = ENOENT;
        return std::nullopt;
    }
    std::uint32_t kernelVersion() const override { return 0; }
    std::string kernelRelease() const override { return {}; }
    std::string hostName() const override { return {}; }
    int cpuCount() const override { return 1; }
    std::vector<int> onlineCpus() const override { return {0}; }
};
constexpr std::uint32_t kNobody = 0x7ffffff0; // above any pid_max
} // namespace

class TestStackWalker : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void kernelFramesAreNamed()
    {
        Files files;
        files.files["/proc/kallsyms"] = "ffffffff81000000 T _text\nffffffff81000100 T vfs_read\nffffffffc0201000 t ext4_read\t[ext4]\n";
        Symbolizer symbolizer(files);
        const auto read = symbolizer.kernel(0xffffffff81000110);
        QCOMPARE(read.module, std::string("vmlinux"));
        QCOMPARE(read.function, std::string("vfs_read"));
        QCOMPARE(read.offset, std::uint64_t{0x10});
        QVERIFY(read.kind == record::Frame::Kind::Kernel);
        // A call may be a function's last instruction: its return address belongs to the next one.
        QCOMPARE(symbolizer.kernel(0xffffffff81000100, Symbolizer::Address::Return).function, std::string("_text"));
        QCOMPARE(symbolizer.kernel(0xffffffff81000100, Symbolizer::Address::Return).offset, std::uint64_t{0x100});
        QCOMPARE(symbolizer.kernel(0xffffffffc0201008).module, std::string("ext4"));
        QVERIFY(!symbolizer.kernelHidesNames());
        QCOMPARE(files.reads, 1);
    }
    void hiddenKernelAddressesYieldFramesWithoutNames_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("kptr_restrict") << QByteArray("0000000000000000 T _text\n0000000000000000 T vfs_read\n");
        QTest::newRow("empty") << QByteArray("");
    }
    void hiddenKernelAddressesYieldFramesWithoutNames()
    {
        QFETCH(QByteArray, text);
        Files files;
        files.files["/proc/kallsyms"] = text.toStdString();
        Symbolizer symbolizer(files);
        QVERIFY(!symbolizer.kernelHidesNames()); // nobody has asked
        for (int i = 0; i < 100; ++i) {
            const auto frame = symbolizer.kernel(0xffffffff81000110);
            QVERIFY(frame.function.empty() && frame.module.empty() && frame.kind == record::Frame::Kind::Kernel);
            QCOMPARE(frame.address, std::uint64_t{0xffffffff81000110});
        }
        QVERIFY(symbolizer.kernelHidesNames());
        QVERIFY2(files.reads <= 2, "an unknown address must not mean reading everything again");
    }
    void aStackThatIsLostInJavasCodeIsNoted()
    {
        using record::Truncation;
        constexpr std::uint64_t kCompiled = 0x7f0000000000, kFile = 0x7f1000000000;
        const std::string maps = "7f0000000000-7f0000010000 rwxp 00000000 00:00 0 \n7f1000000000-7f1000001000 r-xp 00000000 08:01 7 /jvm/";
        const auto lost = [&](const std::string& library, std::uint64_t last, std::optional<Truncation> cut) {
            Files files;
            files.files["/proc/" + std::to_string(kNobody) + "/maps"] = maps + library + '\n';
            Symbolizer symbolizer(files);
            const std::array<std::uint64_t, 2> stack{kFile + 4, last};
            symbolizer.name(kNobody, stack, cut);
            return symbolizer.javaWithoutCallers();
        };
        QCOMPARE(lost("libjvm.so", kCompiled + 8, Truncation::NoCaller), std::optional(kNobody));
        QVERIFY(!lost("libjvm.so", kCompiled + 8, {}));
        QVERIFY(!lost("libjvm.so", kFile + 8, Truncation::NoCaller));
        QVERIFY(!lost("libv8.so", kCompiled + 8, Truncation::NoCaller));
    }
    void anUnknownProcessYieldsAddresses()
    {
        Files files;
        Symbolizer symbolizer(files);
        Bytes stack(64);
        symbols::UserContext context;
        context.ip = 0x401000;
        context.sp = 0x7ffc0000;
        context.stack = stack;
        const auto addresses = symbolizer.unwind(kNobody, context, 10).addresses;
        QCOMPARE(addresses, std::vector<std::uint64_t>{0x401000});
        const auto frames = symbolizer.name(kNobody, addresses);
        QCOMPARE(frames[0].address, std::uint64_t{0x401000});
        QVERIFY(frames[0].module.empty() && frames[0].function.empty() && frames[0].kind == record::Frame::Kind::Unknown);
        for (int i = 0; i < 100; ++i)
            symbolizer.user(kNobody, 0x500000u + static_cast<unsigned>(i));
        QVERIFY2(files.reads < 20, "a process that is gone must not be asked for with every frame");
    }
    void processesWhoseEndWasNotReportedAreDropped()
    {
        Files files;
        const std::uint32_t kept = kNobody, ended = kNobody + 1;
        for (const auto pid : {kept, ended})
            files.files["/proc/" + std::to_string(pid) + "/maps"] = "400000-401000 r-xp 00000000 fe:00 99999999 /no/such/a.out\n";
        files.processes = {"1", std::to_string(kept), "self"};
        Symbolizer symbolizer(files);
        symbolizer.meet(kept);
        symbolizer.meet(ended);
        QCOMPARE(symbolizer.living(), std::size_t{2});
        symbolizer.follow(symbols::Lost{7});
        QCOMPARE(symbolizer.living(), std::size_t{1});
        QCOMPARE(symbolizer.user(kept, 0x400010).module, std::string("a.out"));
    }
    /// A stack that is shown later has the names that it has now, whatever the process is by then.
    void aHeldStackOutlivesItsProcess()
    {
        const auto host = host::local();
        Symbolizer symbolizer(*host);
        const auto pid = static_cast<std::uint32_t>(::getpid());
        const std::vector<std::uint64_t> addresses{reinterpret_cast<std::uint64_t>(&::getpid) + 1, reinterpret_cast<std::uint64_t>(&::fopen) + 9,
            reinterpret_cast<std::uint64_t>(&qInstallMessageHandler) + 5};
        const auto before = symbolizer.name(pid, addresses);
        QVERIFY(!before[0].function.empty() && !before[1].function.empty());
        auto held = symbolizer.hold(pid, addresses);
        QVERIFY(held);
        const std::uint64_t ofNoFile[] = {addresses[0], 0x1000};
        QVERIFY(!symbolizer.hold(pid, ofNoFile));
        symbolizer.follow(symbols::Execed{pid});
        symbolizer.follow(symbols::Exited{pid});
        auto after = symbolizer.name(*held);
        QCOMPARE(text(after), text(before));
        QVERIFY(after == before);
        after = symbolizer.name(*held, record::Truncation::TooDeep);
        QCOMPARE(after.size(), before.size() + 1);
        QVERIFY(after.back().kind == record::Frame::Kind::Truncated);
    }
    void aFileThatIsGoneLendsItsName()
    {
        Files files;
        files.files["/proc/" + std::to_string(kNobody) + "/maps"]
            = "400000-401000 r-xp 00003000 fe:00 99999999 /no/such/dir/a.out (deleted)\n"
              "500000-501000 rwxp 00000000 00:00 0 \nffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]\n";
        Symbolizer symbolizer(files);
        const auto frame = symbolizer.user(kNobody, 0x400010);
        QCOMPARE(frame.module, std::string("a.out"));
        QVERIFY(frame.function.empty());
        QCOMPARE(frame.offset, std::uint64_t{0x3010});
        QVERIFY(symbolizer.user(kNobody, 0x500010).kind == record::Frame::Kind::Jit);
        QCOMPARE(symbolizer.user(kNobody, 0xffffffffff600400).module, std::string("[vsyscall]"));
    }
    void functionsWithoutNamesAreCalledByTheirStart()
    {
        const auto path = QStringLiteral("/usr/bin/ls");
        Fd fd(::open(path.toLocal8Bit().constData(), O_RDONLY | O_CLOEXEC));
        if (!fd) QSKIP("no ls");
        auto file = symbols::ElfFile::open(std::move(fd));
        QVERIFY(file);
        symbols::Module module(*std::move(file), "ls", symbols::DebugPlaces{});
        int unnamed = 0;
        const auto* section = module.file().section(".eh_frame");
        QVERIFY(section);
        const symbols::FrameRows rows(module.file().contents(*section), section->address, symbols::FrameRows::Format::EhFrame);
        const auto stubs = symbols::pltSections(module.file()); // these have names
        for (const auto& f : rows.functions()) {
            const auto start = rows.base() + f.start;
            if (std::any_of(stubs.begin(), stubs.end(), [&](const auto* s) { return start >= s->address && start < s->address + s->size; }))
                continue;
            if (module.symbols().find(start + f.size / 2)) continue;
            const auto& named = module.named(start + f.size / 2);
            QVERIFY(named.function.empty());
            QCOMPARE(named.offset, start);
            ++unnamed;
        }
        QVERIFY(unnamed > 100);
    }

    void equalsLibdwOnDebiansPrograms_data()
    {
        QTest::addColumn<QStringList>("command");
        QTest::addColumn<int>("skipSystemCalls");
        QTest::addColumn<int>("stops");
        const auto row
            = [](const char* name, const QStringList& command, int skip, int stops) { QTest::newRow(name) << command << skip << stops; };
        row("ls, from the dynamic linker on", {QStringLiteral("/usr/bin/ls"), QStringLiteral("-l"), QStringLiteral("/usr")}, 0, 200);
        row("ls, in main", {QStringLiteral("/usr/bin/ls"), QStringLiteral("-l"), QStringLiteral("/usr/lib")}, 120, 200);
        row("bash",
            {QStringLiteral("/usr/bin/bash"), QStringLiteral("-c"),
                QStringLiteral("for i in 1 2 3 4 5 6 7 8 9; do x=$((x+i)); y=${x//1/2}; done; f() { f2; }; f2() { echo $x; }; f")},
            90, 200);
        row("python3",
            {QStringLiteral("/usr/bin/python3"), QStringLiteral("-S"), QStringLiteral("-c"),
                QStringLiteral("import json\nfor i in range(99): json.loads(json.dumps({'a': [i, 'b']}))")},
            300, 200);
    }
    void equalsLibdwOnDebiansPrograms()
    {
        QFETCH(QStringList, command);
        QFETCH(int, skipSystemCalls);
        QFETCH(int, stops);
        if (!QFileInfo(command[0]).isExecutable()) QSKIP("that program is not installed");
        std::vector<std::string> words;
        for (const auto& w : command)
            words.push_back(w.toStdString());
        StoppedProcess child(words);
        QVERIFY(child.alive());
        child.systemCalls(skipSystemCalls);
        QVERIFY2(child.alive(), "it ended before it came to the interesting part");
        const auto host = host::local();
        Symbolizer symbolizer(*host);
        std::mt19937 random(42);
        int seen = 0, deepest = 0, resolved = 0;
        for (int i = 0; i < stops && child.alive(); ++i) {
            // Every instruction is a stop of its own and dear; a system call in between changes the scene.
            if (i % 8 == 7) child.systemCalls(1);
            child.steps(1 + static_cast<int>(random() % 300));
            if (!child.alive()) break;
            Bytes stack;
            const auto context = child.context(stack);
            symbolizer.attend(child.pid());
            const auto ours = symbolizer.unwind(child.pid(), context, 256).addresses;
            const auto theirs = child.libdwStack(256);
            ++seen;
            deepest = std::max(deepest, static_cast<int>(ours.size()));
            if (ours == theirs) continue;
            // libdw 0.188 loses rbx, on which the dynamic linker's resolver builds its frame; we go on to the end from there.
            const auto named = symbolizer.name(child.pid(), ours);
            const bool prefix = theirs.size() < ours.size() && std::equal(theirs.begin(), theirs.end(), ours.begin());
            const auto& last = named[std::min(theirs.size(), named.size()) - 1];
            const bool resolver
                = last.module.starts_with("ld-linux") && (last.function.empty() || last.function.starts_with("_dl_runtime_resolve"));
            const bool whole = named.back().function == "_start" || named.back().function.empty();
            if (prefix && resolver && whole && ++resolved <= stops / 10) continue;
            qWarning("stop %d\nours\n%s\ntheirs\n%s", i, text(named).c_str(), text(symbolizer.name(child.pid(), theirs)).c_str());
            QCOMPARE(ours, theirs);
        }
        QVERIFY(seen > stops / 2);
        QVERIFY(deepest >= 4);
    }
};
QTEST_GUILESS_MAIN(TestStackWalker)
#include "tst_stack_walker.moc"
