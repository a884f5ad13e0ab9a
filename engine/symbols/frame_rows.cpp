#include "engine/symbols/frame_rows.h"
#include "engine/symbols/cfi_entries.h"
#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <unordered_map>
namespace dscope::symbols {
namespace {
struct RuleHash {
    std::size_t operator()(const FrameRule& r) const
    {
        std::uint64_t h = 0xcbf29ce484222325;
        const auto mix = [&h](std::uint64_t v) { h = (h ^ v) * 0x9e3779b97f4a7c15, h ^= h >> 29; };
        mix(static_cast<std::uint64_t>(r.cfa) << 40 | std::uint64_t{r.elsewhere} << 37 | std::uint64_t{r.signal} << 36 | r.cfaRegister);
        mix(static_cast<std::uint32_t>(r.cfaValue));
        for (const auto& c : r.columns)
            mix(static_cast<std::uint64_t>(c.kind) << 32 | static_cast<std::uint32_t>(c.value));
        return static_cast<std::size_t>(h);
    }
};

std::uint32_t savedInMemory(const FrameRule& rule, const Unwinding& by)
{
    if (rule.elsewhere != 0 || rule.cfa != FrameRule::Cfa::Register
        || (rule.cfaRegister != by.stackPointer && rule.cfaRegister != by.framePointer))
        return 0;
    std::uint32_t mask = 0;
    for (std::size_t c = 0; c < kColumns; ++c) {
        if (rule.columns[c].kind == ColumnRule::Kind::AtOffset)
            mask |= 1u << c;
        else if (rule.columns[c].kind != ColumnRule::Kind::Same)
            return 0;
    }
    return mask >> static_cast<unsigned>(Column::ReturnAddress) & 1 ? mask : 0;
}

/// Runs the programs of call frame instructions and collects (address, rule). Source: DWARF 5, 6.4.2.
class Compiler {
public:
    explicit Compiler(Architecture architecture) : m_architecture(architecture) { }
    struct RawRow {
        std::uint64_t pc;
        std::uint32_t rule;
    };
    std::vector<RawRow> rows;
    std::vector<FrameRule> rules{FrameRule{}};
    std::vector<Bytes> expressions;

    /// Called before the functions of a section. Forgets the common entries, which are known by address: the next section may use
    /// the same addresses.
    void begin()
    {
        m_initial.clear();
        m_initialOk.clear();
    }

    /// The rows of one function; false, and no rows, when its program is not understood.
    bool run(const FunctionEntry& entry)
    {
        if (columnOf(entry.common->returnColumn, m_architecture) != static_cast<std::size_t>(Column::ReturnAddress)) return false;
        const auto* initial = initialRule(*entry.common);
        if (!initial) return false;
        const auto before = rows.size();
        FrameRule state = *initial;
        if (execute(entry.program, *entry.common, *initial, state, entry.start, entry.start + entry.size, Rows::Emitted)) return true;
        rows.resize(before);
        return false;
    }

private:
    const FrameRule* initialRule(const CommonEntry& common)
    {
        const auto [it, added] = m_initial.try_emplace(&common);
        if (added) {
            FrameRule rule;
            // Where calls leave it in a register it is there until a rule says that it was saved.
            rule[Column::ReturnAddress].kind = unwindingOf(m_architecture).hasLink ? ColumnRule::Kind::Same : ColumnRule::Kind::Undefined;
            rule.signal = common.signal;
            m_initialOk[&common] = execute(common.program, common, rule, rule, 0, 0, Rows::None);
            it->second = rule;
        }
        return m_initialOk[&common] ? &it->second : nullptr;
    }

    std::uint32_t intern(const FrameRule& rule)
    {
        if (rule == rules[m_last]) return m_last;
        const auto [it, added] = m_index.try_emplace(rule, static_cast<std::uint32_t>(rules.size()));
        if (added) rules.push_back(rule);
        return m_last = it->second;
    }

    std::int32_t expression(ByteView code)
    {
        const std::string key(reinterpret_cast<const char*>(code.data()), code.size());
        const auto [it, added] = m_expressionIndex.try_emplace(key, static_cast<std::int32_t>(expressions.size()));
        if (added) expressions.emplace_back(code.begin(), code.end());
        return it->second;
    }

