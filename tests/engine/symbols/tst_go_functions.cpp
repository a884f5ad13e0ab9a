#include "compiled_program.h"
#include "engine/symbols/code_file.h"
#include "engine/symbols/go_functions.h"
#include "engine/symbols/module.h"
#include <QDir>
#include <QFileInfo>
#include <QObject>
#include <QRegularExpression>
#include <QTest>
#include <map>
#include <random>
#include <set>
using namespace dscope;
using namespace dscope::symbols;

namespace {
constexpr const char* kSource
    = "package main\nimport \"os\"\n"
      "type T struct{ n int }\nvar f func(int) int\n//go:noinline\nfunc (t *T) method() int { return t.n + 1 }\n"
      "//go:noinline\nfunc plain(n int) int { f = func(m int) int { return m*n + (&T{n}).method() }; return f(n) + f(n+1) }\n"
      "func main() { os.Exit(plain(len(os.Args))) }\n";
constexpr const char* kWithC = "package main\n// int twice(int n) { return 2 * n; }\nimport \"C\"\nfunc main() { println(C.twice(2)) }\n";

ElfFile opened(const QString& path)
{
    auto elf = ElfFile::open(openToRead(path.toStdString()));
    return elf ? std::move(*elf) : ElfFile{};
}
QByteArray run(const QString& program, const QStringList& arguments)
{
    QProcess process;
    process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process.start(program, arguments);
    process.waitForFinished(200'000);
    return process.readAllStandardOutput();
}
/// That of PATH, and those of Debian's packages of other versions.
QStringList compilers()
{
    QStringList all{QFileInfo(QStandardPaths::findExecutable(QStringLiteral("go"))).canonicalFilePath()};
    for (const auto& folder : QDir(QStringLiteral("/usr/lib")).entryList({QStringLiteral("go-1.*")}))
        all += QFileInfo(QStringLiteral("/usr/lib/%1/bin/go").arg(folder)).canonicalFilePath();
    all.removeAll(QString());
    all.removeDuplicates();
    return all;
}
/// Go's functions as nm lists them. The table has no calling convention behind names of assembler code, and no type arguments.
std::map<std::uint64_t, std::set<std::string>> listed(const QString& file)
{
    static const QRegularExpression typeArguments(QStringLiteral("\\[.*\\]"));
    std::map<std::uint64_t, std::set<std::string>> names;
    for (const auto& line : run(QStringLiteral("nm"), {QStringLiteral("-S"), QStringLiteral("--defined-only"), file}).split('\n')) {
        const auto cells = line.split(' ');
        if (cells.size() != 4 || !QByteArray("Tt").contains(cells[2]) || cells[1].toULongLong(nullptr, 16) == 0) continue;
        auto name = cells[3];
        if (name.endsWith(".abi0")) name.chop(5);
        names[cells[0].toULongLong(nullptr, 16)].insert(name.toStdString());
        name = QString::fromUtf8(name).replace(typeArguments, QStringLiteral("[...]")).toUtf8();
        names[cells[0].toULongLong(nullptr, 16)].insert(name.toStdString());
    }
    return names;
}
} // namespace

/// A stripped Go program has the names that nm lists before it is stripped.
class TestGoFunctions : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    QString built(const QString& go, const QString& name, const char* source, const QStringList& flags)
    {
        const auto text = m_folder.filePath(name + QStringLiteral(".go")), program = m_folder.filePath(name);
        QFile file(text);
        if (!file.open(QIODevice::WriteOnly)) return {};
        file.write(source);
        file.close();
        run(go, QStringList{QStringLiteral("build"), QStringLiteral("-o"), program} + flags + QStringList{text});
        return QFile::exists(program) ? program : QString();
    }
    QString stripped(const QString& program)
    {
        const auto out = program + QStringLiteral("-stripped");
        run(QStringLiteral("strip"), {QStringLiteral("-s"), QStringLiteral("-o"), out, program});
        return out;
    }
    /// `program` with another table.
    QString with(const QString& program, const Bytes& table)
    {
        QFile file(program + QStringLiteral(".table"));
        if (!file.open(QIODevice::WriteOnly)) return {};
        file.write(reinterpret_cast<const char*>(table.data()), static_cast<qint64>(table.size()));
        file.close();
        const auto out = program + QStringLiteral("-other");
        run(QStringLiteral("objcopy"), {QStringLiteral("--update-section"), QStringLiteral(".gopclntab=") + file.fileName(), program, out});
        return out;
    }
    void compare(const QString& whole, const std::vector<GoFunction>& functions)
    {
        const auto names = listed(whole);
        QVERIFY(names.size() > 500);
        std::size_t of = 0;
        for (const auto& f : functions) {
            const auto known = names.find(f.start);
            if (known == names.end()) continue;
            ++of;
            // The linker writes a middle dot as a dot.
            const auto name = QString::fromStdString(f.name).replace(QChar(0xb7), QChar('.')).toStdString();
            QVERIFY2(known->second.contains(name), (name + " is " + *known->second.begin()).c_str());
        }
        QVERIFY2(of > names.size() / 2, qPrintable(QStringLiteral("%1 of %2").arg(of).arg(names.size())));
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (compilers().isEmpty()) QSKIP("needs Go");
        if (QStandardPaths::findExecutable(QStringLiteral("objcopy")).isEmpty()) QSKIP("needs binutils");
    }

