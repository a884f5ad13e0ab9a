#include "engine/text/slices.h"
#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>
namespace dscope::text {
namespace {
std::string grouped(std::size_t number)
{
    auto text = std::to_string(number);
    for (auto at = text.size(); at > 3; at -= 3)
        text.insert(at - 3, ",");
    return text;
}
} // namespace

std::uint32_t Slices::lane(std::uint32_t pid, std::uint32_t tid)
{
    const auto [at, isNew] = m_laneOf.try_emplace({pid, tid}, static_cast<std::uint32_t>(m_lanes.size()));
    if (isNew) m_lanes.emplace_back(pid, tid);
    return at->second;
}
Result<> Slices::check() const
{
    if (m_events.size() <= 2 * kMost) return {};
    return Error{0, "it has more than 16,000,000 slices: record a shorter time"};
}

/// Begins and ends put together, in an order in which a slice stands in front of those within it.
std::vector<Slices::Slice> Slices::slicesOf(std::vector<Event>& events, std::uint32_t)
{
    const auto earlier = [](const Event& a, const Event& b) { return a.when < b.when; };
    if (!std::is_sorted(events.begin(), events.end(), earlier)) std::stable_sort(events.begin(), events.end(), earlier);
    std::vector<Slice> out;
    std::vector<std::size_t> open;
    for (const auto& e : events) {
        if (e.kind == Kind::End) {
            if (open.empty()) {
                ++m_endsAlone;
                continue;
            }
            auto& slice = out[open.back()];
            slice.to = e.when;
            slice.ended = true;
            open.pop_back();
            continue;
        }
        if (e.kind == Kind::Begin) open.push_back(out.size());
        out.push_back({.from = e.when,
            .to = e.kind == Kind::Begin ? m_last : std::max(e.when, e.until),
            .name = e.name,
            .order = static_cast<std::uint32_t>(out.size()),
            .ended = e.kind != Kind::Begin,
            .instant = e.kind == Kind::Instant});
    }
    std::sort(out.begin(), out.end(),
        [](const Slice& a, const Slice& b) { return std::tuple(a.from, -a.to, a.order) < std::tuple(b.from, -b.to, b.order); });
    return out;
}

std::vector<std::string> Slices::rootsOf(std::uint32_t lane) const
{
    const auto [pid, tid] = m_lanes[lane];
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
Result<> Slices::nest(std::vector<Slice>& slices, std::uint32_t lane, StackCounts& stacks)
{
    std::vector<std::uint32_t> roots;
    for (const auto& root : rootsOf(lane))
        roots.push_back(stacks.numberOf({root}));
    std::vector<const Slice*> open;
    std::vector<std::uint32_t> frames; // of the open ones
    std::int64_t at = 0;
    const auto until = [&](std::int64_t when) {
        if (!open.empty() && when > at) {
            for (const auto frame : roots)
                stacks.frame(frame);
            for (const auto frame : frames)
                stacks.frame(frame);
            stacks.add(when - at);
        }
        at = when;
    };

    const auto close = [&] {
        until(open.back()->to);
        open.pop_back();
        frames.pop_back();
    };

    for (auto& slice : slices) {
        while (!open.empty() && open.back()->to <= slice.from)
            close();
        until(slice.from);
        if (!open.empty() && slice.to > open.back()->to) {
            if (slice.ended) ++m_clipped;
            slice.to = open.back()->to;
        }
        slice.depth = static_cast<std::uint32_t>(open.size());
        if (slice.instant) continue;
        if (open.size() >= kDeepest)
            return Error{0,
                "its slices nest deeper than 4,096: \"" + std::string(m_names.text(slice.name).substr(0, 60)) + "\" at "
                    + std::to_string(slice.from) + " ns"};
        open.push_back(&slice);
        frames.push_back(stacks.numberOf({m_names.text(slice.name)}));
        DSCOPE_CHECK(stacks.check());
    }
    while (!open.empty())
        close();
    return {};
}

void Slices::putCalls(Imported& out)
{
    // The longest are kept where there are too many; what a slice is in is not shorter, so none loses its caller.
    std::size_t all = 0;
    for (const auto& slices : m_slices)
        all += slices.size();
    if (all > kMostShown) {
        std::vector<std::pair<std::int64_t, std::int64_t>> order; // length, and depth where that is the same
        order.reserve(all);
        const auto rankOf = [](const Slice& s) { return std::pair(s.to - s.from, -std::int64_t{s.depth}); };
        for (const auto& slices : m_slices)
            for (const auto& slice : slices)
                order.push_back(rankOf(slice));
        const auto least = order.begin() + static_cast<std::ptrdiff_t>(kMostShown - 1);
        std::nth_element(order.begin(), least, order.end(), std::greater<>());
        const auto bound = *least;
        auto ties
            = kMostShown - static_cast<std::size_t>(std::count_if(order.begin(), order.end(), [&](const auto& o) { return o > bound; }));
        for (auto& slices : m_slices)
            std::erase_if(slices, [&](const Slice& slice) {
                const auto rank = rankOf(slice);
                if (rank != bound) return rank < bound;
                if (ties == 0) return true;
                --ties;
                return false;
            });
        out.warn(grouped(all - kMostShown) + " shorter slices of " + grouped(all) + " are not among the calls; stacks count them all");
    }

    std::vector<Firing> firings;
    for (std::uint32_t lane = 0; lane < m_slices.size(); ++lane) {
        std::vector<const Slice*> open;
        const auto close = [&] {
            if (open.back()->ended) firings.push_back({open.back()->to - m_first, lane, open.back()->name, Kind::End});
            open.pop_back();
        };
        for (const auto& slice : m_slices[lane]) {
            while (!open.empty() && open.back()->to <= slice.from)
                close();
            firings.push_back({slice.from - m_first, lane, slice.name, slice.instant ? Kind::Instant : Kind::Begin});
            if (!slice.instant) open.push_back(&slice);
        }
        while (!open.empty())
            close();
    }

    std::stable_sort(firings.begin(), firings.end(), [](const Firing& a, const Firing& b) { return a.when < b.when; });

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

Result<> Slices::put(Imported& out)
{
    DSCOPE_CHECK(check());
    std::vector<std::vector<Event>> byLane(m_lanes.size());
    for (const auto& e : m_events) {
        byLane[e.lane].push_back(e);
        m_first = std::min(m_first, e.when);
        m_last = std::max({m_last, e.when, e.until});
    }

    m_events = {};
    m_severalProcesses
        = std::any_of(m_lanes.begin(), m_lanes.end(), [&](const auto& other) { return other.first != m_lanes.front().first; });
    StackCounts stacks;
    m_slices.resize(m_lanes.size());
    for (std::uint32_t lane = 0; lane < m_lanes.size(); ++lane) {
        m_slices[lane] = slicesOf(byLane[lane], lane);
        byLane[lane] = {};
        DSCOPE_CHECK(nest(m_slices[lane], lane, stacks));
    }

    if (m_last < m_first) return {};

    record::Clause clause;
    clause.probes = ":::entry,:::return";
    out.program.clauses.push_back(std::move(clause));
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

    if (m_endsAlone > 0)
        out.warn(m_endsAlone == 1 ? "the end of a slice has no begin: it began before the trace"
                                  : grouped(m_endsAlone) + " ends of slices have no begin: they began before the trace");
    if (m_clipped > 0)
        out.warn(m_clipped == 1 ? "a slice ends behind what it is in, and is cut there"
                                : grouped(m_clipped) + " slices end behind what they are in, and are cut there");
    putCalls(out);
    DSCOPE_CHECK(stacks.check());
    if (!stacks.empty()) out.add(stacks.take("time", record::StackUnit::Time));
    *this = {};
    return {};
}
} // namespace dscope::text
