#pragma once
#include "engine/sema/program.h"
namespace dscope::sema {
/// Says of each clause for which processes it does something (record::Clause::Processes), by its predicate and its probes. `target` is the
/// number that $target was replaced by, 0 where there is none. A clause whose predicate reads what cannot be followed is told nothing
/// of: data that its probe points to, a global variable, an array. Nor is one that no process fires, as BEGIN. Also says whether the clause
/// names anything about a process at all (Clause::readsProcess), and whether anything of its firings is seen (Clause::yieldsData).
void findProcesses(Program& program, std::int64_t target);
} // namespace dscope::sema