    void set(FrameRule& state, std::uint64_t reg, ColumnRule::Kind kind, std::int64_t value = 0) const
    {
        if (const auto c = columnOf(reg, m_architecture); c < kColumns) state.columns[c] = {kind, static_cast<std::int32_t>(value)};
        // Of a signal's frame all registers are in memory, which is no other stack's.
        const bool isCfa = kind == ColumnRule::Kind::Offset && value == 0;
        if (reg == unwindingOf(m_architecture).stackPointer && state.signal == 0) state.elsewhere = isCfa ? 0 : 1;
    }
    void restore(FrameRule& state, std::uint64_t reg, const FrameRule& initial) const
    {
        if (const auto c = columnOf(reg, m_architecture); c < kColumns) state.columns[c] = initial.columns[c];
        if (reg == unwindingOf(m_architecture).stackPointer) state.elsewhere = initial.elsewhere;
    }

    enum class Rows : std::uint8_t { None, Emitted };
    bool execute(ByteView program, const CommonEntry& common, const FrameRule& initial, FrameRule& state, std::uint64_t pc,
        std::uint64_t end, Rows made);

    std::unordered_map<FrameRule, std::uint32_t, RuleHash> m_index{{FrameRule{}, 0}};
    std::unordered_map<std::string, std::int32_t> m_expressionIndex;
    std::unordered_map<const CommonEntry*, FrameRule> m_initial;
    std::unordered_map<const CommonEntry*, bool> m_initialOk;
    std::uint32_t m_last = 0;
    const Architecture m_architecture;
};

/// What an instruction of a table says: DW_CFA_*. Source: DWARF 5, 7.24; those of aarch64 and GNU: binutils, include/dwarf2.def.
namespace cfa {
enum Instruction : std::uint8_t {
    kHigh = 0xc0, ///< these bits tell the three that have an operand in the others
    kAdvanceLoc = 0x40,
    kOffset = 0x80,
    kRestore = 0xc0,
    kNop = 0x00,
    kSetLoc,
    kAdvanceLoc1,
    kAdvanceLoc2,
    kAdvanceLoc4,
    kOffsetExtended,
    kRestoreExtended,
    kUndefined,
    kSameValue,
    kRegister,
    kRememberState,
    kRestoreState,
    kDefCfa,
    kDefCfaRegister,
    kDefCfaOffset,
    kDefCfaExpression,
    kExpression,
    kOffsetExtendedSf,
    kDefCfaSf,
    kDefCfaOffsetSf,
    kValOffset,
    kValOffsetSf,
    kValExpression,
    kNegateRaStateWithPc = 0x2c,
    kNegateRaState = 0x2d,
    kGnuArgsSize,
    kGnuNegativeOffsetExtended,
};
}

bool Compiler::execute(
    ByteView program, const CommonEntry& common, const FrameRule& initial, FrameRule& state, std::uint64_t pc, std::uint64_t end, Rows made)
{
    constexpr std::size_t kDeepest = 256; // DW_CFA_remember_state in a row; compilers use one or two
    using How = ColumnRule::Kind;
    // What follows an expression may tell an offset, as OCaml 5 does: it holds from the next DW_CFA_def_cfa_register on, as gdb has it.
    struct State {
        FrameRule rule;
        std::int32_t offset;
    };
    std::vector<State> remembered;
    auto offset = state.cfa == FrameRule::Cfa::Register ? state.cfaValue : 0;
    const auto setOffset = [&](std::int64_t to) {
        offset = static_cast<std::int32_t>(to);
        if (state.cfa != FrameRule::Cfa::Expression) state.cfaValue = offset;
    };
    const auto setRegister = [&](std::uint64_t to) {
        state.cfa = FrameRule::Cfa::Register;
        state.cfaRegister = static_cast<std::uint32_t>(to);
        state.cfaValue = offset;
    };
    DwarfReader in(program, 0);
    const auto first = rows.size();
    const auto put = [&] {
        if (made == Rows::None || pc >= end) return;
        const auto rule = intern(state);
        if (rows.size() > first && rows.back().pc == pc)
            rows.back().rule = rule;
        else
            rows.push_back({pc, rule});
    };

    const auto advance = [&](std::uint64_t units) {
        put();
        // Past the end is past the end: clamping keeps a malformed program from wrapping around to lower addresses.
        const auto step = units * common.codeFactor;
        pc = pc < end && step <= end - pc && step >= units ? pc + step : end;
    };

    const auto scaled = [&](std::uint64_t n) { return static_cast<std::int64_t>(n * static_cast<std::uint64_t>(common.dataFactor)); };
    while (in.left() > 0) {
        const auto op = in.get<std::uint8_t>();
        const std::uint64_t low = op & ~cfa::kHigh;
        switch (op & cfa::kHigh) {
        case cfa::kAdvanceLoc: advance(low); continue;
        case cfa::kOffset: set(state, low, How::AtOffset, scaled(in.unsignedLeb())); continue;
        case cfa::kRestore: restore(state, low, initial); continue;
        default: break;
        }
        switch (op) {
        case cfa::kNop: break;
        case cfa::kSetLoc: {
            // Pc-relative ones would need the program's own address; no assembler writes them.
            if (common.pointerEncoding != 0) return false;
            const auto to = in.get<std::uint64_t>();
            if (to < pc) return false;
            put();
            pc = to;
            break;
        }
        case cfa::kAdvanceLoc1: advance(in.get<std::uint8_t>()); break;
        case cfa::kAdvanceLoc2: advance(in.get<std::uint16_t>()); break;
        case cfa::kAdvanceLoc4: advance(in.get<std::uint32_t>()); break;
        case cfa::kOffsetExtended: {
            const auto reg = in.unsignedLeb();
            set(state, reg, How::AtOffset, scaled(in.unsignedLeb()));
            break;
        }
        case cfa::kRestoreExtended: restore(state, in.unsignedLeb(), initial); break;
        case cfa::kUndefined: set(state, in.unsignedLeb(), How::Undefined); break;
        case cfa::kSameValue: set(state, in.unsignedLeb(), How::Same); break;
        case cfa::kRegister: {
            const auto reg = in.unsignedLeb();
            set(state, reg, How::Register, static_cast<std::int64_t>(in.unsignedLeb() & 0xff));
            break;
        }
        case cfa::kRememberState:
            if (remembered.size() == kDeepest) return false;
            remembered.push_back({state, offset});
            break;
        case cfa::kRestoreState:
            if (remembered.empty()) return false;
            state = remembered.back().rule;
            offset = remembered.back().offset;
            remembered.pop_back();
            break;
        case cfa::kDefCfa:
            setRegister(in.unsignedLeb());
            setOffset(static_cast<std::int64_t>(in.unsignedLeb()));
            break;
        case cfa::kDefCfaRegister: setRegister(in.unsignedLeb()); break;
        case cfa::kDefCfaOffset: setOffset(static_cast<std::int64_t>(in.unsignedLeb())); break;
        case cfa::kDefCfaExpression:
            state.cfa = FrameRule::Cfa::Expression;
            state.cfaRegister = 0;
            state.cfaValue = expression(in.block(in.unsignedLeb()));
            break;
        case cfa::kExpression:
        case cfa::kValExpression: {
            const auto reg = in.unsignedLeb();
            const auto code = in.block(in.unsignedLeb());
            if (columnOf(reg, m_architecture) < kColumns || reg == unwindingOf(m_architecture).stackPointer)
                set(state, reg, op == cfa::kExpression ? How::AtExpression : How::Expression, expression(code));
            break;
        }
        case cfa::kOffsetExtendedSf: {
            const auto reg = in.unsignedLeb();
            set(state, reg, How::AtOffset, scaled(static_cast<std::uint64_t>(in.signedLeb())));
            break;
        }
        case cfa::kDefCfaSf:
            setRegister(in.unsignedLeb());
            setOffset(scaled(static_cast<std::uint64_t>(in.signedLeb())));
            break;
        case cfa::kDefCfaOffsetSf: setOffset(scaled(static_cast<std::uint64_t>(in.signedLeb()))); break;
        case cfa::kValOffset: {
            const auto reg = in.unsignedLeb();
            set(state, reg, How::Offset, scaled(in.unsignedLeb()));
            break;
        }
        case cfa::kValOffsetSf: {
            const auto reg = in.unsignedLeb();
            set(state, reg, How::Offset, scaled(static_cast<std::uint64_t>(in.signedLeb())));
            break;
        }
        case cfa::kNegateRaStateWithPc:
        case cfa::kNegateRaState: break; // of aarch64: from here on or no longer it is signed, which codeAddress() takes off
        case cfa::kGnuArgsSize: in.unsignedLeb(); break;
        case cfa::kGnuNegativeOffsetExtended: {
            const auto reg = in.unsignedLeb();
            set(state, reg, How::AtOffset, -scaled(in.unsignedLeb()));
            break;
        }
        default: return false;
        }
    }
    put();
    return in.ok();
}
} // namespace

FrameRows::FrameRows(ByteView section, std::uint64_t address, Format format, Architecture architecture)
    : FrameRows(std::array{Section{section, address, format}}, architecture)
{
}

struct FrameRows::Parts {
    struct Part {
        std::uint64_t start, end;
        std::size_t firstRow, lastRow;
        bool signal;
    };
    explicit Parts(Architecture architecture) : compiler(architecture) { }
    Compiler compiler;
    std::vector<Part> all;

