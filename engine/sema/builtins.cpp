#include "engine/sema/builtins.h"
#include <algorithm>
#include <array>
namespace dscope::sema {
namespace {
// Source: Solaris Dynamic Tracing Guide, table "DTrace Built-in Variables"; types as DTrace for Linux has them.
constexpr auto kRows = std::to_array<BuiltinRow>({
    {"caller", Builtin::Caller, "uintptr_t"},
    {"cpu", Builtin::Cpu, "processorid_t"},
    {"curcpu", Builtin::Curcpu, "cpuinfo_t *"},
    {"curthread", Builtin::Curthread, "struct task_struct *"},
    {"epid", Builtin::EnabledProbeId, "uint64_t"},
    {"errno", Builtin::Errno, "int"},
    {"execargs", Builtin::Execargs, "string"},
    {"execname", Builtin::Execname, "string"},
    {"gid", Builtin::Gid, "gid_t"},
    {"id", Builtin::ProbeId, "uint_t"},
    {"ipl", Builtin::Ipl, "uint_t"},
    {"pid", Builtin::Pid, "pid_t"},
    {"ppid", Builtin::Ppid, "pid_t"},
    {"probefunc", Builtin::ProbeFunc, "string"},
    {"probemod", Builtin::ProbeMod, "string"},
    {"probename", Builtin::ProbeName, "string"},
    {"probeprov", Builtin::ProbeProv, "string"},
    {"stackdepth", Builtin::StackDepth, "uint32_t"},
    {"tid", Builtin::Tid, "id_t"},
    {"timestamp", Builtin::Timestamp, "uint64_t"},
    {"ucaller", Builtin::Ucaller, "uint64_t"},
    {"uid", Builtin::Uid, "uid_t"},
    {"ustackdepth", Builtin::UstackDepth, "uint32_t"},
    {"vtimestamp", Builtin::Vtimestamp, "uint64_t"},
    {"walltimestamp", Builtin::Walltimestamp, "int64_t"},
});
} // namespace

std::span<const BuiltinRow> builtinRows() { return kRows; }
const BuiltinRow* findBuiltin(std::string_view name)
{
    const auto row = std::find_if(kRows.begin(), kRows.end(), [&](const BuiltinRow& r) { return r.name == name; });
    return row == kRows.end() ? nullptr : &*row;
}
int argumentNumber(std::string_view name)
{
    if (name.size() != 4 || !name.starts_with("arg") || name[3] < '0' || name[3] > '9') return -1;
    return name[3] - '0';
}
} // namespace dscope::sema
