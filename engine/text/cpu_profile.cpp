#include "engine/text/cpu_profile.h"
#include "engine/text/json_file.h"
#include <algorithm>
#include <array>
#include <tuple>
namespace dscope::text {
namespace {
constexpr std::int64_t kMostProfileTime = INT64_MAX / 4; ///< ns
constexpr std::size_t kMostNodePath = 65'536;            ///< frames of a stack

std::int64_t addedUp(std::int64_t a, std::int64_t b)
{
    std::int64_t out = 0;
    return __builtin_add_overflow(a, b, &out) ? (b < 0 ? INT64_MIN : INT64_MAX) : out;
}
std::string_view pathOfUrl(std::string_view url)
{
    constexpr std::string_view kScheme = "file://";
    return url.starts_with(kScheme) ? url.substr(kScheme.size()) : url;
}
} // namespace

bool CpuProfile::readNumbers(JsonReader& reader, std::vector<std::int64_t>& out, int power)
{
    if (reader.kind() != JsonReader::Kind::Array) return reader.skip();
    return reader.elements([&] {
        const auto number = scaledOrNothing(reader, power);
        m_isFull = m_isFull || out.size() >= kMostSamples;
        if (!m_isFull) out.push_back(number.value_or(INT64_MIN)); // which no node and no time has
        return !reader.failed();
    });
}

/// What says something of the function of a node. `lineBase`: what is added to lines that count from 0.
bool CpuProfile::readFact(JsonReader& reader, std::string_view key, std::uint32_t node, int lineBase)
{
    if (key == "functionName" || key == "url") {
        if (!textOrNothing(reader, m_word)) return false;
        if (m_word.empty()) return true;
        (key == "url" ? m_nodes[node].file : m_nodes[node].name) = m_texts.of(key == "url" ? pathOfUrl(m_word) : std::string_view(m_word));
        return true;
    }
    if (key != "lineNumber") return reader.skip();
    const auto line = integer(reader).value_or(-1);
    if (line < INT32_MAX && line + lineBase > 0) m_nodes[node].line = static_cast<std::uint32_t>(line + lineBase);
    return !reader.failed();
}

bool CpuProfile::readChildren(JsonReader& reader, std::uint32_t of, int depth)
{
    if (reader.kind() != JsonReader::Kind::Array) return reader.skip();
    return reader.elements([&] {
        if (reader.kind() == JsonReader::Kind::Object) return readNode(reader, of, depth + 1);
        const auto id = integer(reader);
        if (id && m_children.size() < kMostNodes) m_children.push_back({*id, of});
        return !reader.failed();
    });
}

/// Nodes have their callers' numbers ("parent"), or those of what they call ("children"), or what they call itself, as before 2016.
bool CpuProfile::readNode(JsonReader& reader, std::uint32_t parent, int depth)
{
    if (reader.kind() != JsonReader::Kind::Object) return reader.skip();
    m_isDeep = m_isDeep || depth > kDeepest;
    m_isFull = m_isFull || m_nodes.size() >= kMostNodes;
    if (m_isFull || depth > kDeepest) return reader.skip();
    const auto node = static_cast<std::uint32_t>(m_nodes.size());
    m_nodes.emplace_back().parent = parent;
    return reader.members([&](std::string_view key) {
        if (key == "id") return m_nodes[node].id = integer(reader).value_or(-1), !reader.failed();
        if (key == "parent") return m_nodes[node].parentId = integer(reader).value_or(-1), !reader.failed();
        if (key == "children") return readChildren(reader, node, depth);
        if (key == "hitCount" || key == "selfSize") {
            m_hasBytes = m_hasBytes || key == "selfSize";
            return m_nodes[node].hits = integer(reader).value_or(0), !reader.failed();
        }
        if (key == "callFrame" && reader.kind() == JsonReader::Kind::Object)
            return reader.members([&](std::string_view inner) { return readFact(reader, inner, node, 1); });
        return readFact(reader, key, node, 0);
    });
}

bool CpuProfile::read(JsonReader& reader)
{
    if (reader.kind() != JsonReader::Kind::Object) return reader.skip();
    return reader.members([&](std::string_view key) { return key == "cpuProfile" ? reader.skip() : readMember(reader, key); });
}

bool CpuProfile::readMember(JsonReader& reader, std::string_view key)
{
    if (key == "cpuProfile") return read(reader);
    if (key == "head") return readNode(reader, kNone, 0);
    if (key == "samples" && !m_hasBytes) return readNumbers(reader, m_samples, 0);
    if (key == "timeDeltas" && !m_deltas.empty()) return reader.skip(); // React Native tells the same twice
    if (key == "timeDeltas") return readNumbers(reader, m_deltas, 3);
    if (key == "timestamps") return readNumbers(reader, m_moments, 3);
    if (key == "startTime") return m_start = scaledOrNothing(reader, 3).value_or(0), !reader.failed();
    if (key == "endTime") return m_end = scaledOrNothing(reader, 3).value_or(0), !reader.failed();
    if (key != "nodes" || reader.kind() != JsonReader::Kind::Array) return reader.skip();
    return reader.elements([&] { return readNode(reader, kNone, 0); });
}

void CpuProfile::append(const CpuProfile& part)
{
    const auto base = static_cast<std::uint32_t>(m_nodes.size());
    m_isFull = m_isFull || part.m_isFull || m_nodes.size() + part.m_nodes.size() > kMostNodes
        || m_samples.size() + part.m_samples.size() > kMostSamples || m_deltas.size() + part.m_deltas.size() > kMostSamples;
    m_isDeep = m_isDeep || part.m_isDeep;
    if (m_isFull) return;
    const auto own = [&](std::uint32_t text) { return text == kNone ? kNone : m_texts.of(part.m_texts.text(text)); };
    for (auto node : part.m_nodes) {
        node.name = own(node.name);
        node.file = own(node.file);
        if (node.parent != kNone) node.parent += base;
        m_nodes.push_back(node);
    }
    for (const auto& child : part.m_children)
        m_children.push_back({child.id, child.parent + base});
    m_samples.insert(m_samples.end(), part.m_samples.begin(), part.m_samples.end());
    m_deltas.insert(m_deltas.end(), part.m_deltas.begin(), part.m_deltas.end());
    if (part.m_start != 0) m_start = part.m_start;
    if (part.m_end != 0) m_end = part.m_end;
}

std::int64_t CpuProfile::first() const
{
    const auto first = m_moments.empty() ? addedUp(m_start, m_deltas.empty() ? 0 : m_deltas.front()) : m_moments.front();
    return std::clamp(first, -kMostProfileTime, kMostProfileTime);
}

/// Finds the callers of nodes that are named by numbers.
void CpuProfile::linkNodes()
{
    for (std::uint32_t i = 0; i < m_nodes.size(); ++i)
        m_indexOf.emplace(m_nodes[i].id, i);
    for (auto& node : m_nodes)
        if (const auto at = m_indexOf.find(node.parentId); node.parentId >= 0 && at != m_indexOf.end()) node.parent = at->second;
    for (const auto& child : m_children)
        if (const auto at = m_indexOf.find(child.id); at != m_indexOf.end()) m_nodes[at->second].parent = child.parent;
}

/// Every sample in the order of time, and how long it was until the next: V8 tells of each how long after the one before it was taken.
/// That of the last is until the end, where that is told, else as long as the one before.
std::vector<CpuProfile::Sample> CpuProfile::weighedSamples(Imported& out)
{
    std::vector<Sample> samples;
    const bool hasMoments = !m_moments.empty();
    const auto& times = hasMoments ? m_moments : m_deltas;
    const auto count = std::min(m_samples.size(), times.size());
    if (times.size() != m_samples.size())
        out.warn("it has " + std::to_string(m_samples.size()) + " samples and " + std::to_string(times.size()) + " times: only the first "
            + std::to_string(count) + " of both are read");
    auto now = m_start;
    for (std::size_t i = 0; i < count; ++i) {
        now = hasMoments ? times[i] : addedUp(now, times[i]);
        const auto node = m_indexOf.find(m_samples[i]);
        if (times[i] == INT64_MIN || now > kMostProfileTime || now < -kMostProfileTime) {
            out.misunderstand(1, "sample " + std::to_string(i + 1) + " has no time, or one beyond 73 years");
            now = samples.empty() ? m_start : samples.back().when;
        } else if (node == m_indexOf.end()) {
            out.misunderstand(1, "sample " + std::to_string(i + 1) + " is of a node that it does not have");
        } else {
            samples.push_back({now, node->second, 0});
        }
    }
    std::stable_sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) { return a.when < b.when; });
    for (std::size_t i = 0; i + 1 < samples.size(); ++i)
        samples[i].weight = samples[i + 1].when - samples[i].when;
    if (samples.empty()) return samples;
    auto& last = samples.back();
    if (m_end >= last.when)
        last.weight = std::min(m_end, kMostProfileTime) - last.when;
    else if (samples.size() > 1)
        last.weight = samples[samples.size() - 2].weight;
    else if (!m_deltas.empty())
        last.weight = std::clamp<std::int64_t>(m_deltas.front(), 0, kMostProfileTime);
    return samples;
}

