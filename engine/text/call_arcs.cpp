#include "engine/text/call_arcs.h"
#include "engine/text/tables.h"
#include <algorithm>
#include <map>
#include <numeric>
#include <utility>
namespace dscope::text {
namespace {
void grow(std::int64_t& sum, std::int64_t by)
{
    if (__builtin_add_overflow(sum, by, &sum)) sum = by < 0 ? INT64_MIN : INT64_MAX;
}
/// Divides `amount` among `left` in proportion, in whole numbers that add up to it, and takes the shares from `left`, whose sum is `sum`.
/// When all of `sum` has been divided so, every one of `left` has been given away exactly.
void divide(std::int64_t amount, std::int64_t sum, std::vector<std::int64_t>& left, std::vector<std::int64_t>& shares)
{
    shares.assign(left.size(), 0);
    if (sum <= 0) return;
    std::vector<std::pair<std::int64_t, std::size_t>> rests; // negative: the greatest comes first
    auto missing = amount;
    for (std::size_t i = 0; i < left.size(); ++i) {
        const auto product = static_cast<__int128>(left[i]) * amount;
        shares[i] = static_cast<std::int64_t>(product / sum);
        missing -= shares[i];
        if (const auto rest = static_cast<std::int64_t>(product % sum); rest != 0) rests.emplace_back(-rest, i);
    }
    std::sort(rests.begin(), rests.end());
    for (std::size_t i = 0; i < rests.size() && missing > 0; ++i, --missing)
        ++shares[rests[i].second];
    for (std::size_t i = 0; i < left.size(); ++i)
        left[i] -= shares[i];
}
} // namespace

std::uint32_t CallArcs::add(const StackCounts::Frame& frame, const std::string& root)
{
    m_functions.push_back({std::string(frame.name), std::string(frame.module), std::string(frame.file), root, frame.kind, frame.line});
    m_self.resize(m_self.size() + m_measures.size());
    m_used += m_measures.size() + 24 + (frame.name.size() + frame.module.size() + frame.file.size()) / 8;
    return static_cast<std::uint32_t>(m_functions.size() - 1);
}

void CallArcs::line(std::uint32_t function, std::uint32_t line)
{
    auto& first = m_functions[function].line;
    if (line != 0 && (first == 0 || line < first)) first = line;
}

void CallArcs::self(std::uint32_t function, std::span<const std::int64_t> cost)
{
    m_totals.resize(m_measures.size());
    for (std::size_t i = 0; i < std::min(cost.size(), m_measures.size()); ++i) {
        grow(m_self[function * m_measures.size() + i], cost[i]);
        grow(m_totals[i], cost[i]);
    }
}

void CallArcs::call(std::uint32_t from, std::uint32_t to, std::int64_t calls, std::span<const std::int64_t> cost)
{
    const auto [at, isNew] = m_arcOf.try_emplace(std::uint64_t{from} << 32 | to, static_cast<std::uint32_t>(m_arcs.size()));
    if (isNew) {
        m_arcs.push_back({from, to, 0});
        m_cost.resize(m_cost.size() + m_measures.size());
        m_used += m_measures.size() + 10;
    }
    grow(m_arcs[at->second].calls, calls);
    for (std::size_t i = 0; i < std::min(cost.size(), m_measures.size()); ++i)
        grow(m_cost[at->second * m_measures.size() + i], cost[i]);
}

void CallArcs::unite(const std::vector<std::uint32_t>& as)
{
    const auto arcs = std::exchange(m_arcs, {});
    const auto costs = std::exchange(m_cost, {});
    m_arcOf.clear();
    for (std::size_t i = 0; i < arcs.size(); ++i)
        call(as[arcs[i].from], as[arcs[i].to], arcs[i].calls, std::span(costs).subspan(i * m_measures.size(), m_measures.size()));
}

std::string CallArcs::nameOf(const std::string& path) const
{
    if (m_arcs.empty()) return {};
    return (path.empty() || path == "-" ? "standard input" : path) + ", stacks derived from costs of calls";
}

Result<> CallArcs::check() const
{
    if (m_used <= kMost) return {};
    return Error{0, "its functions and calls are more than fit into 500 MiB: leave libraries or events out when recording"};
}

/// Functions that reach each other are one component. Source: R. Tarjan, "Depth-first search and linear graph algorithms", 1972; without
/// recursion, since calls may be a chain of any length.
void CallArcs::findCycles()
{
    const auto count = static_cast<std::uint32_t>(m_functions.size());
    m_from.assign(count, {});
    for (std::uint32_t arc = 0; arc < m_arcs.size(); ++arc)
        m_from[m_arcs[arc].from].push_back(arc);
    m_component.assign(count, UINT32_MAX);
    std::vector<std::uint32_t> order(count, 0), low(count, 0), seen;
    std::vector<std::pair<std::uint32_t, std::size_t>> path; // a function, and its next arc
    std::uint32_t next = 0;
    const auto enter = [&](std::uint32_t function) {
        order[function] = low[function] = ++next;
        seen.push_back(function);
        path.emplace_back(function, 0);
    };
    const auto leave = [&](std::uint32_t function) {
        path.pop_back();
        if (!path.empty()) low[path.back().first] = std::min(low[path.back().first], low[function]);
        if (low[function] != order[function]) return;
        auto& members = m_members.emplace_back();
        do {
            members.push_back(seen.back());
            m_component[seen.back()] = static_cast<std::uint32_t>(m_members.size() - 1);
            seen.pop_back();
        } while (members.back() != function);
        std::sort(members.begin(), members.end());
    };

    for (std::uint32_t start = 0; start < count; ++start) {
        if (order[start] == 0) enter(start);
        while (!path.empty()) {
            const auto function = path.back().first;
            if (path.back().second >= m_from[function].size()) {
                leave(function);
                continue;
            }
            const auto to = m_arcs[m_from[function][path.back().second++]].to;
            if (order[to] == 0)
                enter(to);
            else if (m_component[to] == UINT32_MAX)
                low[function] = std::min(low[function], order[to]);
        }
    }
}

/// The stacks of one measure.
class CallArcs::Derivation {
public:
    Derivation(const CallArcs& all, std::size_t measure) : m_all(all), m_measure(measure), m_contexts(all.m_members.size())
    {
        m_widest = std::clamp<std::size_t>(kMostContexts / (all.m_arcs.size() + 1), 2, 1000);
        m_nodes.push_back({});
        m_other = child(0, m_stacks.numberOf({"[other callers]"}));
        sumUp();
    }

