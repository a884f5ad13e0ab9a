#include "graph/models/flame.h"
#include "engine/record/folded.h"
#include "graph/frame_label.h"
#include "graph/headline.h"
#include "graph/keys.h"
#include "graph/page.h"
#include "graph/parts/flame_painter.h"
#include "graph/ranking.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include "graph/units.h"
#include <algorithm>
namespace dscope::graph {
namespace {
constexpr std::size_t kTopFrames = 5;

class Flame final : public Visual {
public:
    Flame(const Store& store, const ViewFacts& facts) : Flame(store, FlameData(stacksOf(store)), facts) { }
    /// What changed between two runs.
    Flame(const Store& before, const Store& after, const ViewFacts& facts)
        : Flame(after, FlameData(comparedStacks(before, after), stackScatterOf(before, after)), facts)
    {
    }
    const ViewFacts& facts() const override { return m_facts; }

    std::string title() const override { return titles(Privacy::Open, Whose::Wider::Said).front(); }

    bool empty() const override { return m_data.empty(); }

    Table table() const override
    {
        if (m_data.compares()) return m_data.changes();
        Table t;
        t.columns = {Column::text("stack"), Column::number("value", m_data.measure().unit())};
        m_data.stacks()->eachLine([&](std::string_view stack, std::int64_t value) {
            t.rows.push_back({std::string(stack), m_data.measure().exact(value)});
        });
        return t;
    }

    std::shared_ptr<const Stacks> stacks() const override { return m_data.compares() ? nullptr : m_data.stacks(); }

    bool eachChange(const DeliverChange& deliver) const override
    {
        if (!m_data.compares()) return false;
        m_data.eachChange(deliver);
        return true;
    }

    std::optional<Share> share(const NameTest& test, std::string_view /*focus*/) const override
    {
        if (empty()) return std::nullopt;
        const auto& stacks = *m_data.stacks();
        if (!m_data.compares()) return Share{static_cast<double>(stacks.matched(test)) / static_cast<double>(stacks.total())};
        const auto found = matchedWeight(m_data.tree(), test, [this](const StackNode& n) { return m_data.weight(n); });
        return Share{static_cast<double>(found) / static_cast<double>(m_data.weight(m_data.root()))};
    }

    Figure figure(const LayoutOptions& options) const override;

private:
    Flame(const Store& store, FlameData data, const ViewFacts& facts)
        : m_facts(facts), m_provenance(provenanceOf(store, sumsUpStacks)), m_probes(probesText(store.program())),
          m_timed(probeKinds(store).samples), m_data(std::move(data))
    {
    }

    /// The longest first.
    std::vector<std::string> titles(Privacy privacy, Whose::Wider wider) const
    {
        if (!m_data.compares()) return {plainTitle(privacy, wider)};
        const auto& root = m_data.root();
        return changedTitles(plainTitle(privacy, wider), static_cast<double>(root.before), static_cast<double>(root.total), unitInWords());
    }

    /// What the values are: "samples", "time".
    std::string unitInWords() const
    {
        const auto& measure = m_data.measure();
        return measure.isCount                    ? measure.noun.said()
            : measure.unit() == Unit::Nanoseconds ? said("time")
            : measure.unit() == Unit::Bytes       ? said("bytes")
                                                  : said("the sum");
    }

    bool isIcicle() const { return m_facts.growth == Growth::Down; }
    std::string form() const { return isIcicle() ? said("Icicle graph") : said("Flame graph"); }

    std::string plainTitle(Privacy privacy, Whose::Wider wider) const
    {
        if (m_timed) return m_provenance.whose.titled(said("Where the CPU time goes"), privacy, wider);
        return m_probes.empty() ? form() : said("What leads to %1", printable(m_probes));
    }
    std::string subtitle(const FlameData& data) const;
    Caveats caveats(const FlameData& data, std::size_t hiddenLevels) const;
    std::string inWords() const;
    std::string changesInWords() const;
    std::vector<LegendEntry> legend(const FlameData& data, const FlameData& whole) const;
    Figure drawn(const FlameData& data, const FlameData& whole, LayoutOptions options) const;

