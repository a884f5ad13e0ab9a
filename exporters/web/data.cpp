#include "exporters/web/data.h"
#include "engine/base/base64.h"
#include "engine/record/counted_stacks.h"
#include "engine/record/folded.h"
#include "exporters/web/facts.h"
#include "exporters/web/packed_tree.h"
#include "graph/sha256.h"
#include "graph/stacks.h"
#include "graph/store.h"
#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>
namespace dscope::exporters {
namespace {
constexpr std::size_t kLarge = std::size_t{8} << 20;    // characters of room: less, and it is a file that has to be quick
constexpr std::size_t kMostText = std::size_t{4} << 20; // bytes of folded text in one of that kind
constexpr std::size_t kPacked = 8;                      // how many times smaller folded text becomes, at least
constexpr std::size_t kLeastText = 4096;                // less says nothing
constexpr std::size_t kTreeText = std::size_t{1} << 20; // bytes of folded text from which a tree is worth its while

std::size_t mostText(std::size_t room) { return room < kLarge ? kMostText : room * kPacked; }
std::size_t sizeOf(const std::vector<DataPart>& parts)
{
    std::size_t size = 0;
    for (const auto& part : parts)
        size += part.base64.size();
    return size;
}
DataPart partOf(const KeptRun& kept, std::string_view name, std::size_t most)
{
    const auto recording = kept.recording(most);
    return {name, base64(recording.bytes), recording.leftOut};
}
/// All imported stacks of a run as a packed tree. Nothing where they are few, not of one measure, or more than a page draws.
std::optional<std::string> treeOf(const KeptRun& kept)
{
    std::size_t size = 0;
    for (const auto& stacks : kept.counted())
        size += record::textSize(stacks);
    if (size < kTreeText || !kept.hasOneMeasure()) return {};
    graph::Store store;
    record::Program program;
    program.isImported = true;
    store.take(program);
    for (const auto& stacks : kept.counted())
        store.take(stacks);
    const auto stacks = graph::stacksOf(store);
    const auto tree = stacks->tree({.mostNodes = kMostPackedNodes});
    const bool isWhole = stacks->measure().exponent == 0 && tree && tree->nodes.size() <= kMostPackedNodes && tree->cutAtDepth == 0
        && tree->nodes.front().total == stacks->total();
    if (!isWhole) return {};
    return packedTree(*tree, stacks->measure());
}
/// A run with nothing left out: as a recording or, of many stacks, as one without them and their tree. None when it has no room.
std::vector<DataPart> wholeRun(const KeptRun& kept, std::string_view role, std::size_t room)
{
    std::vector<DataPart> parts;
    if (const auto tree = treeOf(kept)) {
        parts.push_back({role, base64(kept.withoutStacks().bytes), 0});
        parts.push_back({role, base64(*tree), 0, DataPart::kTree});
    } else {
        parts.push_back(partOf(kept, role, mostText(room)));
    }
    if (parts.front().base64.empty() || sizeOf(parts) > room) return {};
    return parts;
}

/// Stacks that are given as folded text, in the unit of their measure.
class Lines {
public:
    explicit Lines(const graph::StackMeasure& measure) : m_measure(measure) { }

    void add(std::string_view stack, std::int64_t value)
    {
        const auto fits = std::min(m_measure.inUnit(value), m_room);
        if (fits <= 0) return;
        m_lines.add(stack, fits);
        m_room -= fits;
    }

    record::CountedStacks take()
    {
        auto stacks = m_lines.take(m_measure.name.empty() ? m_measure.noun.plural() : m_measure.name, unit());
        stacks.exponent = static_cast<std::int8_t>(m_measure.exponent);
        std::vector<record::CountedStacks::Stack> inOrder(stacks.all().begin(), stacks.all().end());
        std::sort(inOrder.begin(), inOrder.end(), [](const auto& a, const auto& b) { return a.node < b.node; });
        return record::withStacks(stacks, std::move(inOrder));
    }

private:
    record::StackUnit unit() const
    {
        if (m_measure.isCount) return record::StackUnit::Count;
        switch (m_measure.unit()) {
        case graph::Unit::Nanoseconds: return record::StackUnit::Time;
        case graph::Unit::Bytes: return record::StackUnit::Bytes;
        default: return record::StackUnit::Unknown;
        }
    }

