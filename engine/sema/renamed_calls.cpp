#include "engine/language/renamed_calls.h"
#include "engine/probe/registry.h"
#include "engine/sema/analyser.h"
#include <algorithm>
/// System calls that a program names as other systems do: it would run and show nothing.
namespace dscope::sema {
/// Notes a description of which programs make another call here.
void Analyser::noteRenamedCall(const probe::Pattern& pattern, Span at, Found found)
{
    if (m_environment.listing || m_program.dialect == record::Dialect::DtraceForLinux || pattern.provider != "syscall") return;
    const auto ours = language::ourCall(pattern.function);
    if (ours.empty()) return;
    auto wanted = pattern;
    wanted.function = ours;
    wanted.module.clear();
    const auto there = m_environment.probes.match(wanted);
    if (there && !there->empty()) m_renamedCalls.push_back({pattern, wanted, at, found});
}

/// Tells of those whose calls the program does not trace by another description: each name once.
void Analyser::warnOfRenamedCalls()
{
    const auto isTraced = [&](const probe::Pattern& ours) {
        return std::any_of(m_program.probes.begin(), m_program.probes.end(),
            [&](const EnabledProbe& p) { return p.name.provider == "syscall" && p.name.function == ours.function; });
    };
    std::vector<std::string> told;
    for (const auto& each : m_renamedCalls) {
        if (isTraced(each.ours) || std::find(told.begin(), told.end(), each.named.function) != told.end()) continue;
        told.push_back(each.named.function);
        const auto spelled = [](const probe::Pattern& p) { return probe::Name{p.provider, p.module, p.function, p.name}.spelled(); };
        const auto is = each.found == Found::None ? " is no probe here" : " fires for few programs";
        m_diagnostics.warning({}, each.at, text(spelled(each.named), is, ": most call ", each.ours.function, " on Linux"))
            .hints.push_back("add the description " + spelled(each.ours));
    }
}
} // namespace dscope::sema
