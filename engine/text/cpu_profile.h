#pragma once
#include "engine/text/importer.h"
#include "engine/base/interned.h"
#include "engine/text/json.h"
#include "engine/text/stack_counts.h"
#include "engine/text/stack_times.h"
#include <span>
#include <string>
#include <unordered_map>
#include <vector>
namespace dscope::text {
/// A profile of V8, JavaScript's run time, as Node, Chrome and VS Code write it to .cpuprofile and .heapprofile, and Chrome in parts into
/// its traces. Source: Chrome DevTools Protocol, domains Profiler and HeapProfiler; v8/src/profiler/profile-generator.cc.
class CpuProfile {
public:
    static constexpr std::size_t kMostSamples = 16'000'000, kMostNodes = 4'000'000;
    static constexpr int kDeepest = 400; ///< nodes within nodes

    /// Reads the object that comes next: a profile. False: see JsonReader::failed().
    bool read(JsonReader& reader);
    /// Reads the value of one member of such an object, which comes next.
    bool readMember(JsonReader& reader, std::string_view key);
    /// Puts a part behind this.
    void append(const CpuProfile& part);
    /// Whether it was a profile: it has nodes, or samples.
    bool empty() const { return m_nodes.empty() && m_samples.empty(); }
    bool hasTimes() const { return !m_samples.empty() && (!m_deltas.empty() || !m_moments.empty()); }
    bool hasBytes() const { return m_hasBytes; } ///< it counts memory
    std::int64_t first() const;                  ///< ns, of the first sample; only where it hasTimes()
    void startAt(std::int64_t when)              ///< ns; unless it says so itself
    {
        if (m_start == 0) m_start = when;
    }
    /// Where its stacks go.
    struct Into {
        StackCounts& stacks;
        StackTimes* times; ///< null: not asked for
        StackTimes::Task task{};
        std::span<const std::string> roots{}; ///< frames above its own
        std::int64_t origin = 0;              ///< ns, taken off all moments
    };
    /// Values are ns where it hasTimes(), bytes where it hasBytes(), else samples. What cannot be read is told to `out`.
    /// Error: it has more than fits.
    Result<> put(const Into& into, Imported& out);

private:
    static constexpr std::uint32_t kNone = UINT32_MAX;
    struct Node {
        std::int64_t id = -1, parentId = -1, hits = 0;
        std::uint32_t name = kNone, file = kNone, line = 0, parent = kNone;
    };
    struct Child {
        std::int64_t id;
        std::uint32_t parent;
    };
    struct Sample {
        std::int64_t when;
        std::uint32_t node;
        std::int64_t weight;
    };
    bool readNode(JsonReader& reader, std::uint32_t parent, int depth);
    bool readChildren(JsonReader& reader, std::uint32_t of, int depth);
    bool readFrame(JsonReader& reader, std::uint32_t node, bool isCallFrame);
    bool readFact(JsonReader& reader, std::string_view key, std::uint32_t node, int lineBase);
    bool readNumbers(JsonReader& reader, std::vector<std::int64_t>& out, int power);
    void linkNodes();
    void tellOfOwnNames(std::span<const std::int64_t> values, Imported& out) const;
    std::vector<Sample> weighedSamples(Imported& out);
    Result<> stackOf(std::uint32_t node, const Into& into, std::vector<std::uint32_t>& path);
    std::vector<Node> m_nodes;
    std::vector<Child> m_children; ///< where parents name them by numbers
    std::vector<std::int64_t> m_samples, m_deltas, m_moments;
    std::unordered_map<std::int64_t, std::uint32_t> m_indexOf;
    std::vector<std::uint32_t> m_frames; ///< by node, its number among the stacks
    Interned m_texts;
    std::string m_word;
    std::int64_t m_start = 0, m_end = 0; ///< ns
    bool m_hasBytes = false, m_isFull = false, m_isDeep = false;
};
} // namespace dscope::text
