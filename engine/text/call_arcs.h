#pragma once
#include "engine/text/importer.h"
#include "engine/text/stack_counts.h"
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>
namespace dscope::text {
/// A call graph as tools tell it that keep no stacks: what each function cost itself, and of each pair of caller and callee how often the
/// one called the other and what these calls cost in all. It becomes tables of what was measured, and stacks that are derived: what a
/// function cost is divided among its callers in proportion to what their calls of it cost, as gprof does. So the costs of functions and
/// of pairs are exact, while those of longer stacks are likely values; a warning says so.
/// Functions that call each other in a circle stand below a frame "<cycle 1>": what they cost within it has no order.
class CallArcs {
public:
    static constexpr std::size_t kMost = std::size_t{24} << 20; ///< numbers of functions and pairs that it keeps
    static constexpr std::size_t kMostContexts = 200'000;       ///< places in derived stacks
    static constexpr std::size_t kMostRows = 20'000;            ///< of a table
    /// What is measured. A value of v stands for v * `by` of the unit.
    struct Measure {
        std::string noun;
        record::StackUnit unit = record::StackUnit::Count;
        std::int64_t by = 1;
    };
    /// Which functions stand at the root: those that cost more than their callers say, with the rest; or those that have no caller, and
    /// those that isRoot() names, where costs are rounded.
    enum class Roots : std::uint8_t { Remainder, Told };
    CallArcs(std::vector<Measure> measures, Roots roots) : m_measures(std::move(measures)), m_roots(roots) { }
    /// A new function. `root`: what stands below it where it has no caller; empty: nothing.
    std::uint32_t add(const StackCounts::Frame& frame, const std::string& root = {});
    /// What is known later: below all stacks that begin with the function.
    void setRoot(std::uint32_t function, const std::string& root) { m_functions[function].root = root; }
    void isRoot(std::uint32_t function) { m_functions[function].isRoot = true; }
    /// Grows what a function cost itself; `cost`: at most one value for each measure.
    void self(std::uint32_t function, std::span<const std::int64_t> cost);
    void call(std::uint32_t from, std::uint32_t to, std::int64_t calls, std::span<const std::int64_t> cost);
    /// A line of the function in its own file; the first of them counts.
    void line(std::uint32_t function, std::uint32_t line);
    /// Moves the calls of each function to another one: `as` has that of each, itself where it stays.
    void unite(const std::vector<std::uint32_t>& as);
    bool empty() const { return m_functions.empty(); }
    /// What a run is called whose stacks are derived, so that every figure says so; empty where nothing is derived.
    std::string nameOf(const std::string& path) const;
    const std::vector<std::int64_t>& totals() const { return m_totals; } ///< of self(), by measure
    Result<> check() const;
    /// Puts tables and stacks among the records, and warnings.
    Result<> put(Imported& out);

private:
    struct Function {
        std::string name, module, file, root;
        record::Frame::Kind kind = record::Frame::Kind::Unknown;
        std::uint32_t line = 0;
        bool isRoot = false;
    };
    struct Arc {
        std::uint32_t from, to;
        std::int64_t calls;
    };
    class Derivation;
    std::int64_t selfOf(std::uint32_t function, std::size_t measure) const { return m_self[function * m_measures.size() + measure]; }
    std::int64_t costOf(std::uint32_t arc, std::size_t measure) const { return m_cost[arc * m_measures.size() + measure]; }
    void findCycles();
    void putTables(Imported& out) const;
    std::vector<Measure> m_measures;
    Roots m_roots;
    std::vector<Function> m_functions;
    std::vector<Arc> m_arcs;
    std::vector<std::int64_t> m_self, m_cost, m_totals; ///< by function or arc, and measure
    std::unordered_map<std::uint64_t, std::uint32_t> m_arcOf;
    std::vector<std::uint32_t> m_component;            ///< by function: callers have higher numbers than what they call
    std::vector<std::vector<std::uint32_t>> m_members; ///< by component
    std::vector<std::vector<std::uint32_t>> m_from;    ///< by function: its arcs
    std::size_t m_used = 0;
};
} // namespace dscope::text
