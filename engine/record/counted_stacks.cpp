#include "engine/record/counted_stacks.h"
#include "engine/record/folded.h"
#include <algorithm>
#include <numeric>
namespace dscope::record {
namespace {
constexpr std::size_t kValueBytes = 8; // of a value with its blank and line end
constexpr std::uint32_t kUnknown = UINT32_MAX;
constexpr std::size_t kStack = 12, kNode = 8, kFrame = 34; // bytes of one in a record, texts left out

/// Copies paths of a table into a builder, each node once.
class PathCopy {
public:
    PathCopy(const StackTable& from, StackTableBuilder& to, std::uint32_t root = StackTable::kRoot)
        : m_from(from), m_to(to), m_nodes(from.nodes().size(), kUnknown), m_frames(from.frameCount(), kUnknown)
    {
        m_nodes[StackTable::kRoot] = root;
    }

    std::uint32_t node(std::uint32_t node)
    {
        m_path.clear();
        for (; m_nodes[node] == kUnknown; node = m_from.nodes()[node].caller)
            m_path.push_back(node);
        auto at = m_nodes[node];
        for (auto step = m_path.rbegin(); step != m_path.rend(); ++step)
            at = m_nodes[*step] = m_to.below(at, frame(m_from.nodes()[*step].frame));
        return at;
    }

    /// Bytes that copying the path to `node` adds to a record. `words`: bytes of frames, by number.
    std::size_t cost(std::uint32_t node, std::span<const std::size_t> words) const
    {
        std::size_t bytes = kStack;
        for (; m_nodes[node] == kUnknown; node = m_from.nodes()[node].caller) {
            const auto frame = m_from.nodes()[node].frame;
            bytes += kNode + (m_frames[frame] == kUnknown ? words[frame] + kFrame : 0);
        }
        return bytes;
    }

    std::function<NamedFrame(const NamedFrame&)> changed = {}; ///< what stands for a frame; empty: itself

private:
    std::uint32_t frame(std::uint32_t number)
    {
        auto& known = m_frames[number];
        if (known == kUnknown) known = m_to.frame(changed ? changed(m_from.frame(number)) : m_from.frame(number));
        return known;
    }

