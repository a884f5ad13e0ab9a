#pragma once
#include "engine/bpf/insn.h"
#include <cstddef>
#include <map>
#include <unordered_map>
#include <vector>
/// Where each instruction lies, and the stepping stones of jumps that are longer than their 16 bits reach.
namespace dscope::bpf {
/// A row of jumps between two instructions. Code that runs through it leaps over it.
struct Island {
    std::size_t before = 0;                    ///< index of the instruction it precedes
    bool fallsThrough = true;                  ///< the instruction above it may go on to the one below
    std::map<std::uint32_t, std::size_t> hops; ///< label -> its jump's index within the island
    std::size_t position = 0;                  ///< first slot
    std::size_t slots() const { return hops.empty() ? 0 : hops.size() + (fallsThrough ? 1 : 0); }
    std::size_t hopAt(std::uint32_t label) const { return position + (fallsThrough ? 1 : 0) + hops.at(label); }
};

/// Distances only grow while islands fill, so a jump once too long stays so and the search for a layout ends; each long
/// jump goes to the nearest island in its direction, each hop to its label or to the next island. No hop is spare: the
/// verifier refuses code that cannot be reached.
class Layout {
public:
    /// `sizes`: slots of each instruction.
    Layout(const std::vector<Insn>& code, const std::vector<std::size_t>& sizes);
    std::size_t position(Label label) const;         ///< slot of the instruction it stands before
    std::size_t jumpTarget(std::size_t index) const; ///< slot that the Jump or Branch `index` goes to
    std::size_t hopTarget(const Island& island, std::uint32_t label) const;
    const Island* islandBefore(std::size_t index) const; ///< null when there is none, or none that is needed

private:
    void findSites();
    void place();
    bool fill();
    std::size_t beyond(std::size_t k, std::uint32_t label) const;
    std::size_t siteOf(std::size_t from, std::uint32_t label) const;
    bool tooLong(std::size_t slot, std::uint32_t label) const;
    const std::vector<Insn>& m_code;
    const std::vector<std::size_t>& m_sizes;
    std::vector<std::size_t> m_positions;                    ///< by instruction
    std::unordered_map<std::uint32_t, std::size_t> m_labels; ///< label -> instruction
    std::vector<Island> m_islands;                           ///< ascending
};
} // namespace dscope::bpf
