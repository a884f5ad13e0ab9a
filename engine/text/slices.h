#pragma once
#include "engine/text/importer.h"
#include "engine/base/interned.h"
#include "engine/text/pile.h"
#include "engine/text/stack_counts.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
namespace dscope::text {
/// What ran when on which thread, as slices that nest: tools of timelines tell it so. It becomes calls (entry and return, which a flame
/// chart draws) and stacks with the time that each took itself (which flame graphs draw). Memory: 24 bytes for each slice, 40 for each of
/// no thread, and the different names and stacks.
class Slices {
public:
    static constexpr std::size_t kMost = 16'000'000;         ///< slices and instants; beyond it check() refuses
    static constexpr std::size_t kMostLanes = 1'000'000;     ///< threads and other lanes; beyond it check() refuses
    static constexpr std::size_t kMostNames = 1'000'000;     ///< different ones; further slices are "[another name]", which put() tells
    static constexpr std::size_t kMostShown = 200'000;       ///< in the chart of calls, the longest; the stacks have all
    static constexpr std::size_t kDeepest = 4096;            ///< slices within slices
    static constexpr std::int64_t kMostTime = INT64_MAX / 4; ///< ns, of a moment
    /// The number of a thread's lane. A lane that is no thread has a name, and a number beyond all threads'.
    std::uint32_t lane(std::uint32_t pid, std::uint32_t tid);
    void nameProcess(std::uint32_t pid, std::string name) { m_processes[pid] = std::move(name); }
    void nameThread(std::uint32_t pid, std::uint32_t tid, std::string name) { m_threads[{pid, tid}] = std::move(name); }
    std::string_view threadName(std::uint32_t pid, std::uint32_t tid) const; ///< or the process's; empty where neither is told
    std::uint32_t name(std::string_view text);
    std::string_view nameOf(std::uint32_t number) const { return m_names.text(number); }
    /// "process" and "thread" as the roots of a stack of this thread: none where there is only one, unless `always`.
    std::vector<std::string> rootsOf(std::uint32_t pid, std::uint32_t tid) const;

    /// Times are ns of one clock. The order is that of their coming where times are the same; else it does not matter.
    void begin(std::uint32_t lane, std::uint32_t name, std::int64_t when) { keep(lane, name, when, when, Kind::Begin); }
    static constexpr std::uint32_t kNoName = UINT32_MAX;
    /// Ends the innermost slice that is open then. Where the ends of a lane have the names of what is open, as far as they have one, the
    /// innermost slice of this name; an end whose name is not open is of a slice whose begin is not told.
    void end(std::uint32_t lane, std::int64_t when, std::uint32_t name = kNoName) { keep(lane, name, when, when, Kind::End); }
    void whole(std::uint32_t lane, std::uint32_t name, std::int64_t when, std::int64_t until)
    {
        keep(lane, name, when, until, Kind::Whole);
    }
    /// Something that took no time.
    void instant(std::uint32_t lane, std::uint32_t name, std::int64_t when) { keep(lane, name, when, when, Kind::Instant); }

    /// What belongs to no thread, such as a request that several work on: slices of one chain nest, those of others may overlap them.
    /// They are put into as few lanes of the process and of this name as hold them.
    struct Chain {
        std::uint64_t key = 0; ///< keyOf() what tells chains apart
        std::uint32_t pid = 0;
        std::uint32_t lane = 0; ///< name() of the lanes
    };
    static std::uint64_t keyOf(std::string_view text);
    void begin(const Chain& chain, std::uint32_t name, std::int64_t when) { keep(chain, name, when, Kind::Begin); }
    void whole(const Chain& chain, std::uint32_t name, std::int64_t when, std::int64_t until)
    {
        keep(chain, name, when, Kind::Whole, until);
    }
    /// Ends the innermost slice of the chain that is of this name and process; of this name; or any.
    void end(const Chain& chain, std::uint32_t name, std::int64_t when) { keep(chain, name, when, Kind::End); }
    void instant(const Chain& chain, std::uint32_t name, std::int64_t when) { keep(chain, name, when, Kind::Instant); }

    bool empty() const { return m_count == 0; }
    std::int64_t first() const { return m_first; } ///< moment of all; only where it is not empty()
    std::int64_t last() const { return m_last; }
    /// Error: there are more than kMost, or of more than kMostLanes.
    Result<> check() const;
    /// Which of both put() gives.
    enum class Give : std::uint8_t { All, CallsAlone };
    /// Puts calls and stacks among the records, and a warning where something of it could not be kept. The slices are gone afterwards.
    /// Calls are told by ns since `origin`: the first moment, where nothing is given.
    /// Error: they nest too deep, or make more stacks than fit.
    Result<> put(Imported& out, Give give = Give::All, std::optional<std::int64_t> origin = {});

private:
    enum class Kind : std::uint8_t { Begin, End, Whole, Instant, Gone };
    /// Begin: it has no end, and lasts as long as what it is in.
    struct Slice {
        std::int64_t from, to;
        std::uint32_t name;
        std::uint32_t order : 28, kind : 4;
        bool is(Kind k) const { return kind == static_cast<std::uint32_t>(k); }
        void become(Kind k) { kind = static_cast<std::uint32_t>(k) & 15; }
    };
    struct Async {
        std::int64_t from, to;
        std::uint64_t key;
        std::uint32_t pid, lane, name;
        std::uint32_t order : 28, kind : 4;
        bool is(Kind k) const { return kind == static_cast<std::uint32_t>(k); }
        void become(Kind k) { kind = static_cast<std::uint32_t>(k) & 15; }
    };
    /// One that the chart of calls has.
    struct Shown {
        std::int64_t from, to;
        std::uint32_t lane, order; ///< order: among those of the lane
        std::uint32_t name, depth;
        Kind kind;
    };
    struct Firing {
        std::int64_t when;
        std::uint32_t lane, name;
        Kind kind;
    };
    void keep(std::uint32_t lane, std::uint32_t name, std::int64_t from, std::int64_t to, Kind kind);
    void keep(const Chain& chain, std::uint32_t name, std::int64_t when, Kind kind, std::int64_t until = INT64_MIN);
    void matchChain(Async* begin, Async* end);
    void putIntoLanes();
    template <typename One> void dropGone(Pile<One>& all);
    static bool tellNames(const Pile<Slice>& slices);
    void pair(Pile<Slice>& slices);
    Result<> nest(Pile<Slice>& slices, std::uint32_t lane, StackCounts* stacks);
    void show(const Slice& slice, std::uint32_t lane, std::uint32_t order, std::uint32_t depth);
    void cutShown();
    void tellOfThreads(Imported& out) const;
    void tellOfLosses(Imported& out) const;
    void putCalls(Imported& out, std::int64_t origin);
    Interned m_names;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> m_laneOf;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_lanes;
    std::map<std::uint32_t, std::string> m_processes;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> m_threads;
    std::vector<Pile<Slice>> m_slices; ///< by lane
    Pile<Async> m_async;
    std::vector<std::uint32_t> m_frames; ///< by name, its number among the stacks and 1; 0: not met yet
    std::vector<Shown> m_shown;
    std::size_t m_count = 0, m_mayBeShown = 0;
    std::size_t m_endsAlone = 0, m_clipped = 0, m_otherNames = 0, m_withoutLane = 0;
    std::uint32_t m_asyncLanes = 0;
    bool m_severalProcesses = false;
    std::int64_t m_last = INT64_MIN, m_first = INT64_MAX;
};
} // namespace dscope::text