/// The frames from the root to a node.
Result<> CpuProfile::stackOf(std::uint32_t node, const Into& into, std::vector<std::uint32_t>& path)
{
    path.clear();
    for (; node != kNone; node = m_nodes[node].parent) {
        if (path.size() > kMostNodePath) return Error{0, "its nodes call each other in a circle, or deeper than 65,536 frames"};
        auto& frame = m_frames[node];
        const auto& n = m_nodes[node];
        if (frame == kNone)
            frame = into.stacks.numberOf({.name = n.name == kNone ? std::string_view("(anonymous)") : m_texts.text(n.name),
                .file = n.file == kNone ? std::string_view() : m_texts.text(n.file),
                .line = n.file == kNone ? 0 : n.line});
        path.push_back(frame);
    }
    for (auto root = into.roots.rbegin(); root != into.roots.rend(); ++root)
        path.push_back(into.stacks.numberOf({*root}));
    std::reverse(path.begin(), path.end());
    return {};
}

/// Says what V8's own names stand for, as far as nodes of them have a value. Source: v8/src/profiler/profile-generator.cc
void CpuProfile::tellOfOwnNames(std::span<const std::int64_t> values, Imported& out) const
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kNames{{{"(program)", "native code outside of JavaScript"},
        {"(idle)", "time in which nothing ran"}, {"(garbage collector)", "V8's own work on memory"}}};
    std::string told;
    for (const auto& [name, what] : kNames) {
        const auto number = m_texts.find(name);
        bool isMet = false;
        for (std::size_t i = 0; number && i < values.size(); ++i)
            isMet = isMet || (m_nodes[i].name == *number && values[i] > 0);
        if (isMet) told += std::string(told.empty() ? "" : ", ") + '"' + std::string(name) + "\" is " + std::string(what);
    }
    if (!told.empty()) out.warn("some frames are no functions: " + told);
}