    const StackTable& m_from;
    StackTableBuilder& m_to;
    std::vector<std::uint32_t> m_nodes, m_frames, m_path;
};

CountedStacks measureOf(const CountedStacks& stacks) { return {nullptr, nullptr, stacks.noun, stacks.unit, stacks.exponent}; }

/// The stacks, whose nodes are those of a builder.
CountedStacks finished(StackTableBuilder& builder, std::vector<CountedStacks::Stack> stacks, CountedStacks measure)
{
    auto ordered = builder.ordered();
    for (auto& stack : stacks)
        stack.node = ordered.numbers[stack.node];
    measure.table = std::move(ordered.table);
    measure.stacks = std::make_shared<const std::vector<CountedStacks::Stack>>(std::move(stacks));
    return measure;
}

std::vector<std::size_t> wordSizes(const StackTable& table)
{
    std::vector<std::size_t> sizes;
    sizes.reserve(table.frameCount());
    for (std::uint32_t i = 0; i < table.frameCount(); ++i)
        sizes.push_back(foldedWord(table.frame(i)).size());
    return sizes;
}
} // namespace

bool CountedStacks::operator==(const CountedStacks& o) const
{
    const auto left = all(), right = o.all();
    if (!measuresAs(o) || !std::equal(left.begin(), left.end(), right.begin(), right.end())) return false;
    return left.empty() || *table == *o.table;
}

CountedStacks below(const NamedFrame& root, const CountedStacks& stacks)
{
    if (stacks.empty()) return stacks;
    StackTableBuilder builder;
    PathCopy copy(*stacks.table, builder, builder.below(StackTable::kRoot, builder.frame(root)));
    std::vector<CountedStacks::Stack> out;
    out.reserve(stacks.all().size());
    for (const auto& [node, value] : stacks.all())
        out.push_back({copy.node(node), value});
    return finished(builder, std::move(out), measureOf(stacks));
}

CountedStacks withFrames(const CountedStacks& stacks, const std::function<NamedFrame(const NamedFrame&)>& changed)
{
    if (stacks.empty()) return stacks;
    StackTableBuilder builder;
    PathCopy copy(*stacks.table, builder);
    copy.changed = changed;
    std::vector<CountedStacks::Stack> out;
    out.reserve(stacks.all().size());
    for (const auto& [node, value] : stacks.all())
        out.push_back({copy.node(node), value});
    return finished(builder, std::move(out), measureOf(stacks));
}

CountedStacks withStacks(const CountedStacks& of, std::vector<CountedStacks::Stack> chosen)
{
    auto out = of;
    out.stacks = std::make_shared<const std::vector<CountedStacks::Stack>>(std::move(chosen));
    return out;
}

std::vector<CountedStacks> inParts(const CountedStacks& stacks, std::size_t most)
{
    std::vector<CountedStacks> parts;
    if (stacks.empty()) return parts;
    std::size_t size = stacks.all().size() * kStack + stacks.table->nodes().size() * kNode + stacks.table->frameCount() * kFrame;
    for (std::uint32_t i = 0; i < stacks.table->textCount(); ++i)
        size += stacks.table->text(i).size();
    if (size <= most) return {stacks};

    const auto words = wordSizes(*stacks.table);
    const auto all = stacks.all();
    for (std::size_t from = 0; from < all.size();) {
        StackTableBuilder builder;
        PathCopy copy(*stacks.table, builder);
        std::vector<CountedStacks::Stack> part;
        std::size_t bytes = 0;
        for (; from < all.size(); ++from) {
            bytes += copy.cost(all[from].node, words);
            if (bytes > most && !part.empty()) break;
            part.push_back({copy.node(all[from].node), all[from].value});
        }
        parts.push_back(finished(builder, std::move(part), measureOf(stacks)));
    }
    return parts;
}

std::vector<CountedStacks> byMeasure(const std::vector<CountedStacks>& all)
{
    std::vector<std::vector<CountedStacks>> groups;
    for (const auto& stacks : all) {
        if (stacks.empty()) continue;
        const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.front().measuresAs(stacks); });
        (group == groups.end() ? groups.emplace_back() : *group).push_back(stacks);
    }
    std::vector<CountedStacks> out;
    for (auto& group : groups) {
        if (group.size() == 1) {
            out.push_back(std::move(group.front()));
            continue;
        }
        StackTableBuilder builder;
        std::vector<CountedStacks::Stack> joined;
        for (const auto& stacks : group) {
            PathCopy copy(*stacks.table, builder);
            for (const auto& [node, value] : stacks.all())
                joined.push_back({copy.node(node), value});
        }
        out.push_back(finished(builder, std::move(joined), measureOf(group.front())));
    }
    return out;
}

std::string nounOfEvent(const std::string& event, const std::vector<std::string>& all)
{
    const bool isCpuTime = event == "cpu-clock" || event == "task-clock";
    return isCpuTime && std::find(all.begin(), all.end(), event) == all.end() ? std::string(kCpuTime) : event;
}

std::vector<std::string> eventsOf(const std::vector<CountedStacks>& all)
{
    std::vector<std::string> events;
    for (const auto& stacks : all)
        if (std::find(events.begin(), events.end(), stacks.noun) == events.end()) events.push_back(stacks.noun);
    return events;
}

Error noSuchEvent(const std::string& event, const std::vector<std::string>& all)
{
    std::string names;
    for (const auto& name : all)
        names += (names.empty() ? "" : ", ") + name;
    return Error{0, "there is no event \"" + event + "\" in it" + (names.empty() ? ", nor any imported stack" : "; it has " + names)};
}

