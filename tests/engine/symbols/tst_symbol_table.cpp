#include "compiled_program.h"
#include "engine/symbols/elf_file.h"
#include "engine/symbols/kallsyms.h"
#include "engine/symbols/plt_names.h"
#include "engine/symbols/symbol_name.h"
#include "engine/symbols/symbol_table.h"
#include <QObject>
#include <QRegularExpression>
#include <QTest>
#include <fcntl.h>
#include <map>
#include <random>
#include <set>
#include <sys/stat.h>
#include <unistd.h>
using namespace dscope;
using namespace dscope::symbols;

namespace {
QByteArray output(const QString& program, const QStringList& arguments)
{
    QProcess process;
    process.start(program, arguments);
    process.waitForFinished(60'000);
    return process.readAllStandardOutput();
}
Result<ElfFile> opened(const QString& path)
{
    Fd fd(::open(path.toLocal8Bit().constData(), O_RDONLY | O_CLOEXEC));
    if (!fd) return Error{errno, "cannot open"};
    return ElfFile::open(std::move(fd));
}
} // namespace

class TestSymbolTable : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

private Q_SLOTS:
    void functionsAreFoundAsNmListsThem_data()
    {
        QTest::addColumn<QString>("file");
        for (const char* name : {"libc.so.6", "libstdc++.so.6", "libm.so.6"})
            QTest::newRow(name) << QStringLiteral("/usr/lib/x86_64-linux-gnu/") + QString::fromUtf8(name);
        QTest::newRow("this test") << QCoreApplication::applicationFilePath();
    }
    void functionsAreFoundAsNmListsThem()
    {
        QFETCH(QString, file);
        const auto elf = opened(file);
        if (!elf) QSKIP("that file is not here");
        SymbolTable table;
        table.add(*elf);
        table.finish();
        const bool isTest = elf->section(std::string_view(".symtab")) != nullptr;
        const auto listing = output(QStringLiteral("nm"),
            {isTest ? QStringLiteral("-S") : QStringLiteral("-SD"), QStringLiteral("--defined-only"),
                QStringLiteral("--without-symbol-versions"), file});
        if (listing.isEmpty()) QSKIP("needs nm of binutils");
        std::map<std::uint64_t, std::set<std::string>> names;
        std::map<std::uint64_t, std::set<std::uint64_t>> sizes;
        for (const auto& line : listing.split('\n')) {
            const auto cells = line.split(' ');
            if (cells.size() != 4 || !QByteArray("TtWwi").contains(cells[2])) continue;
            const auto start = cells[0].toULongLong(nullptr, 16);
            names[start].insert(cells[3].toStdString());
            sizes[start].insert(cells[1].toULongLong(nullptr, 16));
        }
        QVERIFY(names.size() > 100);
        for (const auto& [start, known] : names) {
            const auto found = table.find(start);
            QVERIFY2(found && found->start == start, known.begin()->c_str());
            QVERIFY2(known.contains(std::string(found->name)), std::string(found->name).c_str());
            QVERIFY(sizes[start].contains(found->size));
            const auto last = table.find(start + found->size - 1);
            QVERIFY(last && last->start >= start); // itself, or one within it
        }
    }

