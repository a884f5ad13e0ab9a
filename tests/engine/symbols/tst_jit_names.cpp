#include "engine/base/bytes.h"
#include "engine/symbols/file_root.h"
#include "engine/symbols/jit_code.h"
#include "engine/symbols/jit_dump.h"
#include "engine/symbols/perf_map.h"
#include <QFile>
#include <QObject>
#include <QTemporaryDir>
#include <QTest>
#include <fcntl.h>
#include <random>
#include <sys/stat.h>
#include <unistd.h>
using namespace dscope;
using namespace dscope::symbols;

namespace {
std::string named(const JitCode& code, std::uint64_t address)
{
    const auto found = code.find(address);
    return found ? std::string(found->name) + '+' + std::to_string(address - found->start) : "-";
}
/// A jitdump as the specification tells.
class DumpWriter {
public:
    DumpWriter()
    {
        for (const std::uint32_t word : {0x4a695444U, 1U, 40U, 62U, 0U, 4711U})
            m_out.put(word);
        m_out.put(std::uint64_t{1});
        m_out.put(std::uint64_t{0});
    }
    DumpWriter& load(std::uint64_t address, std::uint64_t size, std::string_view name)
    {
        ByteWriter body;
        for (const auto word : {std::uint64_t{4711} << 32 | 4711, address, address, size, m_index++})
            body.put(word);
        body.raw(std::as_bytes(std::span(name)));
        body.put('\0');
        body.raw(Bytes(size, std::byte{0x90}));
        return record(0, body.bytes());
    }
    DumpWriter& move(std::uint64_t from, std::uint64_t to, std::uint64_t size)
    {
        ByteWriter body;
        for (const auto word : {std::uint64_t{4711} << 32 | 4711, to, from, to, size, std::uint64_t{0}})
            body.put(word);
        return record(1, body.bytes());
    }
    DumpWriter& record(std::uint32_t kind, ByteView body)
    {
        m_out.put(kind);
        m_out.put(static_cast<std::uint32_t>(16 + body.size()));
        m_out.put(std::uint64_t{5});
        m_out.raw(body);
        return *this;
    }
    const Bytes& bytes() const { return m_out.bytes(); }

private:
    ByteWriter m_out;
    std::uint64_t m_index = 0;
};
void write(const QString& path, ByteView bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<qint64>(bytes.size()));
}
void append(const QString& path, const QByteArray& text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::Append));
    file.write(text);
}
} // namespace

class TestJitNames : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    QString path(const char* name) { return m_folder.filePath(QString::fromUtf8(name)); }

