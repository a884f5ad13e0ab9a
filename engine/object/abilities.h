#pragma once
#include <array>
#include <bitset>
#include <cstdint>
#include <string_view>
namespace dscope::object {
/// What newer kernels give BPF programs and older ones do not, as far as our programs use it.
enum class Ability : std::uint8_t {
    ReadKernel,     ///< bpf_probe_read_kernel()
    RingBuffer,     ///< BPF_MAP_TYPE_RINGBUF
    CurrentTask,    ///< bpf_get_current_task_btf(): the kernel's own data is read without a call
    TaskStorage,    ///< BPF_MAP_TYPE_TASK_STORAGE in tracing programs
    LongKeys,       ///< hashes with keys of more than kShortKey bytes
    AtomicExchange, ///< atomic operations that give the old value
    TaskRegisters,  ///< bpf_task_pt_regs()
    AttachCookie,   ///< bpf_get_attach_cookie() in programs at kprobes and uprobes
    FunctionAddress, ///< bpf_get_func_ip() in programs at kprobes
    Loop,           ///< bpf_loop()
    LinkFunctions,  ///< one program linked to many functions (kprobe_multi)
    LinkPlaces,     ///< one program linked to many places of files (uprobe_multi)
};
constexpr std::size_t kAbilities = 12;
/// Bytes of the longest key of a hash without Ability::LongKeys. Source: kernel/bpf/hashtab.c of 5.10, htab_map_alloc_check()
constexpr std::uint32_t kShortKey = 512;

/// Source: the commits that brought them to include/uapi/linux/bpf.h, by `git describe --contains`.
struct AbilityFacts {
    Ability ability;
    std::string_view name;   ///< as the kernel calls it
    std::string_view since;  ///< the kernel that brought it
    std::string_view gives;  ///< what D programs need it for, a clause without subject
    bool isNeeded;           ///< false: without it we take another way, dearer or with less
};
constexpr std::array<AbilityFacts, kAbilities> kAbilityFacts{{
    {Ability::ReadKernel, "bpf_probe_read_kernel", "5.5", "reading the kernel's memory", true},
    {Ability::RingBuffer, "ring buffer", "5.8", "records of any kind", true},
    {Ability::CurrentTask, "bpf_get_current_task_btf", "5.11", "reading the current thread's data without a call", false},
    {Ability::TaskStorage, "task storage", "5.11", "thread-local variables (self->), errno and vtimestamp", true},
    {Ability::LongKeys, "hashes with long keys", "5.11", "keys of more than 512 bytes, to which strings in them are cut", false},
    {Ability::AtomicExchange, "atomic exchange", "5.12", "speculations, and the providers pid and usdt", true},
    {Ability::TaskRegisters, "bpf_task_pt_regs", "5.15", "user registers away from profile probes", false},
    {Ability::AttachCookie, "bpf_get_attach_cookie", "5.15", "the providers pid and usdt", true},
    {Ability::FunctionAddress, "bpf_get_func_ip", "5.15", "the provider fbt where many functions return", true},
    {Ability::Loop, "bpf_loop", "5.17", "walking user stacks in the kernel, and long loops", false},
    {Ability::LinkFunctions, "kprobe_multi", "5.18", "attaching to many kernel functions at once", false},
    {Ability::LinkPlaces, "uprobe_multi", "6.6", "attaching to many places of a process at once", false},
}};
constexpr const AbilityFacts& factsOf(Ability ability) { return kAbilityFacts[static_cast<std::size_t>(ability)]; }

/// A set of them.
class Abilities {
public:
    static Abilities all() { Abilities a; a.m_has.set(); return a; }
    static Abilities none() { return {}; }
    bool has(Ability ability) const { return m_has[static_cast<std::size_t>(ability)]; }
    void add(Ability ability) { m_has.set(static_cast<std::size_t>(ability)); }
    void remove(Ability ability) { m_has.reset(static_cast<std::size_t>(ability)); }
    bool hasAll() const { return m_has.all(); }

private:
    std::bitset<kAbilities> m_has;
};
} // namespace dscope::object
