#include "engine/record/value.h"
#include "graph/keys.h"
#include "graph/layouts/icicle.h"
#include "graph/page.h"
#include "graph/stack_partition.h"
#include "graph/stack_tree.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/units.h"
#include <algorithm>
#include <cmath>
#include <map>
namespace dscope::graph {
namespace {
using record::Aggregation;
using record::Aggregator;

constexpr double kTallestRow = 39, kLowestRow = 17, kScreenRow = 19;
constexpr double kNarrowestLabel = 30, kNarrowestBar = 1;
constexpr std::size_t kMostBars = 10'000, kTopFrames = 5, kFewestLetters = 4;

bool suits(const Aggregation& a)
{
    return (a.function == Aggregator::Count || a.function == Aggregator::Sum) && std::any_of(a.keys.begin(), a.keys.end(), isStack);
}
Shade shadeOf(record::Frame::Kind kind)
{
    switch (kind) {
    case record::Frame::Kind::User: return Shade::User;
    case record::Frame::Kind::Library: return Shade::Library;
    case record::Frame::Kind::Kernel: return Shade::Kernel;
    case record::Frame::Kind::Jit: return Shade::Jit;
    case record::Frame::Kind::Unknown: break;
    }
    return Shade::Unknown;
}
void append(std::vector<StackTreeBuilder::Step>& steps, const std::vector<record::Frame>& frames)
{
    for (auto f = frames.rbegin(); f != frames.rend(); ++f)
        steps.push_back({frameName(*f), shadeOf(f->kind)});
}
// Other keys first, then what the process did, then what the kernel did for it.
std::vector<StackTreeBuilder::Step> stepsOf(const Aggregation& a, ByteView key, const Store& store, bool syscalls)
{
    std::vector<StackTreeBuilder::Step> steps;
    for (const auto& field : a.keys)
        if (!isStack(field)) {
            const bool call = syscalls && field.name == "probefunc";
            std::string text = printable(fieldText(field, key, store));
            steps.push_back({text.empty() ? "[none]" : std::move(text), call ? Shade::System : Shade::Unknown});
        }
    for (const auto kind : {record::FieldKind::UserStack, record::FieldKind::Stack})
        for (const auto& field : a.keys)
            if (field.kind == kind) append(steps, store.stack(record::stackOf(field, key)));
    return steps;
}
std::string dropArguments(std::string_view name)
{
    const auto cut = name.find_first_of("(<", 1);
    return std::string(name.substr(0, cut));
}
// The most telling form of a frame's name that fits: whole, without module, without parameters, its last two
// components, and at last cut in the middle. Empty when too few letters would be left.
std::string labelFor(std::string_view name, double width, double size)
{
    std::vector<std::string> forms{std::string(name)};
    const auto tick = name.find('`');
    const std::string_view function = tick == std::string_view::npos ? name : name.substr(tick + 1);
    forms.emplace_back(function);
    forms.push_back(dropArguments(function));
    const std::string last = forms.back();
    if (const auto member = last.rfind("::"); member != std::string::npos && member > 0) {
        const auto scope = last.rfind("::", member - 1);
        if (scope != std::string::npos) forms.push_back("\u2026" + last.substr(scope + 2));
        forms.push_back("\u2026" + last.substr(member + 2));
    }
    for (const auto& form : forms)
        if (textWidth(form, size, false, true) <= width) return form;
    const auto scope = last.rfind("::");
    const std::string_view own = scope == std::string::npos ? std::string_view(last) : std::string_view(last).substr(scope + 2);
    std::string cut = elided(own, width, size, true, false, true);
    return cut.size() >= kFewestLetters + 3 ? cut : std::string(); // the ellipsis takes three bytes
}

class Flame final : public Visual {
public:
    explicit Flame(const Store& store) : m_provenance(provenanceOf(store)), m_command(store.program().command)
    {
        const auto& program = store.program();
        const bool syscalls = probesStartWith(program, "syscall");
        m_noun = countedNoun(program);
        m_probes = probesText(program);
        m_timed = probesStartWith(program, "profile");
        std::vector<const Aggregation*> taken;
        StackTreeBuilder builder;
        for (std::uint32_t id = 0; id < program.aggregations.size(); ++id) {
            const auto& a = program.aggregations[id];
            if (!suits(a)) continue;
            const auto measure = measureOf(a, program);
            if (!taken.empty() && (a.function != taken.front()->function || !(measure == m_measure))) {
                ++m_leftOut; // calls and nanoseconds don't add up
                continue;
            }
            m_measure = measure;
            taken.push_back(&a);
        }
        for (const auto* a : taken) {
            const AggregationId id{static_cast<std::uint32_t>(a - program.aggregations.data())};
            const auto& entry = store.shown(id);
            for (const auto& row : entry.rows) {
                const auto value = static_cast<std::int64_t>(rowValue(*a, row, entry.divisor));
                if (value <= 0) continue;
                auto steps = stepsOf(*a, row.key, store, syscalls);
                if (taken.size() > 1) steps.insert(steps.begin(), {'@' + a->name, Shade::Unknown});
                builder.add(steps, value);
            }
        }
        if (!taken.empty()) m_what = describe(*taken.front());
        m_isCount = taken.empty() || taken.front()->function == Aggregator::Count;
        m_tree = builder.build();
        if (store.folded() && taken.empty()) take(store.folded());
    }
    std::string_view name() const override { return "flame"; }
    std::string title() const override
    {
        if (m_timed) return m_command.empty() ? "Where the time goes" : "Where the time goes: " + printable(m_command);
        return m_probes.empty() ? "Flame graph" : "What leads to " + printable(m_probes);
    }
    bool empty() const override { return m_tree.nodes.front().total == 0 && !m_folded; }
    Table table() const override
    {
        Table t;
        t.columns = {{Column::Unit::None, "stack", false}, {m_isCount ? Column::Unit::Count : m_measure.unit, "value", true}};
        const auto lines = folded();
        for (const auto& [stack, value] : *lines)
            t.rows.push_back({stack, std::to_string(value)});
        return t;
    }
    std::optional<std::vector<std::pair<std::string, std::int64_t>>> folded() const override
    {
        if (m_folded) return foldedText();
        std::vector<std::pair<std::string, std::int64_t>> out;
        std::string path;
        std::vector<std::size_t> ends{0};
        for (std::size_t i = 1; i < m_tree.nodes.size(); ++i) {
            const auto& n = m_tree.nodes[i];
            ends.resize(n.depth);
            path.resize(ends.back());
            if (!path.empty()) path += ';';
            path += m_tree.nameOf(i);
            ends.push_back(path.size());
            if (n.self > 0) out.emplace_back(path, n.self);
        }
        if (m_tree.nodes.front().self > 0) out.emplace_back("[no stack]", m_tree.nodes.front().self);
        return out;
    }
    bool hasFolded() const override { return true; }
    Figure figure(const LayoutOptions& options) const override;

private:
    void take(const std::shared_ptr<const record::FoldedStacks>& stacks)
    {
        m_folded = stacks;
        m_noun = stacks->noun;
        m_what = m_provenance.name.substr(m_provenance.name.rfind('/') + 1);
        for (const auto& line : stacks->lines)
            m_foldedTotal += line.value;
        m_leaves = leaves(stacks->lines, kTopFrames);
    }
    /// A tree of foreign stacks down to what can be seen on this page.
    Flame seen(const LayoutOptions& options) const
    {
        Flame out(*this);
        auto whole = m_foldedTotal;
        if (!options.focus.empty()) {
            whole = 0;
            for (const auto& line : m_folded->lines)
                if (line.stack.starts_with(options.focus)
                    && (line.stack.size() == options.focus.size() || line.stack[options.focus.size()] == ';'))
                    whole += line.value;
        }
        const auto least = static_cast<std::int64_t>(std::ceil(static_cast<double>(whole) * kNarrowestBar / std::max(options.width, 1.0)));
        out.m_tree = partition(m_folded->lines, least, options.focus);
        out.m_folded = nullptr;
        return out;
    }
    std::vector<std::pair<std::string, std::int64_t>> foldedText() const
    {
        std::vector<record::FoldedStacks::Line> sorted = m_folded->lines;
        std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.stack < b.stack; });
        std::vector<std::pair<std::string, std::int64_t>> out;
        for (const auto& line : sorted) {
            if (!out.empty() && out.back().first == line.stack)
                out.back().second += line.value;
            else
                out.emplace_back(line.stack, line.value);
        }
        return out;
    }
    std::string quantity(std::int64_t value) const
    {
        if (!m_isCount && m_measure.unit != Unit::None) return m_measure.format(static_cast<double>(value));
        return formatGrouped(value);
    }
    std::string subtitle(std::size_t hiddenLevels) const;
    std::string inWords() const;
    std::vector<LegendEntry> legend() const;
    void drawBar(Page& page, const IcicleBar& bar, const Box& box, const StackNode& top, const std::vector<std::uint32_t>& rows) const;

