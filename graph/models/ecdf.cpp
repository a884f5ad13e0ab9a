#include "graph/distribution.h"
#include "graph/headline.h"
#include "graph/key_columns.h"
#include "graph/keys.h"
#include "graph/page.h"
#include "graph/palette.h"
#include "graph/parts/amounts_over_time.h"
#include "graph/parts/histogram_painter.h"
#include "graph/parts/line_names.h"
#include "graph/parts/share_painter.h"
#include "graph/ranking.h"
#include "graph/run_probes.h"
#include "graph/store.h"
#include "graph/text.h"
#include <algorithm>
#include <cmath>
#include <map>
namespace dscope::graph {
namespace {
constexpr ViewFacts kFacts{.name = "ecdf",
    .tab = "Shares",
    .summary = "quantize, lquantize and llquantize as curves: the share of all values below each, a line a key",
    .heeds = {.top = true, .order = true, .log = true, .amounts = Heeds::Amounts::Other}};
constexpr double kAxisLeft = 62, kAxisBelow = 56, kRoomForSide = 700, kSide = 330, kLowestSection = 150, kSectionGap = 20; // px at scale 1
constexpr double kLowPage = 200, kLowAxis = 28, kTallest = 0.75; // px at scale 1; of the width
constexpr double kPanelGap = 26, kPanelWidth = 300, kLowestPanel = 112, kTallestPanel = 230, kPanelHead = 38;
constexpr std::size_t kMostGrey = 12; // lines without a name: more would be a cloud
constexpr double kFewestGrey = 30;    // values of such a line: of fewer it is no distribution
using Member = DistributionGroup::Member;

/// Distributions on one axis: the share of all values below each value. Of two runs a panel a key, with both.
class Ecdf final : public Visual {
public:
    explicit Ecdf(const Store& store) : Ecdf(store, distributionsOf(store)) { }
    Ecdf(const Store& before, const Store& after) : Ecdf(after, distributionsOf(before, after))
    {
        m_compares = true;
        findLikeRuns(before);
        findLikeRuns(after);
    }
    const ViewFacts& facts() const override { return kFacts; }

    std::string title() const override
    {
        if (!m_compares) return plainTitle();
        double total = 0, before = 0;
        for (const auto& group : m_groups)
            for (const auto& m : group.members) {
                total += m.values.total;
                before += m.values.totalBefore;
            }
        return changedTitle(plainTitle()) + changedTotal(before, total, m_noun);
    }

    bool empty() const override
    {
        return std::all_of(m_groups.begin(), m_groups.end(), [](const DistributionGroup& g) { return g.members.empty(); });
    }
    /// A single curve says what its histogram does.
    bool isSlight() const override
    {
        return std::all_of(m_groups.begin(), m_groups.end(), [](const DistributionGroup& g) { return g.members.size() < 2; });
    }

    Extents extents() const override
    {
        Extents out;
        for (const auto& g : m_groups)
            out.buckets[bucketsKey(g.shape)] = {g.first, g.last};
        return out;
    }
    Table table() const override;
    Figure figure(const LayoutOptions& options) const override;

private:
    Ecdf(const Store& store, std::vector<DistributionGroup> groups)
        : m_provenance(provenanceOf(store)), m_noun(countedNoun(store)), m_probes(probesText(store.program())),
          m_call(onlyCall(store)), m_groups(std::move(groups))
    {
        if (m_noun == "samples") m_noun = "values";
        std::size_t aggregations = 0;
        for (const auto& a : store.program().aggregations) {
            if (!isQuantized(a.function)) continue;
            ++aggregations;
            addKeyNames(m_keyNames, a);
        }
        m_several = aggregations > 1;
        for (const auto& g : m_groups)
            m_comparisons += g.members.size();
    }

    std::string plainTitle() const { return m_groups.empty() ? "Shares of values" : questionOf(m_groups.front(), m_call); }
    std::string claim() const;
    std::string subtitle() const;
    Caveats caveats(const LayoutOptions& options, std::size_t hidden) const;
    std::string inWords() const;

