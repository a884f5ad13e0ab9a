#pragma once
#include "engine/record/kept_stacks.h"
#include "engine/record/record.h"
#include "graph/implied_frames.h"
#include "graph/noun.h"
#include "graph/stack_rules.h"
#include "graph/stack_tree.h"
#include "graph/units.h"
#include "graph/whose.h"
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::graph {
class Store;

/// What the values of stacks are, and how they are said.
struct StackMeasure {
    bool isCount = true;
    Noun noun;                                ///< of a count
    Measure measure;                          ///< of a sum
    std::optional<record::Aggregation> shape; ///< of what was aggregated
    std::string file;                         ///< of imported text: its name
    std::string name;                         ///< of a sum, the expression that was summed up: "arg2"; else empty
    int exponent = 0;                         ///< a value of v stands for v * 10^exponent; `measure` has it in its scale

    std::string quantity(std::int64_t value) const;                 ///< "1,234" or "12.3 ms"
    std::string amount(std::int64_t value) const;                   ///< the same with the noun of a count: "1,234 samples"
    std::string part(std::int64_t value, std::int64_t whole) const; ///< "234 of 1,234 samples"
    std::string exact(std::int64_t value) const;                    ///< all digits, "0.343": for tables and files
    std::string what() const; ///< "count() by ustack()", or the name of the file that the text came from
    Unit unit() const { return isCount ? Unit::Count : measure.unit; }
    /// The value in unit(): a sum of microseconds in nanoseconds. At most INT64_MAX.
    std::int64_t inUnit(std::int64_t value) const;
};

/// Stacks that were not followed to their end (record::Frame::Kind::Truncated).
struct CutStacks {
    std::int64_t value = 0;                             ///< of them all
    std::map<record::Truncation, std::int64_t> reasons; ///< what of it each reason has
};

/// Where stacks come from, as far as the run tells: for formats that keep it.
struct StackSource {
    std::map<std::string, record::CodeFile> code; ///< by module, as frames name it: its file and build id
    std::int64_t utc = 0, duration = 0;           ///< ns; when the run began, since 1970, and how long it was; 0: not known
    std::int64_t period = 0;                      ///< ns of a processor's time that a sample stands for; 0: none, or not known
    std::string host, version;                    ///< of the run, and the dscope that recorded it; empty: not known
    std::vector<std::string> keys;                ///< what the first frames of every stack are, in their order, where they are other keys
};

/// The stacks of a run: frames from the root to the leaf, merged, each stack with a value. Everything that is drawn or written
/// of stacks is a projection of this: flame graph, icicle, sandwich, call graph, table, folded text, pprof, speedscope.
/// A snapshot: it outlives later changes of the store, and any thread may read it.
class Stacks {
public:
    virtual ~Stacks() = default;
    const StackMeasure& measure() const { return m_measure; }
    std::size_t leftOut() const { return m_leftOut; } ///< aggregations or imported events that measure something else
    std::int64_t total() const { return m_total; }
    const StackSource& source() const { return m_source; }
    const CutStacks& cut() const { return m_cut; } ///< none of imported text, which does not tell
    bool empty() const { return m_total == 0; }
    /// Whether any step of each() has a line of source.
    virtual bool tellsLines() const { return false; }
    bool isRuled() const { return !m_rules.empty(); }
    /// Sentences for the caveats of a figure: which stacks and frames the rules (graph/stack_rules.h) removed. None without rules.
    std::vector<std::string> ruled() const;

    /// Gives each stack once, in the order of its folded text; where lines are known, once for each of its lines. `frames` numbers
    /// the frames of its steps and their lines; it may hold others.
    using Deliver = std::function<void(std::span<const StackStep> steps, std::int64_t value)>;
    virtual void each(Frames& frames, const Deliver& deliver) const = 0;
    /// The same of at least those stacks that have `frame` in them.
    virtual void eachWith(const StackFrame&, Frames& frames, const Deliver& deliver) const { each(frames, deliver); }
    /// The same as folded text: "root;caller;leaf" and the value.
    using DeliverLine = std::function<void(std::string_view stack, std::int64_t value)>;
    virtual void eachLine(const DeliverLine& deliver) const = 0;

    /// What of the tree somebody looks at; more may be there.
    struct Look {
        std::vector<std::string_view> focus = {}; ///< frames from the root; what is not on or below them is not looked at
        double leastShare = 0;                    ///< of what is in focus: smaller frames may stand together (StackNode::frames)
        std::size_t mostNodes = SIZE_MAX;         ///< with more the tree is of no use, and may end early with one more
        double from = 0, to = 1;                  ///< of the width of what is in focus: what is outside may be left as one node
    };
    virtual std::shared_ptr<const StackTree> tree(const Look& look) const = 0;
    /// The value of the stacks that have a frame whose shown name passes `test`, each stack once.
    virtual std::int64_t matched(const std::function<bool(std::string_view name)>& test) const = 0;
    /// Names of the frames that took the most by themselves, and how much, the most first.
    virtual std::vector<std::pair<std::string, std::int64_t>> leaves(std::size_t most) const = 0;
    /// The same of the innermost frames that the probes do not imply (graph/implied_frames.h): what a claim may be about. Stacks that have
    /// no such frame are left out.
    virtual std::vector<std::pair<std::string, std::int64_t>> tellingEnds(std::size_t most) const { return leaves(most); }
    const ImpliedFrames& implied() const { return m_implied; }
    const Whose& whose() const { return m_whose; } ///< of imported text nobody knows
    /// How much time of processors the values stand for, ns; 0 where they are something else, or nobody knows: an idle processor is
    /// sampled, too.
    std::int64_t cpuTime() const { return m_cpuTime; }
    std::int64_t runTime() const { return m_runTime; } ///< ns: how long the run was, or the part of it that is shown; 0: not known

protected:
    Stacks(StackMeasure measure, std::size_t leftOut) : m_measure(std::move(measure)), m_leftOut(leftOut) { }
    std::int64_t m_total = 0;
    CutStacks m_cut;
    StackSource m_source;
    ImpliedFrames m_implied;
    Whose m_whose{{}, {}};
    std::int64_t m_cpuTime = 0, m_runTime = 0;
    /// What of all values rules have left.
    struct Kept {
        std::int64_t value = 0, all = 0;

        bool take(bool isKept, std::int64_t more)
        {
            all += more;
            if (isKept) value += more;
            return isKept;
        }
    };
    StackRules m_rules;
    Kept m_kept; ///< of them

private:
    StackMeasure m_measure;
    std::size_t m_leftOut;
};

/// "12 functions"
std::string functionsText(std::size_t number);
/// "2.1 % of the samples end early: no unwind table" in a list of its own; empty when all stacks are whole.
std::vector<std::string> cutCaveat(const Stacks& stacks);
/// What must be known of stacks before a figure of them is believed: Stacks::ruled(), cutCaveat().
std::vector<std::string> stackCaveats(const Stacks& stacks);
class Page;
/// Says on a page that there are no stacks: not yet, or none that the rules leave.
void sayNoStacks(Page& page, const Stacks& stacks, const std::string& probes);
/// The stacks that a run aggregated or, when it aggregated none, those of the text that was imported. Never null; made once
/// for all views of one state of the store.
std::shared_ptr<const Stacks> stacksOf(const Store& store);
/// Those of two runs that are compared, with values of one exponent. None is null.
struct ComparedStacks {
    std::shared_ptr<const Stacks> before, after;
};
ComparedStacks comparedStacks(const Store& before, const Store& after);
/// Gives the frames of each stack that a run aggregated and its value, as far as rules leave it: addresses and all, where stacksOf() has
/// functions. Those of the kernel come first; of each stack the innermost.
using DeliverFrames = std::function<void(std::span<const record::KeptStacks::View> stacks, std::int64_t value)>;
void eachStackOfFrames(const Store& store, const DeliverFrames& deliver);
/// Whether a program counts or sums up by stack, or the text was made of stacks.
bool hasStacks(const Store& store);
bool sumsUpStacks(const record::Aggregation& aggregation);
} // namespace dscope::graph