    Result<> run()
    {
        for (auto c = static_cast<std::uint32_t>(m_all.m_members.size()); c-- > 0;)
            DSCOPE_CHECK(divideComponent(c));
        return m_stacks.check();
    }

    StackCounts& stacks() { return m_stacks; }
    std::size_t inconsistent() const { return m_inconsistent; }
    bool isPooled() const { return m_isPooled; }

private:
    static constexpr std::uint32_t kDeepest = 1024;
    struct Node {
        std::uint32_t parent = 0, frame = 0, depth = 0;
    };
    /// So much of a component's cost has come from there.
    struct Context {
        std::uint32_t parent;
        std::int64_t value;
    };
    /// A part of a component's cost: a function's own, or that of a callee outside of the component.
    struct Part {
        std::uint32_t function, arc;
    };
    static constexpr std::uint32_t kOwn = UINT32_MAX;

    std::uint32_t child(std::uint32_t parent, std::uint32_t frame)
    {
        m_nodes.push_back({parent, frame, m_nodes[parent].depth + 1});
        return static_cast<std::uint32_t>(m_nodes.size() - 1);
    }

    /// What each component costs, and how much of that its callers say.
    void sumUp()
    {
        m_cost.assign(m_all.m_members.size(), 0);
        m_told.assign(m_all.m_members.size(), 0);
        for (std::uint32_t f = 0; f < m_all.m_functions.size(); ++f)
            grow(m_cost[m_all.m_component[f]], m_all.selfOf(f, m_measure));
        for (std::uint32_t arc = 0; arc < m_all.m_arcs.size(); ++arc) {
            const auto from = m_all.m_component[m_all.m_arcs[arc].from], to = m_all.m_component[m_all.m_arcs[arc].to];
            if (from == to) continue;
            grow(m_cost[from], m_all.costOf(arc, m_measure));
            grow(m_told[to], m_all.costOf(arc, m_measure));
        }
    }

    /// How much of a component's cost has no caller.
    std::int64_t ofRoot(std::uint32_t c) const
    {
        if (m_all.m_roots == Roots::Remainder || m_told[c] == 0) return std::max<std::int64_t>(m_cost[c] - m_told[c], 0);
        const auto& members = m_all.m_members[c];
        const bool isRoot = std::any_of(members.begin(), members.end(), [&](auto f) { return m_all.m_functions[f].isRoot; });
        return isRoot ? std::max<std::int64_t>(m_cost[c] - m_told[c], 0) : 0;
    }