    Provenance m_provenance;
    std::string m_command, m_noun, m_probes, m_what;
    StackTree m_tree;
    std::shared_ptr<const record::FoldedStacks> m_folded; ///< of foreign text: too many to be a tree before it is drawn
    std::int64_t m_foldedTotal = 0;
    std::vector<std::pair<std::string_view, std::int64_t>> m_leaves; ///< of m_folded, the most first
    Measure m_measure;
    bool m_isCount = true, m_timed = false;
    std::size_t m_leftOut = 0;
};

std::string Flame::subtitle(std::size_t hiddenLevels) const
{
    const auto total = m_tree.nodes.front().total;
    const std::string unit = m_isCount        ? m_noun
        : m_measure.unit == Unit::Nanoseconds ? "time"
        : m_measure.unit == Unit::Bytes       ? "bytes"
                                              : "the sum";
    std::string text = m_what + " \u00b7 " + quantity(total) + (m_isCount ? ' ' + m_noun : std::string()) + inDuration(m_provenance)
        + " \u00b7 width is " + (m_isCount ? "the number of " + unit : unit);
    if (m_leftOut > 0)
        text += " \u00b7 " + std::to_string(m_leftOut) + (m_leftOut == 1 ? " aggregation" : " aggregations") + " of another kind not shown";
    if (hiddenLevels > 0) text += " \u00b7 " + std::to_string(hiddenLevels) + " deeper levels don't fit and are not shown";
    return text;
}
std::string Flame::inWords() const
{
    std::map<std::string_view, std::int64_t> own;
    for (std::size_t i = 1; i < m_tree.nodes.size(); ++i)
        if (m_tree.nodes[i].self > 0) own[m_tree.nameOf(i)] += m_tree.nodes[i].self;
    std::vector<std::pair<std::int64_t, std::string_view>> order;
    if (m_leaves.empty())
        for (const auto& [frame, value] : own)
            order.emplace_back(-value, frame);
    for (const auto& [frame, value] : m_leaves)
        order.emplace_back(-value, frame);
    const auto shown = std::min(order.size(), kTopFrames);
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end());
    std::string text = "Flame graph, " + quantity(m_tree.nodes.front().total) + (m_isCount ? ' ' + m_noun : std::string())
        + " in all. Most by themselves: ";
    for (std::size_t i = 0; i < shown; ++i)
        text += (i ? ", " : "") + std::string(order[i].second) + ' '
            + formatShare(static_cast<double>(-order[i].first), static_cast<double>(m_tree.nodes.front().total));
    return text + '.';
}
std::vector<LegendEntry> Flame::legend() const
{
    std::vector<LegendEntry> entries;
    const std::pair<Shade, const char*> kinds[] = {{Shade::User, "program"}, {Shade::Library, "library"}, {Shade::Jit, "generated code"},
        {Shade::System, "system call"}, {Shade::Kernel, "kernel"}};
    for (const auto& [shade, label] : kinds)
        if (std::any_of(m_tree.nodes.begin(), m_tree.nodes.end(), [&](const StackNode& n) { return n.shade == shade; }))
            entries.push_back({Role::Frame, shade, -1, label, false});
    return entries;
}
void Flame::drawBar(Page& page, const IcicleBar& bar, const Box& box, const StackNode& top, const std::vector<std::uint32_t>& rows) const
{
    const auto& node = m_tree.nodes[bar.node];
    const bool isRun = bar.frames > 1;
    const auto whole = static_cast<double>(m_tree.nodes.front().total);
    const std::string share = formatShare(static_cast<double>(bar.total), whole);
    const std::string path = m_tree.path(bar.node);
    std::string tip;
    if (isRun)
        tip = formatGrouped(bar.frames) + " frames, " + share;
    else
        tip = std::string(m_tree.nameOf(bar.node)) + "\nself " + quantity(node.self) + ", total " + quantity(node.total) + ", " + share
            + " of all";
    if (!isRun && top.total != m_tree.nodes.front().total)
        tip += ", " + formatShare(static_cast<double>(bar.total), static_cast<double>(top.total)) + " of what is in focus";

    Item& item = page.box(Role::Frame, box, isRun ? Shade::Unknown : node.shade);
    item.key = path;
    item.tip = tip;
    item.data = {{"total", std::to_string(bar.total)}, {"self", std::to_string(isRun ? 0 : node.self)}};
    if (isRun) item.data.emplace_back("frames", std::to_string(bar.frames));
    if (rows[bar.node] != 0) item.row = Row{rows[bar.node] - 1};

    const double size = std::clamp(std::floor(box.height * 0.62), 10.0, 16.0), pad = box.height > 24 ? 8 : 4;
    if (box.width < kNarrowestLabel) return;
    std::string label = bar.node == 0 ? "all: " + quantity(node.total) : std::string(m_tree.nameOf(bar.node));
    label = isRun ? elided(formatGrouped(bar.frames) + " frames, " + share, box.width - 2 * pad, size, false, false, true)
                  : labelFor(label, box.width - 2 * pad, size);
    if (!label.empty())
        page.text(Role::Frame, {box.x + pad, box.y + box.height / 2 + size * 0.36}, label, {.size = size, .mono = true},
                isRun ? Shade::Unknown : node.shade)
            .key
            = path;
}