    /// Made by several linkers, in their several ways.
    void stubsAreNamedAsObjdumpNamesThem_data()
    {
        QTest::addColumn<QString>("file");
        for (const char* name : {"/usr/bin/git", "/usr/bin/python3", "/usr/bin/perl", "/usr/lib/x86_64-linux-gnu/libQt6Core.so.6"})
            QTest::newRow(name) << QString::fromUtf8(name);
        QTest::newRow("this test") << QCoreApplication::applicationFilePath();
        const QByteArray source
            = "#include <stdlib.h>\n#include <stdio.h>\nint main(int n, char** v) { puts(v[0]); return atoi(v[n - 1]); }\n";
        for (const char* flags : {"-O2", "-O2 -fcf-protection=full -Wl,-z,ibtplt", "-O2 -no-pie", "-O2 -fuse-ld=mold",
                 "-O2 -fuse-ld=mold -fno-plt", "-O2 -fuse-ld=lld", "-O2 -Wl,-z,now"})
            if (const auto program
                = compiled(m_folder, QStringLiteral("stubs%1").arg(qHash(QByteArray(flags))), source, QString::fromUtf8(flags).split(u' '));
                !program.isEmpty())
                QTest::newRow(flags) << program;
    }
    void stubsAreNamedAsObjdumpNamesThem()
    {
        QFETCH(QString, file);
        const auto elf = opened(file);
        if (!elf) QSKIP("that file is not here");
        std::map<std::uint64_t, std::string> theirs, ours;
        static const QRegularExpression kStub(QStringLiteral("^([0-9a-f]+) <(.*)@plt>:$"), QRegularExpression::MultilineOption);
        const auto text = output(QStringLiteral("objdump"),
            {QStringLiteral("-d"), QStringLiteral("-j.plt"), QStringLiteral("-j.plt.sec"), QStringLiteral("-j.plt.got"), file});
        for (auto i = kStub.globalMatch(QString::fromUtf8(text)); i.hasNext();) {
            const auto match = i.next();
            theirs[match.captured(1).toULongLong(nullptr, 16)] = match.captured(2).toStdString();
        }
        if (theirs.empty()) QSKIP("objdump names no stubs there");
        for (const auto& stub : pltEntries(*elf))
            ours[stub.start] = stub.function;
        for (const auto& [start, name] : theirs)
            QVERIFY2(ours.contains(start) && ours[start] == name, (name + " is " + ours[start]).c_str());
    }

    void stubsOfAarch64AreInTheOrderOfTheirRelocations_data()
    {
        QTest::addColumn<QByteArray>("flag");
        QTest::addColumn<quint64>("size"); // from one to the next
        QTest::newRow("plain") << QByteArray() << quint64{16};
        QTest::newRow("with landing pads") << QByteArray("-Wl,-z,force-bti") << quint64{24};
        QTest::newRow("with signed addresses") << QByteArray("-Wl,-z,pac-plt") << quint64{24};
    }
    void stubsOfAarch64AreInTheOrderOfTheirRelocations()
    {
        QFETCH(QByteArray, flag);
        QFETCH(quint64, size);
        if (QStandardPaths::findExecutable(QStringLiteral("clang")).isEmpty()
            || QStandardPaths::findExecutable(QStringLiteral("ld.lld")).isEmpty())
            QSKIP("needs clang and lld");
        const auto source = m_folder.filePath(QStringLiteral("foreign.c")), library = m_folder.filePath(QStringLiteral("foreign.so"));
        QFile text(source);
        QVERIFY(text.open(QIODevice::WriteOnly));
        text.write("int first(char*); int second(char*); int third(int);\nint all(char* v) { return third(first(v)) + second(v); }\n");
        text.close();
        QStringList words{QStringLiteral("--target=aarch64-linux-gnu"), QStringLiteral("-O1"), QStringLiteral("-fPIC"),
            QStringLiteral("-shared"), QStringLiteral("-nostdlib"), QStringLiteral("-fuse-ld=lld"), QStringLiteral("-o"), library, source};
        if (!flag.isEmpty()) words.push_back(QString::fromUtf8(flag));
        output(QStringLiteral("clang"), words);
        const auto elf = opened(library);
        QVERIFY(elf);
        static const QRegularExpression kSlot(QStringLiteral("R_AARCH64_JUMP_SL\\w* +[0-9a-f]+ +(\\w+) \\+ 0"));
        std::vector<std::string> names;
        const auto relocations = output(QStringLiteral("readelf"), {QStringLiteral("-rW"), library});
        for (auto i = kSlot.globalMatch(QString::fromUtf8(relocations)); i.hasNext();)
            names.push_back(i.next().captured(1).toStdString());
        QCOMPARE(names.size(), std::size_t{3});
        const auto stubs = pltEntries(*elf);
        QCOMPARE(stubs.size(), names.size());
        constexpr std::uint64_t kHeader = 32;
        for (std::size_t i = 0; i < names.size(); ++i) {
            QCOMPARE(stubs[i].function, names[i]);
            QCOMPARE(quint64{stubs[i].start}, elf->section(".plt")->address + kHeader + size * i);
            QVERIFY(stubs[i].size >= 16 && stubs[i].size <= size);
        }
    }

