#include "compiled_program.h"
#include "engine/symbols/elf_file.h"
#include "engine/symbols/frame_rows.h"
#include "engine/symbols/frame_step.h"
#include <QObject>
#include <QTest>
#include <fcntl.h>
#include <map>
#include <random>
using namespace dscope;
using namespace dscope::symbols;

namespace {
std::optional<ElfFile> opened(const QString& path)
{
    Fd fd(::open(path.toLocal8Bit().constData(), O_RDONLY | O_CLOEXEC));
    if (!fd) return std::nullopt;
    auto file = ElfFile::open(std::move(fd));
    if (!file) return std::nullopt;
    return *std::move(file);
}
QString systemLibrary(const char* name) { return QStringLiteral("/usr/lib/x86_64-linux-gnu/") + QString::fromUtf8(name); }
/// Of aarch64: of Debian's cross compiler, or of the root that .ci/matrix arm64 made.
QString foreignLibrary(const char* name)
{
    for (const auto* folder : {"/usr/aarch64-linux-gnu/lib/", DSCOPE_SOURCE "/build/roots/arm64-guest/usr/lib/aarch64-linux-gnu/"})
        if (const auto path = QString::fromUtf8(folder) + QString::fromUtf8(name); QFile::exists(path)) return path;
    return QString::fromUtf8(name);
}
using Registers = std::map<QByteArray, std::uint32_t>;
const Registers kX86Registers{{"rax", 0}, {"rdx", 1}, {"rcx", 2}, {"rbx", 3}, {"rsi", 4}, {"rdi", 5}, {"rbp", 6}, {"rsp", 7}, {"r8", 8},
    {"r9", 9}, {"r10", 10}, {"r11", 11}, {"r12", 12}, {"r13", 13}, {"r14", 14}, {"r15", 15}};
/// As readelf calls them.
Registers aarch64Registers()
{
    Registers all{{"sp", 31}};
    for (std::uint32_t i = 0; i < 31; ++i)
        all["x" + QByteArray::number(i)] = i;
    return all;
}

/// A hand-made .eh_frame at address 0x1000: one common entry, one function at 0x2000 of 0x100 bytes with this program.
Bytes section(std::initializer_list<int> program)
{
    ByteWriter out;
    const auto bytes = [&out](std::initializer_list<int> list) {
        for (const int b : list)
            out.put(static_cast<std::uint8_t>(b));
    };
    out.put(std::uint32_t{20});
    out.put(std::uint32_t{0});
    bytes({1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b, 0x0c, 7, 8, 0x90, 1, 0, 0}); // cfa = rsp + 8, return address at cfa - 8
    const auto size = static_cast<std::uint32_t>(4 + 8 + 1 + program.size());
    out.put(size);
    out.put(std::uint32_t{28});
    out.put(static_cast<std::int32_t>(0x2000 - (0x1000 + 32)));
    out.put(std::uint32_t{0x100});
    bytes({0});
    bytes(program);
    return out.take();
}
} // namespace

