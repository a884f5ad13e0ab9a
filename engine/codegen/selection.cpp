#include "engine/codegen/selection.h"
#include "engine/host/processor.h"
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
    const auto compat = probe::compatCalls();
    if (isOfSystemCalls(plan)) return compat.empty() ? kCompatBase : kCompatBase + compat.back().compat;
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
    Map table{.name = "dispatch",
        .kind = MapKind::Array,
        .keySize = 4,
        .valueSize = size,
        .maxEntries = static_cast<std::uint32_t>(last + 1),
        .isOfCode = true};
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

namespace {
/// r3 = the number that tells the plan's probes apart; goes to `leave` when there is none.
void loadSelector(Firing& f, const Plan& plan, std::optional<MapId> addresses, Label leave)
{
    auto& b = f.b;
    const auto number = b.temp();
    const auto byAddress = [&](Reg address) {
        b.store(number, address);
        b.loadMap(R1, *addresses);
        b.addressOf(R2, number);
        b.call(Helper::MapLookup);
    };

    if (plan.byCookie) {
        f.unit.need(object::Ability::AttachCookie, b.from());
        b.mov(R1, Builder::kContext);
        b.call(Helper::GetAttachCookie);
        b.mov(R3, R0);
        return b.when({R3, Cond::Slt, 0}, [&] { // several places share it
            b.load(Width::B8, R1, Builder::kContext, host::kProcessor.instruction);
            b.alu(AluOp::Lsh, R3, kNumberShift);
            b.alu(AluOp::Or, R3, R1);
            byAddress(R3);
            // The file was mapped once more, and this place there is reached before the session has seen it.
            b.when({R0, Cond::Eq, 0}, [&] {
                if (f.partNumber() == 0) f.countDrop(record::Drop::Kind::Principal);
                b.jump(leave);
            });
            b.load(Width::B8, R3, R0, 0);
        });
    }

    if (addresses) {
        // Where a function begins the registers tell its address; where it returns they are a trampoline's.
        const bool returns = std::get<probe::KernelFunction>(plan.places.front()).atReturn;
        if (!returns && !f.unit.can(object::Ability::FunctionAddress)) {
            b.load(Width::B8, R0, Builder::kContext, host::kProcessor.instruction);
            b.add(R0, -host::kProcessor.breakpoint);
        } else {
            f.unit.need(object::Ability::FunctionAddress, b.from());
            b.mov(R1, Builder::kContext);
            b.call(Helper::GetFuncIp);
        }
        byAddress(R0);
        b.branch(Cond::Eq, R0, 0, leave);
        return b.load(Width::B8, R3, R0, 0);
    }

    if (plan.selectorOffset < 0) return b.load(Width::B8, R3, Builder::kContext, 8 * plan.selectorWord);

    if (isOfSystemCalls(plan) && f.unit.can(object::Ability::TaskRegisters)) {
        // What sys_exit hands over are the task's own registers, which the verifier lets programs read: nothing is copied.
        f.loadTask();
        b.mov(R1, R0);
        b.call(Helper::TaskPtRegs);
        return b.load(host::kProcessor.callNumberBytes == 4 ? Width::B4 : Width::B8, R3, R0, plan.selectorOffset);
    }

    b.load(Width::B8, R3, Builder::kContext, 8 * plan.selectorWord);
    b.add(R3, plan.selectorOffset);
    const auto bytes = plan.selectorOffset == host::kProcessor.callNumber ? host::kProcessor.callNumberBytes : 8;
    if (bytes < 8) b.store(number, 0);
    b.addressOf(R1, number);
    b.mov(R2, bytes);
    b.call(Helper::ProbeReadKernel);
    b.branch(Cond::Ne, R0, 0, leave);
    b.load(R3, number);
}

/// Whether the kernel says how a thread makes its system call.
bool knowsCompat(const Firing& f) { return f.unit.offsetIfKnown("task_struct", "thread_info.status") >= 0; }
/// r1 = kCompat where the current thread makes its system call as 32-bit programs do, else 0. Uses r0..r5.
void loadCompat(Firing& f)
{
    f.loadTask();
    f.b.load(Width::B4, R1, R0, f.unit.kernelOffset("task_struct", "thread_info.status"));
    f.b.alu(AluOp::And, R1, kCompat);
}

/// The numbers by which 32-bit programs make that system call: none, one, or a few.
std::vector<std::int32_t> compatNumbers(std::uint64_t number)
{
    std::vector<std::int32_t> numbers;
    for (const auto& call : probe::compatCalls())
        if (call.number == number) numbers.push_back(call.compat);
    return numbers;
}

/// Leaves when r3 is not the number of the system call that is wanted, as the current thread numbers them; other calls leave
/// before the task is looked at.
void selectCall(Firing& f, std::int32_t wanted, Label leave)
{
    auto& b = f.b;
    if (!knowsCompat(f)) return b.branch(Cond::Ne, R3, wanted, leave);

    auto others = compatNumbers(static_cast<std::uint64_t>(wanted));
    const bool isSame = std::erase(others, wanted) > 0; // 32-bit programs use this number too
    if (isSame || !others.empty()) f.compatSlot.emplace(b.temp());

    b.block([&](Label known) {
        if (!others.empty()) b.branch(Cond::Eq, R3, wanted, known);
        for (const auto other : others)
            if (other != others.back()) b.branch(Cond::Eq, R3, other, known);
        b.branch(Cond::Ne, R3, others.empty() ? wanted : others.back(), leave);
    });

    const auto number = b.saved(R3);
    loadCompat(f);
    if (!f.compatSlot) return b.branch(Cond::Ne, R1, 0, leave);

    if (!others.empty()) {
        b.load(R3, number);
        b.either(
            {R1, Cond::Eq, 0}, [&] { b.branch(Cond::Ne, R3, wanted, leave); },
            [&] {
                if (!isSame) b.branch(Cond::Eq, R3, wanted, leave);
            });
    }
    b.alu(AluOp::Rsh, R1, 1); // kCompat becomes 1
    b.store(*f.compatSlot, R1);
}
} // namespace

bool servesOne(const Plan& plan) { return plan.selectorWord >= 0 && plan.groups.size() == 1 && plan.groups.front().members.size() == 1; }

void selectOne(Firing& f, const Plan& plan, Label leave)
{
    const auto wanted = static_cast<std::int32_t>(plan.groups.front().members.front().selector);
    loadSelector(f, plan, {}, leave);
    if (isOfSystemCalls(plan)) return selectCall(f, wanted, leave);
    f.b.branch(Cond::Ne, R3, wanted, leave);
}

Builder::Temp selectGroup(Firing& f, const Plan& plan, MapId table, std::optional<MapId> addresses, Label leave)
{
    auto& b = f.b;
    f.probeSlot.emplace(b.temp());
    auto group = b.temp();
    const auto number = b.temp();
    loadSelector(f, plan, addresses, leave);
    if (isOfSystemCalls(plan)) {
        b.branch(Cond::Ge, R3, kCompatBase, leave);
        if (knowsCompat(f)) {
            b.store(number, R3);
            loadCompat(f);
            b.load(R3, number);
            b.when({R1, Cond::Ne, 0}, [&] { b.add(R3, kCompatBase); });
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
