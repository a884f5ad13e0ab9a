#include "engine/session/abilities.h"
#include "engine/base/fd.h"
#include "engine/session/function_info.h"
#include "engine/session/function_link.h"
#include "engine/session/storage_types.h"
#include "engine/session/uprobe_link.h"
#include <algorithm>
#include <array>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <cerrno>
#include <cstring>
#include <optional>
#include <span>
#include <unistd.h>
namespace dscope::session {
namespace {
using object::Abilities;
using object::Ability;
// Numbers of helpers. Source: include/uapi/linux/bpf.h, ___BPF_FUNC_MAPPER.
constexpr std::int32_t kReadKernel = 113, kReadKernelText = 115, kCurrentTask = 158, kTaskStorageGet = 156, kTaskStorageDelete = 157,
                       kFunctionAddress = 173, kAttachCookie = 174, kTaskRegisters = 175, kLoop = 181;

constexpr bpf_insn on(std::uint8_t code, unsigned to, unsigned from, std::int32_t value)
{
    bpf_insn insn{};
    insn.code = code;
    insn.dst_reg = to & 0xfU;
    insn.src_reg = from & 0xfU;
    insn.imm = value;
    return insn;
}
constexpr bpf_insn move(unsigned to, unsigned from) { return on(BPF_ALU64 | BPF_MOV | BPF_X, to, from, 0); }
constexpr bpf_insn set(unsigned to, std::int32_t value) { return on(BPF_ALU64 | BPF_MOV | BPF_K, to, 0, value); }
constexpr bpf_insn add(unsigned to, std::int32_t value) { return on(BPF_ALU64 | BPF_ADD | BPF_K, to, 0, value); }
constexpr bpf_insn call(std::int32_t helper) { return {.code = BPF_JMP | BPF_CALL, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = helper}; }
constexpr bpf_insn kExit = {.code = BPF_JMP | BPF_EXIT, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = 0};
constexpr bpf_insn kZeroOnStack = {.code = BPF_ST | BPF_MEM | BPF_DW, .dst_reg = BPF_REG_10, .src_reg = 0, .off = -8, .imm = 0};
constexpr bpf_insn kFetchAdd
    = {.code = BPF_STX | BPF_ATOMIC | BPF_DW, .dst_reg = BPF_REG_10, .src_reg = BPF_REG_1, .off = -8, .imm = BPF_ADD | BPF_FETCH};

/// 0, or why the kernel does not take the program.
int tried(bpf_prog_type type, std::span<const bpf_insn> code, int attachType = 0, const FunctionInfo* info = nullptr)
{
    bpf_prog_load_opts options{};
    options.sz = sizeof options;
    options.expected_attach_type = static_cast<bpf_attach_type>(attachType);
    if (info) {
        options.prog_btf_fd = static_cast<std::uint32_t>(info->btf.get());
        options.func_info = info->entries.data();
        options.func_info_cnt = static_cast<std::uint32_t>(info->entries.size());
        options.func_info_rec_size = sizeof(bpf_func_info);
    }
    const Fd program(bpf_prog_load(type, "dscope_try", "GPL", code.data(), code.size(), &options));
    return program ? 0 : errno;
}

constexpr std::array kReadsKernel{kZeroOnStack, move(1, 10), add(1, -8), set(2, 8), set(3, 0), call(kReadKernel)};
constexpr std::array kEnd{set(0, 0), kExit};

/// Whether the kernel takes bpf_loop() behind `before`.
bool loops(std::span<const bpf_insn> before)
{
    constexpr std::array loop{set(1, 1),
        bpf_insn{.code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = 2, .src_reg = BPF_PSEUDO_FUNC, .off = 0, .imm = 5}, bpf_insn{}, set(3, 0),
        set(4, 0), call(kLoop), kExit};
    const auto info = functionInfo({0, static_cast<std::uint32_t>(before.size() + loop.size())});
    if (!info) return false;
    std::vector<bpf_insn> code(before.begin(), before.end());
    code.insert(code.end(), loop.begin(), loop.end());
    code.insert(code.end(), kEnd.begin(), kEnd.end()); // the loop's body
    return tried(BPF_PROG_TYPE_RAW_TRACEPOINT, code, 0, &*info) == 0;
}

bool hasRingBuffer()
{
    const auto page = static_cast<std::uint32_t>(::sysconf(_SC_PAGESIZE));
    return Fd(bpf_map_create(BPF_MAP_TYPE_RINGBUF, "dscope_try", 0, 0, page, nullptr)).operator bool();
}

bool hasLongKeys() { return Fd(bpf_map_create(BPF_MAP_TYPE_HASH, "dscope_try", object::kShortKey + 8, 8, 1, nullptr)).operator bool(); }

bool hasTaskStorage()
{
    const auto types = storageTypes(8);
    if (!types) return false;
    bpf_map_create_opts options{};
    options.sz = sizeof options;
    options.map_flags = BPF_F_NO_PREALLOC;
    options.btf_fd = static_cast<std::uint32_t>(types->btf.get());
    options.btf_key_type_id = types->key;
    options.btf_value_type_id = types->value;
    return Fd(bpf_map_create(BPF_MAP_TYPE_TASK_STORAGE, "dscope_try", 4, 8, 0, &options)).operator bool();
}

bool linksPlaces()
{
    constexpr std::array nothing{set(0, 0), kExit};
    bpf_prog_load_opts load{};
    load.sz = sizeof load;
    load.expected_attach_type = static_cast<bpf_attach_type>(kTraceUprobeMulti);
    const Fd program(bpf_prog_load(BPF_PROG_TYPE_KPROBE, "dscope_try", "GPL", nothing.data(), nothing.size(), &load));
    if (!program) return false;
    // A kernel that knows such links says that this is no file; others do not know the kind of link.
    constexpr std::array<std::uint64_t, 1> kFirst{0};
    UprobeSet folder{};
    folder.file = "/";
    folder.offsets = kFirst;
    folder.pid = ::getpid();
    const auto link = linkUprobes(program.get(), folder);
    return !link && link.error().code == EBADF;
}

FoundAbilities found()
{
    FoundAbilities out;
    // One try is enough for nearly all: no kernel that has bpf_loop() is without what came before it.
    if (loops(kReadsKernel)) return out;
    if (const int code = tried(BPF_PROG_TYPE_RAW_TRACEPOINT, kEnd)) {
        out.code = code;
        return out;
    }

    std::vector<bpf_insn> readKernel(kReadsKernel.begin(), kReadsKernel.end());
    readKernel.insert(readKernel.end(), kEnd.begin(), kEnd.end());
    constexpr std::array currentTask{call(kCurrentTask), set(0, 0), kExit};
    constexpr std::array exchange{kZeroOnStack, set(1, 1), kFetchAdd, set(0, 0), kExit};
    constexpr std::array registers{call(kCurrentTask), move(1, 0), call(kTaskRegisters), set(0, 0), kExit};
    constexpr std::array cookie{call(kAttachCookie), set(0, 0), kExit};
    constexpr std::array address{call(kFunctionAddress), set(0, 0), kExit};
    const auto takes = [](bpf_prog_type type, std::span<const bpf_insn> code) { return tried(type, code) == 0; };
    const auto note = [&out](Ability ability, bool isThere) {
        if (!isThere) out.has.remove(ability); // until then it has all
    };

    const bool isNew = loops({}); // but locked down against reading
    note(Ability::ReadKernel, takes(BPF_PROG_TYPE_RAW_TRACEPOINT, readKernel));
    note(Ability::Loop, isNew);
    if (isNew) return out;
    note(Ability::RingBuffer, hasRingBuffer());
    note(Ability::CurrentTask, takes(BPF_PROG_TYPE_RAW_TRACEPOINT, currentTask));
    note(Ability::TaskStorage, out.has.has(Ability::CurrentTask) && hasTaskStorage());
    note(Ability::LongKeys, hasLongKeys());
    note(Ability::AtomicExchange, takes(BPF_PROG_TYPE_RAW_TRACEPOINT, exchange));
    note(Ability::TaskRegisters, takes(BPF_PROG_TYPE_RAW_TRACEPOINT, registers));
    note(Ability::AttachCookie, takes(BPF_PROG_TYPE_KPROBE, cookie));
    note(Ability::FunctionAddress, takes(BPF_PROG_TYPE_KPROBE, address));
    return out;
}

std::optional<Ability> neededBy(const bpf_insn& insn)
{
    if (insn.code == (BPF_STX | BPF_ATOMIC | BPF_DW) || insn.code == (BPF_STX | BPF_ATOMIC | BPF_W))
        return insn.imm == BPF_ADD ? std::nullopt : std::optional(Ability::AtomicExchange);
    if (insn.code != (BPF_JMP | BPF_CALL) || insn.src_reg != 0) return {};
    switch (insn.imm) {
    case kReadKernel:
    case kReadKernelText: return Ability::ReadKernel;
    case kCurrentTask: return Ability::CurrentTask;
    case kTaskStorageGet:
    case kTaskStorageDelete: return Ability::TaskStorage;
    case kTaskRegisters: return Ability::TaskRegisters;
    case kAttachCookie: return Ability::AttachCookie;
    case kFunctionAddress: return Ability::FunctionAddress;
    case kLoop: return Ability::Loop;
    default: return {};
    }
}
} // namespace

const FoundAbilities& abilities()
{
    static const FoundAbilities all = found();
    return all;
}

bool samplesGrowMaps()
{
    static const bool grow = [] {
        bpf_map_create_opts options{};
        options.sz = sizeof options;
        options.map_flags = BPF_F_NO_PREALLOC;
        const Fd map(bpf_map_create(BPF_MAP_TYPE_HASH, "dscope_try", 8, 8, 1, &options));
        const std::array code{on(BPF_LD | BPF_IMM | BPF_DW, 1, BPF_PSEUDO_MAP_FD, map.get()), bpf_insn{}, set(0, 0), kExit};
        return map && tried(BPF_PROG_TYPE_PERF_EVENT, code) == 0;
    }();
    return grow;
}

Abilities abilitiesWithLinks()
{
    auto has = abilities().has;
    if (!abilities().isKnown()) return has;
    if (!linksFunctions()) has.remove(Ability::LinkFunctions);
    if (!linksPlaces()) has.remove(Ability::LinkPlaces);
    return has;
}

std::vector<Ability> neededBy(const object::Code& code)
{
    Abilities needed;
    for (std::size_t i = 0; i < code.slots.size(); ++i) {
        bpf_insn insn;
        static_assert(sizeof insn == sizeof(bpf::Slot));
        std::memcpy(&insn, &code.slots[i], sizeof insn);
        if (const auto ability = neededBy(insn)) needed.add(*ability);
        if (insn.code == (BPF_LD | BPF_IMM | BPF_DW)) ++i;
    }
    std::vector<Ability> all;
    for (const auto& facts : object::kAbilityFacts)
        if (needed.has(facts.ability)) all.push_back(facts.ability);
    return all;
}
} // namespace dscope::session
