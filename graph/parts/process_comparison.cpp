#include "graph/parts/process_comparison.h"
#include "graph/difference.h"
#include "graph/headline.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include "graph/units.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
namespace dscope::graph {
namespace {
constexpr std::size_t kNoParentKind = static_cast<std::size_t>(-1);
constexpr double kTallestKind = 64, kLowestKind = 19; // px at scale 1
constexpr double kMostLabels = 0.4;                   // of the width

std::string timeText(std::int64_t ns) { return formatDuration(static_cast<double>(ns)); }
std::string signedText(std::int64_t ns) { return ns < 0 ? "\u2212" + timeText(-ns) : '+' + timeText(ns); }
std::string timesText(std::size_t count) { return "\u00d7" + formatGrouped(static_cast<std::int64_t>(count)); }
/// How many processes there are of a kind, where that says something.
std::string countsText(const ProcessChange& c)
{
    if (c.countBefore == c.countAfter) return c.countAfter > 1 ? ' ' + timesText(c.countAfter) : std::string();
    if (c.countBefore == 0 || c.countAfter == 0)
        return c.countBefore + c.countAfter > 1 ? ' ' + timesText(c.countBefore + c.countAfter) : std::string();
    return ' ' + timesText(c.countBefore) + " \u2192 " + timesText(c.countAfter);
}
std::string failedText(const ProcessChange& c)
{
    if (c.failedBefore == c.failedAfter) return {};
    return kMiddleDot
        + said("failed: %1 \u2192 %2", formatGrouped(static_cast<std::int64_t>(c.failedBefore)),
            formatGrouped(static_cast<std::int64_t>(c.failedAfter)));
}
/// What a kind took in a run: of none that the run had, that it had none.
std::string tookText(bool has, std::int64_t ns) { return has ? timeText(ns) : said("none"); }

/// What both figures have in common: rows of a label, bars along one axis of time, and words.
class Rows {
public:
    Rows(Page& page, const Box& area, std::size_t count) : m_page(page), m_area(area)
    {
        const double k = page.scale(), even = std::floor(area.height / static_cast<double>(std::max<std::size_t>(count, 1)));
        m_row = std::clamp(even, kLowestKind * k, kTallestKind * k);
        m_size = std::clamp(m_row * 0.4, 12 * k, 18 * k);
    }

    double size() const { return m_size; }
    double row() const { return m_row; }
    double indent(std::size_t depth) const { return 1.3 * m_size * static_cast<double>(depth); }

    /// px that the labels and the words behind the bars take; `most`: ns at the right end of the bars.
    void makeRoom(double labels, double words, double most)
    {
        m_labels = std::min(labels + m_size, m_area.width * kMostLabels);
        m_most = std::max(most, 1.0);
        m_bars = std::max(m_area.width - m_labels - words - 2 * m_size, 0.2 * m_area.width);
    }

    double x(double ns) const { return m_area.x + m_labels + m_bars * ns / m_most; }
    double y(std::size_t at) const { return m_area.y + m_row * static_cast<double>(at); }

    void label(std::size_t at, std::string_view text, std::size_t depth, bool isBold) const
    {
        const double left = m_area.x + indent(depth);
        m_page.text(Role::Label, {left, base(at)}, text,
            {.size = m_size, .bold = isBold, .maxWidth = std::max(m_labels - indent(depth) - m_size, 3 * m_size)});
    }
    void words(std::size_t at, double ns, std::string_view text) const
    {
        const double left = x(ns) + 0.7 * m_size;
        m_page.text(Role::Label, {left, base(at)}, text, {.size = m_size, .maxWidth = m_area.x + m_area.width - left});
    }
    Item& bar(std::size_t at, double from, double to, Shade shade = Shade::Plain) const
    {
        const double part = shade == Shade::Dashed ? 0.06 : 0.16;
        return m_page.box(Role::Bar,
            {x(std::min(from, to)), y(at) + m_row * part, std::max(std::abs(x(to) - x(from)), 1.0), m_row * (1 - 2 * part), 2}, shade);
    }

private:
    double base(std::size_t at) const { return y(at) + m_row / 2 + m_size * 0.36; }