    void oneOfSeveralNamesIsChosenByRule_data()
    {
        QTest::addColumn<QList<QByteArray>>("symbols"); // binding size name
        QTest::addColumn<QByteArray>("chosen");
        const auto row = [](const char* name, const QList<QByteArray>& symbols, const char* chosen) {
            QTest::newRow(name) << symbols << QByteArray(chosen);
        };
        row("one", {"l 10 f"}, "f");
        row("global before local", {"l 10 a", "g 10 z"}, "z");
        row("global before weak", {"w 10 a", "g 10 z"}, "z");
        row("fewer underscores before global", {"w 10 write", "g 10 __write"}, "write");
        row("not local before fewer underscores", {"l 10 write", "w 10 __write"}, "__write");
        row("weak before local", {"l 10 a", "w 10 z"}, "z");
        row("sized before all", {"g 0 a", "l 10 z"}, "z");
        row("fewer underscores", {"g 10 __a", "g 10 _b", "g 10 zzz"}, "zzz");
        row("shorter", {"g 10 aaaa", "g 10 zz"}, "zz");
        row("alphabetical", {"g 10 bb", "g 10 ab"}, "ab");
        row("the default version before an old one", {"o 10 f", "w 10 __f"}, "__f");
        row("not local before the default version", {"o 10 f", "l 10 g"}, "f");
        row("complete before cut", {"g 10 *Foo", "g 10 *Foo@Bar#each<Int32>:Nil"}, "*Foo@Bar#each<Int32>:Nil");
        row("complete though local", {"g 10 *Foo", "l 10 *Foo@Bar#each:Nil"}, "*Foo@Bar#each:Nil");
        row("not cut", {"g 10 *Fo", "g 10 *Foo@Bar#each:Nil"}, "*Fo");
    }
    void oneOfSeveralNamesIsChosenByRule()
    {
        QFETCH(QList<QByteArray>, symbols);
        QFETCH(QByteArray, chosen);
        for (int turn = 0; turn < 2; ++turn) {
            SymbolTable table;
            for (const auto& s : symbols) {
                const auto cells = s.split(' ');
                const auto binding = cells[0] == "g"     ? SymbolTable::Binding::Global
                    : cells[0] == "w" || cells[0] == "o" ? SymbolTable::Binding::Weak
                                                         : SymbolTable::Binding::Local;
                table.add(0x1000, cells[1].toULongLong(), cells[2].toStdString(), binding, 0x2000,
                    cells[0] == "o" ? SymbolTable::Version::Old : SymbolTable::Version::Default);
            }
            table.finish();
            QVERIFY(table.find(0x1005));
            QCOMPARE(table.find(0x1005)->name, std::string_view(chosen.constData()));
            std::reverse(symbols.begin(), symbols.end());
        }
    }

    void versionsAreNoPartOfNames_data()
    {
        QTest::addColumn<QByteArray>("written");
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<bool>("isOld");
        const auto row = [](const char* written, const char* name, bool isOld) {
            QTest::newRow(written) << QByteArray(written) << QByteArray(name) << isOld;
        };
        row("memcpy@@GLIBC_2.14", "memcpy", false);
        row("memcpy@GLIBC_2.2.5", "memcpy", true);
        row("memcpy", "memcpy", false);
        row("puts@plt", "puts@plt", false);
        row("*Foo@Bar#each:Nil", "*Foo@Bar#each:Nil", false); // Crystal
        row("*Foo@Hash(K, V)", "*Foo@Hash(K, V)", false);
        row("@f", "@f", false);
        row("f@", "f@", false);
        row("f@@", "f@@", false);
        row("", "", false);
    }
    void versionsAreNoPartOfNames()
    {
        QFETCH(QByteArray, written);
        QFETCH(QByteArray, name);
        QFETCH(bool, isOld);
        const auto found = symbolName(std::string_view(written.constData()));
        QCOMPARE(found.name, std::string_view(name.constData()));
        QCOMPARE(found.isOld, isOld);
    }

