#include "graph/process_changes.h"
#include "graph/process_findings.h"
#include "graph/text.h"
#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>
namespace dscope::graph {
namespace {
constexpr std::size_t kNoParent = static_cast<std::size_t>(-1);

bool wentWrong(const Process& p) { return p.how() == Process::End::Failure || p.how() == Process::End::Signal; }

/// The trees of both runs, kind by kind.
class Kinds {
public:
    void add(
        const ProcessRun& run, std::int64_t ProcessChange::*time, std::size_t ProcessChange::*count, std::size_t ProcessChange::*failed)
    {
        std::vector<std::size_t> kinds(run.all.size(), kNoParent); // of each process
        for (const auto i : run.shown) {
            const auto& p = run.all[i];
            const auto above = p.parent && i != run.root ? kinds[*p.parent] : kNoParent;
            const auto [place, isNew] = m_places.try_emplace({above, printable(p.name())}, m_kinds.size());
            if (isNew) m_kinds.push_back({place->first.second, place->first.second, above});
            auto& kind = m_kinds[kinds[i] = place->second];
            kind.*time += p.duration(run.now);
            ++(kind.*count);
            if (wentWrong(p)) ++(kind.*failed);
        }
    }

    /// A parent before its children, these behind it.
    std::vector<ProcessChange> inOrder() const
    {
        std::vector<std::vector<std::size_t>> children(m_kinds.size());
        std::vector<std::size_t> pending;
        for (std::size_t i = m_kinds.size(); i-- > 0;)
            (m_kinds[i].parent == kNoParent ? pending : children[m_kinds[i].parent]).push_back(i);
        std::vector<ProcessChange> out;
        std::vector<std::size_t> numbers(m_kinds.size());
        while (!pending.empty()) {
            const auto i = pending.back();
            pending.pop_back();
            numbers[i] = out.size();
            auto& kind = out.emplace_back(m_kinds[i]);
            if (kind.parent != kNoParent) kind.parent = numbers[kind.parent];
            pending.insert(pending.end(), children[i].begin(), children[i].end());
        }
        return out;
    }

private:
    std::vector<ProcessChange> m_kinds;
    std::map<std::pair<std::size_t, std::string>, std::size_t> m_places; ///< by parent and program
};
} // namespace

std::vector<std::int64_t> decidedTimes(const ProcessRun& run)
{
    if (!run.root) return {};
    std::vector<std::int64_t> out(run.all.size());
    std::vector<std::vector<std::size_t>> children(run.all.size());
    for (const auto i : run.shown)
        if (i != *run.root && run.all[i].parent) children[*run.all[i].parent].push_back(i);
    const auto endOf = [&](std::size_t i) { return run.all[i].end.value_or(run.now); };
    struct Window {
        std::size_t process;
        std::int64_t from, to;
    };
    std::vector<Window> pending{{*run.root, run.all[*run.root].firstSeen, std::max(endOf(*run.root), run.all[*run.root].firstSeen)}};
    while (!pending.empty()) {
        const auto [process, from, to] = pending.back();
        pending.pop_back();
        auto& below = children[process];
        std::sort(below.begin(), below.end(), [&](std::size_t a, std::size_t b) {
            return endOf(a) != endOf(b) ? endOf(a) > endOf(b) : run.all[a].firstSeen < run.all[b].firstSeen;
        });
        auto at = to;
        for (const auto child : below) {
            if (endOf(child) > at) continue;
            if (endOf(child) <= from) break;
            const auto begin = std::clamp(run.all[child].firstSeen, from, endOf(child));
            out[process] += at - endOf(child);
            pending.push_back({child, begin, endOf(child)});
            at = begin;
        }
        out[process] += at - from;
    }
    return out;
}

std::vector<ProcessChange> decidedChanges(const ProcessRun& before, const ProcessRun& after, Privacy privacy)
{
    std::map<std::string, ProcessChange> parts;
    const auto add = [&](const ProcessRun& run, std::int64_t ProcessChange::*time, std::size_t ProcessChange::*count) {
        const auto times = decidedTimes(run);
        for (std::size_t i = 0; i < times.size(); ++i) {
            if (times[i] == 0) continue;
            const auto& p = run.all[i];
            auto& part = parts[printable(calledIn(p, privacy))];
            part.program = printable(p.images.empty() ? p.name() : std::string(baseName(p.images.back().path)));
            part.*time += times[i];
            ++(part.*count);
        }
    };
    add(before, &ProcessChange::before, &ProcessChange::countBefore);
    add(after, &ProcessChange::after, &ProcessChange::countAfter);

    std::vector<ProcessChange> out;
    for (auto& [name, part] : parts) {
        part.name = name;
        out.push_back(std::move(part));
    }
    std::stable_sort(out.begin(), out.end(),
        [](const ProcessChange& a, const ProcessChange& b) { return std::abs(a.difference()) > std::abs(b.difference()); });
    return out;
}

std::vector<ProcessChange> treeChanges(const ProcessRun& before, const ProcessRun& after)
{
    Kinds kinds; // the later run first: its order is shown
    kinds.add(after, &ProcessChange::after, &ProcessChange::countAfter, &ProcessChange::failedAfter);
    kinds.add(before, &ProcessChange::before, &ProcessChange::countBefore, &ProcessChange::failedBefore);
    return kinds.inOrder();
}
} // namespace dscope::graph
