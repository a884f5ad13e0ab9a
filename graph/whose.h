#pragma once
#include "engine/record/record.h"
#include "graph/privacy.h"
#include <cstdint>
#include <span>
#include <string>
namespace dscope::graph {
/// Of which processes a figure's data is, as titles say it. A run of a command is not data of that command: clauses may fire for others,
/// and of recordings that do not tell (before 1.7) nobody knows.
class Whose {
public:
    Whose() = default; ///< unknown
    Whose(const record::Program& program, record::Clause::Processes processes);
    Whose(const record::Program& program, std::span<const AggregationId> aggregations);

    /// Who says that data is wider than the target.
    enum class Wider : std::uint8_t {
        Said,     ///< the title
        SaidApart ///< the page that it is on (headedByWhose())
    };
    /// A title and what is said of it: `title` alone, "%1: make -j4" where the data is of the command's processes alone, "%1: all
    /// processes" where it is of the machine's, "%1 during make -j4" else. `title`: said already.
    std::string titled(const std::string& title, Privacy privacy = Privacy::Open, Wider wider = Wider::Said) const;
    /// Of all processes, though the run was about one.
    bool isWiderThanTarget() const;
    bool isOfTarget() const { return m_processes == record::Clause::Processes::Target; }
    std::string command(Privacy privacy = Privacy::Open) const; ///< short; empty where there is none

private:
    record::Clause::Processes m_processes = record::Clause::Processes::NotTold;
    std::string m_command;
    std::int32_t m_target = 0;
};
} // namespace dscope::graph
