#pragma once
#include "engine/codegen/firing.h"
namespace dscope::codegen {
/// Adds to unit.object the programs that serve the program's probes.
void emitPrograms(Unit& unit);
/// Adds those that only remember (sema::Program::watches). They come after the programs of the probes, which thus run first
/// where both are attached.
void emitWatches(Unit& unit);
/// Completes the code of `f` and adds it as a program attached to `places`.
void addProgram(Unit& unit, Firing& f, std::string name, std::vector<probe::Place> places);
/// Adds the program that watches the threads' switches for vtimestamp.
void emitVirtualTime(Unit& unit);
/// Adds the program that watches system calls return for errno, where a probe that is none of their returns asks for it.
void emitLastErrors(Unit& unit);
/// Adds the programs that report processes (record::ProcessEvent).
void emitProcessEvents(Unit& unit);
} // namespace dscope::codegen
