#include "engine/codegen/generate.h"
#include "engine/codegen/dispatch.h"
#include "engine/codegen/walk.h"
namespace dscope::codegen {
namespace {
std::optional<Object> generateWith(
    const sema::Program& program, Diagnostics& diagnostics, const object::Abilities& has, Unit::Memory memory)
{
    Unit unit(program, has, memory);
    unit.object.schema.matched = program.matched;
    unit.object.schema.options = {program.options.all().begin(), program.options.all().end()};
    unit.object.schema.dialect = program.dialect;
    unit.object.schema.tellsOfProcesses = program.tellsOfProcesses;
    for (const auto& p : program.probes)
        unit.object.probes.push_back({p.id, p.name.provider, p.name.module, p.name.function, p.name.name});
    try {
        unit.requireRoom();
        emitPrograms(unit);
        emitWatches(unit);
        emitWalkWatches(unit);
        if (unit.usesVirtualTime()) emitVirtualTime(unit);
        if (unit.usesLastErrors()) emitLastErrors(unit);
        if (program.tellsOfProcesses) emitProcessEvents(unit);
        unit.settleShared();
    } catch (const TooLarge& limit) {
        if (limit.mayShare) return generateWith(program, diagnostics, has, Unit::Memory::Shared);
        auto& told = diagnostics.error(limit.tag, limit.at, limit.what);
        if (!limit.wayOut.empty())
            told.hints.push_back(limit.wayOut);
        else if (limit.tag == "D_UNKNOWN")
            told.hints.push_back("every string that is kept takes -x strsize=" + std::to_string(unit.stringLimit() - 1)
                + " bytes, clause-local (this->) variables of all clauses together: a smaller strsize or fewer of them leave room");
        return std::nullopt;
    } catch (const Lacks& lacks) {
        const auto& facts = object::factsOf(lacks.ability);
        diagnostics.error("D_UNKNOWN", lacks.at,
            "this kernel is too old for " + std::string(facts.gives) + ": that needs " + std::string(facts.name)
                + ", which came with Linux " + std::string(facts.since));
        return std::nullopt;
    } catch (const NoKernelTypes& none) {
        diagnostics.error("D_UNKNOWN", none.at, program.types->kernelTypesNeeded())
            .hints.emplace_back(types::TypeTable::kWhoHasKernelTypes);
        return std::nullopt;
    }
    for (auto& remark : unit.remarks)
        diagnostics.warning({}, remark.at, std::move(remark.what));
    return std::move(unit.object);
}
} // namespace

std::optional<Object> generate(const sema::Program& program, Diagnostics& diagnostics, const object::Abilities& has)
{
    return generateWith(program, diagnostics, has, Unit::Memory::Own);
}
} // namespace dscope::codegen