    std::string nameOf(const Member& member) const
    {
        const std::string keys = member.values.label();
        if (!m_several) return keys.empty() ? "all" : keys;
        return '@' + member.aggregation + (keys.empty() ? "" : " " + keys);
    }
    static ShareCurve curveOf(const DistributionGroup& g, const Member& m) { return shareCurve(g.shape, m.values.counts, m.values.total); }
    static ShareCurve curveBefore(const DistributionGroup& g, const Member& m)
    {
        return shareCurve(g.shape, m.values.countsBefore, m.values.totalBefore);
    }

    /// How far apart both runs may be by chance.
    double chanceOf(const Member& member) const
    {
        const auto alike = m_alike.find(thingOf(member));
        return std::max(
            apartByChance(member.values.totalBefore, member.values.total, m_comparisons), alike == m_alike.end() ? 0.0 : alike->second);
    }
    void findLikeRuns(const Store& side);
    static std::string thingOf(const Member& member) { return member.aggregation + '\n' + member.values.label(); }
    /// What became of a distribution where that is more than chance.
    std::string movedOf(const DistributionGroup& group, const Member& member) const;
    std::vector<LegendEntry> legend() const;

    std::vector<std::size_t> inOrder(const DistributionGroup& group, const LayoutOptions& options) const;
    void drawTogether(Page& page, const DistributionGroup& group, const Box& area) const;
    double drawNames(
        Page& page, const DistributionGroup& group, const std::vector<std::pair<std::size_t, double>>& lines, const Box& area) const;
    void drawPanels(Page& page, const DistributionGroup& group, const Box& area) const;
    void drawPanel(Page& page, const DistributionGroup& group, const Member& member, const Box& area, bool hasAxis, bool hasShares) const;
    void sayRest(Page& page, const DistributionGroup& group, const std::vector<std::size_t>& order, std::size_t from, const Point& at,
        double width, const std::string& what) const;

