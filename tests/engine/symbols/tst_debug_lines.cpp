// uses: PkgConfig::DW
// Lines and inlined functions: what libdw tells us is what binutils' addr2line, which reads DWARF by itself, tells of the same
// addresses.
#include "compiled_program.h"
#include "engine/demangle/demangle.h"
#include "engine/symbols/debug_lines.h"
#include "engine/symbols/dwarf_library.h"
#include "engine/symbols/elf_file.h"
#include "engine/symbols/file_root.h"
#include "tests/support/mixing.h"
#include "tests/support/programs_at_hand.h"
#include <QDir>
#include <QFileInfo>
#include <QObject>
#include <QTest>
#include <algorithm>
#include <map>
#include <random>
#include <set>
using namespace dscope;
using namespace dscope::symbols;

using dscope::tests::has;
namespace {
const QByteArray kC = tests::kMixing +
    "static int compare(const void* a, const void* b)\n"
    "{\n"
    "    return *(const int*)a - *(const int*)b;\n"
    "}\n"
    "N void sorted(int* v, int n) { qsort(v, (size_t)n, sizeof *v, compare); }\n"
    "int main(int argc, char** argv)\n"
    "{\n"
    "    unsigned v[64];\n"
    "    for (int i = 0; i < 64; ++i)\n"
    "        v[i] = (unsigned)(i * argc);\n"
    "    sorted((int*)v, 64);\n"
    "    return (int)mix(v, 64) + (argv == 0);\n"
    "}\n";
constexpr const char* kCpp = "#include <algorithm>\n#include <map>\n#include <string>\n#include <vector>\n"
                             "namespace shop {\n"
                             "struct Item { std::string name; int price = 0; int tax() const { return price / 5; } };\n"
                             "template <typename T> T total(const std::vector<Item>& items)\n"
                             "{\n"
                             "    T sum{};\n"
                             "    for (const auto& item : items)\n"
                             "        sum += static_cast<T>(item.price + item.tax());\n"
                             "    return sum;\n"
                             "}\n"
                             "class Shelf {\n"
                             "public:\n"
                             "    void put(std::string name, int price)\n"
                             "    {\n"
                             "        m_items.push_back({std::move(name), price});\n"
                             "        std::sort(m_items.begin(), m_items.end(), [](const Item& a, const Item& b) { return a.price < b.price; });\n"
                             "    }\n"
                             "    [[gnu::noinline]] long worth() const { return total<long>(m_items); }\n"
                             "private:\n"
                             "    std::vector<Item> m_items;\n"
                             "};\n"
                             "}\n"
                             "int main(int argc, char**)\n"
                             "{\n"
                             "    std::map<int, shop::Shelf> shelves;\n"
                             "    for (int i = 0; i < 9; ++i)\n"
                             "        shelves[i % 3].put(\"thing\" + std::to_string(i), argc * i);\n"
                             "    long sum = 0;\n"
                             "    for (const auto& [number, shelf] : shelves)\n"
                             "        sum += shelf.worth() + number;\n"
                             "    return static_cast<int>(sum);\n"
                             "}\n";

bool runs(const QString& program, const QStringList& arguments)
{
    QProcess process;
    process.setProcessChannelMode(QProcess::ForwardedChannels);
    process.start(program, arguments);
    return process.waitForFinished(60'000) && process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0;
}
Fd opened(const QString& path) { return openToRead(path.toStdString()); }
record::Shared<std::string> asIs(const char* name) { return std::string(name); }

/// One frame as addr2line and we print it: "rotl mix.c:5".
using Chain = QStringList;
QString shown(const QString& function, const QString& file, qulonglong line)
{
    // A folder may be spelled in several ways ("/usr/lib/gcc/../../include").
    const auto path = file.isEmpty() || line == 0 ? QString() : QDir::cleanPath(file);
    return function + ' ' + (path.isEmpty() ? QStringLiteral("?") : path + ':' + QString::number(line));
}
/// The addresses of what nm lists as code with a size: each byte is one, as a return address may follow any call.
std::vector<std::uint64_t> codeOf(const QString& file)
{
    QProcess nm;
    nm.start(QStringLiteral("nm"), {QStringLiteral("-S"), QStringLiteral("--defined-only"), file});
    nm.waitForFinished(60'000);
    std::vector<std::uint64_t> all;
    for (const auto& line : nm.readAllStandardOutput().split('\n')) {
        const auto cells = line.split(' ');
        if (cells.size() != 4 || !QByteArray("TtWw").contains(cells[2])) continue;
        const auto from = cells[0].toULongLong(nullptr, 16), size = cells[1].toULongLong(nullptr, 16);
        for (auto at = from; at < from + size; ++at)
            all.push_back(at);
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}
/// What addr2line -i -f -a says of each address; names as we spell them.
std::map<std::uint64_t, Chain> addr2line(const char* program, const QString& file, const std::vector<std::uint64_t>& addresses)
{
    QProcess tool;
    tool.start(QString::fromUtf8(program), {QStringLiteral("-ifa"), QStringLiteral("-e"), file});
    QByteArray questions;
    for (const auto address : addresses)
        questions += "0x" + QByteArray::number(qulonglong(address), 16) + '\n';
    tool.write(questions);
    tool.closeWriteChannel();
    tool.waitForFinished(120'000);
    std::map<std::uint64_t, Chain> answers;
    const auto lines = QString::fromUtf8(tool.readAllStandardOutput()).split('\n');
    Chain* chain = nullptr;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        if (lines[i].startsWith(QStringLiteral("0x"))) {
            chain = &answers[lines[i].toULongLong(nullptr, 16)];
        } else if (chain && i + 1 < lines.size()) {
            // LLVM's takes the name of the outermost function from the symbols, where it may be a clone.
            const auto function
                = QString::fromStdString(demangle::demangled(lines[i].toStdString())).section(QStringLiteral(" [clone"), 0, 0);
            auto place = lines[++i].section(QStringLiteral(" (discriminator"), 0, 0);
            const auto line = place.section(':', -1).toULongLong();
            *chain << shown(function, place.section(':', 0, -2), line);
        }
    }
    return answers;
}
Chain chainOf(const std::vector<SourcePlace>& places)
{
    Chain chain;
    for (const auto& place : places)
        chain << shown(QString::fromStdString(place.function), QString::fromStdString(*place.file), place.line);
    return chain;
}
} // namespace

class TestDebugLines : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    Result<DwarfLibrary> m_library = DwarfLibrary::load();

private Q_SLOTS:
    void initTestCase()
    {
        if (!has("cc") || !has("c++") || !has("addr2line") || !has("objcopy")) QSKIP("needs compilers and binutils");
        QVERIFY2(bool(m_library), m_library ? "" : m_library.error().message.c_str());
    }

    void tellsWhatAddr2lineTells_data()
    {
        QTest::addColumn<QString>("compiler");
        QTest::addColumn<QString>("flags");
        QTest::addColumn<QString>("afterwards"); ///< what is done with the program
        QTest::addColumn<int>("fewestInlined");
        const auto row = [](const char* name, const char* compiler, const char* flags, int fewest, const char* afterwards = "") {
            QTest::newRow(name) << compiler << flags << afterwards << fewest;
        };
        row("C, DWARF 5", "cc", "-O2 -g -gdwarf-5", 10);
        row("C, DWARF 4", "cc", "-O2 -g -gdwarf-4", 10);
        row("C, DWARF 3", "cc", "-O2 -g -gdwarf-3 -gstrict-dwarf", 10);
        row("C, at a fixed address", "cc", "-O2 -g -no-pie -fno-pie", 10);
        row("C, unoptimized", "cc", "-O0 -g", 0);
        row("C, the debug file apart", "cc", "-O2 -g", 10, "objcopy");
        row("C, compressed", "cc", "-O2 -g -gz=zlib", 10);
        row("C++, DWARF 5", "c++", "-O2 -g -gdwarf-5", 500);
        row("C++, DWARF 4", "c++", "-O2 -g -gdwarf-4", 500);
        row("C++, -O3", "c++", "-O3 -g -gdwarf-5", 500);
        row("C++, the debug file apart", "c++", "-O2 -g -gdwarf-5", 500, "objcopy");
        row("C++, made small by dwz", "c++", "-O2 -g -gdwarf-4", 500, "dwz");
        row("C++, clang, without .debug_aranges", "clang++", "-O2 -std=c++17 -g -gdwarf-5", 100);
        row("C++, clang, DWARF 4", "clang++", "-O2 -std=c++17 -g -gdwarf-4", 100);
    }
    void tellsWhatAddr2lineTells()
    {
        QFETCH(QString, compiler);
        QFETCH(QString, flags);
        QFETCH(QString, afterwards);
        QFETCH(int, fewestInlined);
        if (!has(compiler.toUtf8().constData())) QSKIP("this compiler is not installed");
        if (afterwards == "dwz" && !has("dwz")) QSKIP("needs dwz");
        const bool isC = compiler == "cc";
        const auto name = QStringLiteral("program%1").arg(QDir(m_folder.path()).count());
        const auto program = compiled(m_folder, name, isC ? kC : QByteArray(kCpp), flags.split(' '), compiler);
        QVERIFY(!program.isEmpty());
        if (afterwards == "dwz") QVERIFY(runs("dwz", {program}));
        auto debug = program;
        if (afterwards == "objcopy") {
            debug = program + ".debug";
            QVERIFY(runs("objcopy", {"--only-keep-debug", program, debug}));
        }
        // addr2line is asked before debug information is taken away.
        const auto addresses = codeOf(program);
        QVERIFY(addresses.size() > 200);
        const auto theirs = addr2line("addr2line", program, addresses);
        std::map<std::uint64_t, Chain> differing;

        const auto lines = DebugLines::open(*m_library, opened(debug));
        QVERIFY(lines != nullptr);
        int inlined = 0, told = 0;
        for (const auto address : addresses) {
            const auto places = lines->at(address, asIs);
            auto ours = chainOf(places);
            auto expected = theirs.at(address);
            if (places.empty()) { // of the start-up code, which has no debug information: the symbol is all that addr2line has
                QVERIFY2(expected.size() == 1 && expected[0].endsWith(" ?"), qPrintable(QString::number(address, 16) + ": " + expected.join(", ")));
                continue;
            }
            ++told;
            inlined += places.size() > 1;
            if (ours != expected) differing[address] = ours;
        }
        // binutils 2.40 takes a wrong file for some functions of DWARF 5, and misses inlined ones of clang's: there LLVM's is asked.
        const bool errs = flags.contains("dwarf-5");
        if (errs && !differing.empty() && !has("llvm-addr2line")) QSKIP("binutils errs on some addresses, and llvm-addr2line is not here");
        const auto second = errs ? addr2line("llvm-addr2line", program, [&] {
            std::vector<std::uint64_t> all;
            for (const auto& [address, ours] : differing)
                all.push_back(address);
            return all;
        }()) : std::map<std::uint64_t, Chain>();
        for (const auto& [address, ours] : differing) {
            const auto found = second.find(address);
            const auto expected = found == second.end() ? theirs.at(address) : found->second;
            QVERIFY2(ours == expected,
                qPrintable(QString::number(address, 16) + "\nours:   " + ours.join("\n        ") + "\ntheirs: " + expected.join("\n        ")));
        }
        QVERIFY2(told > 100 && inlined >= fewestInlined, qPrintable(QStringLiteral("%1 addresses, %2 with inlined functions").arg(told).arg(inlined)));
        qInfo("%d addresses, %d with inlined functions: equal, %zu of them to LLVM's alone", told, inlined, differing.size());
    }

    void findsTheCodeOfLines_data()
    {
        QTest::addColumn<QString>("compiler");
        QTest::addColumn<QString>("flags");
        QTest::newRow("C, unoptimized") << "cc" << "-O0 -g";
        QTest::newRow("C, optimized") << "cc" << "-O2 -g";
        QTest::newRow("C, DWARF 4") << "cc" << "-O2 -g -gdwarf-4";
        QTest::newRow("C, in a file of their own") << "cc" << "-O2 -g -gsplit-dwarf";
        QTest::newRow("C++, optimized") << "c++" << "-O2 -g -gdwarf-4";
    }
    /// The lines that readelf lists have code, where it says that they begin.
    void findsTheCodeOfLines()
    {
        QFETCH(QString, compiler);
        QFETCH(QString, flags);
        if (!has("readelf")) QSKIP("needs binutils");
        const bool isC = compiler == "cc";
        const auto program = compiled(m_folder, QStringLiteral("lines%1").arg(QDir(m_folder.path()).count()), isC ? kC : QByteArray(kCpp), flags.split(' '), compiler);
        QVERIFY(!program.isEmpty());
        const auto lines = DebugLines::open(*m_library, opened(program));
        QVERIFY(lines != nullptr);

        // "mix.c    31    0x1189    1    x": the last is of what begins a statement.
        QProcess readelf;
        readelf.start(QStringLiteral("readelf"), {QStringLiteral("--debug-dump=decodedline"), program});
        QVERIFY(readelf.waitForFinished(60'000));
        std::map<QString, std::map<uint, std::set<std::uint64_t>>> listed;
        for (const auto& row : QString::fromUtf8(readelf.readAllStandardOutput()).split('\n')) {
            const auto cells = row.split(' ', Qt::SkipEmptyParts);
            if (cells.size() >= 4 && cells[2].startsWith("0x") && cells.last() == "x" && cells[1].toUInt() > 0) listed[cells[0]][cells[1].toUInt()].insert(cells[2].toULongLong(nullptr, 16));
        }
        const auto source = std::find_if(listed.begin(), listed.end(), [](const auto& file) { return file.second.size() > 5; });
        QVERIFY(source != listed.end());
        const auto name = source->first.toStdString();

        uint several = 0;
        for (uint line = 1; line <= source->second.rbegin()->first + 1; ++line) {
            const auto places = lines->placesOf(name, line);
            QVERIFY(places.knowsFile);
            QVERIFY2(places.addresses.empty() != source->second.contains(line), qPrintable(QString::number(line)));
            const auto next = source->second.upper_bound(line);
            QCOMPARE(places.next, places.addresses.empty() && next != source->second.end() ? next->first : 0);
            several += places.addresses.size() > 1;
            for (const auto address : places.addresses)
                QVERIFY2(source->second[line].contains(address), qPrintable(QString("line %1 at %2").arg(line).arg(address, 0, 16)));
        }
        QVERIFY(several > 0 || isC); // inlined functions; in C those of kC begin at one address
        QVERIFY(!lines->placesOf("x" + name, 5).knowsFile);
    }

    void filesOfARelativePathAreNamedFromTheRootOn_data()
    {
        QTest::addColumn<QString>("flags");
        QTest::newRow("DWARF 5") << "-gdwarf-5";
        QTest::newRow("DWARF 4") << "-gdwarf-4";
        QTest::newRow("DWARF 3") << "-gdwarf-3 -gstrict-dwarf";
    }
    /// As make calls a compiler: "cc src/mix.c", with a header in a folder below.
    void filesOfARelativePathAreNamedFromTheRootOn()
    {
        QFETCH(QString, flags);
        const QTemporaryDir project;
        QVERIFY(QDir(project.path()).mkpath("src/parts"));
        const auto write = [&](const char* name, const QByteArray& text) {
            QFile file(project.filePath(name));
            return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
        };
        QVERIFY(write("src/parts/sum.h",
            "static inline int sum(int n)\n{\n    int all = 0;\n    for (int i = 0; i < n; ++i)\n        all += i * n;\n    return "
            "all;\n}\n"));
        QVERIFY(write("src/main.c",
            "#include \"parts/sum.h\"\nint main(int argc, char** argv)\n{\n    return sum(argc * 100) == 1 || sum(argc) == 7;\n}\n"));
        QProcess cc;
        cc.setProcessChannelMode(QProcess::ForwardedChannels);
        cc.setWorkingDirectory(project.path());
        cc.start("cc", QStringList{"-O2", "-o", "main", "src/main.c"} + flags.split(' '));
        QVERIFY(cc.waitForFinished(60'000) && cc.exitCode() == 0);

        const auto program = project.filePath("main");
        const auto theirs = addr2line("addr2line", program, codeOf(program));
        const auto lines = DebugLines::open(*m_library, opened(program));
        QVERIFY(lines != nullptr);
        int inlined = 0;
        for (const auto& [address, expected] : theirs) {
            const auto places = lines->at(address, asIs);
            if (places.empty()) continue; // of the start-up code
            QCOMPARE(chainOf(places), expected);
            inlined += places.size() > 1;
        }
        QVERIFY(inlined > 0);
        const auto header = project.filePath("src/parts/sum.h");
        for (const auto& name :
            {header, header.mid(1), QStringLiteral("src/parts/sum.h"), QStringLiteral("parts/sum.h"), QStringLiteral("sum.h")})
            QVERIFY2(lines->placesOf(name.toStdString(), 5).knowsFile, qPrintable(name));
        QVERIFY(!lines->placesOf("other" + header.toStdString(), 5).knowsFile);
    }

    void readsWhatIsInOtherFiles()
    {
        // binutils 2.40 does not find what -gsplit-dwarf left in .dwo files: the chains are those of the same code in one file.
        const auto chains = [&](const QStringList& flags) {
            std::map<std::uint64_t, Chain> all;
            const auto program = compiled(m_folder, QStringLiteral("split"), kC, flags);
            const auto lines = DebugLines::open(*m_library, opened(program));
            if (lines)
                for (const auto address : codeOf(program))
                    all[address] = chainOf(lines->at(address, asIs));
            return all;
        };
        const QStringList flags{"-O2", "-g"};
        const auto split = chains(flags + QStringList{"-gsplit-dwarf"}), whole = chains(flags);
        QVERIFY(std::any_of(whole.begin(), whole.end(), [](const auto& one) { return one.second.size() == 3; }));
        QVERIFY(split == whole);
    }

    void whatIsMalformedTellsNothing()
    {
#ifdef __SANITIZE_ADDRESS__
        QSKIP("libdw 0.188 itself reads a byte or more behind strings that do not end, which the sanitizer takes for ours");
#endif
        // Bytes of the debug sections are changed at random: nothing may crash, or go on for ever.
        const auto program = compiled(m_folder, QStringLiteral("whole"), kC, {"-O2", "-g", "-gz=none"});
        QFile file(program);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto bytes = file.readAll();
        const auto elf = ElfFile::open(opened(program));
        QVERIFY(bool(elf));
        std::vector<std::pair<std::uint64_t, std::uint64_t>> places;
        for (const auto& section : elf->sections())
            if (section.name.starts_with(".debug_")) places.emplace_back(section.offset, section.size);
        QVERIFY(places.size() >= 4);
        const auto addresses = codeOf(program);
        std::mt19937 random(7);
        int readable = 0;
        for (int round = 0; round < 400; ++round) {
            auto damaged = bytes;
            for (int changes = 1 + static_cast<int>(random() % 40); changes > 0; --changes) {
                const auto& [offset, size] = places[random() % places.size()];
                damaged[static_cast<qsizetype>(offset + random() % size)] = static_cast<char>(random());
            }
            if (round % 10 == 0) damaged.truncate(static_cast<qsizetype>(random() % static_cast<unsigned>(bytes.size())));
            QFile to(m_folder.filePath("damaged"));
            QVERIFY(to.open(QIODevice::WriteOnly));
            to.write(damaged);
            to.close();
            const auto lines = DebugLines::open(*m_library, opened(to.fileName()));
            if (!lines) continue;
            ++readable;
            for (std::size_t i = 0; i < addresses.size(); i += 5)
                for (const auto& place : lines->at(addresses[i], asIs))
                    QVERIFY(place.line == 0 || place.file);
        }
        QVERIFY(readable > 50); // what was damaged was looked at
    }
};
QTEST_GUILESS_MAIN(TestDebugLines)
#include "tst_debug_lines.moc"
