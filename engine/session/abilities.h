#pragma once
#include "engine/object/abilities.h"
#include "engine/object/object.h"
#include <vector>
namespace dscope::session {
/// What trials have shown of this kernel.
struct FoundAbilities {
    /// What this kernel has. Everything while it is not known.
    object::Abilities has = object::Abilities::all();
    int code = 0; ///< errno where we may not try; then it is not known what the kernel has
    bool isKnown() const { return code == 0; }
};
/// Found by trying, with the smallest program that needs each: kernels have later helpers ported back. Once. Those that are about
/// attaching (LinkFunctions, LinkPlaces) are taken for granted.
const FoundAbilities& abilities();
/// Whether programs at perf events may use hashes that take their memory when a key comes: from Linux 6.1 on. Found by trying, once.
/// Source: kernel/bpf/verifier.c, check_map_prog_compatibility().
bool samplesGrowMaps();
/// The same as abilities(), those that are about attaching tried too, which attaches to a function of the kernel for a moment.
object::Abilities abilitiesWithLinks();
/// What the instructions need, in the order of the enumeration.
std::vector<object::Ability> neededBy(const object::Code& code);
} // namespace dscope::session
