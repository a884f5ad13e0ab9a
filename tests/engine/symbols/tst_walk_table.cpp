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

class TestWalkTable : public QObject {
    Q_OBJECT
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
