#include "engine/sema/kernel_data.h"
#include <algorithm>
#include <charconv>
namespace dscope::sema {
namespace {
struct Known {
    std::string_view name, type;
};
// Source: the declarations in Linux 6.1's include/ and kernel/.
constexpr Known kKnown[] = {
    {"avenrun", "unsigned long [3]"},
    {"boot_cpu_data", "struct cpuinfo_x86"},
    {"cad_pid", "struct pid *"},
    {"cgrp_dfl_root", "struct cgroup_root"},
    {"crashing_cpu", "int"},
    {"init_cred", "struct cred"},
    {"init_mm", "struct mm_struct"},
    {"init_net", "struct net"},
    {"init_nsproxy", "struct nsproxy"},
    {"init_pid_ns", "struct pid_namespace"},
    {"init_task", "struct task_struct"},
    {"init_user_ns", "struct user_namespace"},
    {"init_uts_ns", "struct uts_namespace"},
    {"jiffies", "unsigned long"},
    {"jiffies_64", "uint64_t"},
    {"loops_per_jiffy", "unsigned long"},
    {"max_low_pfn", "unsigned long"},
    {"max_pfn", "unsigned long"},
    {"min_low_pfn", "unsigned long"},
    {"nr_cpu_ids", "unsigned int"},
    {"nr_irqs", "int"},
    {"nr_threads", "int"},
    {"panic_on_oops", "int"},
    {"panic_timeout", "int"},
    {"pid_max", "int"},
    {"root_task_group", "struct task_group"},
    {"saved_command_line", "char *"},
    {"sysctl_overcommit_memory", "int"},
    {"tainted_mask", "unsigned long"},
    {"tasklist_lock", "rwlock_t"},
    {"total_forks", "unsigned long"},
    {"vm_swappiness", "int"},
};
std::uint64_t addressIn(std::string_view line)
{
    std::uint64_t address = 0;
    std::from_chars(line.data(), line.data() + line.size(), address, 16);
    return address;
}
} // namespace

std::optional<KernelSymbol> kernelSymbol(std::string_view kallsyms, std::string_view module, std::string_view name)
{
    const auto wanted = ' ' + std::string(name);
    for (auto at = kallsyms.find(wanted); at != kallsyms.npos; at = kallsyms.find(wanted, at + 1)) {
        const auto after = at + wanted.size();
        if (after < kallsyms.size() && kallsyms[after] != '\n' && kallsyms[after] != '\t') continue;
        const auto before = kallsyms.rfind('\n', at);
        const auto begin = before == kallsyms.npos ? 0 : before + 1;
        const auto end = std::min(kallsyms.find('\n', at), kallsyms.size());
        const auto line = kallsyms.substr(begin, end - begin);
        const auto open = line.find('['), close = line.find(']');
        KernelSymbol found;
        found.module = open == line.npos || close == line.npos ? "vmlinux" : line.substr(open + 1, close - open - 1);
        if (!module.empty() && module != found.module) continue;
        found.address = addressIn(line);
        found.type = kallsyms[at - 1];
        // The kernel's own symbols are sorted by address.
        auto next = end;
        while (next < kallsyms.size() && found.room == 0) {
            const auto address = addressIn(kallsyms.substr(next + 1));
            if (address < found.address) break;
            found.room = address - found.address;
            next = std::min(kallsyms.find('\n', next + 1), kallsyms.size());
        }
        return found;
    }
    return std::nullopt;
}

std::string kernelDataType(const KernelSymbol& symbol, std::string_view name)
{
    if (name == "linux_banner" || name == "linux_proc_banner")
        return "char [" + std::to_string(std::clamp<std::uint64_t>(symbol.room, 1, 512)) + "]";
    const auto* known = std::find_if(std::begin(kKnown), std::end(kKnown), [&](const Known& k) { return k.name == name; });
    if (known != std::end(kKnown)) return std::string(known->type);
    switch (symbol.room) {
    case 1: return "uint8_t";
    case 2: return "uint16_t";
    case 4: return "uint32_t";
    default: return "uint64_t";
    }
}
} // namespace dscope::sema
