#include "engine/symbols/go_functions.h"
#include "engine/symbols/code_walk.h"
#include "engine/symbols/relocations.h"
#include "engine/symbols/stack_switch.h"
#include <algorithm>
#include <elf.h>
#include <optional>
namespace dscope::symbols {
namespace {
constexpr std::uint32_t kGo116 = 0xfffffffa, kGo118 = 0xfffffff0, kGo120 = 0xfffffff1;

/// A position-independent program's table has its start of text filled in when it is loaded.
std::uint64_t relocated(const ElfFile& file, std::uint64_t address)
{
    for (const auto& section : file.sections()) {
        if (section.type != SHT_RELA) continue;
        const auto table = file.contents(section);
        for (std::size_t at = 0; at + sizeof(Elf64_Rela) <= table.size(); at += sizeof(Elf64_Rela))
            if (const auto entry = readAt<Elf64_Rela>(table, at); entry.r_offset == address && ELF64_R_TYPE(entry.r_info) == kRelative)
                return static_cast<std::uint64_t>(entry.r_addend);
    }
    return 0;
}

/// The table, and where its parts are in it.
class Table {
public:
    static std::optional<Table> of(const ElfFile& file)
    {
        for (const char* name : {".gopclntab", ".data.rel.ro.gopclntab"})
            if (const auto* section = file.section(name)) return at(file, section->address, file.contents(*section));
        // A C linker puts a position-independent program's table among other data.
        const auto* data = file.section(".data.rel.ro");
        if (!data || !file.section(".note.go.buildid")) return {};
        auto bytes = file.contents(*data);
        constexpr std::size_t kAlignment = 8;
        int tries = 0;
        for (std::size_t skipped = 0; skipped + kHeader <= bytes.size() && tries < 4; skipped += kAlignment) {
            if (!begins(ByteView(bytes).subspan(skipped))) continue;
            ++tries;
            const auto rest = bytes.begin() + static_cast<std::ptrdiff_t>(skipped);
            if (auto table = at(file, data->address + skipped, Bytes(rest, bytes.end()))) return table;
        }
        return {};
    }

    std::uint64_t count() const { return m_count; }
    std::size_t size() const { return m_bytes.size(); }
    /// Where function `i` begins; that of count() is where the last one ends.
    std::uint64_t start(std::uint64_t i) const { return m_text + field(2 * i); }

    std::string name(std::uint64_t i) const
    {
        constexpr std::size_t kLongest = 1 << 14;
        const auto entry = m_functions + field(2 * i + 1);
        if (entry < m_functions || entry >= m_bytes.size()) return {};
        const auto offset = readAt<std::uint32_t>(m_bytes, entry + fieldSize());
        return textAt(m_bytes, m_names + offset, kLongest);
    }

    enum class Ends : std::uint8_t { Never, Always, ForCallees };

    /// Whether a stack ends in function `i`: whatever it does there, or where it has called something, on another stack.
    /// Source: src/runtime/runtime2.go, type _func, and symtab.go, type funcFlag
    Ends ends(std::uint64_t i) const
    {
        constexpr std::uint8_t kTopFrame = 1, kWritesSp = 2;
        // Behind ten fields of four bytes, of which a start takes two before 1.18 and a line was added by 1.20: what kind it is, and the
        // flags.
        const auto fields = m_magic == kGo118 ? 9U : 10U;
        const auto at = m_functions + field(2 * i + 1) + fields * sizeof(std::uint32_t);
        if (at < m_functions || at + 1 >= m_bytes.size()) return Ends::Never;
        const auto kind = readAt<std::uint8_t>(m_bytes, at), flags = readAt<std::uint8_t>(m_bytes, at + 1);
        // The handler of signals is the first of its stack, too, but what was interrupted comes behind it: it is of no special kind.
        if ((flags & kTopFrame) != 0) return kind != 0 ? Ends::Always : Ends::Never;
        return (flags & kWritesSp) != 0 ? Ends::ForCallees : Ends::Never;
    }

private:
    static constexpr std::size_t kHeader = 8; // magic, two zeros, size of instructions, size of pointers

    static bool begins(ByteView bytes)
    {
        const auto magic = readAt<std::uint32_t>(bytes, 0);
        return (magic == kGo116 || magic == kGo118 || magic == kGo120) && readAt<std::uint16_t>(bytes, 4) == 0
            && readAt<std::uint8_t>(bytes, 6) == 1 && readAt<std::uint8_t>(bytes, 7) == sizeof(std::uint64_t);
    }

