#include "engine/format/flow.h"
#include <algorithm>
namespace dscope::format {
namespace {
/// Whether `name` is `what` or ends in "-what": "method-entry" is one, "carpentry" is not.
bool endsIn(std::string_view name, std::string_view what)
{
    if (!name.ends_with(what)) return false;
    return name.size() == what.size() || name[name.size() - what.size() - 1] == '-';
}
} // namespace

bool entersFunction(std::string_view probeName) { return endsIn(probeName, "entry"); }
bool leavesFunction(std::string_view probeName) { return endsIn(probeName, "return"); }

std::string FlowIndent::column(const record::ProbeDef& probe, const record::Fired& fired)
{
    Cpu& cpu = m_cpus[fired.cpu];
    // The next clause of the same firing is not another entry.
    const bool again = cpu.any && cpu.probe == fired.probe && !(cpu.clause == fired.clause);
    const bool entry = entersFunction(probe.name) && !again;
    const bool leaving = leavesFunction(probe.name);
    const bool syscall = probe.provider == "syscall";
    if (leaving) cpu.indent = std::max(cpu.indent - 2, 0);
    std::string text(std::size_t(cpu.indent), ' ');
    if (entry)
        text += (syscall ? " => " : " -> ") + probe.function;
    else if (leaving)
        text += (syscall ? " <= " : " <- ") + probe.function;
    else
        text += "| " + probe.function + ':' + probe.name;
    if (entry) cpu.indent += 2;
    cpu.any = true;
    cpu.probe = fired.probe;
    cpu.clause = fired.clause;
    return text;
}
} // namespace dscope::format