    std::uint32_t rootOf(std::uint32_t c)
    {
        const auto& name = m_all.m_functions[m_all.m_members[c].front()].root;
        if (name.empty()) return 0;
        const auto [at, isNew] = m_roots.try_emplace(name, 0);
        if (isNew) at->second = child(0, m_stacks.numberOf({name}));
        return at->second;
    }

    /// The heaviest contexts; what is left becomes one.
    void pool(std::vector<Context>& contexts)
    {
        std::stable_sort(contexts.begin(), contexts.end(), [](const Context& a, const Context& b) { return a.value > b.value; });
        Context rest{m_other, 0};
        for (auto& context : contexts) {
            const bool isKept
                = &context - contexts.data() < static_cast<std::ptrdiff_t>(m_widest) && m_nodes[context.parent].depth < kDeepest;
            if (isKept) continue;
            grow(rest.value, context.value);
            context.value = 0;
        }
        std::erase_if(contexts, [](const Context& context) { return context.value <= 0; });
        if (rest.value <= 0) return;
        m_isPooled = true;
        contexts.push_back(rest);
    }

    /// Makes the values of the contexts add up to what the component costs.
    void fit(std::vector<Context>& contexts, std::int64_t cost)
    {
        std::vector<std::int64_t> weights, shares;
        std::int64_t sum = 0;
        for (auto& context : contexts) {
            context.value = std::min(context.value, INT64_MAX - sum);
            sum += context.value;
            weights.push_back(context.value);
        }
        if (sum == cost) return;
        if (m_all.m_roots == Roots::Remainder) ++m_inconsistent;
        divide(cost, sum, weights, shares);
        for (std::size_t i = 0; i < contexts.size(); ++i)
            contexts[i].value = shares[i];
    }

    Result<> divideComponent(std::uint32_t c)
    {
        auto contexts = std::move(m_contexts[c]);
        if (const auto root = ofRoot(c); root > 0) contexts.push_back({rootOf(c), root});
        const auto cost = m_cost[c];
        if (cost <= 0 || contexts.empty()) return {};
        pool(contexts);
        fit(contexts, cost);
        std::vector<Part> parts;
        std::vector<std::int64_t> left, shares;
        collect(c, parts, left);
        auto sum = cost;
        for (const auto& context : contexts) {
            divide(context.value, sum, left, shares);
            sum -= context.value;
            DSCOPE_CHECK(give(c, context.parent, parts, shares));
        }
        return {};
    }

    void collect(std::uint32_t c, std::vector<Part>& parts, std::vector<std::int64_t>& left) const
    {
        for (const auto f : m_all.m_members[c]) {
            if (const auto own = m_all.selfOf(f, m_measure); own > 0) parts.push_back({f, kOwn}), left.push_back(own);
            for (const auto arc : m_all.m_from[f]) {
                const auto cost = m_all.costOf(arc, m_measure);
                if (cost > 0 && m_all.m_component[m_all.m_arcs[arc].to] != c) parts.push_back({f, arc}), left.push_back(cost);
            }
        }
    }

    std::uint32_t frameOf(std::uint32_t function)
    {
        const auto& f = m_all.m_functions[function];
        return m_stacks.numberOf({.name = f.name, .kind = f.kind, .module = f.module, .file = f.file, .line = f.line});
    }

    Result<> give(std::uint32_t c, std::uint32_t parent, const std::vector<Part>& parts, const std::vector<std::int64_t>& shares)
    {
        const bool isCycle = m_all.m_members[c].size() > 1;
        if (isCycle) parent = child(parent, m_stacks.numberOf({cycleName(c)}));
        std::uint32_t node = 0, of = UINT32_MAX;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (shares[i] <= 0) continue;
            if (of != parts[i].function) node = child(parent, frameOf(parts[i].function));
            of = parts[i].function;
            if (parts[i].arc != kOwn)
                m_contexts[m_all.m_component[m_all.m_arcs[parts[i].arc].to]].push_back({node, shares[i]});
            else
                DSCOPE_CHECK(emit(node, shares[i]));
        }
        return {};
    }

    std::string cycleName(std::uint32_t c)
    {
        const auto [at, isNew] = m_cycles.try_emplace(c, m_cycles.size() + 1);
        return "<cycle " + std::to_string(at->second) + ">";
    }