    const ViewFacts& m_facts;
    Provenance m_provenance;
    std::string m_probes;
    bool m_timed = false;
    FlameData m_data;
};

std::string Flame::subtitle(const FlameData& data) const
{
    const auto& measure = data.measure();
    const auto& root = data.root();
    if (data.compares()) {
        const auto both = said("before %1, after %2", measure.amount(root.before), measure.quantity(root.total));
        return measure.what() + kMiddleDot + both + kMiddleDot + said("numbers as they were recorded") + kMiddleDot
            + said("width is the mean of the two");
    }

    const auto width = measure.isCount ? said("width is the number of %1", unitInWords()) : said("width is %1", unitInWords());
    return measure.what() + kMiddleDot + measure.amount(root.total) + inShownInterval(m_provenance) + kMiddleDot + width;
}

Caveats Flame::caveats(const FlameData& data, std::size_t hiddenLevels) const
{
    const auto& measure = data.measure();
    auto out = data.compares() ? Caveats() : intervalCaveat(m_provenance);
    for (auto& cut : stackCaveats(*data.stacks()))
        out.push_back(std::move(cut));
    if (hiddenLevels > 0)
        out.push_back(saidOf(hiddenLevels, "%1 deeper level is not shown", "%1 deeper levels are not shown", std::to_string(hiddenLevels)));
    if (data.compares()) return out;
    if (const auto leftOut = data.stacks()->leftOut(); leftOut > 0) {
        const bool isAggregated = measure.shape.has_value();
        out.push_back(isAggregated ? saidOf(leftOut, "%1 aggregation of another kind not shown",
                          "%1 aggregations of another kind not shown", std::to_string(leftOut))
                                   : saidOf(leftOut, "%1 other event not shown: choose it with --event NAME",
                                       "%1 other events not shown: choose one with --event NAME", std::to_string(leftOut)));
    }
    if (const auto& tree = data.tree(); tree.cutAtDepth > 0)
        out.push_back(said("%1 in stacks of more than %2 frames, which are not shown further", measure.amount(tree.cutAtDepth),
            formatGrouped(tree.depth - 1)));
    return out;
}

std::string Flame::changesInWords() const
{
    const auto text
        = isIcicle() ? said("Icicle graph of what changed between two runs.") : said("Flame graph of what changed between two runs.");
    const auto most = m_data.mostChanged(kTopFrames);
    if (most.empty()) return text + ' ' + said("No frame changed by more than chance would have it.");
    std::string frames;
    for (std::size_t i = 0; i < most.size(); ++i)
        frames += (i ? ", " : "") + most[i];
    return text + ' ' + said("Most by themselves: %1.", frames);
}

std::string Flame::inWords() const
{
    if (m_data.compares()) return changesInWords();
    const auto total = m_data.stacks()->total();
    std::string frames;
    const auto& stacks = *m_data.stacks();
    for (const auto& [frame, value] : stacks.tellingEnds(kTopFrames))
        frames += (frames.empty() ? "" : ", ") + frame + ' ' + formatShare(static_cast<double>(value), static_cast<double>(total));
    const auto text = said("%1, %2 in all.", form(), m_data.measure().amount(total));
    if (frames.empty()) return text;
    return text + ' ' + said(stacks.implied().isPlaced() ? "Most lead there from: %1." : "Most by themselves: %1.", frames);
}

std::vector<LegendEntry> Flame::legend(const FlameData& data, const FlameData& whole) const
{
    if (data.compares()) return changeScale(Role::Frame, data.noise());
    return frameLegend([&](Shade shade) { return data.tree().has(shade) || whole.tree().has(shade); });
}

Figure Flame::figure(const LayoutOptions& options) const
{
    if (m_data.hasTree()) return drawn(m_data, m_data, options);
    const auto data = m_data.seen(options.focus, options.width, options.part, options.zooms);
    // What a zoomed picture explains, and how high it is, doesn't depend on where somebody looks.
    return drawn(data, options.part.isAll() ? data : m_data.seen(options.focus, options.width, {}, options.zooms), options);
}

Figure Flame::drawn(const FlameData& data, const FlameData& whole, LayoutOptions options) const
{
    const auto entries = legend(data, whole);
    const bool isWhole = !data.compares() && !data.empty() && options.focus.empty();
    const auto words = headed(options, isWhole ? headlineOf(*data.stacks()) : Claim(),
        fittingTitle(options, titles(options.privacy(), Whose::Wider::SaidApart)), data.empty() ? data.measure().what() : subtitle(data));
    const auto pageWithout
        = [&](std::size_t levels) { return Page(options, words, m_provenance, entries, data.empty() ? Caveats() : caveats(data, levels)); };
    Page page = pageWithout(0);
    if (data.empty()) {
        sayNoStacks(page, *data.stacks(), m_probes);
        return page.finish(isIcicle() ? said("Icicle graph without data.") : said("Flame graph without data."));
    }

    const std::size_t focus = data.tree().find(record::framesOf(options.focus));
    if (focus == 0 && !options.focus.empty() && !options.forScreen) { // a window shows all, where what was in focus is gone
        page.empty(said("No stack begins with %1", options.focus), said("Frames are named from the root, joined by ';', as in the CSV."));
        return page.finish(
            isIcicle() ? said("Icicle graph of a frame that is not there.") : said("Flame graph of a frame that is not there."));
    }

    if (options.higher && options.fit && tellingLevels(data, focus) * lowestFlameRow(page.smallest()) > page.content().height) {
        options.fit = false;
        page = pageWithout(0);
    }

    const auto rowsOfPage = [&] {
        return flameRows(data, focus, {page.content().height, options.fit, options.forScreen, page.smallest()});
    };
    auto rows = rowsOfPage();
    if (options.forScreen && &data.tree() != &whole.tree()) {
        rows.levels = std::max(rows.levels, flameLevels(whole, whole.tree().find(record::framesOf(options.focus))));
        rows.shown = rows.levels;
    }
    if (rows.hidden() > 0 && !options.forScreen) { // which has to be said, and takes room itself
        page = pageWithout(rows.hidden());
        rows = rowsOfPage();
        page = pageWithout(rows.hidden());
    }

    const Box area = page.content();
    // From the page's bottom, or, where it grows, from as far down as the rows need.
    const double least = options.forScreen ? 0.0 : area.height;
    const double bottom = area.y + (options.fit ? area.height : std::max(rows.height * rows.shown, least));
    FlamePainter painter(page, data, focus, rows);
    for (const auto& bar : flameBars(data, focus, rows, {area, bottom, m_facts.growth == Growth::Down, options.part}))
        painter.draw(bar);
    if (options.zooms) painter.addHidden();
    return page.finish(inWords(), {area.x + area.width, bottom});
}
} // namespace

std::unique_ptr<Visual> makeStacks(const Store& store, const ViewFacts& facts) { return std::make_unique<Flame>(store, facts); }
std::unique_ptr<Visual> makeStacks(const Store& before, const Store& after, const ViewFacts& facts)
{
    return std::make_unique<Flame>(before, after, facts);
}
Kind kind_flame()
{
    return {kFlameFacts, rank::kStacks, hasStacks, [](const Store& store) { return makeStacks(store, kFlameFacts); },
        [](const Store& before, const Store& after) { return makeStacks(before, after, kFlameFacts); }};
}
} // namespace dscope::graph
