#include "graph/frame_label.h"
#include "graph/headline.h"
#include "graph/page.h"
#include "graph/stacks.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include "graph/units.h"
#include <algorithm>
#include <cmath>
#include <map>
namespace dscope::graph {
namespace {
constexpr ViewFacts kFacts{.name = "lines",
    .tab = "Lines",
    .summary = "lines of source by their own share, with that of what they call (-x ustacklines)",
    .heeds = {.top = true, .amounts = Heeds::Amounts::Stacks}};
constexpr double kTallestRow = 34, kLowestRow = 22, kWidestLabels = 0.42, kWidestPlaces = 0.48; // px at scale 1; of the width
constexpr double kLeastFunction = 9;                                                            // of the text: less tells no function

/// A line of a function: what stacks end in it, and what stacks have it at all.
struct LineShare {
    SourceLine line;
    std::string function;
    std::int64_t self = 0, total = 0;
};

class Lines final : public Visual {
public:
    explicit Lines(const Store& store) : m_provenance(provenanceOf(store, sumsUpStacks)), m_stacks(stacksOf(store))
    {
        Frames frames;
        std::map<std::pair<std::uint32_t, std::string_view>, LineShare> shares;
        std::vector<LineShare*> seen;
        m_stacks->each(frames, [&](std::span<const StackStep> steps, std::int64_t value) {
            seen.clear();
            for (const auto& step : steps) {
                if (step.line == 0) continue;
                auto& share = shares[{step.line, functionOf(frames[step.frame])}];
                if (&step == &steps.back()) share.self += value;
                if (std::find(seen.begin(), seen.end(), &share) != seen.end()) continue; // it calls itself
                seen.push_back(&share);
                share.total += value;
            }
            if (!steps.empty() && steps.back().line == 0) m_unknown += value;
        });

        for (auto& [key, share] : shares) {
            share.line = frames.line(key.first);
            share.function = key.second;
            m_lines.push_back(std::move(share));
        }

        std::sort(m_lines.begin(), m_lines.end(), [](const LineShare& a, const LineShare& b) {
            if (a.self != b.self) return a.self > b.self;
            if (a.total != b.total) return a.total > b.total;
            return a.line.file != b.line.file ? a.line.file < b.line.file
                : a.line.line != b.line.line  ? a.line.line < b.line.line
                                              : a.function < b.function;
        });
    }

    const ViewFacts& facts() const override { return kFacts; }
    std::string title() const override { return said("Lines of source"); }
    bool empty() const override { return m_lines.empty(); }

    Table table() const override
    {
        Table t;
        const auto unit = m_stacks->measure().unit();
        t.columns = {Column::text("file"), Column::number("line"), Column::text("function"), Column::number("self", unit),
            Column::number("total", unit)};
        for (const auto& share : m_lines)
            t.rows.push_back({share.line.file, std::to_string(share.line.line), share.function, m_stacks->measure().exact(share.self),
                m_stacks->measure().exact(share.total)});
        return t;
    }

    Figure figure(const LayoutOptions& options) const override;

private:
    /// An inlined function and the same where it was not are one here: its lines are the same.
    static std::string_view functionOf(const StackFrame& frame)
    {
        constexpr std::string_view kMark = "_[i]";
        const auto shown = frame.shown();
        return frame.shade == Shade::Inlined && shown.ends_with(kMark) ? shown.substr(0, shown.size() - kMark.size()) : shown;
    }

    std::string percent(std::int64_t value) const
    {
        return formatShare(static_cast<double>(value), static_cast<double>(m_stacks->total()));
    }
    std::string valuesOf(const LineShare& share) const
    {
        return share.total == share.self ? percent(share.self) : percent(share.self) + " \u00b7 " + percent(share.total);
    }

    std::string subtitle() const
    {
        const auto& measure = m_stacks->measure();
        std::string text
            = measure.what() + kMiddleDot + said("%1 in all", measure.amount(m_stacks->total())) + inShownInterval(m_provenance);
        if (m_unknown > 0) text += kMiddleDot + said("%1 end in code whose lines are not known", percent(m_unknown));
        return text;
    }

    Claim claim() const
    {
        if (empty()) return {};
        return headlineOf(*m_stacks, {m_lines[0].line.shown(), m_lines[0].self, m_lines.size() > 1 ? m_lines[1].self : 0});
    }