    Page& m_page;
    Box m_area;
    double m_row = 0, m_size = 12, m_labels = 0, m_bars = 0, m_most = 1;
};

class ComparedTrees final : public Visual {
public:
    ComparedTrees(const ViewFacts& facts, ComparedProcesses runs)
        : m_facts(facts), m_runs(std::move(runs)), m_kinds(treeChanges(m_runs.before, m_runs.after))
    {
        for (const auto& kind : m_kinds) {
            m_depths.push_back(kind.parent == kNoParentKind ? 0 : m_depths[kind.parent] + 1);
            m_whole = std::max({m_whole, kind.before, kind.after});
        }
    }

    const ViewFacts& facts() const override { return m_facts; }
    std::string title() const override { return titled(Privacy::Open); }
    bool empty() const override { return m_kinds.empty(); }

    Table table() const override
    {
        Table t;
        t.columns = {Column::text("process"), Column::number("count_before", Column::Unit::Count),
            Column::number("count_after", Column::Unit::Count), Column::number("failed_before", Column::Unit::Count),
            Column::number("failed_after", Column::Unit::Count), Column::number("before", Column::Unit::Nanoseconds),
            Column::number("after", Column::Unit::Nanoseconds), Column::number("difference", Column::Unit::Nanoseconds)};
        std::vector<std::string> paths;
        for (const auto& kind : m_kinds) {
            paths.push_back(kind.parent == kNoParentKind ? kind.name : paths[kind.parent] + ';' + kind.name);
            const auto time = [&](std::int64_t ns) { return m_runs.haveTimes() ? std::to_string(ns) : std::string(); };
            t.rows.push_back(
                {paths.back(), std::to_string(kind.countBefore), std::to_string(kind.countAfter), std::to_string(kind.failedBefore),
                    std::to_string(kind.failedAfter), time(kind.before), time(kind.after), time(kind.difference())});
        }
        return t;
    }

    Figure figure(const LayoutOptions& options) const override;

private:
    std::string titled(Privacy privacy) const
    {
        if (!m_runs.haveTimes()) return changedTitle(m_runs.titled(privacy));
        return changedTitle(m_runs.titled(privacy))
            + changedTotal(static_cast<double>(m_runs.before.whole()), static_cast<double>(m_runs.after.whole()), {});
    }
    Change changeOf(const ProcessChange& kind) const
    {
        return valueChange(static_cast<double>(kind.before), static_cast<double>(kind.after), 1, static_cast<double>(m_whole));
    }
    std::string wordsOf(const ProcessChange& kind) const
    {
        const auto change = changeOf(kind);
        return tookText(kind.countBefore > 0, kind.before) + " \u2192 " + tookText(kind.countAfter > 0, kind.after) + kMiddleDot
            + change.text() + failedText(kind);
    }
    std::string subtitle() const
    {
        const auto counted = [](const ProcessRun& run) { return formatGrouped(static_cast<std::int64_t>(run.shown.size())); };
        return said("%1 processes before, %2 after", counted(m_runs.before), counted(m_runs.after)) + kMiddleDot
            + said("a row is all processes of a program below the same parents, and the sum of their times, as recorded");
    }
    /// Those of the largest change, and what is above them, in their order.
    std::vector<std::size_t> chosen(std::size_t most) const
    {
        std::vector<std::size_t> order(m_kinds.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            order[i] = i;
        std::stable_sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return std::abs(m_kinds[a].difference()) > std::abs(m_kinds[b].difference()); });
        std::vector<bool> isShown(m_kinds.size(), false);
        std::size_t shown = 0;
        for (const auto i : order) {
            std::size_t missing = 0;
            for (auto at = i; at != kNoParentKind && !isShown[at] && shown + missing <= most; at = m_kinds[at].parent)
                ++missing;
            if (shown + missing > most) continue;
            for (auto at = i; at != kNoParentKind && !isShown[at]; at = m_kinds[at].parent)
                isShown[at] = true;
            shown += missing;
        }
        std::vector<std::size_t> out;
        for (std::size_t i = 0; i < isShown.size(); ++i)
            if (isShown[i]) out.push_back(i);
        return out;
    }