    /// Names of Swift; objcopy gives them to functions of C.
    void namesMayBeginWithADollar_data()
    {
        QTest::addColumn<QByteArray>("name");
        for (const char* name : {"$s2sw4leafySdSiF", "$s2sw2SqV4areaySdSiF", "$S4main4leafyS2iF", "$e4main3absyS2iF", "$x", "$d.realdata",
                 "$a", "$t.1", "$", "$dollar"})
            QTest::newRow(name) << QByteArray(name);
    }
    void namesMayBeginWithADollar()
    {
        QFETCH(QByteArray, name);
        const auto program = compiled(m_folder, QStringLiteral("dollar"),
            "__attribute__((noinline)) int leaf(int n) { return n + 3; }\nint main(int n, char** v) { return leaf(n) + !v; }\n",
            {QStringLiteral("-O1")});
        const auto renamed = m_folder.filePath(QStringLiteral("renamed"));
        if (program.isEmpty() || QStandardPaths::findExecutable(QStringLiteral("objcopy")).isEmpty())
            QSKIP("needs a C compiler and objcopy of binutils");
        output(QStringLiteral("objcopy"), {QStringLiteral("--redefine-sym"), QString::fromUtf8("leaf=" + name), program, renamed});
        const auto before = opened(program), after = opened(renamed);
        QVERIFY(before && after);
        SymbolTable plain, table;
        plain.add(*before);
        table.add(*after);
        plain.finish();
        table.finish();
        const auto names = output(QStringLiteral("nm"), {program}).split('\n');
        const auto leaf = std::find_if(names.begin(), names.end(), [](const QByteArray& line) { return line.endsWith(" T leaf"); });
        QVERIFY(leaf != names.end());
        const auto address = leaf->left(16).toULongLong(nullptr, 16);
        QCOMPARE(plain.find(address)->name, std::string_view("leaf"));
        QVERIFY(table.find(address));
        QCOMPARE(table.find(address)->name, std::string_view(name.constData()));
    }