    Provenance m_provenance;
    std::shared_ptr<const Stacks> m_stacks;
    std::vector<LineShare> m_lines;
    std::int64_t m_unknown = 0; ///< of stacks whose innermost frame has no line
};

Figure Lines::figure(const LayoutOptions& options) const
{
    const std::vector<LegendEntry> legend{
        {Role::Bar, Shade::Plain, -1, said("the line itself")}, {Role::Bar, Shade::Dashed, -1, said("with what it calls")}};
    auto caveats = intervalCaveat(m_provenance);
    for (auto& caveat : stackCaveats(*m_stacks))
        caveats.push_back(std::move(caveat));
    Page page(options, headed(options, claim(), title(), empty() ? "" : subtitle()), m_provenance,
        empty() ? std::vector<LegendEntry>() : legend, caveats);
    if (empty()) {
        if (m_stacks->empty() && !m_stacks->ruled().empty())
            sayNoStacks(page, *m_stacks, {});
        else
            page.empty(said("No lines are known"), said("Option ustacklines asks for them, and the program's debug information has them."));
        return page.finish(said("Lines without data."));
    }

    const Box area = page.content();
    const double k = page.scale(), least = std::max(kLowestRow * k, 1.5 * page.smallest()),
                 tallest = options.forScreen ? 28.0 : kTallestRow * k;
    const auto all = m_lines.size();
    const double row = std::clamp(std::floor(area.height / static_cast<double>(all)), least, tallest);
    auto shown = options.fit ? std::min(all, static_cast<std::size_t>(std::max(2.0, std::floor(area.height / row)))) : all;
    if (shown < all) --shown; // for what is left out
    if (options.top > 0) shown = std::min(shown, options.top);
    double size = std::clamp(row * 0.5, page.smallest(), 15 * k);
    double places = 0, functions = 0, values = 0, most = 1;
    for (std::size_t i = 0; i < shown; ++i) {
        const auto& share = m_lines[i];
        places = std::max(places, textWidth(printable(share.line.shown()), size, {.mono = true}));
        functions = std::max(functions, textWidth(printable(share.function), size, {.mono = true}));
        values = std::max(values, textWidth(valuesOf(share), size));
        most = std::max(most, static_cast<double>(share.total));
    }

    constexpr double kGap = 14;
    // A narrow page says where a line is rather than parts of that and of its function.
    const bool hasFunctions = places + std::min(functions, kLeastFunction * size) <= area.width * kWidestLabels;
    const double widest = area.width * (hasFunctions ? kWidestLabels / 2 : kWidestPlaces);
    if (!hasFunctions && places > widest) { // rather smaller than cut
        const double smaller = std::max(page.smallest() / size, widest / places);
        size *= smaller;
        places *= smaller;
        values *= smaller;
    }
    places = std::min(places, widest);
    functions = hasFunctions ? std::min(functions, area.width * kWidestLabels - places) : 0;
    const double left = area.x + places + functions + (hasFunctions ? 2 : 1) * kGap,
                 room = std::max(area.width - (left - area.x) - values - kGap, 20.0);
    for (std::size_t i = 0; i < shown; ++i) {
        const auto& share = m_lines[i];
        const double y = area.y + row * static_cast<double>(i), base = y + row / 2 + size * 0.36,
                     self = room * static_cast<double>(share.self) / most, total = room * static_cast<double>(share.total) / most;
        const Row at{static_cast<std::uint32_t>(i)};
        page.text(Role::Label, {area.x, base}, share.line.shown(), {.size = size, .mono = true, .maxWidth = places + 2, .middle = true}).row
            = at;
        const auto label = hasFunctions ? frameLabel(share.function, functions, size) : std::string();
        if (hasFunctions)
            page.text(Role::Label, {area.x + places + kGap, base}, label, {.size = size, .mono = true, .maxWidth = functions + 2}).row = at;
        if (share.total > share.self) page.box(Role::Bar, {left, y + row * 0.08, std::max(total, 1.0), row * 0.84, 2}, Shade::Dashed);
        Item& bar = page.box(Role::Bar, {left, y + row * 0.16, share.self > 0 ? std::max(self, 1.0) : 0, row * 0.68, 2});
        bar.key = share.function + ' ' + share.line.shown();
        bar.tip = printable(share.line.file) + ':' + std::to_string(share.line.line) + '\n' + printable(share.function) + '\n'
            + said("self %1, total %2", m_stacks->measure().quantity(share.self), m_stacks->measure().quantity(share.total));
        bar.data = {{"self", m_stacks->measure().exact(share.self)}, {"total", m_stacks->measure().exact(share.total)}};
        bar.row = at;
        page.text(Role::Label, {left + std::max(self, total) + kGap, base}, valuesOf(share), {.size = size});
    }

    if (shown < all)
        page.text(Role::Note, {left, area.y + row * static_cast<double>(shown) + row / 2 + size * 0.36},
            saidOf(all - shown, "\u2026 %1 more line", "\u2026 %1 more lines", formatGrouped(static_cast<std::int64_t>(all - shown))),
            {.size = size});
    std::string words = title() + '.';
    for (std::size_t i = 0; i < std::min<std::size_t>(shown, 5); ++i)
        words += ' ' + m_lines[i].line.shown() + ' ' + percent(m_lines[i].self) + '.';
    return page.finish(words, {area.x + area.width, area.y + row * static_cast<double>(shown + (shown < all ? 1 : 0))});
}
} // namespace

Kind kind_lines()
{
    return {kFacts, rank::kStacks + 8,
        [](const Store& store) { return hasStacks(store) && (store.tellsLines() || store.program().options.contains("ustacklines")); },
        [](const Store& store) -> std::unique_ptr<Visual> { return std::make_unique<Lines>(store); }, nullptr};
}
} // namespace dscope::graph