    ViewFacts m_facts;
    ComparedProcesses m_runs;
    std::vector<ProcessChange> m_kinds;
    std::vector<std::size_t> m_depths;
    std::int64_t m_whole = 0;
};

Figure ComparedTrees::figure(const LayoutOptions& options) const
{
    Page page(options, titled(options.privacy()), empty() ? "" : subtitle(), m_runs.provenance,
        empty() ? std::vector<LegendEntry>() : changeLegendOfBars(valueNoiseInWhole()));
    if (empty()) {
        page.empty(said("No process has started or ended in either run"),
            said("Both runs have to tell of processes, as examples/process-tree.d does."));
        return page.finish(said("Process trees of two runs without data."));
    }
    if (!m_runs.haveTimes()) {
        page.empty(said("One of the runs does not say when its processes ran"),
            said("Both need times, as logs of strace -f -tt -T have them. The table counts the processes."));
        return page.finish(said("Process trees of two runs without data."));
    }

    const Box area = page.content();
    const auto fitting
        = options.fit ? static_cast<std::size_t>(std::max(2.0, std::floor(area.height / (kLowestKind * page.scale())))) : m_kinds.size();
    const auto shown = chosen(m_kinds.size() <= fitting ? m_kinds.size() : fitting - 1);
    const bool isAll = shown.size() == m_kinds.size();
    Rows rows(page, area, shown.size() + (isAll ? 0 : 1));
    double labels = 0, words = 0;
    for (const auto i : shown) {
        const auto& kind = m_kinds[i];
        labels = std::max(labels, rows.indent(m_depths[i]) + textWidth(kind.name + countsText(kind), rows.size(), {.bold = true}));
        words = std::max(words, textWidth(wordsOf(kind), rows.size()));
    }
    rows.makeRoom(labels, words, static_cast<double>(m_whole));

    std::string description = title() + '.';
    for (std::size_t at = 0; at < shown.size(); ++at) {
        const auto& kind = m_kinds[shown[at]];
        const auto change = changeOf(kind);
        rows.label(at, kind.name + countsText(kind), m_depths[shown[at]], change.told);
        Item& bar = rows.bar(at, 0, static_cast<double>(kind.after));
        bar.level = change.level();
        if (!change.told) bar.shade = Shade::Unknown;
        bar.key = kind.name;
        bar.tip = kind.name + countsText(kind) + '\n' + wordsOf(kind);
        bar.data = {{"before", std::to_string(kind.before)}, {"after", std::to_string(kind.after)}};
        bar.row = Row{static_cast<std::uint32_t>(shown[at])};
        if (kind.before > 0) rows.bar(at, 0, static_cast<double>(kind.before), Shade::Dashed);
        rows.words(at, static_cast<double>(std::max(kind.before, kind.after)), wordsOf(kind));
        if (change.told && at < 5) description += ' ' + kind.name + ": " + wordsOf(kind) + '.';
    }
    if (!isAll)
        page.text(Role::Note, {area.x, rows.y(shown.size()) + rows.row() / 2 + rows.size() * 0.36},
            saidOf(m_kinds.size() - shown.size(), "\u2026 %1 more row that changed less", "\u2026 %1 more rows that changed less",
                formatGrouped(static_cast<std::int64_t>(m_kinds.size() - shown.size()))),
            {.size = rows.size()});
    return page.finish(description, {area.x + area.width, rows.y(shown.size() + (isAll ? 0 : 1))});
}

class ComparedTimes final : public Visual {
public:
    ComparedTimes(const ViewFacts& facts, ComparedProcesses runs) : m_facts(facts), m_runs(std::move(runs)) { }

