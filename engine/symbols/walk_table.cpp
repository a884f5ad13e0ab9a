#include "engine/symbols/walk_table.h"
#include "engine/symbols/dwarf_reader.h"
#include <algorithm>
#include <array>
#include <optional>
namespace dscope::symbols {
namespace {
using object::WalkKind;
using object::walkRule;
using Kind = ColumnRule::Kind;
constexpr std::uint32_t kPageSize = 1U << object::kWalkPageBits;

/// The operations that rules are written in. Source: DWARF 5, 7.7.1.
constexpr std::uint8_t kDeref = 0x06, kAnd = 0x1a, kPlus = 0x22, kShl = 0x24, kGe = 0x2a, kLit0 = 0x30, kBreg0 = 0x70;
constexpr std::uint8_t kRegRbp = 6, kRegRsp = 7, kRegRip = 16;

bool fits(std::int64_t offset)
{
    constexpr std::int64_t most = std::int64_t{1} << (object::kWalkOffsetBits - 1);
    return offset >= -most && offset < most;
}
/// Reads `register + offset`.
std::optional<std::int64_t> registerPlus(DwarfReader& in, std::uint8_t dwarfRegister)
{
    if (in.get<std::uint8_t>() != kBreg0 + dwarfRegister) return std::nullopt;
    const auto offset = in.signedLeb();
    if (!in.ok() || !fits(offset)) return std::nullopt;
    return offset;
}
/// The offset of an expression that is `register + offset` and nothing else.
std::optional<std::int64_t> onlyRegisterPlus(ByteView expression, std::uint8_t dwarfRegister)
{
    DwarfReader in(expression, 0);
    const auto offset = registerPlus(in, dwarfRegister);
    return in.ok() && in.left() == 0 ? offset : std::nullopt;
}
/// Of `*(register + offset)`.
std::optional<std::int64_t> pointedToBy(ByteView expression, std::uint8_t dwarfRegister)
{
    DwarfReader in(expression, 0);
    const auto offset = registerPlus(in, dwarfRegister);
    if (!offset || in.get<std::uint8_t>() != kDeref || !in.ok() || in.left() != 0) return std::nullopt;
    return offset;
}
/// What linkers write for .plt: rsp + 8 + ((rip & 15) >= pushed) * 8. Source: binutils, bfd/elfxx-x86.c
struct PltRule {
    std::int64_t cfa;
    std::uint8_t pushed;
};
std::optional<PltRule> pltRule(ByteView expression)
{
    DwarfReader in(expression, 0);
    const auto cfa = registerPlus(in, kRegRsp);
    const auto rip = registerPlus(in, kRegRip);
    if (!cfa || rip != 0) return std::nullopt;
    const auto take = [&in](std::uint8_t wanted) { return in.get<std::uint8_t>() == wanted; };
    if (!take(kLit0 + 15) || !take(kAnd)) return std::nullopt;
    const auto pushed = in.get<std::uint8_t>();
    if (pushed < kLit0 || pushed > kLit0 + 15) return std::nullopt;
    if (!take(kGe) || !take(kLit0 + 3) || !take(kShl) || !take(kPlus) || !in.ok() || in.left() != 0) return std::nullopt;
    return PltRule{*cfa, static_cast<std::uint8_t>(pushed - kLit0)};
}

/// Of `[[rsp + a] + b] + c`, as OCaml 5 has it where a fiber was entered: c is not negative.
std::optional<object::SwitchWay> switchWay(ByteView expression, const ColumnRule& rbp)
{
    constexpr std::uint8_t kPlusUconst = 0x23;
    constexpr std::int64_t kBytes = 8;
    DwarfReader in(expression, 0);
    object::SwitchWay way;
    const auto first = registerPlus(in, kRegRsp);
    if (!first) return {};
    auto offset = *first;
    while (in.ok() && in.left() != 0) {
        const auto op = in.get<std::uint8_t>();
        if (op == kPlusUconst) {
            constexpr std::uint64_t kMost = 0xffff;
            const auto more = in.unsignedLeb();
            if (more > kMost) return {};
            offset += static_cast<std::int64_t>(more);
            continue;
        }
        if (op != kDeref || way.reads == object::SwitchWay::kMostReads || offset % kBytes != 0 || offset < -kBytes * INT8_MAX
            || offset > kBytes * INT8_MAX)
            return {};
        way.at[way.reads++] = static_cast<std::int8_t>(offset / kBytes);
        offset = 0;
    }
    constexpr std::int64_t kMostCfa = 15, kMostSaved = 7;
    if (!in.ok() || way.reads == 0 || offset % kBytes != 0 || offset / kBytes > kMostCfa) return {};
    way.cfa = static_cast<unsigned>(offset / kBytes);
    if (rbp.kind == Kind::Same) return way;
    if (rbp.kind != Kind::AtOffset || rbp.value % kBytes != 0 || rbp.value >= 0 || -rbp.value / kBytes > kMostSaved) return {};
    way.saved = static_cast<unsigned>(-rbp.value / kBytes);
    return way;
}

/// glibc's trampoline tells where the kernel put each register. Source: arch/x86/include/uapi/asm/sigcontext.h
bool isSignalFrame(const FrameRule& rule, const FrameRows& rows)
{
    constexpr std::int64_t kRbp = 120, kRsp = 160, kRip = 168;
    const auto savedAt = [&](Column column, std::int64_t offset) {
        const auto& r = rule[column];
        return r.kind == Kind::AtExpression && onlyRegisterPlus(rows.expression(r.value), kRegRsp) == offset;
    };
    return rule.signal != 0 && rule.cfa == FrameRule::Cfa::Expression && pointedToBy(rows.expression(rule.cfaValue), kRegRsp) == kRsp
        && savedAt(Column::ReturnAddress, kRip) && savedAt(Column::Rbp, kRbp);
}
/// Of aarch64, whose rules need no expressions but where vectors of unknown length are saved (SVE).
std::uint64_t linkRuleOf(const FrameRule& rule)
{
    constexpr auto unknown = walkRule(WalkKind::Unknown);
    constexpr auto by = unwindingOf(Architecture::Aarch64);
    const auto& link = rule[Column::ReturnAddress];
    const auto& frame = rule[Column::Rbp];
    if (rule.cfa == FrameRule::Cfa::None) return walkRule(WalkKind::FramePointer);
    if (link.kind == Kind::Undefined) return walkRule(WalkKind::End);
    if (rule.elsewhere != 0) return walkRule(WalkKind::Cut);
    if (rule.signal != 0) return walkRule(WalkKind::Signal); // what the table tells there leads beyond what was interrupted
    if (rule.cfa != FrameRule::Cfa::Register || (rule.cfaRegister != by.stackPointer && rule.cfaRegister != by.framePointer))
        return unknown;
    const auto isTold = [](const ColumnRule& column, object::WalkField field) {
        return column.kind == Kind::Same || (column.kind == Kind::AtOffset && column.value != 0 && object::fits(field, column.value));
    };
    if (!object::fits(object::kLinkCfa, rule.cfaValue) || !isTold(frame, object::kLinkFrame) || !isTold(link, object::kLinkLink))
        return unknown;
    const auto offset = [](const ColumnRule& column) { return column.kind == Kind::Same ? 0 : column.value; };
    const auto kind = rule.cfaRegister == by.stackPointer ? WalkKind::Rsp : WalkKind::Rbp;
    return object::walkLinkRule(kind, rule.cfaValue, offset(frame), offset(link));
}
} // namespace

std::uint64_t walkRuleOf(const FrameRule& rule, const FrameRows& rows)
{
    if (rows.architecture() == Architecture::Aarch64) return linkRuleOf(rule);
    constexpr auto unknown = walkRule(WalkKind::Unknown);
    const auto& caller = rule[Column::ReturnAddress];
    const auto& rbp = rule[Column::Rbp];
    if (rule.cfa == FrameRule::Cfa::None) return walkRule(WalkKind::FramePointer);
    if (caller.kind == Kind::Undefined) return walkRule(WalkKind::End);
    if (rule.elsewhere != 0) return walkRule(WalkKind::Cut);
    if (isSignalFrame(rule, rows)) return walkRule(WalkKind::Signal);
    if (rule.signal != 0 || caller.kind != Kind::AtOffset || caller.value != -8) return unknown;

    if (rule.cfa == FrameRule::Cfa::Expression) {
        const auto expression = rows.expression(rule.cfaValue);
        if (const auto plt = pltRule(expression); plt && rbp.kind == Kind::Same)
            return walkRule(WalkKind::Plt, static_cast<std::int32_t>(plt->cfa), plt->pushed);
        if (const auto way = switchWay(expression, rbp)) return object::walkSwitchRule(*way);
        const auto at = pointedToBy(expression, kRegRbp);
        if (!at || rbp.kind != Kind::AtExpression) return unknown;
        const auto saved = onlyRegisterPlus(rows.expression(rbp.value), kRegRbp);
        return saved ? walkRule(WalkKind::RbpPointsTo, static_cast<std::int32_t>(*at), static_cast<std::int32_t>(*saved)) : unknown;
    }

    if (rule.cfaRegister != kRegRsp && rule.cfaRegister != kRegRbp) return unknown;
    if (!fits(rule.cfaValue)) return unknown;
    const auto kind = rule.cfaRegister == kRegRsp ? WalkKind::Rsp : WalkKind::Rbp;
    if (rbp.kind == Kind::Same) return walkRule(kind, rule.cfaValue);
    if (rbp.kind != Kind::AtOffset || rbp.value == 0 || !fits(rbp.value)) return unknown;
    return walkRule(kind, rule.cfaValue, rbp.value);
}

namespace {
constexpr auto kGap = walkRule(WalkKind::FramePointer);

/// From which linked address on which rule holds; before the first it is kGap.
struct Change {
    std::uint64_t at;
    std::uint64_t rule;
};
/// From `start` to `end` one rule holds, behind it what held there before.
void overlay(std::vector<Change>& changes, const CodeRange& range, std::uint64_t rule)
{
    const auto after = [](std::uint64_t a, const Change& c) { return a < c.at; };
    const auto behind = std::upper_bound(changes.begin(), changes.end(), range.end, after);
    const auto before = behind == changes.begin() ? kGap : std::prev(behind)->rule;
    const auto first
        = std::lower_bound(changes.begin(), changes.end(), range.start, [](const Change& c, std::uint64_t a) { return c.at < a; });
    changes.insert(changes.erase(first, behind), {Change{range.start, rule}, Change{range.end, before}});
}
std::vector<Change> changesOf(
    const FrameRows& frameRows, std::span<const std::uint64_t> restorers, std::span<const StackEnd> ends, std::span<const CodeRange> stubs)
{
    std::vector<std::uint64_t> rules;
    rules.reserve(frameRows.rules().size());
    for (const auto& rule : frameRows.rules())
        rules.push_back(walkRuleOf(rule, frameRows));

    std::vector<Change> changes;
    changes.reserve(frameRows.rows().size() + 2 * restorers.size());
    for (const auto& row : frameRows.rows()) {
        const auto rule = rules[row.rule];
        if (changes.empty() ? rule != kGap : rule != changes.back().rule) changes.push_back({frameRows.base() + row.pc, rule});
    }

    const std::uint64_t size = frameRows.architecture() == Architecture::X86 ? 9 : 8; // of a trampoline's two instructions
    for (const auto address : restorers) {
        const auto first = address - 1, behind = address + size; // callers are looked up a byte before, its system call behind it
        const auto next
            = std::upper_bound(changes.begin(), changes.end(), first, [](std::uint64_t a, const Change& c) { return a < c.at; });
        const bool isGap = next == changes.begin() || std::prev(next)->rule == kGap;
        if (!isGap || (next != changes.end() && next->at < behind)) continue;
        const bool isFollowed = next != changes.end() && next->at == behind; // by a function, which begins there
        const auto at = changes.insert(next, Change{first, walkRule(WalkKind::Signal)});
        if (!isFollowed) changes.insert(at + 1, Change{behind + 1, kGap});
    }
    for (const auto& range : ends)
        overlay(changes, range, range.rule);
    const auto by = unwindingOf(frameRows.architecture());
    const auto atEntry = by.hasLink ? object::walkLinkRule(WalkKind::Rsp, 0) : walkRule(WalkKind::Rsp, by.cfaAtEntry);
    for (const auto& range : stubs)
        overlay(changes, range, atEntry);
    return changes;
}
} // namespace

WalkTable compileWalkTable(const FrameRows& frameRows, std::uint64_t base, std::size_t count, std::span<const std::uint64_t> restorers,
    std::span<const StackEnd> ends, std::span<const CodeRange> stubs)
{
    WalkTable table;
    table.base = base;
    table.pages.reserve(count);
    appendWalkPages(table, frameRows, base, count, restorers, ends, stubs);
    return table;
}

void appendWalkPages(WalkTable& table, const FrameRows& frameRows, std::uint64_t base, std::size_t count,
    std::span<const std::uint64_t> restorers, std::span<const StackEnd> ends, std::span<const CodeRange> stubs)
{
    const auto end = base + count * kPageSize;
    const auto first = std::partition_point(stubs.begin(), stubs.end(), [&](const CodeRange& r) { return r.end <= base; });
    const auto last = std::partition_point(first, stubs.end(), [&](const CodeRange& r) { return r.start < end; });
    const auto changes = changesOf(frameRows, restorers, ends, std::span(first, last));
    auto next = std::upper_bound(changes.begin(), changes.end(), base, [](std::uint64_t a, const Change& c) { return a < c.at; });
    auto rule = next == changes.begin() ? kGap : std::prev(next)->rule;
    std::vector<std::uint64_t> page;
    for (std::size_t number = 0; number < count; ++number) {
        const auto begin = base + number * kPageSize;
        page.assign(1, rule);
        for (; next != changes.end() && next->at - begin < kPageSize; ++next) {
            rule = next->rule;
            const auto row = (next->at - begin) << object::kRowShift | rule;
            if (next->at == begin)
                page.back() = row;
            else
                page.push_back(row);
        }
        if (page.size() > object::kMostRowsOfPage) page.assign(1, walkRule(WalkKind::Unknown));
        // A run of rows lies within one chunk. Pages alike share theirs: most of those between functions, and in large ones.
        const auto room = object::kRowsOfChunk - table.rows.size() % object::kRowsOfChunk;
        if (page.size() == 1 && !table.pages.empty() && (table.pages.back() >> object::kFirstRowBits) == 1
            && table.rows[table.pages.back() & ((1U << object::kFirstRowBits) - 1)] == page.front()) {
            table.pages.push_back(table.pages.back());
            continue;
        }
        if (page.size() > room) table.rows.resize(table.rows.size() + room);
        table.pages.push_back(
            static_cast<std::uint32_t>(page.size()) << object::kFirstRowBits | static_cast<std::uint32_t>(table.rows.size()));
        table.rows.insert(table.rows.end(), page.begin(), page.end());
    }
}
} // namespace dscope::symbols
