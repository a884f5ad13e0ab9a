#pragma once
#include "engine/codegen/program_plan.h"
#include <cstddef>
#include <cstdint>
namespace dscope::codegen {
/// Bytes of the largest record that the clauses of these probes build.
std::uint32_t recordSize(const Unit& unit, const Plan& plan);
/// Whether a clause asks for probeprov, probemod, probefunc or probename.
bool usesNames(const Unit& unit, const Plan& plan);
/// Frames that any user stack of the program has at most; kMostFrames where a clause asks how deep a stack is.
std::uint32_t mostUserFrames(const sema::Program& program);
/// About how many instructions the clauses of a probe take.
std::size_t weightOf(const sema::Program& program, const sema::EnabledProbe& probe);
} // namespace dscope::codegen