    const ViewFacts& facts() const override { return m_facts; }
    std::string title() const override { return titled(Privacy::Open); }
    bool empty() const override { return !m_runs.before.root || !m_runs.after.root || !m_runs.haveTimes(); }

    Table table() const override
    {
        Table t;
        t.columns = {Column::text("process"), Column::number("before", Column::Unit::Nanoseconds),
            Column::number("after", Column::Unit::Nanoseconds), Column::number("difference", Column::Unit::Nanoseconds)};
        for (const auto& part : parts(Privacy::Open))
            t.rows.push_back({part.name, std::to_string(part.before), std::to_string(part.after), std::to_string(part.difference())});
        return t;
    }

    Figure figure(const LayoutOptions& options) const override;

private:
    std::vector<ProcessChange> parts(Privacy privacy) const
    {
        return empty() ? std::vector<ProcessChange>() : decidedChanges(m_runs.before, m_runs.after, privacy);
    }
    std::int64_t before() const { return m_runs.before.whole(); }
    std::int64_t after() const { return m_runs.after.whole(); }
    std::string titled(Privacy privacy) const
    {
        return changedTitle(m_runs.titled(privacy)) + changedTotal(static_cast<double>(before()), static_cast<double>(after()), {});
    }
    bool isTold(std::int64_t was, std::int64_t is) const
    {
        return valueChange(static_cast<double>(was), static_cast<double>(is), 1, static_cast<double>(std::max(before(), after()))).told;
    }
    /// "0.58 s longer, 0.41 s of it in cc1 list.c": where one part, or all of one program, has half of the change or more.
    Claim claim(const std::vector<ProcessChange>& all) const
    {
        const auto changed = after() - before();
        if (all.empty() || !isTold(before(), after())) return {};
        std::map<std::string, std::pair<std::int64_t, std::size_t>> programs; // how much they changed, and how many parts have that program
        for (const auto& part : all) {
            auto& [own, parts] = programs[part.program];
            own += part.difference();
            ++parts;
        }
        const auto decides = [&](std::int64_t own) {
            return own != 0 && (own < 0) == (changed < 0) && std::abs(own) * 2 >= std::abs(changed) && std::abs(own) <= std::abs(changed);
        };
        const auto claimOf = [&](std::int64_t own, const std::string& who) {
            const auto whole = timeText(std::abs(changed)), part = timeText(std::abs(own));
            if (changed < 0)
                return Claim{said("%1 shorter, %2 of it in %3", whole, part, who),
                    {said("%1 shorter, %2 %3", whole, part, who), said("%1 shorter", whole)}};
            return Claim{said("%1 longer, %2 of it in %3", whole, part, who),
                {said("%1 longer, %2 %3", whole, part, who), said("%1 longer", whole)}};
        };
        if (decides(all.front().difference())) return claimOf(all.front().difference(), all.front().name);
        for (const auto& [program, sum] : programs)
            if (decides(sum.first)) return claimOf(sum.first, program);
        return {};
    }

