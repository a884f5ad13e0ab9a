#include "engine/text/slices.h"
#include <algorithm>
#include <iterator>
#include <queue>
#include <set>
#include <tuple>
#include <unordered_map>
namespace dscope::text {
namespace {
/// Lanes of no thread are numbered from here: importers number those that a file names from kFirstNoThread.
constexpr std::uint32_t kFirstAsync = record::kFirstNoThread + 0x4000'0000;
constexpr std::int64_t kNeverEnds = INT64_MAX;

std::string grouped(std::size_t number)
{
    auto text = std::to_string(number);
    for (auto at = text.size(); at > 3; at -= 3)
        text.insert(at - 3, ",");
    return text;
}

/// Finds lanes for slices of chains that come in the order of their begins. A lane belongs to one chain at a time.
class Packing {
public:
    /// The lane that a slice from `from` to `to` fits into.
    std::uint32_t laneFor(std::uint64_t chain, std::int64_t from, std::int64_t to)
    {
        free(from);
        auto& own = m_lanesOf[chain];
        for (std::size_t i = own.size(); i > 0 && own.size() - i < kMostTried; --i) {
            auto& ends = m_lanes[own[i - 1]].ends;
            while (ends.size() > 1 && ends.back() <= from)
                ends.pop_back();
            if (to > ends.back()) continue;
            ends.push_back(to);
            return own[i - 1];
        }
        const auto lane = take();
        m_lanes[lane] = {chain, {to}};
        own.push_back(lane);
        m_busy.emplace(to, lane);
        return lane;
    }

private:
    static constexpr std::size_t kMostTried = 64; ///< lanes of a chain
    struct Lane {
        std::uint64_t chain = 0;
        std::vector<std::int64_t> ends{}; ///< of the slices that are open, the outermost first
    };
    std::uint32_t take()
    {
        if (m_idle.empty()) {
            m_lanes.emplace_back();
            return static_cast<std::uint32_t>(m_lanes.size() - 1);
        }
        const auto lane = *m_idle.begin();
        m_idle.erase(m_idle.begin());
        return lane;
    }
    void free(std::int64_t now)
    {
        for (; !m_busy.empty() && m_busy.top().first <= now; m_busy.pop()) {
            const auto lane = m_busy.top().second;
            const auto of = m_lanesOf.find(m_lanes[lane].chain);
            std::erase(of->second, lane);
            if (of->second.empty()) m_lanesOf.erase(of);
            m_idle.insert(lane);
        }
    }
    using Busy = std::pair<std::int64_t, std::uint32_t>;
    std::vector<Lane> m_lanes;
    std::set<std::uint32_t> m_idle;
    std::priority_queue<Busy, std::vector<Busy>, std::greater<>> m_busy; ///< when the outermost slice of a lane ends
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> m_lanesOf;
};
} // namespace

std::uint32_t Slices::lane(std::uint32_t pid, std::uint32_t tid)
{
    const auto [at, isNew] = m_laneOf.try_emplace({pid, tid}, static_cast<std::uint32_t>(m_lanes.size()));
    if (isNew) {
        m_severalProcesses = m_severalProcesses || (!m_lanes.empty() && m_lanes.front().first != pid);
        m_lanes.emplace_back(pid, tid);
        m_slices.emplace_back();
    }
    return at->second;
}
std::uint32_t Slices::name(std::string_view text)
{
    if (m_names.size() < kMostNames) return m_names.of(text);
    if (const auto known = m_names.find(text)) return *known;
    ++m_otherNames;
    return m_names.of("[another name]");
}
std::string_view Slices::threadName(std::uint32_t pid, std::uint32_t tid) const
{
    if (const auto thread = m_threads.find({pid, tid}); thread != m_threads.end()) return thread->second;
    const auto process = m_processes.find(pid);
    return process != m_processes.end() ? std::string_view(process->second) : std::string_view();
}
std::uint64_t Slices::keyOf(std::string_view text) { return hashOf(text); }

void Slices::keep(std::uint32_t lane, std::uint32_t name, std::int64_t from, std::int64_t to, Kind kind)
{
    auto& slices = m_slices[lane];
    Slice slice{from, std::max(from, to), name, static_cast<std::uint32_t>(slices.size()) & 0xFFFFFFF, 0};
    slice.become(kind);
    slices.push_back(slice);
    ++m_count;
    m_first = std::min(m_first, from);
    m_last = std::max(m_last, slice.to);
}
void Slices::keep(const Chain& chain, std::uint32_t name, std::int64_t when, Kind kind, std::int64_t until)
{
    Async slice{
        when, std::max(when, until), chain.key, chain.pid, chain.lane, name, static_cast<std::uint32_t>(m_async.size()) & 0xFFFFFFF, 0};
    slice.become(kind);
    m_async.push_back(slice);
    ++m_count;
    m_first = std::min(m_first, when);
    m_last = std::max(m_last, slice.to);
}
Result<> Slices::check() const
{
    if (m_count > 2 * kMost) return Error{0, "it has more than 16,000,000 slices: record a shorter time"};
    if (m_lanes.size() > kMostLanes) return Error{0, "its slices are of more than 1,000,000 threads: record a shorter time"};
    return {};
}

template <typename One> void Slices::dropGone(Pile<One>& all)
{
    auto* const end = std::remove_if(all.begin(), all.end(), [](const One& one) { return one.is(Kind::Gone); });
    all.cut(static_cast<std::size_t>(end - all.begin()));
}

namespace {
/// The index in `open` of the innermost slice with this name, or the size of `open` if there is none.
template <typename Open, typename Name> std::size_t innermost(const Open& open, std::uint32_t name, Name nameOf)
{
    constexpr std::size_t kMostTried = 64;
    for (auto i = open.size(); i > 0 && open.size() - i < kMostTried; --i)
        if (nameOf(open[i - 1]) == name) return i - 1;
    return open.size();
}
} // namespace

/// Whether ends have the names of what they end, rather than other ones: those of at least half of what begins.
bool Slices::tellNames(const Pile<Slice>& slices)
{
    std::vector<std::uint32_t> open;
    std::size_t begins = 0, ended = 0;
    for (const auto& slice : slices) {
        if (slice.is(Kind::Begin)) open.push_back(slice.name);
        begins += slice.is(Kind::Begin) ? 1 : 0;
        if (!slice.is(Kind::End) || slice.name == kNoName) continue;
        const auto at = innermost(open, slice.name, [](auto name) { return name; });
        ended += at < open.size() ? 1 : 0;
        open.resize(at);
    }
    return ended > 0 && 2 * ended >= begins;
}

/// Puts begins and ends together, in an order in which a slice stands in front of those within it.
void Slices::pair(Pile<Slice>& slices)
{
    const auto earlier = [](const Slice& a, const Slice& b) { return std::tuple(a.from, +a.order) < std::tuple(b.from, +b.order); };
    if (!std::is_sorted(slices.begin(), slices.end(), earlier)) std::sort(slices.begin(), slices.end(), earlier);
    const bool byName = tellNames(slices);
    std::vector<Slice*> open;
    for (auto& slice : slices) {
        if (slice.is(Kind::Begin)) open.push_back(&slice);
        if (!slice.is(Kind::End)) continue;
        const auto at = byName && slice.name != kNoName ? innermost(open, slice.name, [](const Slice* one) { return one->name; })
            : open.empty()                              ? 0
                                                        : open.size() - 1;
        m_endsAlone += at == open.size() ? 1 : 0;
        // What is within it and has no end of its own ends with it.
        for (auto i = at; i < open.size(); ++i) {
            open[i]->to = slice.from;
            if (i == at) open[i]->become(Kind::Whole);
        }
        open.resize(at);
        slice.become(Kind::Gone);
    }
    for (auto* const slice : open)
        slice->to = m_last;
    dropGone(slices);
    std::sort(slices.begin(), slices.end(),
        [](const Slice& a, const Slice& b) { return std::tuple(a.from, -a.to, +a.order) < std::tuple(b.from, -b.to, +b.order); });
}

/// The same of the slices of one chain, which are in the order of time.
void Slices::matchChain(Async* begin, Async* end)
{
    std::vector<Async*> open;
    for (auto* slice = begin; slice != end; ++slice) {
        if (slice->is(Kind::Begin)) open.push_back(slice);
        if (!slice->is(Kind::End)) continue;
        slice->become(Kind::Gone);
        const auto last = open.size() - std::min(open.size(), kDeepest);
        const auto find = [&](auto fits) {
            for (auto i = open.size(); i > last; --i)
                if (fits(*open[i - 1])) return i - 1;
            return open.size();
        };
        auto at = find([&](const Async& o) { return o.name == slice->name && o.pid == slice->pid; });
        if (at == open.size()) at = find([&](const Async& o) { return o.name == slice->name; });
        if (at == open.size()) at = find([](const Async&) { return true; });
        if (at == open.size()) {
            ++m_endsAlone;
            continue;
        }
        open[at]->to = slice->from;
        open[at]->become(Kind::Whole);
        open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
    }
    for (auto* const slice : open)
        slice->to = kNeverEnds;
}

/// Makes slices of lanes of those of chains.
void Slices::putIntoLanes()
{
    std::sort(m_async.begin(), m_async.end(),
        [](const Async& a, const Async& b) { return std::tuple(a.key, a.from, +a.order) < std::tuple(b.key, b.from, +b.order); });
    for (auto* from = m_async.begin(); from != m_async.end();) {
        auto* const to = std::find_if(from, m_async.end(), [&](const Async& one) { return one.key != from->key; });
        matchChain(from, to);
        from = to;
    }
    dropGone(m_async);
    std::sort(m_async.begin(), m_async.end(), [](const Async& a, const Async& b) {
        return std::tuple(a.pid, a.lane, a.from, -a.to, +a.order) < std::tuple(b.pid, b.lane, b.from, -b.to, +b.order);
    });
    for (std::size_t i = 0; i < m_async.size();) {
        const auto [pid, name] = std::pair(m_async[i].pid, m_async[i].lane);
        Packing packing;
        std::vector<std::uint32_t> lanes;
        for (; i < m_async.size() && m_async[i].pid == pid && m_async[i].lane == name; ++i) {
            const auto& one = m_async[i];
            const auto fits = packing.laneFor(one.key, one.from, one.to);
            if (fits >= lanes.size() && m_lanes.size() >= kMostLanes) {
                ++m_withoutLane;
                continue;
            }
            if (fits >= lanes.size()) {
                const auto tid = kFirstAsync + m_asyncLanes++;
                nameThread(pid, tid, std::string(m_names.text(name)));
                lanes.resize(fits + 1, lane(pid, tid));
            }
            keep(lanes[fits], one.name, one.from, one.is(Kind::Begin) ? one.from : one.to, static_cast<Kind>(one.kind));
        }
    }
    m_async = {};
}

std::vector<std::string> Slices::rootsOf(std::uint32_t pid, std::uint32_t tid) const
{
    std::vector<std::string> out;
    const auto process = m_processes.find(pid);
    if (m_severalProcesses) out.push_back(process != m_processes.end() ? process->second : "pid " + std::to_string(pid));
    if (m_lanes.size() == 1 || (m_severalProcesses && pid == tid)) return out;
    const auto thread = m_threads.find({pid, tid});
    const bool isNamedByProcess = thread == m_threads.end() && pid == tid && process != m_processes.end();
    out.push_back(isNamedByProcess ? process->second : thread != m_threads.end() ? thread->second : "thread " + std::to_string(tid));
    return out;
}

/// Ends every slice with what it is in, and counts the time that each stack of slices took itself.
Result<> Slices::nest(Pile<Slice>& slices, std::uint32_t lane, StackCounts* stacks)
{
    std::vector<std::uint32_t> frames; // of the roots and of the open ones
    std::vector<const Slice*> open;
    if (stacks)
        for (const auto& root : rootsOf(m_lanes[lane].first, m_lanes[lane].second))
            frames.push_back(stacks->numberOf({root}));
    m_frames.resize(m_names.size());
    const auto frameOf = [&](std::uint32_t name) {
        if (m_frames[name] == 0) m_frames[name] = 1 + stacks->numberOf({m_names.text(name)});
        return m_frames[name] - 1;
    };
    std::int64_t at = 0;
    const auto until = [&](std::int64_t when) {
        if (stacks && !open.empty() && when > at) {
            stacks->frames(frames);
            stacks->add(when - at);
        }
        at = when;
    };
    const auto close = [&] {
        until(open.back()->to);
        open.pop_back();
        if (stacks) frames.pop_back();
    };

    for (auto& slice : slices) {
        while (!open.empty() && open.back()->to <= slice.from)
            close();
        until(slice.from);
        if (!open.empty() && slice.to > open.back()->to) {
            if (!slice.is(Kind::Begin)) ++m_clipped;
            slice.to = open.back()->to;
        }
        show(slice, lane, static_cast<std::uint32_t>(&slice - slices.begin()), static_cast<std::uint32_t>(open.size()));
        if (slice.is(Kind::Instant)) continue;
        if (open.size() >= kDeepest)
            return Error{0,
                "its slices nest deeper than 4,096: \"" + std::string(m_names.text(slice.name).substr(0, 60)) + "\" at "
                    + std::to_string(slice.from) + " ns"};
        open.push_back(&slice);
        if (!stacks) continue;
        frames.push_back(frameOf(slice.name));
        DSCOPE_CHECK(stacks->check());
    }
    while (!open.empty())
        close();
    return {};
}

void Slices::show(const Slice& slice, std::uint32_t lane, std::uint32_t order, std::uint32_t depth)
{
    ++m_mayBeShown;
    m_shown.push_back({slice.from, slice.to, lane, order, slice.name, depth, static_cast<Kind>(slice.kind)});
    if (m_shown.size() >= 2 * kMostShown) cutShown();
}
/// Keeps the longest where there are too many; what a slice is in is not shorter, so none loses its caller.
void Slices::cutShown()
{
    if (m_shown.size() <= kMostShown) return;
    const auto rank = [](const Shown& s) { return std::tuple(s.from - s.to, s.depth, s.lane, s.order); };
    const auto end = m_shown.begin() + static_cast<std::ptrdiff_t>(kMostShown);
    std::nth_element(m_shown.begin(), end, m_shown.end(), [&](const Shown& a, const Shown& b) { return rank(a) < rank(b); });
    m_shown.erase(end, m_shown.end());
}

void Slices::putCalls(Imported& out, std::int64_t origin)
{
    cutShown();
    if (m_mayBeShown > m_shown.size())
        out.warn(grouped(m_mayBeShown - m_shown.size()) + " shorter slices of " + grouped(m_mayBeShown)
            + " are not among the calls; stacks count them all");
    std::sort(m_shown.begin(), m_shown.end(),
        [](const Shown& a, const Shown& b) { return std::tuple(a.lane, a.order) < std::tuple(b.lane, b.order); });

    std::vector<Firing> firings;
    std::vector<const Shown*> open;
    const auto close = [&] {
        if (open.back()->kind != Kind::Begin)
            firings.push_back({open.back()->to - origin, open.back()->lane, open.back()->name, Kind::End});
        open.pop_back();
    };
    for (const auto& slice : m_shown) {
        while (!open.empty() && (open.back()->lane != slice.lane || open.back()->to <= slice.from))
            close();
        const bool isInstant = slice.kind == Kind::Instant;
        firings.push_back({slice.from - origin, slice.lane, slice.name, isInstant ? Kind::Instant : Kind::Begin});
        if (!isInstant) open.push_back(&slice);
    }
    while (!open.empty())
        close();
    std::stable_sort(firings.begin(), firings.end(), [](const Firing& a, const Firing& b) { return a.when < b.when; });

    out.records.reserve(out.records.size() + firings.size() + 2 * std::min<std::size_t>(m_names.size(), m_shown.size()));
    // Every name is a function with a probe where it begins, one where it ends, and one that stands alone.
    std::set<std::pair<std::uint32_t, bool>> defined;
    const auto probeOf = [](std::uint32_t name, Kind kind) {
        return ProbeId{3 * name + (kind == Kind::Begin ? 0U : kind == Kind::End ? 1U : 2U)};
    };

    const auto define = [&](std::uint32_t name, Kind kind) {
        if (!defined.emplace(name, kind == Kind::Instant).second) return;
        const auto text = m_names.text(name);
        const auto tick = text.find('`');
        record::ProbeDef probe{probeOf(name, kind), "", std::string(tick == text.npos ? std::string_view() : text.substr(0, tick)),
            std::string(tick == text.npos ? text : text.substr(tick + 1)), "entry"};
        if (kind == Kind::Instant) {
            probe.provider = "instant";
            out.records.emplace_back(std::move(probe));
            return;
        }
        probe.id = probeOf(name, Kind::Begin);
        out.records.emplace_back(probe);
        probe.id = probeOf(name, Kind::End);
        probe.name = "return";
        out.records.emplace_back(std::move(probe));
    };

    for (const auto& f : firings) {
        define(f.name, f.kind);
        const auto [pid, tid] = m_lanes[f.lane];
        out.records.emplace_back(record::Fired{ClauseId{0}, probeOf(f.name, f.kind), 0, pid, tid, record::Nanoseconds(f.when), {}});
    }
}

/// Says what processes and threads are called.
void Slices::tellOfThreads(Imported& out) const
{
    std::set<std::uint32_t> told;
    const auto tell = [&](std::uint32_t pid, std::uint32_t tid, const std::string& name) {
        record::ProcessEvent event;
        event.kind = record::ProcessEvent::Kind::Existing;
        event.pid = pid;
        event.tid = tid;
        event.execname = name;
        out.records.emplace_back(std::move(event));
    };
    for (const auto& [pid, tid] : m_lanes) {
        const auto process = m_processes.find(pid);
        if (process != m_processes.end() && told.insert(pid).second) tell(pid, pid, process->second);
        const auto thread = m_threads.find({pid, tid});
        if (thread != m_threads.end() && (pid != tid || process == m_processes.end())) tell(pid, tid, thread->second);
    }
}

void Slices::tellOfLosses(Imported& out) const
{
    if (m_endsAlone > 0)
        out.warn(m_endsAlone == 1
                ? "the end of a slice has no begin, and is left out: it may have begun before the trace"
                : grouped(m_endsAlone) + " ends of slices have no begin, and are left out: they may have begun before the trace");
    if (m_clipped > 0)
        out.warn(m_clipped == 1 ? "a slice ends behind what it is in, and is cut there"
                                : grouped(m_clipped) + " slices end behind what they are in, and are cut there");
    if (m_otherNames > 0)
        out.warn("its slices have more than " + grouped(kMostNames) + " different names: " + grouped(m_otherNames)
            + " events of further names are called \"[another name]\"");
    if (m_withoutLane > 0)
        out.warn(grouped(m_withoutLane) + " asynchronous slices are left out: more than " + grouped(kMostLanes) + " lanes would be needed");
}

Result<> Slices::put(Imported& out, Give give, std::optional<std::int64_t> origin)
{
    DSCOPE_CHECK(check());
    putIntoLanes();
    StackCounts stacks;
    for (std::uint32_t lane = 0; lane < m_lanes.size(); ++lane) {
        pair(m_slices[lane]);
        DSCOPE_CHECK(nest(m_slices[lane], lane, give == Give::All ? &stacks : nullptr));
        m_slices[lane] = Pile<Slice>();
    }
    if (m_last < m_first) return {};

    record::Clause clause;
    clause.probes = ":::entry,:::return";
    out.program.clauses.push_back(std::move(clause));
    tellOfThreads(out);
    tellOfLosses(out);
    putCalls(out, origin.value_or(m_first));
    DSCOPE_CHECK(stacks.check());
    if (!stacks.empty()) out.add(stacks.take("time", record::StackUnit::Time));
    *this = {};
    return {};
}
} // namespace dscope::text
