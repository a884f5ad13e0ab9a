#include "engine/codegen/selection.h"
#include "engine/probe/compat_calls.h"
#include <algorithm>
#include <cstring>
#include <string>
namespace dscope::codegen {
namespace {
/// 32-bit programs number system calls in their own way. Their numbers follow the 64-bit ones in the table, with 1 for the
/// hook's value.
constexpr std::int32_t kCompatBase = 512, kCompat = 2; // TS_COMPAT. Source: arch/x86/include/asm/thread_info.h
bool isOfSystemCalls(const Plan& plan)
{
    const auto* at = plan.places.empty() ? nullptr : std::get_if<probe::RawTracepoint>(&plan.places.front());
    return plan.selectorWord >= 0 && at && (at->name == "sys_enter" || at->name == "sys_exit");
}
std::uint64_t lastSelector(const Plan& plan)
{
    if (isOfSystemCalls(plan)) return kCompatBase + probe::compatCalls().back().compat;
    return plan.selectors.empty() ? 0 : *plan.selectors.rbegin();
}

} // namespace

MapId makeTable(Firing& f, const Plan& plan, bool names)
{
    auto& unit = f.unit;
    std::uint32_t size = Firing::kEntryValue + 8;
    if (names) {
        std::size_t most[4] = {0, 0, 0, 0};
        for (const auto& group : plan.groups)
            for (const auto& m : group.members) {
                const auto& n = m.probe->name;
                const std::string* parts[4] = {&n.provider, &n.module, &n.function, &n.name};
                for (int i = 0; i < 4; ++i)
                    most[i] = std::max(most[i], parts[i]->size());
            }
        for (int i = 0; i < 4; ++i) {
            f.entryText[i] = size;
            f.entryCapacity[i] = std::min(roundUp8(most[i] + 1), unit.stringSize());
            size += f.entryCapacity[i];
        }
    }
    const auto last = lastSelector(plan);
    // Not frozen: the verifier takes constants from frozen arrays, and refuses those of several elements (ENOTSUPP).
    Map table{
        .name = "dispatch", .kind = MapKind::Array, .keySize = 4, .valueSize = size, .maxEntries = static_cast<std::uint32_t>(last + 1)};
    table.initial.resize(size * (last + 1));
    for (std::size_t g = 0; g < plan.groups.size(); ++g)
        for (const auto& m : plan.groups[g].members) {
            auto* entry = table.initial.data() + m.selector * size;
            const std::uint32_t head[2] = {m.probe->id.value, static_cast<std::uint32_t>(g + 1)};
            std::memcpy(entry, head, sizeof head);
            std::memcpy(entry + Firing::kEntryValue, &m.hook->value, sizeof m.hook->value);
            if (!names) continue;
            const auto& n = m.probe->name;
            const std::string* parts[4] = {&n.provider, &n.module, &n.function, &n.name};
            for (int i = 0; i < 4; ++i)
                std::memcpy(entry + f.entryText[i], parts[i]->data(), std::min<std::size_t>(parts[i]->size(), f.entryCapacity[i] - 1));
        }
    if (isOfSystemCalls(plan))
        for (const auto& call : probe::compatCalls()) {
            if (!plan.selectors.contains(call.number)) continue;
            auto* entry = table.initial.data() + (kCompatBase + call.compat) * size;
            constexpr std::uint64_t kIsCompat = 1;
            std::memcpy(entry, table.initial.data() + call.number * size, size);
            std::memcpy(entry + Firing::kEntryValue, &kIsCompat, sizeof kIsCompat);
        }
    return unit.add(std::move(table));
}

Builder::Temp selectGroup(Firing& f, const Plan& plan, MapId table, std::optional<MapId> addresses, Label leave)
{
    auto& b = f.b;
    f.probeSlot.emplace(b.temp());
    auto group = b.temp();
    const auto number = b.temp();
    const auto byAddress = [&](Reg address) {
        b.store(number, address);
        b.loadMap(R1, *addresses);
        b.addressOf(R2, number);
        b.call(Helper::MapLookup);
    };
    if (plan.byCookie) {
        const auto isPlaces = b.label(), isKnown = b.label();
        b.mov(R1, Builder::kContext);
        b.call(Helper::GetAttachCookie);
        b.mov(R3, R0);
        b.branch(Cond::Sge, R3, 0, isPlaces);
        constexpr int kIp = 16; // word of struct pt_regs. Source: arch/x86/include/asm/ptrace.h
        b.load(Width::B8, R1, Builder::kContext, 8 * kIp);
        b.alu(AluOp::Lsh, R3, kNumberShift);
        b.alu(AluOp::Or, R3, R1);
        byAddress(R3);
        // The file was mapped once more, and this place there is reached before the session has seen it.
        b.branch(Cond::Ne, R0, 0, isKnown);
        if (f.partNumber() == 0) f.countDrop(record::Drop::Kind::Principal);
        b.jump(leave);
        b.bind(isKnown);
        b.load(Width::B8, R3, R0, 0);
        b.bind(isPlaces);
    } else if (addresses) {
        b.mov(R1, Builder::kContext);
        b.call(Helper::GetFuncIp);
        byAddress(R0);
        b.branch(Cond::Eq, R0, 0, leave);
        b.load(Width::B8, R3, R0, 0);
    } else {
        b.load(Width::B8, R3, Builder::kContext, 8 * plan.selectorWord);
    }
    if (plan.selectorOffset >= 0) {
        b.add(R3, plan.selectorOffset);
        b.addressOf(R1, number);
        b.mov(R2, 8);
        b.call(Helper::ProbeReadKernel);
        b.branch(Cond::Ne, R0, 0, leave);
        b.load(R3, number);
    }
    if (isOfSystemCalls(plan)) {
        const auto plain = b.label();
        b.branch(Cond::Ge, R3, kCompatBase, leave);
        if (const auto status = f.unit.kernelOffset("task_struct", "thread_info.status"); status >= 0) {
            b.store(number, R3);
            b.call(Helper::GetTaskBtf);
            b.load(Width::B4, R1, R0, status);
            b.load(R3, number);
            b.alu(AluOp::And, R1, kCompat);
            b.branch(Cond::Eq, R1, 0, plain);
            b.add(R3, kCompatBase);
            b.bind(plain);
        }
    }
    b.branch(Cond::Gt, R3, static_cast<std::int32_t>(lastSelector(plan)), leave);
    b.store(number, R3);
    b.loadMap(R1, table);
    b.addressOf(R2, number);
    b.call(Helper::MapLookup);
    b.branch(Cond::Eq, R0, 0, leave);
    b.load(Width::B4, R1, R0, 4);
    b.branch(Cond::Eq, R1, 0, leave);
    b.store(group, R1);
    b.load(Width::B4, R1, R0, 0);
    b.store(*f.probeSlot, R1);
    f.entrySlot.emplace(b.temp());
    b.store(*f.entrySlot, R0);
    return group;
}
} // namespace dscope::codegen
