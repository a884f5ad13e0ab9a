#pragma once
#include "engine/base/interned.h"
#include "engine/text/bpf_frames.h"
#include "engine/text/importer.h"
#include "engine/text/stack_counts.h"
#include <map>
#include <queue>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>
namespace dscope::text {
/// Stacks by maps. A map that is printed again and again counts as PrintedMaps says.
class PrintedStacks {
public:
    struct Stack {
        std::vector<std::uint32_t> frames; ///< innermost first
        std::vector<std::uint32_t> lines;  ///< numbers of the lines that they are: two frames of one function differ there
        StackSide side = StackSide::Unknown, outermost = StackSide::Unknown; ///< by its addresses; by where it begins
        StackSide known() const { return side == StackSide::Unknown ? outermost : side; }
    };

    StackCounts& counts() { return m_counts; }

    /// Another printing of the map began.
    void begin(const std::string& map);

    /// False: this printing has had these keys and stacks, as of another process with the same addresses: both are counted.
    bool add(const std::string& map, const std::vector<std::string>& keys, std::vector<Stack>& stacks, std::int64_t value);

    /// Puts the stacks of each map among the records, in the order of the maps' names and of the stacks' coming.
    void finish(Imported& into);

private:
    static std::string_view bytesOf(const std::vector<std::uint32_t>& numbers);
    struct Entry {
        std::int64_t sum = 0, last = 0, earlier = 0; ///< last: of the newest printing that has it; earlier: of the one before that
        std::uint32_t printing = 0;
    };
    struct Map {
        std::unordered_map<std::uint32_t, Entry> entries; ///< by number of m_identities
        std::uint32_t printings = 1;
        std::size_t now = 0, before = 0; ///< stacks of this printing and of the one before
        bool isEmptied = false;
        std::vector<std::uint32_t> seen; ///< the entries of this printing
        /// What entries were at the end of printings, the largest first: what came later in an entry is no more there.
        std::priority_queue<std::pair<std::int64_t, std::uint32_t>> largest;
    };

    /// A printing is complete: a stack that it lacks must be smaller than those that it has, else the map was emptied before.
    static void close(Map& map);
    void put(const Map& map, std::string noun, Imported& into);
    static bool wasEmptied(Map& map);

    StackCounts m_counts;  ///< has the frames
    Interned m_stacks;     ///< numbers of frames from the root, one behind another
    Interned m_identities; ///< keys and lines of stacks as the text has them
    std::vector<std::uint32_t> m_frames, m_identity;
    std::vector<std::uint32_t> m_stackOf; ///< by number of m_identities, one of m_stacks
    std::map<std::string, Map> m_maps;
};
} // namespace dscope::text