    void marksOfAarch64AreNoNames()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("clang")).isEmpty()) QSKIP("needs clang");
        const auto source = m_folder.filePath(QStringLiteral("marks.s")), object = m_folder.filePath(QStringLiteral("marks.so"));
        QFile text(source);
        QVERIFY(text.open(QIODevice::WriteOnly));
        text.write(".text\n.balign 64\nret\nret\n.global label, \"$s4leaf\"\nlabel: ret\n.word 0\nret\n"
                   ".type \"$s4leaf\", %function\n\"$s4leaf\": ret\n.size \"$s4leaf\", 4\n");
        text.close();
        output(QStringLiteral("clang"),
            {QStringLiteral("--target=aarch64-linux-gnu"), QStringLiteral("-shared"), QStringLiteral("-nostdlib"),
                QStringLiteral("-fuse-ld=lld"), QStringLiteral("-o"), object, source});
        const auto elf = opened(object);
        if (!elf) QSKIP("needs lld");
        SymbolTable table;
        table.add(*elf);
        table.finish();
        const auto* code = elf->section(".text");
        QVERIFY(code);
        QVERIFY(!table.find(code->address)); // a mark alone is there
        QCOMPARE(table.find(code->address + 12)->name, std::string_view("label"));
        QCOMPARE(table.find(code->address + 20)->name, std::string_view("$s4leaf"));
    }

    void sizesAreRespected()
    {
        SymbolTable table;
        const auto add = [&table](std::uint64_t start, std::uint64_t size, const char* name) {
            table.add(start, size, name, SymbolTable::Binding::Global, 0x2000);
        };
        add(0x1000, 0x100, "outer");
        add(0x1040, 0x10, "inner");
        add(0x1048, 0, "label_in_inner");
        add(0x1060, 0, "label_in_outer");
        add(0x1070, 0, "another");
        add(0x1200, 0, "label");
        add(0x1300, 0x10, "after");
        add(0x1f00, 0, "last");
        table.finish();
        const auto name = [&table](std::uint64_t address) {
            const auto s = table.find(address);
            return s ? std::string(s->name) : std::string("-");
        };
        QCOMPARE(name(0xfff), "-");
        QCOMPARE(name(0x1000), "outer");
        QCOMPARE(name(0x1040), "inner");
        QCOMPARE(name(0x104f), "inner");
        QCOMPARE(name(0x1050), "outer");
        QCOMPARE(name(0x1060), "outer");
        QCOMPARE(name(0x1068), "outer");
        QCOMPARE(name(0x10ff), "outer");
        QCOMPARE(name(0x1100), "-");
        QCOMPARE(name(0x12ff), "label");
        QCOMPARE(name(0x130f), "after");
        QCOMPARE(name(0x1310), "-");
        QCOMPARE(name(0x1fff), "last");
        QCOMPARE(name(0x2000), "-");
    }

    void theBuildIdIsWhatReadelfShows()
    {
        const auto self = QCoreApplication::applicationFilePath();
        const auto elf = opened(self);
        QVERIFY(elf);
        const auto notes = output(QStringLiteral("readelf"), {QStringLiteral("-n"), self});
        if (notes.isEmpty()) QSKIP("needs readelf of binutils");
        QVERIFY(elf->buildId().size() == 40);
        QVERIFY(notes.contains(("Build ID: " + elf->buildId()).c_str()));
        QVERIFY(elf->isProgram());
        const auto libc = opened(QStringLiteral("/usr/lib/x86_64-linux-gnu/libc.so.6"));
        if (libc) QVERIFY(!libc->isProgram());
    }

    void spoiltFilesDoNoHarm()
    {
        QFile self(QCoreApplication::applicationFilePath());
        QVERIFY(self.open(QIODevice::ReadOnly));
        const auto good = self.readAll();
        const auto bytesOf = [](const QByteArray& b) {
            const auto* data = reinterpret_cast<const std::byte*>(b.constData());
            return Bytes(data, data + b.size());
        };
        std::mt19937 random(5);
        int opened = 0;
        for (int i = 0; i < 200; ++i) {
            auto spoilt = bytesOf(good);
            if (i % 4 == 0) spoilt.resize(random() % spoilt.size());
            // Headers first: they steer everything else.
            const auto headers = readAt<std::uint64_t>(spoilt, 0x28);
            for (int n = 0; n < 8 && spoilt.size() > 64; ++n)
                spoilt[4 + random() % 60] = static_cast<std::byte>(random());
            for (int n = 0; n < 200 && headers + 2000 < spoilt.size(); ++n)
                spoilt[headers + random() % 2000] = static_cast<std::byte>(random());
            if (i % 2) std::copy_n(bytesOf(good.left(64)).begin(), std::min<std::size_t>(64, spoilt.size()), spoilt.begin());
            const auto elf = ElfFile::inMemory(std::move(spoilt));
            if (!elf) continue;
            ++opened;
            SymbolTable table;
            table.add(*elf);
            table.finish();
            for (std::uint64_t a = 0; a < 100; ++a)
                table.find(random());
            elf->displacement(random(), random());
            for (const auto& s : elf->sections())
                QVERIFY(elf->contents(s).size() <= static_cast<std::size_t>(good.size()));
        }
        QVERIFY(opened > 50);
    }

    void aFileCutShortWhileOpenReadsShort()
    {
        const auto path = m_folder.filePath(QStringLiteral("copy"));
        QVERIFY(QFile::copy(QCoreApplication::applicationFilePath(), path));
        const auto elf = opened(path);
        QVERIFY(elf);
        const auto* symbols = elf->section(std::string_view(".symtab"));
        QVERIFY(symbols);
        QCOMPARE(elf->contents(*symbols).size(), symbols->size);
        QVERIFY(QFile::resize(path, 4096));
        QVERIFY(elf->contents(*symbols).empty());
        SymbolTable table;
        table.add(*elf);
        table.finish();
        QCOMPARE(table.size(), std::size_t{0});
    }

    void onlyRegularElfFilesAreOpened_data()
    {
        QTest::addColumn<QString>("path");
        QTest::newRow("a directory") << QStringLiteral("/");
        QTest::newRow("a device") << QStringLiteral("/dev/zero");
        QTest::newRow("text") << QStringLiteral("/etc/passwd");
        QTest::newRow("empty") << QStringLiteral("/proc/version");
    }
    void onlyRegularElfFilesAreOpened()
    {
        QFETCH(QString, path);
        QVERIFY(!opened(path));
    }

    void kallsymsAreFoundByAddress_data()
    {
        QTest::addColumn<std::uint64_t>("address");
        QTest::addColumn<QByteArray>("name"); // module`function+offset, - when unknown
        const auto row
            = [](const char* what, std::uint64_t address, const char* name) { QTest::newRow(what) << address << QByteArray(name); };
        row("first", 0xffffffff81000000, "vmlinux`_stext+0");
        row("inside", 0xffffffff81000010, "vmlinux`_stext+16");
        row("alias", 0xffffffff81001000, "vmlinux`do_read+0");
        row("data", 0xffffffff81002fff, "vmlinux`some_data+4095");
        row("per-CPU data has no address", 0x1004, "-");
        row("weak", 0xffffffff81003000, "vmlinux`weak_one+0");
        row("module", 0xffffffffc0201004, "ext4`ext4_read+4");
        row("BPF", 0xffffffffc0300000, "bpf`bpf_prog_6deef7357e7b4530+0");
        row("before all", 0xffffffff80000000, "-");
        row("far behind", 0xffffffffd0000000, "-");
    }
    void kallsymsAreFoundByAddress()
    {
        QFETCH(std::uint64_t, address);
        QFETCH(QByteArray, name);
        const Kallsyms symbols("0000000000000000 A fixed_percpu_data\n0000000000001000 D cpu_number\nffffffff81000000 T "
                               "_stext\nffffffff81001000 t __do_read\nffffffff81001000 T do_read\n"
                               "ffffffff81002000 D some_data\nffffffff81003000 W weak_one\nffffffffc0201000 t ext4_read\t[ext4]\n"
                               "ffffffffc0300000 t bpf_prog_6deef7357e7b4530\t[bpf]\nbroken line\n\n");
        QVERIFY(symbols.known());
        const auto found = symbols.find(address);
        QCOMPARE(found ? QByteArray(std::string(found->module).c_str()) + '`' + std::string(found->function).c_str() + '+'
                    + QByteArray::number(static_cast<qulonglong>(found->offset))
                       : "-",
            name);
    }
    void hiddenKernelAddressesAreUnknown()
    {
        const Kallsyms symbols("0000000000000000 T _stext\n0000000000000000 t do_read\n");
        QVERIFY(!symbols.known());
        QVERIFY(!symbols.find(0xffffffff81000000));
        QVERIFY(!Kallsyms("").known());
    }
    void thisKernelsFunctionsHaveTheirNames()
    {
        QFile file(QStringLiteral("/proc/kallsyms"));
        if (!file.open(QIODevice::ReadOnly)) QSKIP("no /proc/kallsyms");
        const auto text = file.readAll();
        const Kallsyms symbols({text.constData(), static_cast<std::size_t>(text.size())});
        if (!symbols.known()) QSKIP("kernel addresses are hidden from this user");
        std::map<std::uint64_t, std::set<QByteArray>> names;
        for (const auto& line : text.split('\n')) {
            const auto cells = line.split(' ');
            if (cells.size() < 3 || !QByteArray("tTwW").contains(cells[1])) continue;
            names[cells[0].toULongLong(nullptr, 16)].insert(cells[2].split('\t')[0]);
        }
        QVERIFY(symbols.size() >= names.size()); // and data, where the kernel tells of it
        for (const auto& [address, known] : names) {
            const auto found = symbols.find(address);
            QVERIFY(found && found->offset == 0);
            QVERIFY(known.contains(QByteArray(found->function.data(), static_cast<qsizetype>(found->function.size()))));
        }
    }
};
QTEST_GUILESS_MAIN(TestSymbolTable)
#include "tst_symbol_table.moc"