Result<> putFirst(std::vector<Record>& records, const std::string& event)
{
    std::vector<std::string> all;
    for (const auto& record : records)
        if (const auto* stacks = std::get_if<CountedStacks>(&record))
            if (std::find(all.begin(), all.end(), stacks->noun) == all.end()) all.push_back(stacks->noun);
    const auto noun = nounOfEvent(event, all);
    std::vector<Record> chosen;
    for (const auto& record : records)
        if (const auto* stacks = std::get_if<CountedStacks>(&record); stacks && stacks->noun == noun) chosen.push_back(record);
    if (chosen.empty()) return noSuchEvent(event, all);
    if (all.front() == noun) return {};
    std::erase_if(records, [&](const Record& record) {
        const auto* stacks = std::get_if<CountedStacks>(&record);
        return (stacks && stacks->noun == noun) || std::holds_alternative<StackParts>(record); // those are times of the event before
    });
    records.insert(records.begin(), chosen.begin(), chosen.end());
    return {};
}

CountedStacks heaviest(const CountedStacks& stacks, std::size_t most)
{
    const auto all = stacks.all();
    const auto size = textSize(stacks);
    if (size <= most) return stacks;
    std::vector<std::uint32_t> order(all.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto kept
        = static_cast<std::ptrdiff_t>(static_cast<double>(order.size()) * (static_cast<double>(most) / static_cast<double>(size)));
    std::nth_element(order.begin(), order.begin() + kept, order.end(),
        [&](std::uint32_t a, std::uint32_t b) { return all[a].value != all[b].value ? all[a].value > all[b].value : a < b; });
    order.resize(static_cast<std::size_t>(kept));
    std::sort(order.begin(), order.end());

    StackTableBuilder builder;
    PathCopy copy(*stacks.table, builder);
    std::vector<CountedStacks::Stack> chosen;
    for (const auto i : order)
        chosen.push_back({copy.node(all[i].node), all[i].value});
    return finished(builder, std::move(chosen), measureOf(stacks));
}

std::size_t textSize(const CountedStacks& stacks)
{
    if (stacks.empty()) return 0;
    const auto words = wordSizes(*stacks.table);
    const auto nodes = stacks.table->nodes();
    std::vector<std::size_t> paths(nodes.size());
    for (std::size_t i = 1; i < nodes.size(); ++i)
        paths[i] = paths[nodes[i].caller] + words[nodes[i].frame] + 1;
    std::size_t size = 0;
    for (const auto& stack : stacks.all())
        size += paths[stack.node] - 1 + kValueBytes;
    return size;
}

void eachLine(const CountedStacks& stacks, const std::function<void(std::string_view, std::int64_t)>& deliver)
{
    if (stacks.empty()) return;
    std::vector<std::string> words;
    for (std::uint32_t i = 0; i < stacks.table->frameCount(); ++i)
        words.push_back(foldedWord(stacks.table->frame(i)));
    std::string line;
    for (const auto& [node, value] : stacks.all()) {
        line.clear();
        bool isFirst = true;
        for (const auto frame : stacks.table->framesOf(node)) {
            if (!isFirst) line += kFrameSeparator;
            isFirst = false;
            line += words[frame];
        }
        deliver(line, value);
    }
}

void FoldedReader::add(std::string_view stack, std::int64_t value)
{
    auto node = StackTable::kRoot;
    eachFrame(stack, [&](std::string_view word) { node = m_builder.below(node, m_builder.frame(namedFrame(word))); });
    m_stacks.push_back({node, value});
}

CountedStacks FoldedReader::take(std::string noun, StackUnit unit)
{
    if (m_stacks.empty()) return {nullptr, nullptr, std::move(noun), unit, 0};
    return finished(m_builder, std::exchange(m_stacks, {}), {nullptr, nullptr, std::move(noun), unit, 0});
}

std::string decimalText(std::int64_t value, int exponent)
{
    auto digits = std::to_string(value);
    if (exponent >= 0) return value == 0 ? digits : digits.append(static_cast<std::size_t>(exponent), '0');
    const std::size_t sign = value < 0 ? 1 : 0, decimals = static_cast<std::size_t>(-exponent);
    if (digits.size() - sign <= decimals) digits.insert(sign, decimals + 1 + sign - digits.size(), '0');
    digits.insert(digits.size() - decimals, 1, '.');
    digits.resize(digits.find_last_not_of('0') + 1);
    if (digits.ends_with('.')) digits.pop_back();
    return digits;
}
} // namespace dscope::record