private Q_SLOTS:
    void laterCodeReplacesWhatItOverlaps()
    {
        JitCode code;
        code.add(0x1000, 0x100, "first");
        code.add(0x1040, 0x10, "within");
        QCOMPARE(named(code, 0xfff), "-");
        QCOMPARE(named(code, 0x103f), "first+63");
        QCOMPARE(named(code, 0x1040), "within+0");
        QCOMPARE(named(code, 0x1050), "first+80");
        QCOMPARE(named(code, 0x1100), "-");
        code.add(0x1080, 0x100, "behind");
        QCOMPARE(named(code, 0x107f), "first+127");
        QCOMPARE(named(code, 0x1080), "behind+0");
        code.add(0x0f00, 0x300, "over all");
        QCOMPARE(code.size(), std::size_t{1});
        code.move(0x0f00, 0x5000, 0x300);
        QCOMPARE(named(code, 0x1080), "-");
        QCOMPARE(named(code, 0x5001), "over all+1");
        code.move(0x6000, 0x7000, 0x10); // never heard of
        code.add(~std::uint64_t{0}, 2, "beyond");
        code.add(0x100, 0, "empty");
        QCOMPARE(code.size(), std::size_t{1});
    }
    /// Against a plain list of addresses.
    void anyOrderOfCodeIsNamedByTheLast()
    {
        std::mt19937 random(2);
        JitCode code;
        std::vector<std::string> truth(512, "-");
        for (int i = 0; i < 2000; ++i) {
            const std::uint64_t start = random() % 500, size = 1 + random() % (512 - start);
            const auto name = "f" + std::to_string(i);
            code.add(start, std::min<std::uint64_t>(size, 40), name);
            std::fill_n(truth.begin() + static_cast<std::ptrdiff_t>(start), std::min<std::uint64_t>(size, 40), name);
            for (std::uint64_t at = 0; at < truth.size(); ++at) {
                const auto found = code.find(at);
                QCOMPARE(found ? std::string(found->name) : "-", truth[at]);
            }
        }
    }

    void perfMapsAreReadWhileTheyGrow()
    {
        const auto file = path("perf-1.map");
        JitCode code;
        PerfMap map;
        const auto read = [&] { map.read(openToRead(file.toStdString()), ::geteuid(), code); };
        read(); // not there yet
        append(file,
            "7f0000001000 40 LazyCompile:~add /tmp/a.js:1\n0x7f0000002000 0x10 with a prefix\n7f0000001000 20 reused\nnonsense\n"
            "7f0000003000 zz bad\n7f0000004000 0 empty\n7f0000005000 10 half");
        read();
        QCOMPARE(named(code, 0x7f000000101f), "reused+31");
        QCOMPARE(named(code, 0x7f0000001020), "LazyCompile:~add /tmp/a.js:1+32");
        QCOMPARE(named(code, 0x7f0000002001), "with a prefix+1");
        QCOMPARE(named(code, 0x7f0000005000), "-");
        append(file, " a line\n7f0000006000 10 later\n");
        read();
        QCOMPARE(named(code, 0x7f0000005000), "half a line+0");
        QCOMPARE(named(code, 0x7f0000006000), "later+0");
        QCOMPARE(named(code, 0x7f0000002001), "with a prefix+1");
        // The number was given to another process, which began its own.
        QVERIFY(QFile::remove(file));
        append(file, "7f0000006000 10 another\n");
        read();
        QCOMPARE(named(code, 0x7f0000006000), "another+0");
        QCOMPARE(code.size(), std::size_t{1});
    }
    void whatAnotherProgramWroteUnderTheNumberIsLeftOut()
    {
        constexpr std::int64_t kSecond = 1'000'000'000, kExec = 1'700'000'000 * kSecond;
        const auto file = path("perf-3.map");
        const auto at = [&](std::int64_t when) {
            const timespec times[2] = {{0, UTIME_OMIT}, {when / kSecond, when % kSecond}};
            QCOMPARE(::utimensat(AT_FDCWD, QFile::encodeName(file).constData(), times, 0), 0);
        };
        JitCode first, second, later;
        PerfMap ofFirst, ofSecond, ofLater;
        const auto read = [&](PerfMap& map, JitCode& code) { map.read(openToRead(file.toStdString()), ::geteuid(), code); };
        ofSecond.setBegin(kExec);
        ofLater.setBegin(kExec);
        append(file, "1000 10 old\n2000 10 older\n");
        at(kExec - 1);
        ofFirst.setEnd(kExec);
        for (int i = 0; i < 2; ++i) {
            read(ofFirst, first);
            read(ofSecond, second);
            read(ofLater, later);
        }
        QCOMPARE(named(first, 0x1000), "old+0");
        QCOMPARE(named(second, 0x1000), "-");
        QCOMPARE(named(later, 0x1000), "-");
        // What is added is the new program's.
        append(file, "3000 10 new\n");
        at(kExec);
        read(ofFirst, first);
        read(ofSecond, second);
        QCOMPARE(named(first, 0x3000), "-");
        QCOMPARE(named(first, 0x1000), "old+0");
        QCOMPARE(named(second, 0x1000), "-");
        QCOMPARE(named(second, 0x3000), "new+0");
        // And all of a file that was begun anew, however long.
        write(file, std::as_bytes(std::span(std::string_view("1000 10 newer and longer than all that was there before it\n"))));
        at(kExec + 1);
        read(ofLater, later);
        QCOMPARE(named(later, 0x1000), "newer and longer than all that was there before it+0");
        QCOMPARE(later.size(), std::size_t{1});
    }
    void perfMapsOfOthersAreNotTrusted()
    {
        const auto file = path("perf-2.map").toStdString(), link = file + ".link", pipe = file + ".pipe";
        append(QString::fromStdString(file), "1000 10 f\n");
        struct stat status { };
        QCOMPARE(::stat(file.c_str(), &status), 0);
        const auto trusted = [&](const std::string& name, std::uint32_t owner) {
            JitCode code;
            PerfMap().read(openToRead(name, Links::Refused), owner, code);
            return code.size() == 1;
        };
        QVERIFY(trusted(file, status.st_uid));
        QCOMPARE(::symlink(file.c_str(), link.c_str()), 0);
        QVERIFY(!trusted(link, status.st_uid));
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
        QVERIFY(!trusted(pipe, ::geteuid()));
        QVERIFY(!trusted("/nowhere/at/all", 0));
        if (::geteuid() != 0) QSKIP("the rest needs root");
        QVERIFY(trusted(file, 12345)); // root's may be trusted
        QCOMPARE(::chown(file.c_str(), 4711, 0), 0);
        QVERIFY(!trusted(file, 12345));
        QVERIFY(!trusted(file, 0));
    }

    void jitdumpsAreReadWhileTheyGrow()
    {
        const auto file = path("jit-4711.dump");
        DumpWriter dump;
        dump.load(0x1000, 0x40, "first").record(2, Bytes(200)).record(4, Bytes(64)).load(0x2000, 0x40, "second").record(77, Bytes(8));
        write(file, dump.bytes());
        JitDump reader(openToRead(file.toStdString()));
        JitCode code;
        reader.read(code);
        QCOMPARE(named(code, 0x1001), "first+1");
        QCOMPARE(named(code, 0x2001), "second+1");
        dump.move(0x1000, 0x3000, 0x40).load(0x1000, 0x20, "third");
        const auto whole = dump.bytes();
        for (std::size_t size = 0; size <= whole.size(); ++size) { // as long as it is being written
            write(file, ByteView(whole).first(size));
            reader.read(code);
        }
        QCOMPARE(named(code, 0x3001), "first+1");
        QCOMPARE(named(code, 0x1001), "third+1");
        QCOMPARE(named(code, 0x1021), "-");
        QVERIFY(JitDump::isDump("/home/a/.debug/jit/jit-4711.dump"));
        for (const char* other : {"/tmp/jit-.dump", "/tmp/jit-12.dum", "/tmp/fjit-12.dump", "/tmp/jit-1x.dump", ""})
            QVERIFY(!JitDump::isDump(other));
    }
    void spoiltJitdumpsDoNoHarm()
    {
        DumpWriter good;
        for (int i = 0; i < 50; ++i)
            good.load(0x1000 + 0x100 * static_cast<std::uint64_t>(i), 0x40, "function" + std::to_string(i)).move(0x1000, 0x9000, 0x40);
        std::mt19937 random(9);
        std::size_t most = 0;
        for (int i = 0; i < 500; ++i) {
            auto spoilt = good.bytes();
            for (int n = 0; n < 6; ++n)
                spoilt[random() % (i % 3 ? spoilt.size() : 60)] = static_cast<std::byte>(random());
            if (i % 4 == 0) spoilt.resize(random() % spoilt.size());
            const auto file = path("jit-1.dump");
            write(file, spoilt);
            JitCode code;
            JitDump reader(openToRead(file.toStdString()));
            reader.read(code);
            reader.read(code);
            most = std::max(most, code.size());
        }
        QVERIFY(most >= 49 && most < 200);
    }
};
QTEST_GUILESS_MAIN(TestJitNames)
#include "tst_jit_names.moc"