    const graph::StackMeasure& m_measure;
    std::int64_t m_room = INT64_MAX; ///< for a sum that is a number
    record::FoldedReader m_lines;
};
/// As a run of their own: as much of them as `room` holds.
std::vector<DataPart> alone(const record::CountedStacks& stacks, std::size_t room)
{
    record::Program program;
    program.version = DSCOPE_VERSION;
    KeptRun run;
    run.take(program);
    run.take(stacks);
    run.take(record::Exit{});
    run.finish();
    for (std::size_t text = std::min(mostText(room), room * kPacked); text >= kLeastText; text /= 4) {
        auto part = partOf(run, "after", text);
        if (!part.base64.empty() && part.base64.size() <= room) return {std::move(part)};
    }
    return {};
}

record::Frame::Kind kindOf(graph::Shade shade)
{
    return shade == graph::Shade::Kernel ? record::Frame::Kind::Kernel
        : shade == graph::Shade::Jit     ? record::Frame::Kind::Jit
                                         : record::Frame::Kind::Unknown;
}
/// Paths and own values of the nodes of a figure's tree that have names; others count as their callers'.
record::CountedStacks shownStacks(const graph::Figure& figure, const graph::StackMeasure& measure)
{
    constexpr std::string_view kRest = "[not shown]";
    struct Place {
        std::size_t named = 0; ///< the nearest named node from here to the root and 1, or 0
        std::string path;      ///< of a named one
        double own = 0;
    };

    std::vector<Place> places(figure.tree.size() + 1); // the first: of all
    for (std::size_t i = 0; i < figure.tree.size(); ++i) {
        const auto& node = figure.tree[i];
        auto& place = places[i + 1];
        const auto above = node.parent ? places[node.parent->value + 1].named : 0;
        place.named = node.name.empty() ? above : i + 1;
        if (!node.parent && node.name.empty()) places[0].own += node.weight; // "all"
        if (node.name.empty()) continue;
        const auto shade = node.item ? figure.items[node.item->value].shade : graph::Shade::Plain;
        place.path = places[above].path;
        record::appendFrame(
            place.path, record::foldedWord({.name = node.name, .kind = kindOf(shade), .inlined = shade == graph::Shade::Inlined}));
        place.own += node.weight;
        if (node.parent) places[above].own -= node.weight;
    }

    Lines lines(measure);
    for (const auto& place : places)
        if (const auto own = std::llround(place.own); own > 0) lines.add(place.path.empty() ? kRest : std::string_view(place.path), own);
    return lines.take();
}
} // namespace

namespace {
/// A name that needs no escapes in JSON, so that whoever looks for the parts of a page need not read JSON.
std::string label(std::string name)
{
    for (char& c : name)
        if (!(c < 0 || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '.' || c == '-' || c == ' '))
            c = '_';
    return name;
}
} // namespace
void writeData(const std::vector<DataPart>& parts, const std::string& about, std::ostream& out)
{
    out << "<script type=\"application/json\" id=\"dscope-data\">{\"about\":[";
    std::istringstream lines(about);
    std::string line;
    for (bool first = true; std::getline(lines, line); first = false)
        out << (first ? "" : ",") << quotedJson(line);
    out << "],\"data\":[";
    bool first = true;
    for (const auto& part : parts) {
        out << (first ? "\n" : ",\n") << "{\"role\":\"" << part.role << "\",\"format\":\"" << part.format
            << "\",\"leftOut\":" << part.leftOut;
        if (!part.name.empty()) out << ",\"run\":\"" << part.run << "\",\"name\":\"" << label(part.name) << '"';
        out << ",\"base64\":\"" << part.base64 << "\"}";
        first = false;
    }
    out << "]}</script>\n";
}
std::string scriptHash(std::string_view script) // Source: CSP Level 3, hash-source
{
    const std::string digits = graph::sha256(script);
    std::string bytes;
    for (std::size_t i = 0; i < digits.size(); i += 2)
        bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
    return "'sha256-" + base64(bytes) + '\'';
}
std::vector<DataPart> wholeRuns(const std::vector<Run>& runs, std::size_t room)
{
    std::vector<DataPart> parts;
    std::size_t number = 0;
    for (const auto& run : runs) {
        if (!run.kept) return {};
        auto held = wholeRun(*run.kept, run.isBefore ? "before" : "after", room);
        if (held.empty()) return {};
        room -= sizeOf(held);
        for (auto& part : held) {
            part.name = run.name;
            part.run = number;
            parts.push_back(std::move(part));
        }
        number += run.isBefore ? 0 : 1; // a run that another is compared with comes before it, and has its number
    }
    return parts;
}

std::vector<DataPart> dataOf(const std::vector<Run>& runs, const graph::Visual& visual, std::size_t room)
{
    std::vector<DataPart> parts;
    bool whole = true;
    for (const auto& run : runs) {
        if (whole && run.kept) parts.push_back(partOf(*run.kept, run.isBefore ? "before" : "after", mostText(room)));
        whole = whole && run.kept && !parts.back().base64.empty();
    }
    if (whole && sizeOf(parts) <= room) return parts;
    const auto stacks = visual.stacks();
    if (!stacks || stacks->empty()) return {};
    Lines lines(stacks->measure());
    stacks->eachLine([&](std::string_view stack, std::int64_t value) { lines.add(stack, value); });
    return alone(lines.take(), room);
}

std::vector<DataPart> shownOf(const graph::Figure& figure, const graph::Visual& visual, std::size_t room)
{
    const auto stacks = visual.stacks();
    if (!stacks || stacks->empty() || figure.tree.empty()) return {};
    return alone(shownStacks(figure, stacks->measure()), room);
}
} // namespace dscope::exporters