    Provenance m_provenance;
    std::string m_noun, m_probes, m_call;
    std::vector<DistributionGroup> m_groups;
    std::vector<std::string> m_keyNames;
    std::size_t m_comparisons = 0;
    std::map<std::string, double> m_alike; ///< by thingOf(): how far two runs of one side are apart at most
    bool m_several = false, m_compares = false;
};

/// "half of fsync takes 1 ms or more, half of the others less than 65.5 µs": when the bucket of one key's median is two or more above those
/// of all others, of times and sizes, where that key has kFewestCounted values or more.
std::string Ecdf::claim() const
{
    if (m_compares || m_groups.size() != 1 || m_groups.front().members.size() < 2) return {};
    const auto& group = m_groups.front();
    const bool isTime = group.measure.unit == Unit::Nanoseconds;
    if (!isTime && group.measure.unit != Unit::Bytes) return {};
    const Member* highest = nullptr;
    int next = 0;
    for (const auto& member : group.members) {
        const int half = member.values.percentile(0.5);
        if (highest && half <= highest->values.percentile(0.5)) {
            next = std::max(next, half);
            continue;
        }
        next = highest ? highest->values.percentile(0.5) : 0;
        highest = &member;
    }
    const auto low = record::bucketRange(group.shape, highest->values.percentile(0.5)), other = record::bucketRange(group.shape, next);
    if (highest->values.total < kFewestCounted || highest->values.percentile(0.5) < next + 2 || !low.low || !other.high) return {};
    const auto text = [&](std::int64_t value) { return group.measure.format(static_cast<double>(value)); };
    return printable(nameOf(*highest)) + (isTime ? " takes longest: half of its " : " has the largest: half of its ") + m_noun + ' '
        + text(*low.low) + " or more, of each other less than " + text(*other.high + 1);
}

Table Ecdf::table() const
{
    Table t;
    if (m_several) t.columns.push_back(Column::text("aggregation"));
    for (const auto& key : m_keyNames)
        t.columns.push_back(Column::text(keyColumn(m_keyNames, key)));
    t.columns.push_back(Column::number("below", m_groups.empty() ? Unit::None : m_groups.front().measure.unit));
    if (m_compares) t.columns.push_back(Column::number("before", Unit::Percent));
    t.columns.push_back(Column::number(m_compares ? "after" : "share", Unit::Percent));
    constexpr int kDigits = 4;
    for (const auto& g : m_groups)
        for (const auto& m : g.members) {
            const auto is = curveOf(g, m), was = curveBefore(g, m);
            std::map<double, std::pair<double, double>> rows;
            for (const auto& point : is.points)
                rows[point.value].second = point.share;
            if (m_compares)
                for (const auto& point : was.points)
                    rows[point.value].first = point.share;
            double before = 0, after = 0; // where one of them has no bucket it stays what it was
            for (const auto& [value, shares] : rows) {
                before = std::max(before, shares.first);
                after = std::max(after, shares.second);
                auto& row = t.rows.emplace_back();
                if (m_several) row.push_back(m.aggregation.empty() ? "value" : m.aggregation);
                for (const auto& key : m_keyNames) {
                    const auto& own = g.shape.keys;
                    const auto at = std::find_if(own.begin(), own.end(), [&](const record::Field& f) { return f.name == key; });
                    const auto index = static_cast<std::size_t>(at - own.begin());
                    row.push_back(at == own.end() || index >= m.values.keys.size() ? std::string() : m.values.keys[index]);
                }
                row.push_back(formatFixed(value, 0));
                if (m_compares) row.push_back(formatFixed(100 * before, kDigits));
                row.push_back(formatFixed(100 * after, kDigits));
            }
        }
    return t;
}

std::string Ecdf::subtitle() const
{
    if (m_groups.empty()) return {};
    double total = 0, before = 0;
    for (const auto& g : m_groups) {
        total += g.total;
        for (const auto& m : g.members)
            before += m.values.totalBefore;
    }
    std::string text = m_compares ? "before " + withNoun(countText(before), m_noun) + ", after " + countText(total)
                                  : withNoun(countText(total), m_noun) + inShownInterval(m_provenance);
    return text + " \u00b7 " + describe(m_groups.front().shape) + (m_groups.size() > 1 ? ", \u2026" : "");
}

Caveats Ecdf::caveats(const LayoutOptions& options, std::size_t hidden) const
{
    auto out = m_compares ? Caveats() : intervalCaveat(m_provenance);
    if (!empty()) out.emplace_back("known at the ends of buckets");
    if (options.values == ValueScale::Logarithmic) out.emplace_back("height is the logarithm of the share above");
    double most = 0;
    for (const auto& g : m_groups)
        for (const auto& m : g.members)
            if (m.values.total > 0) most = std::max(most, curveOf(g, m).beyond);
    if (most > 0) out.push_back("up to " + formatShare(most, 1) + " of a line's values are beyond the range");
    if (hidden > 0) out.push_back(std::to_string(hidden) + " more not shown");
    return out;
}

std::string Ecdf::inWords() const
{
    std::string text = "Shares of values.";
    std::size_t told = 0;
    for (const auto& g : m_groups)
        for (const auto& m : g.members) {
            if (++told > 5) return text;
            text += ' ' + nameOf(m) + ": " + withNoun(countText(m.values.total), m_noun) + ", p50 about " + percentileText(g, m.values, 0.5)
                + ", p99 about " + percentileText(g, m.values, 0.99) + (m_compares ? ", " + movedOf(g, m) : "") + '.';
        }
    return text;
}

/// What differs no more than two runs of one side do is no change.
void Ecdf::findLikeRuns(const Store& side)
{
    std::map<std::string, std::vector<ShareCurve>> curves;
    for (const auto& run : side.runs())
        for (const auto& group : distributionsOf(*run))
            for (const auto& member : group.members)
                curves[thingOf(member)].push_back(curveOf(group, member));
    for (const auto& [thing, all] : curves)
        for (std::size_t i = 0; i < all.size(); ++i)
            for (std::size_t k = 0; k < i; ++k) {
                auto& most = m_alike[thing];
                most = std::max(most, farthestApart(all[k], all[i]).distance());
            }
}

std::string Ecdf::movedOf(const DistributionGroup& group, const Member& member) const
{
    const auto& values = member.values;
    if (values.totalBefore <= 0) return "new";
    if (values.total <= 0) return "gone";
    const auto apart = farthestApart(curveBefore(group, member), curveOf(group, member));
    const double chance = chanceOf(member);
    const bool isTime = group.measure.unit == Unit::Nanoseconds, shrank = apart.more > chance, grew = apart.less > chance;
    if (shrank && grew) return isTime ? "faster and slower" : "smaller and larger";
    return grew ? (isTime ? "slower" : "larger") : shrank ? (isTime ? "faster" : "smaller") : "may be chance";
}

std::vector<LegendEntry> Ecdf::legend() const
{
    if (!m_compares || empty()) return {};
    auto out = changeLegend(Role::Bar,
        std::string("may be chance (Kolmogorov\u2013Smirnov, 5 % in all") + (m_alike.empty() ? ")" : "; no more than like runs)"));
    const bool isTime = m_groups.front().measure.unit == Unit::Nanoseconds;
    out[0].label = isTime ? "slower" : "larger";
    out[1].label = isTime ? "faster" : "smaller";
    out.push_back(LegendEntry::line(Role::Marker, Shade::Dashed, "before"));
    out.push_back(LegendEntry::line(Role::Marker, Shade::Plain, "after"));
    return out;
}

/// Members, the weightiest first; by name those that are shown.
std::vector<std::size_t> Ecdf::inOrder(const DistributionGroup& group, const LayoutOptions& options) const
{
    std::vector<std::size_t> out(group.members.size());
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = i;
    if (options.order == Order::Name) {
        const auto most = options.top > 0 ? std::min(options.top, out.size()) : out.size();
        std::stable_sort(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(most),
            [&](std::size_t a, std::size_t b) { return isBeforeByName(group.members[a].values.keys, group.members[b].values.keys); });
    }
    return out;
}

void Ecdf::sayRest(Page& page, const DistributionGroup& group, const std::vector<std::size_t>& order, std::size_t from, const Point& at,
    double width, const std::string& what) const
{
    double hidden = 0;
    for (std::size_t i = from; i < order.size(); ++i)
        hidden += group.members[order[i]].values.total;
    page.text(Role::Note, at,
        "\u2026 " + formatGrouped(static_cast<std::int64_t>(order.size() - from)) + " more with " + withNoun(countText(hidden), m_noun)
            + what,
        {.size = page.smallest(), .maxWidth = width});
}

/// Names, numbers and percentiles of lines, in the order in which these rise; gives the px that were used below `area`.
double Ecdf::drawNames(
    Page& page, const DistributionGroup& group, const std::vector<std::pair<std::size_t, double>>& lines, const Box& area) const
{
    const double k = page.scale(), size = 13 * k, mark = 22 * k, toText = mark + 9 * k;
    auto ordered = lines;
    std::stable_sort(ordered.begin(), ordered.end(), [&](const auto& a, const auto& b) {
        const auto &x = group.members[a.first].values, &y = group.members[b.first].values;
        for (const double share : {0.5, 0.9, 0.99})
            if (x.percentile(share) != y.percentile(share)) return x.percentile(share) < y.percentile(share);
        return false;
    });

    const double all = static_cast<double>(ordered.size()), room = area.height / std::max(all, 1.0);
    const bool isTwoLines = room >= 2.5 * size;
    const double step = isTwoLines ? std::min(room, 3.6 * size) : 1.4 * size;
    double y = area.y;
    for (const auto& [index, hue] : ordered) {
        if (y + 1.2 * size > area.y + area.height + 0.5) break;
        const auto& member = group.members[index];
        page.path(Role::Series, {{area.x, y + size * 0.64}, {area.x + mark, y + size * 0.64}}).level = hue;
        const std::string half = "p50 " + percentileText(group, member.values, 0.5),
                          tail = "p99 " + percentileText(group, member.values, 0.99);
        const double width = area.width - toText;
        double nameRoom = width;
        if (isTwoLines) {
            const auto number = withNoun(countText(member.values.total), m_noun);
            std::string text = half + " \u00b7 " + tail;
            if (textWidth(number + " \u00b7 " + text, 12 * k) <= width) text = number + " \u00b7 " + text;
            if (textWidth(text, 12 * k) > width) text = tail;
            page.text(Role::Note, {area.x + toText, y + size * 2.1}, text, {.size = 12 * k, .maxWidth = width});
        } else {
            const double needed = textWidth(tail, 12 * k);
            if (needed < 0.6 * width) {
                page.text(Role::Note, {area.x + area.width, y + size}, tail, {.size = 12 * k, .anchor = Anchor::End});
                nameRoom = width - needed - 12 * k;
            }
        }
        page.text(Role::Label, {area.x + toText, y + size}, nameOf(member),
                {.size = size, .bold = true, .maxWidth = nameRoom, .middle = true})
            .key
            = printable(nameOf(member));
        y += step;
    }
    return y - area.y;
}

/// Of one run: all lines on one plot, the weightiest with a name.
void Ecdf::drawTogether(Page& page, const DistributionGroup& group, const Box& area) const
{
    const double k = page.scale(), size = 13 * k;
    const auto order = inOrder(group, page.options());
    const auto most = page.options().top > 0 ? page.options().top : kSeriesHues + kMostGrey,
               named = std::min({most, order.size(), kSeriesHues});
    auto top = named;
    while (top < std::min(most, order.size()) && group.members[order[top]].values.total >= kFewestGrey)
        ++top;
    const bool isLow = page.content().height < kLowPage * k, hasRest = named < order.size();
    const bool hasSide = area.width >= kRoomForSide * k && area.height < area.width;
    const double side = hasSide ? std::min(kSide * k, 0.36 * area.width) : 0, note = hasRest ? 1.6 * size : 0;
    const double axis = (isLow ? kLowAxis : kAxisBelow) * k;
    double names = 0;
    if (!hasSide && !isLow) {
        const double rows = static_cast<double>(named) * size;
        names = std::min(3.2 * rows, 0.3 * area.height);
        if (names < 2.6 * rows) names = std::min(1.4 * rows + 0.6 * size, 0.36 * area.height); // one line each
    }
    const double width = std::max(area.width - kAxisLeft * k - side - (hasSide ? 34 : 14) * k, 60.0);
    const Box box{area.x + kAxisLeft * k, area.y + 26 * k, width,
        std::clamp(area.height - 26 * k - axis - note - names, 30.0, std::max(kTallest * width, 60.0)), 0};

    const SharePlot plot(page, group, box);
    plot.drawShares();
    page.text(Role::Axis, {area.x, area.y + size}, "share of " + m_noun + " below", {.size = size, .maxWidth = area.width});
    std::vector<std::pair<std::size_t, double>> lines;
    std::vector<DrawnLine> hued;
    for (std::size_t i = 0; i < named; ++i)
        hued.push_back({nameOf(group.members[order[i]]), {}});
    SeriesHues hues;
    colour(hued, hues);
    for (std::size_t i = top; i-- > named;)
        plot.draw(curveOf(group, group.members[order[i]]), {Role::Grid, Shade::Plain, -1, 1.5}, nameOf(group.members[order[i]]), m_noun,
            SharePlot::Dots::None);
    std::vector<NamedLine> toName;
    for (std::size_t i = named; i-- > 0;) {
        const auto& member = group.members[order[i]];
        const auto curve = curveOf(group, member);
        plot.draw(curve, {Role::Series, Shade::Plain, hued[i].hue}, nameOf(member), m_noun, SharePlot::Dots::Drawn);
        toName.push_back({plot.pointsOf(curve), printable(nameOf(member))});
        lines.emplace_back(order[i], hued[i].hue);
    }

    std::reverse(lines.begin(), lines.end());
    const auto places = placesOfNames(toName, box, size);
    for (std::size_t i = 0; i < places.size(); ++i)
        if (places[i]) {
            page.box(Role::Ground, {places[i]->x - 1, places[i]->y - 0.8 * size, textWidth(toName[i].name, size) + 2, size, 0});
            page.text(Role::Label, *places[i], toName[i].name, {.size = size}).key = toName[i].name;
        }
    plot.drawValues(isLow ? std::string() : HistogramPainter(page, {m_noun, m_call, {}, false}).axisName(group), 60 * k);
    double end = box.y + box.height + axis;
    if (hasSide)
        drawNames(page, group, lines, {box.x + box.width + 34 * k, box.y, side, box.height, 0});
    else if (names > 0)
        end += drawNames(page, group, lines, {area.x, end, area.width, names, 0});
    if (!hasRest) return;
    const bool hasGrey = top > named;
    sayRest(page, group, order, named, {area.x, end + size}, area.width,
        !hasGrey                  ? std::string()
            : top == order.size() ? ", in grey"
                                  : ", " + formatGrouped(static_cast<std::int64_t>(top - named)) + " of them in grey");
}

void Ecdf::drawPanel(Page& page, const DistributionGroup& group, const Member& member, const Box& area, bool hasAxis, bool hasShares) const
{
    const double k = page.scale(), size = 13 * k;
    const auto moved = movedOf(group, member);
    const auto is = curveOf(group, member), was = curveBefore(group, member);
    const auto& values = member.values;
    page.text(Role::Label, {area.x, area.y + size}, nameOf(member),
        {.size = size, .bold = true, .maxWidth = area.width - textWidth(moved, 12 * k) - 12 * k, .middle = true});
    page.text(Role::Label, {area.x + area.width, area.y + size}, moved, {.size = 12 * k, .anchor = Anchor::End});
    std::string text;
    for (const auto& [share, name] : {std::pair{0.99, "p99 "}, std::pair{0.5, "p50 "}}) {
        const bool both = values.total > 0 && values.totalBefore > 0;
        const std::string now = percentileText(group, values, share),
                          then = values.totalBefore > 0 ? group.range(values.percentileBefore(share)) : std::string();
        const std::string one = name + (values.total > 0 ? now : then) + (both && now != then ? ", was " + then : "");
        const std::string longer = text.empty() ? one : one + " \u00b7 " + text;
        if (!text.empty() && textWidth(longer, 12 * k) > area.width) break;
        text = longer;
    }
    page.text(Role::Note, {area.x, area.y + size + 1.35 * 12 * k}, text, {.size = 12 * k, .maxWidth = area.width});
    const double left = hasShares ? kAxisLeft * k : 0;
    const Box box{
        area.x + left, area.y + kPanelHead * k, std::max(area.width - left, 30.0), std::max(area.height - kPanelHead * k, 12.0), 0};
    const SharePlot plot(page, group, box);
    hasShares ? plot.drawShares() : plot.drawGrid();
    plot.drawBetween(was, is, chanceOf(member));
    plot.draw(was, {Role::Marker, Shade::Dashed, -1, 1.5}, nameOf(member) + ", before", m_noun, SharePlot::Dots::None);
    plot.draw(is, {Role::Marker, Shade::Plain, -1, 2}, nameOf(member) + (m_compares ? ", after" : ""), m_noun, SharePlot::Dots::None);
    if (hasAxis) plot.drawValues({}, kPanelGap * k / 2);
}

/// Of two runs: a panel a key, in columns, above axes of the same values.
void Ecdf::drawPanels(Page& page, const DistributionGroup& group, const Box& area) const
{
    const double k = page.scale(), size = 13 * k, gap = kPanelGap * k, axis = 30 * k;
    const auto order = inOrder(group, page.options());
    auto most = page.options().top > 0 ? std::min(page.options().top, order.size()) : order.size();
    auto columns = static_cast<std::size_t>(std::clamp(std::floor(area.width / (kPanelWidth * k)), 1.0, 5.0));
    columns = std::min(columns, most);
    double height = area.height - 1.8 * size;
    const auto rowsOf = [&](std::size_t panels) { return (panels + columns - 1) / columns; };
    // Columns of their own that would only make panels flat are not wanted: as many as make rows that are high enough.
    while (columns > 1 && (height / static_cast<double>(rowsOf(most))) > 2.2 * area.width / static_cast<double>(columns - 1))
        --columns;
    const double least = (kLowestPanel + kPanelHead) * k;
    if (page.fit()) {
        const auto fitting = static_cast<std::size_t>(std::max(1.0, std::floor((height - axis) / least)));
        most = std::min(most, fitting * columns);
    } else {
        height = std::max(height, static_cast<double>(rowsOf(most)) * least + axis);
    }
    const auto rows = rowsOf(most);
    const double each = std::min((height - axis) / static_cast<double>(rows), (kTallestPanel + kPanelHead) * k * (rows == 1 ? 2 : 1)),
                 left = kAxisLeft * k, width = (area.width - left - gap * static_cast<double>(columns - 1)) / static_cast<double>(columns);
    double end = area.y;
    for (std::size_t i = 0; i < most; ++i) {
        const auto column = i % columns, row = i / columns;
        const double inset = column == 0 ? left : 0;
        const Box panel{area.x + (column == 0 ? 0 : left + static_cast<double>(column) * (width + gap)),
            area.y + static_cast<double>(row) * each, width + inset, each - 14 * k, 0};
        const bool hasAxis = i + columns >= most;
        drawPanel(page, group, group.members[order[i]], panel, hasAxis, column == 0);
        end = std::max(end, panel.y + panel.height + axis);
    }
    if (most < order.size()) sayRest(page, group, order, most, {area.x, end + size}, area.width, {});
}

Figure Ecdf::figure(const LayoutOptions& options) const
{
    const auto words = headed(options, claim(), title(), subtitle());
    Page page(options, words, m_provenance, legend(), caveats(options, 0));
    if (empty()) {
        page.empty("No values yet",
            m_probes.empty() ? "The program quantizes values when its probes fire."
                             : "The program quantizes values when its probes fire: " + m_probes);
        return page.finish("Shares of values without data.");
    }

    auto groups = m_groups;
    std::erase_if(groups, [](const DistributionGroup& g) { return g.members.empty(); });
    if (options.extents)
        for (auto& g : groups)
            if (const auto found = options.extents->buckets.find(bucketsKey(g.shape)); found != options.extents->buckets.end()) {
                g.first = std::min(g.first, found->second.first);
                g.last = std::max(g.last, found->second.last);
            }
    const auto least = (kLowestSection + kSectionGap) * page.scale();
    if (options.fit && page.content().height < (m_compares ? 140 : 84) * page.scale()) {
        page.empty("A page of this size has no room for curves", "A larger --size has.");
        return page.finish(inWords());
    }
    const auto all = groups.size();
    while (options.fit && groups.size() > 1 && page.content().height / static_cast<double>(groups.size()) < least)
        groups.pop_back();
    if (groups.size() < all) page = Page(options, words, m_provenance, legend(), caveats(options, all - groups.size()));

    const Box area = page.content();
    double y = area.y;
    for (const auto& group : groups) {
        double height = (area.height - kSectionGap * static_cast<double>(groups.size() - 1)) / static_cast<double>(groups.size());
        if (!options.fit) {
            constexpr double kScreenSection = 420;
            const double panels
                = std::ceil(static_cast<double>(group.members.size()) / std::max(1.0, std::floor(area.width / kPanelWidth)));
            height = m_compares ? std::max(kScreenSection / 2, panels * (kLowestPanel + kPanelHead) + kAxisBelow) : kScreenSection;
        }
        const Box section{area.x, y, area.width, height, 0};
        m_compares ? drawPanels(page, group, section) : drawTogether(page, group, section);
        y += height + kSectionGap;
    }
    return page.finish(inWords(), {area.x + area.width, y - kSectionGap});
}
} // namespace

Kind kind_ecdf()
{
    return {kFacts, rank::kDistributions + 2,
        [](const Store& store) {
            const auto& all = store.program().aggregations;
            const auto quantized = std::count_if(all.begin(), all.end(), [](const auto& a) { return isQuantized(a.function); });
            return quantized > 1
                || std::any_of(all.begin(), all.end(), [](const auto& a) { return isQuantized(a.function) && !a.keys.empty(); });
        },
        [](const Store& store) -> std::unique_ptr<Visual> { return std::make_unique<Ecdf>(store); },
        [](const Store& before, const Store& after) -> std::unique_ptr<Visual> { return std::make_unique<Ecdf>(before, after); }};
}
} // namespace dscope::graph