    static std::optional<Table> at(const ElfFile& file, std::uint64_t address, Bytes bytes)
    {
        if (!begins(bytes)) return {};
        Table table;
        table.m_bytes = std::move(bytes);
        const auto magic = readAt<std::uint32_t>(table.m_bytes, 0);
        table.m_magic = magic;
        table.m_relative = magic != kGo116;
        // The header: count of functions, count of files, from 1.18 on the start of text, then where names, compilation units, files,
        // tables by pc and functions begin.
        const auto begin = table.word(table.m_relative ? 7 : 6);
        table.m_names = table.word(table.m_relative ? 3 : 2);
        table.m_count = table.word(0);
        if (begin > table.m_bytes.size() || table.m_names > table.m_bytes.size()) return {};
        table.m_functions = begin;
        if (table.m_count >= (table.m_bytes.size() - begin) / (2 * table.fieldSize())) return {};
        if (table.m_relative) table.m_text = textOf(file, address, table.word(2));
        return table;
    }

    static std::uint64_t textOf(const ElfFile& file, std::uint64_t table, std::uint64_t told)
    {
        if (told == 0) told = relocated(file, table + kHeader + 2 * sizeof told);
        if (told != 0) return told;
        const auto* text = file.section(".text");
        return text ? text->address : 0;
    }

    std::uint64_t word(std::size_t i) const { return readAt<std::uint64_t>(m_bytes, kHeader + i * sizeof(std::uint64_t)); }
    std::size_t fieldSize() const { return m_relative ? sizeof(std::uint32_t) : sizeof(std::uint64_t); }

    std::uint64_t field(std::uint64_t i) const
    {
        const auto at = m_functions + i * fieldSize();
        return m_relative ? readAt<std::uint32_t>(m_bytes, at) : readAt<std::uint64_t>(m_bytes, at);
    }
    Bytes m_bytes;
    std::uint32_t m_magic = 0;
    bool m_relative = false; ///< starts are told from the start of text, in 32 bits
    std::uint64_t m_text = 0, m_count = 0, m_names = 0, m_functions = 0;
};
} // namespace

std::vector<GoFunction> goFunctions(const ElfFile& file)
{
    std::vector<GoFunction> found;
    const auto table = Table::of(file);
    if (!table) return found;
    std::size_t names = 0;
    for (std::uint64_t i = 0; i < table->count(); ++i) {
        const auto start = table->start(i), end = table->start(i + 1);
        if (end <= start) continue;
        auto name = table->name(i);
        if (name.empty()) continue;
        // Each name is in the table once; a damaged one could name one text without end.
        if ((names += name.size()) > table->size()) break;
        found.push_back({start, end - start, std::move(name)});
    }
    return found;
}

std::vector<StackEnd> goStackEnds(const ElfFile& file)
{
    using object::WalkKind;
    std::vector<StackEnd> found;
    const auto table = Table::of(file);
    constexpr std::uint64_t kLargest = 1 << 16; // they are short
    std::uint64_t left = 16 << 20;              // bytes of code that are decoded: a damaged table could name one function without end
    for (std::uint64_t i = 0; table && i < table->count(); ++i) {
        const auto how = table->ends(i);
        const CodeRange range{table->start(i), table->start(i + 1)};
        if (how == Table::Ends::Never || range.start >= range.end) continue;
        if (!found.empty() && range.start < found.back().end) break; // damaged: they ascend
        if (how == Table::Ends::Always) {
            found.push_back({range, object::walkRule(WalkKind::End)});
            continue;
        }
        const auto offset = file.offsetOf(range.start);
        if (!offset) continue;
        // Callers are looked up by the last byte of their call, where nothing is ever interrupted.
        const auto code = file.bytes(*offset, std::min(range.end - range.start, kLargest));
        if (code.size() > left) break;
        left -= code.size();
        const bool leavesForGood = table->name(i) == "runtime.mcall";
        for (const auto behind : callsIn(code, range.start)) {
            auto rule = object::walkRule(leavesForGood ? WalkKind::End : WalkKind::Cut);
            if (kOwnArchitecture == Architecture::X86 && !leavesForGood)
                if (const auto way = wayBackToStack(code, ByteView(code).subspan(behind - range.start)))
                    rule = object::walkSwitchRule(*way);
            found.push_back({{behind - 1, behind}, rule});
        }
    }
    return found;
}
} // namespace dscope::symbols