    void add(std::span<const FunctionEntry> functions)
    {
        for (const auto& f : functions) {
            const auto first = compiler.rows.size();
            // A trampoline ends with its system call: at the entry of that the instruction pointer is behind it.
            const auto end = f.start + f.size + (f.common->signal ? 1 : 0);
            if (compiler.run(f)) all.push_back({f.start, end, first, compiler.rows.size(), f.common->signal});
        }
    }
};

FrameRows::FrameRows(std::span<const Section> sections, Architecture architecture) : m_architecture(architecture)
{
    Parts parts(architecture);
    for (const auto& section : sections) {
        CfiSection entries(section);
        parts.compiler.begin();
        parts.add(entries.functions());
    }
    assemble(parts);
}

FrameRows::FrameRows(std::span<const FunctionEntry> functions)
{
    Parts parts(kOwnArchitecture);
    parts.add(functions);
    assemble(parts);
}

void FrameRows::assemble(Parts& compiled)
{
    auto& [compiler, parts] = compiled;
    if (parts.empty()) return;
    std::stable_sort(parts.begin(), parts.end(), [](const Parts::Part& a, const Parts::Part& b) { return a.start < b.start; });
    m_base = parts.front().start;
    m_rows.reserve(compiler.rows.size() + parts.size());
    m_functions.reserve(parts.size());
    std::uint64_t covered = m_base;
    const auto put = [this](std::uint64_t pc, std::uint32_t rule) {
        if (m_rows.empty() || m_rows.back().rule != rule) m_rows.push_back({static_cast<std::uint32_t>(pc - m_base), rule});
    };

    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto& part = parts[i];
        // If two entries cover an address, the first in the section counts. An entry ends where the next begins.
        if (part.start < covered) continue;
        auto next = i + 1;
        while (next < parts.size() && parts[next].start == part.start)
            ++next;
        const auto end = next < parts.size() ? std::min(part.end, parts[next].start) : part.end;
        if (end - m_base > 0xffffffff) continue;
        if (part.start > covered) put(covered, 0);
        for (auto r = part.firstRow; r < part.lastRow && compiler.rows[r].pc < end; ++r)
            if (compiler.rows[r].pc >= part.start) put(compiler.rows[r].pc, compiler.rows[r].rule);
        m_functions.push_back({static_cast<std::uint32_t>(part.start - m_base), static_cast<std::uint32_t>(end - part.start), part.signal});
        covered = end;
    }