class TestFrameRows : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// OCaml 5 writes such tables: gdb and libgcc keep the expression, and the offset for the next register.
    void offsetsBehindAnExpressionAreKeptForTheNextRegister()
    {
        // def_cfa_expression (*(rsp)); +1 def_cfa_offset 100; +1 remember, def_cfa_offset 48; +1 def_cfa_register rbp; +1 restore; +1
        // register
        const FrameRows rows(
            section({0x0f, 3, 0x77, 0, 0x06, 0x41, 0x0e, 100, 0x41, 0x0a, 0x0e, 48, 0x41, 0x0d, 6, 0x41, 0x0b, 0x41, 0x0d, 6}), 0x1000,
            FrameRows::Format::EhFrame, Architecture::X86);
        for (const std::uint64_t address : {0x2000, 0x2001, 0x2002, 0x2004}) {
            const auto* rule = rows.find(address);
            QVERIFY(rule && rule->cfa == FrameRule::Cfa::Expression);
            QCOMPARE(rows.expression(rule->cfaValue).size(), std::size_t{3});
        }
        for (const auto& [address, offset] : {std::pair{0x2003, 48}, {0x2005, 100}}) {
            const auto* rule = rows.find(static_cast<std::uint64_t>(address));
            QVERIFY(rule && rule->cfa == FrameRule::Cfa::Register);
            QCOMPARE(rule->cfaRegister, std::uint32_t{6});
            QCOMPARE(rule->cfaValue, offset);
        }
    }
    void everyRowIsWhatReadelfShows_data()
    {
        QTest::addColumn<QString>("file");
        for (const char* name : {"libc.so.6", "libm.so.6", "libstdc++.so.6", "libcrypto.so.3", "ld-linux-x86-64.so.2"})
            QTest::newRow(name) << systemLibrary(name);
        QTest::newRow("bash") << QStringLiteral("/usr/bin/bash");
        for (const char* name : {"libc.so.6", "libm.so.6", "ld-linux-aarch64.so.1", "libstdc++.so.6"})
            QTest::addRow("%s of aarch64", name) << foreignLibrary(name);
    }
    void everyRowIsWhatReadelfShows()
    {
        QFETCH(QString, file);
        const auto elf = opened(file);
        if (!elf || !elf->section(".eh_frame")) QSKIP("that file is not here");
        if (QStandardPaths::findExecutable(QStringLiteral("readelf")).isEmpty()) QSKIP("needs readelf of binutils");
        const bool isAarch64 = QByteArray(QTest::currentDataTag()).endsWith("aarch64");
        const auto& where = *elf->section(".eh_frame");
        const FrameRows rows(
            elf->contents(where), where.address, FrameRows::Format::EhFrame, isAarch64 ? Architecture::Aarch64 : Architecture::X86);

        QProcess readelf;
        readelf.start(QStringLiteral("readelf"), {QStringLiteral("--debug-dump=frames-interp"), file});
        QVERIFY(readelf.waitForFinished(60'000));
        const std::map<QByteArray, Column> columns{{"rbp", Column::Rbp}, {"rbx", Column::Rbx}, {"r12", Column::R12}, {"r13", Column::R13},
            {"r14", Column::R14}, {"r15", Column::R15}, {"ra", Column::ReturnAddress}, {"x29", Column::Rbp}, {"x19", Column::Rbx},
            {"x20", Column::R12}, {"x21", Column::R13}, {"x22", Column::R14}};
        const auto registers = isAarch64 ? aarch64Registers() : kX86Registers;
        QList<QByteArray> head;
        std::uint64_t begin = 0, end = 0;
        int compared = 0, entries = 0;
        for (const auto& line : readelf.readAllStandardOutput().split('\n')) {
            if (const auto pc = line.indexOf(" pc="); pc >= 0 && line.contains(" FDE ")) {
                begin = line.mid(pc + 4, 16).toULongLong(nullptr, 16);
                end = line.mid(pc + 22, 16).toULongLong(nullptr, 16);
                ++entries;
                const auto entry = rows.function(begin);
                QVERIFY2(entry && entry->start == begin && entry->size == end - begin + (entry->signal ? 1 : 0), line.constData());
                continue;
            }
            auto cells = line.simplified().split(' ');
            if (cells[0] == "LOC") head = cells;
            bool isAddress = false;
            const auto address = cells[0].toULongLong(&isAddress, 16);
            if (!isAddress || cells[0].size() != 16 || cells.size() != head.size() || address < begin || address >= end) continue;
            const auto* rule = rows.find(address);
            QVERIFY2(rule, line.constData());
            for (qsizetype i = 1; i < cells.size(); ++i) {
                const auto& cell = cells[i];
                if (head[i] == "CFA") {
                    if (cell == "exp") {
                        QVERIFY2(rule->cfa == FrameRule::Cfa::Expression, line.constData());
                        continue;
                    }
                    const auto sign = std::max(cell.indexOf('+'), cell.indexOf('-'));
                    QVERIFY2(rule->cfa == FrameRule::Cfa::Register, line.constData());
                    QVERIFY2(
                        rule->cfaRegister == registers.at(cell.left(sign)) && rule->cfaValue == cell.mid(sign).toInt(), line.constData());
                    continue;
                }
                const auto column = columns.find(head[i]);
                if (column == columns.end()) continue;
                const auto& c = (*rule)[column->second];
                using Kind = ColumnRule::Kind;
                // readelf shows `u` for registers that a function has not saved yet as well as for undefined ones.
                const bool same = cell == "u" ? c.kind == Kind::Same || c.kind == Kind::Undefined
                    : cell == "s"             ? c.kind == Kind::Same
                    : cell == "exp"           ? c.kind == Kind::AtExpression
                    : cell == "vexp"          ? c.kind == Kind::Expression
                    : cell.startsWith('c')    ? c.kind == Kind::AtOffset && c.value == cell.mid(1).toInt()
                    : cell.startsWith('v')    ? c.kind == Kind::Offset && c.value == cell.mid(1).toInt()
                                              : c.kind == Kind::Register;
                QVERIFY2(same, (head[i] + ": " + line).constData());
            }
            ++compared;
        }
        QVERIFY(entries > 20);
        QCOMPARE(rows.functions().size(), static_cast<std::size_t>(entries));
        QVERIFY(compared > 100);
    }

    void rowsAreSortedAndGapsAreClosed()
    {
        const auto elf = opened(systemLibrary("libc.so.6"));
        if (!elf) QSKIP("no libc where Debian keeps it");
        const auto& where = *elf->section(".eh_frame");
        const FrameRows rows(elf->contents(where), where.address, FrameRows::Format::EhFrame);
        QVERIFY(std::is_sorted(rows.rows().begin(), rows.rows().end(), [](auto& a, auto& b) { return a.pc < b.pc; }));
        for (std::size_t i = 1; i < rows.rows().size(); ++i)
            QVERIFY(rows.rows()[i].pc > rows.rows()[i - 1].pc);
        for (const auto& r : rows.rows())
            QVERIFY(r.rule < rows.rules().size());
        QVERIFY(!rows.find(rows.base() - 1));
        const auto& last = rows.functions().back();
        QVERIFY(rows.find(rows.base() + last.start + last.size - 1) || last.size == 0);
        QVERIFY(!rows.find(rows.base() + last.start + last.size));
        // Rules repeat: that is why they are kept apart from the rows.
        QVERIFY(rows.rules().size() * 10 < rows.rows().size());
    }

    void instructionsMeanWhatDwarfSays_data()
    {
        QTest::addColumn<QList<int>>("program");
        QTest::addColumn<int>("at");
        QTest::addColumn<int>("cfaRegister"); // -1: no rule, -2: expression
        QTest::addColumn<int>("cfaOffset");
        QTest::addColumn<int>("rbpOffset"); // 0: same
        const auto row = [](const char* name, const QList<int>& program, int at, int reg, int offset, int rbp) {
            QTest::newRow(name) << program << at << reg << offset << rbp;
        };
        row("nothing but the common entry", {}, 0, 7, 8, 0);
        row("push rbp", {0x41, 0x0e, 16, 0x86, 2}, 1, 7, 16, -16);
        row("before it", {0x41, 0x0e, 16, 0x86, 2}, 0, 7, 8, 0);
        row("advance_loc1", {0x02, 0x40, 0x0e, 24}, 0x40, 7, 24, 0);
        row("advance_loc2", {0x03, 0x40, 0x00, 0x0e, 24}, 0x40, 7, 24, 0);
        row("advance_loc4", {0x04, 0x40, 0, 0, 0, 0x0e, 24}, 0x40, 7, 24, 0);
        row("advance to the last byte", {0x02, 0xff, 0x0e, 24}, 0xff, 7, 24, 0);
        row("advance past the end", {0x04, 0xff, 0xff, 0xff, 0xff, 0x0e, 24}, 0xff, 7, 8, 0);
        row("def_cfa_register", {0x41, 0x0d, 6}, 1, 6, 8, 0);
        row("def_cfa_sf", {0x41, 0x12, 6, 0x7e}, 1, 6, 16, 0);
        row("def_cfa_offset_sf", {0x41, 0x13, 0x7d}, 1, 7, 24, 0);
        row("remember and restore", {0x41, 0x0e, 16, 0x86, 2, 0x0a, 0x41, 0x0e, 32, 0x41, 0x0b}, 3, 7, 16, -16);
        row("restore to the common entry's rule", {0x41, 0x86, 2, 0x41, 0xc6}, 2, 7, 8, 0);
        row("restore_extended", {0x41, 0x86, 2, 0x41, 0x06, 6}, 2, 7, 8, 0);
        row("offset_extended", {0x41, 0x05, 6, 3}, 1, 7, 8, -24);
        row("offset_extended_sf", {0x41, 0x11, 6, 3}, 1, 7, 8, -24);
        row("GNU_negative_offset_extended", {0x41, 0x2f, 6, 3}, 1, 7, 8, 24);
        row("GNU_args_size is skipped", {0x41, 0x2e, 16, 0x0e, 16}, 1, 7, 16, 0);
        row("val_offset of a register not followed", {0x41, 0x14, 1, 2, 0x0e, 16}, 1, 7, 16, 0);
        row("expression for the CFA", {0x41, 0x0f, 2, 0x77, 8}, 1, -2, 0, 0);
        row("same_value", {0x41, 0x86, 2, 0x41, 0x08, 6}, 2, 7, 8, 0);
        row("behind the function", {}, 0x100, -1, 0, 0);
        row("unknown instruction", {0x3f}, 0, -1, 0, 0);
        row("restore without remember", {0x0b}, 0, -1, 0, 0);
        row("an operand cut off", {0x0e, 0x80}, 0, -1, 0, 0);
    }
    void instructionsMeanWhatDwarfSays()
    {
        QFETCH(QList<int>, program);
        QFETCH(int, at);
        QFETCH(int, cfaRegister);
        QFETCH(int, cfaOffset);
        QFETCH(int, rbpOffset);
        Bytes bytes = section({});
        for (const int b : program)
            bytes.push_back(static_cast<std::byte>(b));
        bytes[24] = static_cast<std::byte>(13 + program.size());
        const FrameRows rows(bytes, 0x1000, FrameRows::Format::EhFrame);
        const auto* rule = rows.find(static_cast<std::uint64_t>(0x2000 + at));
        if (cfaRegister == -1) {
            QVERIFY(!rule);
            return;
        }
        QVERIFY(rule);
        QCOMPARE(rule->cfa == FrameRule::Cfa::Expression, cfaRegister == -2);
        if (cfaRegister == -2) return;
        QCOMPARE(static_cast<int>(rule->cfaRegister), cfaRegister);
        QCOMPARE(rule->cfaValue, cfaOffset);
        QCOMPARE((*rule)[Column::Rbp].kind == ColumnRule::Kind::AtOffset, rbpOffset != 0);
        QCOMPARE((*rule)[Column::Rbp].value, rbpOffset);
    }

    void thePltExpressionIsEvaluated()
    {
        // What ld writes for .plt: rsp + 8 + ((rip & 15) >= 11) * 8.
        const auto bytes = section({0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22, 0, 0});
        const FrameRows rows(bytes, 0x1000, FrameRows::Format::EhFrame);
        ByteWriter words;
        for (std::uint64_t i = 0; i < 4; ++i)
            words.put(0x400000 + i);
        const StackCopy stack{0x7000, words.bytes()};
        for (const auto& [pc, expected] :
            {std::pair(0x2000u, 0x400000u), std::pair(0x200au, 0x400000u), std::pair(0x200bu, 0x400001u), std::pair(0x200fu, 0x400001u)}) {
            FrameState state;
            state.sp = 0x7000;
            state.know(Column::ReturnAddress, pc);
            QVERIFY(rows.find(pc));
            QVERIFY(stepByRule(*rows.find(pc), rows, stack, state) == Step::Done);
            QCOMPARE(state[Column::ReturnAddress], std::uint64_t{expected});
        }
    }

    void spoiltSectionsDoNoHarm_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("changed bytes") << 0;
        QTest::newRow("cut off") << 1;
        QTest::newRow("read as .debug_frame") << 2;
        QTest::newRow("noise") << 3;
    }
    void spoiltSectionsDoNoHarm()
    {
        QFETCH(int, kind);
        const auto elf = opened(systemLibrary("libm.so.6"));
        if (!elf) QSKIP("no libm where Debian keeps it");
        const auto& where = *elf->section(".eh_frame");
        const auto good = elf->contents(where);
        std::mt19937 random(11);
        for (int i = 0; i < 60; ++i) {
            auto bytes = good;
            if (kind == 0 || kind == 2)
                for (std::size_t n = 0; n < bytes.size() / 50; ++n)
                    bytes[random() % bytes.size()] = static_cast<std::byte>(random());
            if (kind == 1) bytes.resize(random() % bytes.size());
            if (kind == 3)
                for (auto& b : bytes)
                    b = static_cast<std::byte>(random() % 4 ? 0 : random());
            const FrameRows rows(bytes, where.address, kind == 2 ? FrameRows::Format::DebugFrame : FrameRows::Format::EhFrame);
            for (std::size_t r = 1; r < rows.rows().size(); ++r)
                QVERIFY(rows.rows()[r].pc > rows.rows()[r - 1].pc);
            // And walk by what came out of it.
            ByteWriter words;
            for (int w = 0; w < 64; ++w)
                words.put(std::uint64_t{random()});
            const StackCopy stack{0x7000, words.bytes()};
            for (int n = 0; n < 200 && !rows.functions().empty(); ++n) {
                const auto& f = rows.functions()[random() % rows.functions().size()];
                FrameState state;
                state.sp = 0x7000 + random() % 600;
                state.know(Column::ReturnAddress, rows.base() + f.start);
                state.know(Column::Rbp, 0x7000 + random() % 600);
                if (const auto* rule = rows.find(rows.base() + f.start + random() % f.size)) stepByRule(*rule, rows, stack, state);
            }
        }
    }
};
QTEST_GUILESS_MAIN(TestFrameRows)
#include "tst_frame_rows.moc"