    Result<> emit(std::uint32_t node, std::int64_t value)
    {
        m_path.clear();
        for (; node != 0; node = m_nodes[node].parent)
            m_path.push_back(m_nodes[node].frame);
        std::reverse(m_path.begin(), m_path.end());
        m_stacks.frames(m_path);
        const auto by = m_all.m_measures[m_measure].by;
        m_stacks.add(value > INT64_MAX / by ? INT64_MAX : value * by);
        return m_stacks.check();
    }

    const CallArcs& m_all;
    std::size_t m_measure, m_widest = 0, m_inconsistent = 0;
    bool m_isPooled = false;
    StackCounts m_stacks;
    std::vector<Node> m_nodes;
    std::uint32_t m_other = 0;
    std::vector<std::vector<Context>> m_contexts; ///< by component
    std::vector<std::int64_t> m_cost, m_told;     ///< by component: what it costs, and what its callers say
    std::unordered_map<std::string, std::uint32_t> m_roots;
    std::unordered_map<std::uint32_t, std::size_t> m_cycles; ///< their numbers by component
    std::vector<std::uint32_t> m_path;
};

/// What was measured, in tables: the own cost of functions, and how often they call each other.
void CallArcs::putTables(Imported& out) const
{
    Tables tables;
    std::vector<std::uint32_t> order(m_functions.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto most = std::min(order.size(), kMostRows);
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most), order.end(),
        [&](auto a, auto b) { return std::pair(-selfOf(a, 0), a) < std::pair(-selfOf(b, 0), b); });
    std::map<std::string, std::int64_t> self;
    for (std::size_t i = 0; i < most; ++i)
        if (const auto own = selfOf(order[i], 0); own > 0) grow(self[m_functions[order[i]].name], own);
    tables.name("self");
    tables.keyNames({"function"});
    for (const auto& [name, own] : self)
        tables.number({name}, own, record::Aggregator::Sum);

    std::vector<std::uint32_t> arcs(m_arcs.size());
    std::iota(arcs.begin(), arcs.end(), 0U);
    const auto mostArcs = std::min(arcs.size(), kMostRows);
    std::partial_sort(arcs.begin(), arcs.begin() + static_cast<std::ptrdiff_t>(mostArcs), arcs.end(),
        [&](auto a, auto b) { return std::pair(-m_arcs[a].calls, a) < std::pair(-m_arcs[b].calls, b); });
    std::map<std::pair<std::string, std::string>, std::int64_t> calls;
    for (std::size_t i = 0; i < mostArcs; ++i)
        grow(calls[{m_functions[m_arcs[arcs[i]].from].name, m_functions[m_arcs[arcs[i]].to].name}], m_arcs[arcs[i]].calls);
    tables.name("calls");
    tables.keyNames({"caller", "callee"});
    for (const auto& [pair, count] : calls)
        tables.number({pair.first, pair.second}, count);
    tables.put(out);
    if (most < order.size() || mostArcs < arcs.size())
        out.warn("the tables have the largest " + std::to_string(kMostRows) + " rows of " + std::to_string(order.size()) + " functions and "
            + std::to_string(arcs.size()) + " pairs of caller and callee");
}

Result<> CallArcs::put(Imported& out)
{
    DSCOPE_CHECK(check());
    findCycles();
    const auto cycles = std::count_if(m_members.begin(), m_members.end(), [](const auto& m) { return m.size() > 1; });
    bool isPooled = false;
    std::size_t inconsistent = 0;
    for (std::size_t i = 0; i < m_measures.size(); ++i) {
        Derivation derivation(*this, i);
        DSCOPE_CHECK(derivation.run());
        isPooled = isPooled || derivation.isPooled();
        inconsistent = std::max(inconsistent, derivation.inconsistent());
        if (!derivation.stacks().empty()) out.add(derivation.stacks().take(m_measures[i].noun, m_measures[i].unit));
    }

    if (!m_arcs.empty() && !out.records.empty())
        out.warn(
            "stacks are derived, not measured: the tool tells what functions cost and which calls which, and the cost of a function is "
            "divided among its callers by what their calls cost; functions, and pairs of caller and callee, are as measured");
    if (cycles > 0)
        out.warn(std::to_string(cycles) + (cycles == 1 ? " group" : " groups")
            + " of functions call each other in a circle: they stand below \"<cycle N>\", since who called whom there has no cost of its "
              "own");
    if (isPooled) out.warn("rare callers of functions with very many are drawn as \"[other callers]\"");
    if (inconsistent > 0)
        out.warn(std::to_string(inconsistent) + (inconsistent == 1 ? " function costs" : " functions cost")
            + " less than the calls of it say: the shares of its callers are reduced");
    putTables(out);
    return {};
}
} // namespace dscope::text
