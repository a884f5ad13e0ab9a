#pragma once
#include "engine/codegen/firing.h"
/// Clauses and what stands in them: clauses.cpp, aggregations.cpp.
namespace dscope::codegen {
/// @name[keys] = function(values).
void aggregate(Firing& f, const sema::Statement& s);
/// What it records goes into the record that is built; the segment is sent at its end.
void act(Firing& f, const sema::Statement& s, const SegmentPlan& segment);
/// Its predicate, its statements, its faults.
void clause(Firing& f, const sema::Clause& clause);
void clauses(Firing& f, const sema::EnabledProbe& probe); ///< all of the probe's, in order
} // namespace dscope::codegen