    ViewFacts m_facts;
    ComparedProcesses m_runs;
};

Figure ComparedTimes::figure(const LayoutOptions& options) const
{
    const auto all = parts(options.privacy());
    const auto subtitle = said("from %1 to %2", timeText(before()), timeText(after())) + kMiddleDot
        + said("a step is how much longer or shorter a process decided when the command ended: the last of its parent's children to "
               "end, and so on");
    const auto words = headed(options, claim(all), titled(options.privacy()), empty() ? std::string() : subtitle);
    std::vector<LegendEntry> legend;
    if (!empty())
        legend = {{Role::Bar, Shade::Plain, -1, said("the whole run")}, {Role::Bar, Shade::Plain, 0.85, said("longer")},
            {Role::Bar, Shade::Plain, 0.15, said("shorter")}, {Role::Bar, Shade::Unknown, -1, valueNoiseInWhole()}};
    Page page(options, words, m_runs.provenance, legend);
    if (empty()) {
        page.empty(said("What decided the time is not known of both runs"), said("Both have to be runs of a command, as with -c."));
        return page.finish(said("Times of two runs without data."));
    }

    const Box area = page.content();
    const auto fitting
        = options.fit ? static_cast<std::size_t>(std::max(4.0, std::floor(area.height / (kLowestKind * page.scale())))) : std::size_t{60};
    auto most = fitting - 3; // before, the others, after
    if (options.top > 0) most = std::min(most, options.top);
    struct Step {
        std::string name, words;
        std::int64_t from = 0, to = 0; ///< ns
        double level = -1;
        Shade shade = Shade::Plain;
        std::optional<Row> row;
    };
    std::vector<Step> steps{{said("before"), timeText(before()), 0, before()}};
    auto at = before();
    std::size_t shown = 0;
    for (; shown < all.size() && shown < most; ++shown) {
        const auto& part = all[shown];
        if (!isTold(part.before, part.after)) break;
        const auto change = valueChange(static_cast<double>(part.before), static_cast<double>(part.after));
        steps.push_back({part.name + countsText(part),
            signedText(part.difference()) + kMiddleDot + tookText(part.before > 0, part.before) + " \u2192 "
                + tookText(part.after > 0, part.after),
            at, at + part.difference(), change.level(), Shade::Plain, Row{static_cast<std::uint32_t>(shown)}});
        at += part.difference();
    }
    if (shown < all.size()) {
        steps.push_back({said("\u2026 %1 more that changed less", formatGrouped(static_cast<std::int64_t>(all.size() - shown))),
            signedText(after() - at), at, after(), -1, Shade::Unknown, {}});
    }
    steps.push_back({said("after"), timeText(after()), 0, after()});

    Rows rows(page, area, steps.size());
    double labels = 0, behind = 0, longest = 1;
    for (const auto& step : steps) {
        labels = std::max(labels, textWidth(step.name, rows.size(), {.bold = true}));
        behind = std::max(behind, textWidth(step.words, rows.size()));
        longest = std::max(longest, static_cast<double>(std::max(step.from, step.to)));
    }
    rows.makeRoom(labels, behind, longest);
    std::string description = title() + '.';
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto& step = steps[i];
        rows.label(i, step.name, 0, step.level >= 0 || i == 0 || i + 1 == steps.size());
        Item& bar = rows.bar(i, static_cast<double>(step.from), static_cast<double>(step.to), step.shade);
        bar.level = step.level;
        bar.key = step.name;
        bar.tip = step.name + '\n' + step.words;
        bar.data = {{"from", std::to_string(step.from)}, {"to", std::to_string(step.to)}};
        bar.row = step.row;
        rows.words(i, static_cast<double>(std::max(step.from, step.to)), step.words);
        const double end = rows.x(static_cast<double>(i + 1 == steps.size() ? 0 : step.to));
        if (i + 1 < steps.size()) page.path(Role::Grid, {{end, rows.y(i) + rows.row() * 0.84}, {end, rows.y(i + 1) + rows.row() * 0.16}});
        description += ' ' + step.name + ": " + step.words + '.';
    }
    return page.finish(description, {area.x + area.width, rows.y(steps.size())});
}
} // namespace

std::string ComparedProcesses::titled(Privacy privacy) const
{
    const auto& what = privacy == Privacy::Redacted ? program : command;
    return what.empty() ? said(titles.plain) : said(titles.ofCommand, printable(what));
}

std::unique_ptr<Visual> comparedTrees(const ViewFacts& facts, ComparedProcesses runs)
{
    return std::make_unique<ComparedTrees>(facts, std::move(runs));
}
std::unique_ptr<Visual> comparedTimes(const ViewFacts& facts, ComparedProcesses runs)
{
    return std::make_unique<ComparedTimes>(facts, std::move(runs));
}
} // namespace dscope::graph