    void strippedProgramsAreNamed_data()
    {
        QTest::addColumn<QString>("go");
        QTest::addColumn<QByteArray>("source");
        QTest::addColumn<QStringList>("flags");
        for (const auto& go : compilers()) {
            const auto row = [&](const char* name, const char* source, const QStringList& flags) {
                QTest::newRow(qPrintable(QString::fromUtf8(run(go, {QStringLiteral("env"), QStringLiteral("GOVERSION")})).trimmed()
                    + QStringLiteral(", ") + QString::fromUtf8(name)))
                    << go << QByteArray(source) << flags;
            };
            row("at a fixed address", kSource, {});
            row("position-independent", kSource, {QStringLiteral("-buildmode=pie")});
            row("linked with C", kWithC, {});
            row("linked with C, position-independent", kWithC, {QStringLiteral("-buildmode=pie")});
        }
    }
    void strippedProgramsAreNamed()
    {
        QFETCH(QString, go);
        QFETCH(QByteArray, source);
        QFETCH(QStringList, flags);
        const auto name = QStringLiteral("go%1").arg(qHash(QString::fromUtf8(QTest::currentDataTag())));
        const auto whole = built(go, name, source, flags);
        if (whole.isEmpty()) QSKIP("Go did not make this program");
        const auto bare = stripped(whole);
        QVERIFY(!opened(bare).section(".symtab"));
        compare(whole, goFunctions(opened(bare)));
        // What stacks are named by, and what probes are found by.
        Module module(opened(bare), "bare", {});
        const auto code = CodeFile::open(bare.toStdString(), {});
        QVERIFY(code && (*code)->namesAll());
        int checked = 0;
        for (const auto& [start, names] : listed(whole)) {
            if (!names.contains("main.main") && !names.contains("main.(*T).method") && !names.contains("main.plain.func1")) continue;
            ++checked;
            QVERIFY(names.contains(module.named(start + 4).function));
            QCOMPARE(module.named(start + 4).offset, std::uint64_t{4});
            const auto* function = (*code)->named(*names.begin());
            QVERIFY(function && function->start == start && function->size > 0);
        }
        QCOMPARE(checked, source == kSource ? 3 : 1);
    }

    /// Go 1.16 told addresses where later ones tell distances; 1.20 only changed the first word.
    void olderAndNewerTablesAreRead_data()
    {
        QTest::addColumn<bool>("older");
        QTest::newRow("1.16") << true;
        QTest::newRow("1.20") << false;
    }
    void olderAndNewerTablesAreRead()
    {
        QFETCH(bool, older);
        const auto whole = built(compilers().first(), QStringLiteral("other"), kSource, {});
        QVERIFY(!whole.isEmpty());
        const auto file = opened(whole);
        const auto* section = file.section(".gopclntab");
        QVERIFY(section);
        const auto table = file.contents(*section);
        const auto first = readAt<std::uint32_t>(table, 0);
        QVERIFY(first == 0xfffffff0 || first == 0xfffffff1);
        const auto newer = [&] {
            auto copy = table;
            copy[0] = std::byte{0xf1};
            return copy;
        };
        const auto inOldForm = [&] {
            const auto word = [&](std::size_t i) { return readAt<std::uint64_t>(table, 8 + 8 * i); };
            const auto count = word(0), text = word(2) != 0 ? word(2) : file.section(".text")->address, names = word(3), from = word(7);
            ByteWriter functions, entries;
            for (std::uint64_t i = 0; i <= count; ++i) {
                functions.put(text + readAt<std::uint32_t>(table, from + 8 * i));
                if (i == count) break;
                functions.put((2 * count + 1) * 8 + entries.bytes().size());
                entries.put(std::uint64_t{0});
                entries.put(readAt<std::uint32_t>(table, from + readAt<std::uint32_t>(table, from + 8 * i + 4) + 4));
                entries.put(std::uint32_t{0});
            }
            const auto nameBytes = ByteView(table).subspan(names, word(4) - names);
            ByteWriter out;
            out.put(std::uint32_t{0xfffffffa});
            out.put(std::uint32_t{0x08010000});
            for (const auto w :
                {count, std::uint64_t{0}, std::uint64_t{64}, std::uint64_t{0}, std::uint64_t{0}, std::uint64_t{0}, 64 + nameBytes.size()})
                out.put(std::uint64_t{w});
            out.raw(nameBytes);
            out.raw(functions.bytes());
            out.raw(entries.bytes());
            return out.take();
        };
        compare(whole, goFunctions(opened(with(whole, older ? inOldForm() : newer()))));
    }

    void damagedTablesDoNoHarm()
    {
        const auto whole = built(compilers().first(), QStringLiteral("spoilt"), kSource, {});
        QVERIFY(!whole.isEmpty());
        const auto file = opened(whole);
        const auto* section = file.section(".gopclntab");
        QVERIFY(section);
        const auto image = file.bytes(0, file.size());
        std::mt19937 random(11);
        std::size_t most = 0;
        for (int i = 0; i < 300; ++i) {
            auto spoilt = image;
            for (int n = 0; n < 4; ++n) // the header, then anything
                spoilt[section->offset + (i % 2 ? random() % 72 : random() % section->size)] = static_cast<std::byte>(random());
            const auto elf = ElfFile::inMemory(std::move(spoilt));
            QVERIFY(elf);
            std::size_t names = 0;
            for (const auto& f : goFunctions(*elf))
                names += f.name.size();
            most = std::max(most, names);
        }
        QVERIFY(most > 0 && most <= section->size);
    }
};
QTEST_GUILESS_MAIN(TestGoFunctions)
#include "tst_go_functions.moc"