    put(covered, 0);
    m_rules = std::move(compiler.rules);
    for (auto& rule : m_rules)
        rule.savedInMemory = savedInMemory(rule, unwindingOf(m_architecture));
    m_expressions = std::move(compiler.expressions);
    m_rows.shrink_to_fit();
    m_recent.assign(std::min<std::size_t>(1024, std::bit_ceil(m_rows.size())), {0, kNoRule});
}

const FrameRule* FrameRows::find(std::uint64_t address) const
{
    if (m_rows.empty() || address < m_base || address - m_base > 0xffffffff) return nullptr;
    const auto pc = static_cast<std::uint32_t>(address - m_base);
    auto& recent = m_recent[(pc ^ pc >> 10) % m_recent.size()];
    if (recent.pc != pc || recent.rule == kNoRule) {
        const auto next = std::upper_bound(m_rows.begin(), m_rows.end(), pc, [](std::uint32_t a, const Row& r) { return a < r.pc; });
        if (next == m_rows.begin()) return nullptr;
        recent = {pc, std::prev(next)->rule};
    }
    return recent.rule == 0 ? nullptr : &m_rules[recent.rule];
}

std::optional<FrameRows::Range> FrameRows::function(std::uint64_t address) const
{
    if (address < m_base || address - m_base > 0xffffffff) return std::nullopt;
    const auto pc = static_cast<std::uint32_t>(address - m_base);
    const auto next
        = std::upper_bound(m_functions.begin(), m_functions.end(), pc, [](std::uint32_t a, const Function& f) { return a < f.start; });
    if (next == m_functions.begin()) return std::nullopt;
    const auto& f = *std::prev(next);
    if (pc - f.start >= f.size) return std::nullopt;
    return Range{m_base + f.start, f.size, f.signal};
}

std::size_t FrameRows::memory() const
{
    return (m_rows.capacity() + m_recent.capacity()) * sizeof(Row) + m_functions.capacity() * sizeof(Function)
        + m_rules.capacity() * sizeof(FrameRule);
}
} // namespace dscope::symbols
