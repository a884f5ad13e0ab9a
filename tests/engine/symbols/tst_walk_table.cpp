#include "compiled_program.h"
#include "engine/base/fd.h"
#include "engine/symbols/frame_parts.h"
#include "engine/symbols/module.h"
#include "engine/symbols/walk_table.h"
#include <QObject>
#include <QTest>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <map>
using namespace dscope;
using namespace dscope::symbols;
using object::WalkKind;
using object::walkRule;

constexpr auto kPart = FrameParts::kPart;
constexpr std::size_t kPages = kPart >> object::kWalkPageBits;
/// Whole, as it was before files were read in parts.
static FrameRows wholeRows(const ElfFile& file)
{
    const auto* section = file.section(".eh_frame");
    return section ? FrameRows(file.contents(*section), section->address, FrameRows::Format::EhFrame) : FrameRows();
}
/// The rule for an address, found as the walker in the kernel finds it: page, then the last row at or before it.
static std::uint64_t ruleAt(const WalkTable& table, std::uint64_t address)
{
    const auto from = address - table.base;
    const auto number = from >> object::kWalkPageBits;
    if (address < table.base || number >= table.pages.size()) return walkRule(WalkKind::FramePointer);
    const auto page = table.pages[number];
    const auto first = page & ((1U << object::kFirstRowBits) - 1), count = page >> object::kFirstRowBits;
    std::uint64_t rule = ~std::uint64_t{0};
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto row = table.rows.at(first + i);
        if ((row >> object::kRowShift) <= (from & ((1U << object::kWalkPageBits) - 1))) rule = row & ((std::uint64_t{1} << object::kRowShift) - 1);
    }
    return rule;
}
static std::unique_ptr<Module> open(const char* path)
{
    auto file = ElfFile::open(Fd(::open(path, O_RDONLY | O_CLOEXEC)));
    return file ? std::make_unique<Module>(*std::move(file), path, DebugPlaces{}) : nullptr;
}

constexpr std::uint64_t kFunction = 0x2000;
/// A function of aarch64 there, of 0x100 bytes, with this program of call frame instructions.
static FrameRows rowsOfAarch64(const QList<int>& program)
{
    constexpr std::uint64_t kSection = 0x1000;
    ByteWriter out;
    out.put(std::uint32_t{20});
    out.put(std::uint32_t{0});
    for (const int b : {1, int('z'), int('R'), 0, 4, 0x78, 30, 1, 0x1b, 0x0c, 31, 0, 0, 0, 0, 0}) // cfa = sp; instructions have 4 bytes
        out.put(static_cast<std::uint8_t>(b));
    out.put(static_cast<std::uint32_t>(13 + program.size()));
    out.put(std::uint32_t{28});
    out.put(static_cast<std::int32_t>(kFunction - (kSection + 32)));
    out.put(std::uint32_t{0x100});
    out.put(std::uint8_t{0});
    for (const int b : program)
        out.put(static_cast<std::uint8_t>(b));
    return FrameRows(out.bytes(), kSection, FrameRows::Format::EhFrame, Architecture::Aarch64);
}