Figure Flame::figure(const LayoutOptions& options) const
{
    if (m_folded) return seen(options).figure(options);
    const auto entries = legend();
    Page page(options, options.redact && m_timed ? "Where the time goes" : title(), empty() ? m_what : subtitle(0), m_provenance, entries);
    if (empty()) {
        page.empty("No stacks yet", "The program records stacks when its probes fire: " + m_probes);
        return page.finish("Flame graph without data.");
    }
    const std::size_t focus = m_tree.find(options.focus);
    const auto& top = m_tree.nodes[focus];
    std::uint32_t levels = 0;
    for (std::size_t i = focus; i < focus + top.size; ++i)
        levels = std::max(levels, m_tree.nodes[i].depth + 1);

    double row = options.forScreen ? kScreenRow : std::clamp(std::floor(page.content().height / levels), kLowestRow, kTallestRow);
    auto rowsShown = static_cast<std::uint32_t>(page.content().height / row);
    if (!options.fit) rowsShown = levels;
    if (rowsShown < levels && !options.forScreen) page = Page(options, title(), subtitle(levels - rowsShown), m_provenance, entries);
    rowsShown = std::min(rowsShown, levels);
    const Box area = page.content();
    // From the page's bottom, or, where it grows, from as far down as the rows need.
    const double bottom = options.fit ? area.y + area.height : area.y + std::max(row * levels, options.forScreen ? 0.0 : area.height);
    const double gap = row > 30 ? 2 : 1;

    std::vector<std::uint32_t> rows(m_tree.nodes.size(), 0);
    std::uint32_t line = 0;
    for (std::size_t i = 1; i < m_tree.nodes.size(); ++i)
        if (m_tree.nodes[i].self > 0) rows[i] = ++line;
    const auto boxAt = [&](std::uint32_t depth, double x, double width) {
        return Box{area.x + x, bottom - (depth + 1) * row, std::max(width - (width > 3 ? gap : 0), 0.1), row - gap, row > 24 ? 2.0 : 1.0};
    };
    std::vector<std::size_t> above;
    for (std::size_t at = focus; at != 0;)
        above.push_back(at = m_tree.nodes[at].parent);
    for (auto at = above.rbegin(); at != above.rend(); ++at)
        drawBar(page, {*at, 1, m_tree.nodes[*at].total, m_tree.nodes[*at].depth, 0, area.width},
            boxAt(m_tree.nodes[*at].depth, 0, area.width), top, rows);

    std::vector<IcicleNode> nodes;
    nodes.reserve(top.size);
    for (std::size_t i = focus; i < focus + top.size; ++i)
        nodes.push_back({m_tree.nodes[i].depth, m_tree.nodes[i].size, m_tree.nodes[i].total, m_tree.nodes[i].frames});
    auto bars = icicle(nodes, area.width, kNarrowestBar, kMostBars);
    for (auto& bar : bars) {
        if (bar.depth >= rowsShown) continue;
        bar.node += focus;
        drawBar(page, bar, boxAt(bar.depth, bar.x, bar.width), top, rows);
    }
    return page.finish(inWords(), {area.x + area.width, bottom});
}
} // namespace

Kind kind_flame()
{
    return {"flame", "stacks as a flame graph: width is how often, height is how deep", 10,
        [](const Store& store) {
            const auto& all = store.program().aggregations;
            return store.folded() || std::any_of(all.begin(), all.end(), suits);
        },
        [](const Store& store) -> std::unique_ptr<Visual> { return std::make_unique<Flame>(store); }};
}
} // namespace dscope::graph
