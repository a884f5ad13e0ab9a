#pragma once
#include "engine/codegen/firing.h"
#include "engine/codegen/program_plan.h"
#include <optional>
namespace dscope::codegen {
/// selector -> u32 probe, u32 group (from 1), u64 value of the hook, then the probe's names when `names`.
MapId makeTable(Firing& f, const Plan& plan, bool names);
/// True for a program of one probe that a number selects: it needs no table.
bool servesOne(const Plan& plan);
/// For such a program: leaves it when the number is another one.
void selectOne(Firing& f, const Plan& plan, Label leave);
/// Looks the number up in the table and leaves the program if it is not there. The entry's probe and group are then in Temps.
Builder::Temp selectGroup(Firing& f, const Plan& plan, MapId table, std::optional<MapId> addresses, Label leave);
} // namespace dscope::codegen
