#include "graph/whose.h"
#include "graph/run_probes.h"
#include "graph/text.h"
#include "graph/tongue.h"
namespace dscope::graph {
using Processes = record::Clause::Processes;

Whose::Whose(const record::Program& program, Processes processes)
    : m_processes(processes), m_command(program.command), m_target(program.target)
{
}

Whose::Whose(const record::Program& program, std::span<const AggregationId> aggregations)
    : Whose(program, processesIn(program, aggregations))
{
}

bool Whose::isWiderThanTarget() const { return m_processes == Processes::All && (m_target != 0 || !m_command.empty()); }

std::string Whose::command(Privacy privacy) const
{
    return privacy == Privacy::Redacted || m_command.empty() ? std::string() : printable(shortCommand(m_command));
}

std::string Whose::titled(const std::string& title, Privacy privacy, Wider wider) const
{
    if (wider == Wider::SaidApart && isWiderThanTarget()) return title;
    const auto command = this->command(privacy);
    switch (m_processes) {
    case Processes::All: return command.empty() ? said("%1: all processes", title) : said("%1: all processes during %2", title, command);
    case Processes::Target:
        if (!command.empty()) return said("%1: %2", title, command);
        return m_target != 0 && m_command.empty() ? said("%1: process %2", title, std::to_string(m_target)) : title;
    case Processes::Some:
    case Processes::NotTold: break;
    }
    return command.empty() ? title : said("%1 during %2", title, command);
}
} // namespace dscope::graph