class TestWalkTable : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
private Q_SLOTS:
    void everyRowOfAFileIsFound_data()
    {
        QTest::addColumn<QByteArray>("library");
        for (const auto* name : {"libc.so.6", "libstdc++.so.6", "libQt6Core.so.6", "ld-linux-x86-64.so.2"})
            QTest::newRow(name) << QByteArray(name);
    }
    void everyRowOfAFileIsFound()
    {
        QFETCH(QByteArray, library);
        void* handle = ::dlopen(library.constData(), RTLD_NOW);
        link_map* map = nullptr;
        if (!handle || ::dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) QSKIP("the library is not installed");
        const auto module = open(map->l_name);
        QVERIFY(module);
        const auto rows = wholeRows(module->file());
        QVERIFY(!rows.empty());
        std::size_t unknown = 0;
        std::map<std::uint64_t, WalkTable> parts;
        for (const auto& row : rows.rows()) {
            const auto address = rows.base() + row.pc;
            for (const auto at : {address, address + 1, address - 1}) {
                const auto base = at / kPart * kPart;
                const auto [part, isNew] = parts.try_emplace(base);
                if (isNew) part->second = compileWalkTable(module->frames().around(at), base, kPages, module->restorers());
                const auto* rule = rows.find(at);
                const auto wanted = rule ? walkRuleOf(*rule, rows) : walkRule(WalkKind::FramePointer);
                QVERIFY2(ruleAt(part->second, at) == wanted, QByteArray::number(static_cast<qulonglong>(at), 16).constData());
                unknown += at == address && wanted == walkRule(WalkKind::Unknown);
                // The same functions, too: those without names are told by where they start.
                const auto whole = rows.function(at), partial = module->frames().around(at).function(at);
                QCOMPARE(partial.has_value(), whole.has_value());
                if (whole) QCOMPARE(std::pair(partial->start, partial->size), std::pair(whole->start, whole->size));
            }
        }
        // Nearly all code is told by rsp and rbp.
        QVERIFY2(unknown * 50 < rows.rows().size(), QByteArray::number(static_cast<qulonglong>(unknown)).constData());
        // No page's rows cross a chunk.
        for (const auto& [base, table] : parts)
            for (const auto page : table.pages) {
                const auto first = page & ((1U << object::kFirstRowBits) - 1), last = first + (page >> object::kFirstRowBits) - 1;
                QVERIFY(page != 0 && last >= first && first / object::kRowsOfChunk == last / object::kRowsOfChunk);
            }
    }
    void offsetsKeepTheirSigns_data()
    {
        QTest::addColumn<int>("cfa");
        QTest::addColumn<int>("saved");
        QTest::newRow("usual") << 16 << -16;
        QTest::newRow("large") << (1 << 23) << -(1 << 23);
        QTest::newRow("none") << 8 << 0;
        QTest::newRow("both below") << -8 << -24;
    }
    void offsetsKeepTheirSigns()
    {
        QFETCH(int, cfa);
        QFETCH(int, saved);
        const auto rule = walkRule(WalkKind::Rbp, cfa, saved);
        const auto field = [rule](unsigned shift) {
            const auto value = static_cast<std::int64_t>(rule << (64 - object::kWalkOffsetBits - shift));
            return static_cast<int>(value >> (64 - object::kWalkOffsetBits));
        };
        QCOMPARE(field(object::kCfaShift), cfa);
        QCOMPARE(field(object::kSavedShift), saved);
        QVERIFY(rule >> object::kRowShift == 0);
    }
    /// Of aarch64: tables as GCC writes them for the prologues told beside them, read here on whatever this machine is.
    void rulesOfAarch64SayWhereTheLinkIs_data()
    {
        QTest::addColumn<QList<int>>("program");
        QTest::addColumn<int>("instruction"); // by number
        QTest::addColumn<quint64>("rule");
        const auto row = [](const char* name, const QList<int>& program, int instruction, std::uint64_t rule) {
            QTest::newRow(name) << program << instruction << quint64{rule};
        };
        const QList<int> record{0x41, 0x0e, 32, 0x9d, 4, 0x9e, 3, 0x93, 2, 0x44, 0xde, 0xdd, 0xd3, 0x0e, 0}; // stp x29, x30, [sp, -32]!
        row("at the entry", record, 0, object::walkLinkRule(WalkKind::Rsp, 0));
        row("a frame record", record, 1, object::walkLinkRule(WalkKind::Rsp, 32, -32, -24));
        row("until it is taken back", record, 4, object::walkLinkRule(WalkKind::Rsp, 32, -32, -24));
        row("behind it", record, 5, object::walkLinkRule(WalkKind::Rsp, 0));
        row("a leaf with locals", {0x41, 0x0e, 0x90, 0x01}, 1, object::walkLinkRule(WalkKind::Rsp, 144));
        row("the link alone", {0x41, 0x0e, 16, 0x9e, 2}, 1, object::walkLinkRule(WalkKind::Rsp, 16, 0, -16));
        row("apart from the frame pointer", {0x41, 0x0e, 48, 0x9e, 6, 0x9d, 1}, 1, object::walkLinkRule(WalkKind::Rsp, 48, -8, -48));
        row("by x29 (alloca)", {0x41, 0x0e, 32, 0x9d, 4, 0x9e, 3, 0x41, 0x0c, 29, 32}, 2,
            object::walkLinkRule(WalkKind::Rbp, 32, -32, -24));
        row("64 KiB", {0x41, 0x0e, 0xa0, 0x80, 0x04, 0x9d, 0x84, 0x40, 0x9e, 0x83, 0x40}, 1,
            object::walkLinkRule(WalkKind::Rsp, 65568, -65568, -65560));
        row("signed (paciasp)", {0x41, 0x2d, 0x41, 0x0e, 16, 0x9d, 2, 0x9e, 1}, 2, object::walkLinkRule(WalkKind::Rsp, 16, -16, -8));
        row("signed, with the place", {0x41, 0x2c, 0x41, 0x0e, 16, 0x9d, 2, 0x9e, 1}, 2, object::walkLinkRule(WalkKind::Rsp, 16, -16, -8));
        row("the outermost", {0x07, 30}, 0, walkRule(WalkKind::End));
        row("by a register that walks do not keep", {0x41, 0x0c, 19, 16}, 1, walkRule(WalkKind::Unknown));
        row("in another register", {0x41, 0x09, 30, 2}, 1, walkRule(WalkKind::Unknown));
        row("by an expression (SVE)", {0x41, 0x0f, 2, 0x8f, 16}, 1, walkRule(WalkKind::Unknown));
    }
    void rulesOfAarch64SayWhereTheLinkIs()
    {
        QFETCH(QList<int>, program);
        QFETCH(int, instruction);
        QFETCH(quint64, rule);
        const auto rows = rowsOfAarch64(program);
        const auto* found = rows.find(kFunction + 4 * static_cast<std::uint64_t>(instruction));
        QVERIFY(found);
        QCOMPARE(quint64{walkRuleOf(*found, rows)}, rule);
    }
    void linkOffsetsKeepTheirSigns_data()
    {
        QTest::addColumn<int>("cfa");
        QTest::addColumn<int>("frame");
        QTest::addColumn<int>("link");
        QTest::addColumn<bool>("fit");
        QTest::newRow("usual") << 32 << -32 << -24 << true;
        QTest::newRow("64 KiB") << 65568 << -65568 << -65560 << true;
        QTest::newRow("largest") << (1 << 20) - 8 << -(1 << 18) << -(1 << 18) << true;
        QTest::newRow("a frame of a megabyte") << (1 << 20) << -16 << -8 << false;
        QTest::newRow("saved too far away") << (1 << 19) << -(1 << 18) - 8 << -8 << false;
        QTest::newRow("no words") << 20 << -16 << -8 << false;
    }
    void linkOffsetsKeepTheirSigns()
    {
        QFETCH(int, cfa);
        QFETCH(int, frame);
        QFETCH(int, link);
        using namespace object;
        QTEST(fits(kLinkCfa, cfa) && fits(kLinkFrame, frame) && fits(kLinkLink, link), "fit");
        QFETCH(bool, fit);
        if (!fit) return;
        const auto rule = walkLinkRule(WalkKind::Rbp, cfa, frame, link);
        const auto field = [rule](WalkField f) {
            return static_cast<int>(static_cast<std::int64_t>(rule << (64 - f.bits - f.shift)) >> (64 - f.bits)) * 8;
        };
        QCOMPARE(field(kLinkCfa), cfa);
        QCOMPARE(field(kLinkFrame), frame);
        QCOMPARE(field(kLinkLink), link);
        QVERIFY(rule >> kRowShift == 0);
        QCOMPARE(rule & ((1U << kCfaShift) - 1), static_cast<std::uint64_t>(WalkKind::Rbp));
    }
    /// What no table tells of: the kernel's trampoline, right before a function, and stubs, which leave all as it was.
    void codeOfAarch64WithoutTablesIsTold()
    {
        constexpr std::uint64_t kBase = 0x1000, kRestorer = kFunction - 8;
        const std::vector<std::uint64_t> restorers{kRestorer};
        const std::vector<CodeRange> stubs{{0x1420, 0x1430}, {0x1430, 0x1440}, {0x9000, 0x9010}};
        const auto leaf = object::walkLinkRule(WalkKind::Rsp, 0), gap = walkRule(WalkKind::FramePointer),
                   signal = walkRule(WalkKind::Signal);
        const auto table = compileWalkTable(rowsOfAarch64({}), kBase, 8, restorers, {}, stubs);
        for (const auto& [at, rule] : std::initializer_list<std::pair<std::uint64_t, std::uint64_t>>{{0x141c, gap}, {0x1420, leaf},
                 {0x1430, leaf}, {0x143c, leaf}, {0x1440, gap}, {kRestorer - 4, gap}, {kRestorer - 1, signal}, {kRestorer, signal},
                 {kRestorer + 4, signal}, {kFunction, leaf}, {kFunction + 0xfc, leaf}, {kFunction + 0x100, gap}})
            QVERIFY2(ruleAt(table, at) == rule, QByteArray::number(static_cast<qulonglong>(at), 16).constData());
    }
    /// lld writes no unwind entries for the stubs by which other files' functions are called.
    void stubsOfLldAreToldOf()
    {
        if (QStandardPaths::findExecutable("ld.lld").isEmpty()) QSKIP("there is no lld");
        const auto path = compiled(m_folder, QStringLiteral("stubs"),
            "#include <stdlib.h>\n#include <unistd.h>\nint main(void) { abort(); return getppid(); }",
            {QStringLiteral("-fuse-ld=lld"), QStringLiteral("-Wl,-z,lazy")});
        QVERIFY(!path.isEmpty());
        const auto module = open(path.toUtf8().constData());
        QVERIFY(module);
        QVERIFY(module->stubs().size() >= 2);
        for (const auto& stub : module->stubs()) {
            const auto table = compileWalkTable(module->frames().around(stub.start), stub.start & ~(kPart - 1), kPages, module->restorers(),
                module->stackEnds(), module->stubs());
            QCOMPARE(ruleAt(table, stub.start), walkRule(WalkKind::Rsp, 8));
            QCOMPARE(ruleAt(table, stub.end), walkRule(WalkKind::FramePointer)); // the stack has changed
            QVERIFY(module->isStubAt(stub.start) && !module->isStubAt(stub.end));
        }
    }
    /// Where a segment has a file's constants beside its code, it is not the code that is large and that nothing tells of.
    void constantsAreNoCode()
    {
        const auto path = compiled(m_folder, QStringLiteral("constants"),
            "#include <unistd.h>\nextern const int all[];\nconst int all[4000000] = {1};\nint main(void) { return all[getppid()]; }",
            {QStringLiteral("-Wl,-z,noseparate-code")});
        QVERIFY(!path.isEmpty());
        const auto module = open(path.toUtf8().constData());
        QVERIFY(module);
        QVERIFY(module->tellsItsRules());
        QVERIFY(!module->frames().whole()); // it is read in parts
    }
    /// Code that nothing tells of is followed by frame pointers.
    void nothingComesOfNothing()
    {
        const auto table = compileWalkTable(FrameRows(), kPart, kPages);
        QCOMPARE(table.pages.size(), kPages);
        for (const auto at : {kPart, kPart + 1, 2 * kPart - 1})
            QCOMPARE(ruleAt(table, at), walkRule(WalkKind::FramePointer));
    }
};
QTEST_GUILESS_MAIN(TestWalkTable)
#include "tst_walk_table.moc"
