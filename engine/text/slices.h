#pragma once
#include "engine/text/importer.h"
#include "engine/base/interned.h"
#include "engine/text/stack_counts.h"
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
namespace dscope::text {
/// What ran when on which thread, as slices that nest: tools of timelines tell it so. It becomes calls (entry and return, which a flame
/// chart draws) and stacks with the time that each took itself (which flame graphs draw).
class Slices {
public:
    static constexpr std::size_t kMost = 16'000'000;         ///< slices and instants; beyond it check() refuses
    static constexpr std::size_t kMostShown = 200'000;       ///< in the chart of calls, the longest; the stacks have all
    static constexpr std::size_t kDeepest = 4096;            ///< slices within slices
    static constexpr std::int64_t kMostTime = INT64_MAX / 4; ///< ns, of a moment
    /// The number of a thread's lane. A lane that is no thread has a name, and a number beyond all threads'.
    std::uint32_t lane(std::uint32_t pid, std::uint32_t tid);
    void nameProcess(std::uint32_t pid, std::string name) { m_processes[pid] = std::move(name); }
    void nameThread(std::uint32_t pid, std::uint32_t tid, std::string name) { m_threads[{pid, tid}] = std::move(name); }
    std::uint32_t name(std::string_view text) { return m_names.of(text); }
    std::string_view nameOf(std::uint32_t number) const { return m_names.text(number); }

    /// Times are ns of one clock. The order is that of their coming where times are the same; else it does not matter.
    void begin(std::uint32_t lane, std::uint32_t name, std::int64_t when) { m_events.push_back({when, when, lane, name, Kind::Begin}); }
    /// Ends the innermost slice that is open then.
    void end(std::uint32_t lane, std::int64_t when) { m_events.push_back({when, when, lane, 0, Kind::End}); }
    void whole(std::uint32_t lane, std::uint32_t name, std::int64_t when, std::int64_t until)
    {
        m_events.push_back({when, until, lane, name, Kind::Whole});
    }
    /// Something that took no time.
    void instant(std::uint32_t lane, std::uint32_t name, std::int64_t when) { m_events.push_back({when, when, lane, name, Kind::Instant}); }
    bool empty() const { return m_events.empty(); }
    /// Error: there are more than kMost.
    Result<> check() const;
    /// Puts calls and stacks among the records, and a warning where something of it could not be kept. The slices are gone afterwards.
    /// Error: they nest too deep, or make more stacks than fit.
    Result<> put(Imported& out);

private:
    enum class Kind : std::uint8_t { Begin, End, Whole, Instant };
    struct Event {
        std::int64_t when, until;
        std::uint32_t lane, name;
        Kind kind;
    };
    /// A slice of a lane; without an end it lasts as long as what it is in.
    struct Slice {
        std::int64_t from, to;
        std::uint32_t name, order, depth = 0;
        bool ended = true, instant = false;
    };
    struct Firing {
        std::int64_t when;
        std::uint32_t lane, name;
        Kind kind;
    };
    std::vector<Slice> slicesOf(std::vector<Event>& events, std::uint32_t lane);
    Result<> nest(std::vector<Slice>& slices, std::uint32_t lane, StackCounts& stacks);
    std::vector<std::string> rootsOf(std::uint32_t lane) const;
    void putCalls(Imported& out);
    Interned m_names;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> m_laneOf;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_lanes;
    std::map<std::uint32_t, std::string> m_processes;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> m_threads;
    std::vector<Event> m_events;
    std::vector<std::vector<Slice>> m_slices; ///< by lane, nested: a slice in front of those within it
    std::size_t m_endsAlone = 0, m_clipped = 0;
    bool m_severalProcesses = false;
    std::int64_t m_last = INT64_MIN, m_first = INT64_MAX;
};
} // namespace dscope::text