Result<> CpuProfile::put(const Into& into, Imported& out)
{
    if (m_isFull) return Error{0, "it has more than 16,000,000 samples or 4,000,000 nodes: record a shorter time"};
    if (m_isDeep) out.warn("what is deeper than 400 calls is left out");
    linkNodes();
    m_frames.assign(m_nodes.size(), kNone);
    const bool isOfSamples = !m_samples.empty() && !m_hasBytes;
    const auto samples = hasTimes() ? weighedSamples(out) : std::vector<Sample>();
    std::vector<std::int64_t> values(m_nodes.size());
    for (const auto& sample : samples)
        values[sample.node] = addedUp(values[sample.node], sample.weight);
    for (std::uint32_t i = 0; !isOfSamples && i < m_nodes.size(); ++i)
        values[i] = std::max<std::int64_t>(m_nodes[i].hits, 0);
    if (isOfSamples && samples.empty())
        for (const auto id : m_samples)
            if (const auto at = m_indexOf.find(id); at != m_indexOf.end()) ++values[at->second];

    tellOfOwnNames(values, out);
    std::vector<std::uint32_t> path, stacks(m_nodes.size());
    for (std::uint32_t i = 0; i < m_nodes.size(); ++i) {
        if (values[i] == 0) continue;
        DSCOPE_CHECK(stackOf(i, into, path));
        into.stacks.frames(path);
        stacks[i] = into.stacks.add(values[i]);
        DSCOPE_CHECK(into.stacks.check());
    }
    for (const auto& sample : samples)
        if (into.times && sample.weight > 0) into.times->add(sample.when - into.origin, into.task, stacks[sample.node], sample.weight, 1);
    return {};
}
} // namespace dscope::text
