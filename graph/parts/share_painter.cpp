#include "graph/parts/share_painter.h"
#include "graph/layouts/axes.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include <algorithm>
#include <array>
#include <cmath>
namespace dscope::graph {
namespace {
constexpr double kMostNines = 5;
constexpr std::array kShares{0.0, 0.25, 0.5, 0.75, 1.0};
constexpr std::array kEndShares{0.0, 0.5, 1.0};
constexpr std::array kTailShares{0.0, 0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999};
constexpr double kRoomForDot = 9, kDot = 5;

/// "99.9 %", with as many digits as it needs.
std::string shareText(double share)
{
    int digits = 0;
    while (digits < 4 && std::abs(share * 100 * std::pow(10.0, digits) - std::round(share * 100 * std::pow(10.0, digits))) > 1e-6)
        ++digits;
    return formatDecimal(share * 100, digits) + " %";
}
} // namespace

SharePlot::SharePlot(Page& page, const DistributionGroup& group, const Box& plot)
    : m_page(page), m_group(group), m_plot(plot), m_axis(group.shape, group.first, group.last)
{
    if (page.options().values != ValueScale::Logarithmic) return;
    // The last value of as many has one part in so many above it at the most.
    double most = 10;
    for (const auto& member : group.members)
        most = std::max(most, member.values.total);
    m_nines = std::min(kMostNines, std::ceil(std::log10(most) - 1e-9));
}

double SharePlot::heightOf(double share) const
{
    if (m_nines <= 0) return m_plot.height * share;
    const double above = std::max(1 - share, std::pow(10.0, -m_nines));
    return m_plot.height * -std::log10(above) / m_nines;
}

std::vector<double> SharePlot::shares() const
{
    if (m_nines <= 0) {
        if (m_plot.height < 7 * 13 * m_page.scale()) return {kEndShares.begin(), kEndShares.end()};
        return {kShares.begin(), kShares.end()};
    }
    std::vector<double> out;
    for (const double share : kTailShares)
        if (share == 0 || -std::log10(1 - share) <= m_nines + 1e-9) out.push_back(share);
    return out;
}

void SharePlot::drawGrid() const
{
    for (const double share : shares()) {
        const double y = m_plot.y + m_plot.height - heightOf(share);
        m_page.path(Role::Grid, {{m_plot.x, y}, {m_plot.x + m_plot.width, y}});
    }
}

void SharePlot::drawShares() const
{
    drawGrid();
    const double k = m_page.scale(), size = 13 * k;
    double last = m_plot.y + m_plot.height + 2 * size;
    for (const double share : shares()) {
        const double y = m_plot.y + m_plot.height - heightOf(share);
        if (last - y < 1.25 * size) continue;
        m_page.text(Role::Axis, {m_plot.x - 10 * k, y + size * 0.36}, shareText(share), {.size = size, .anchor = Anchor::End});
        last = y;
    }
}

void SharePlot::drawValues(std::string_view title, double gap) const
{
    const double k = m_page.scale(), size = 13 * k, base = m_plot.y + m_plot.height;
    const Box& page = m_page.content();
    const SpreadAxis::Overhang most{std::min(m_plot.x - page.x, gap), std::min(page.x + page.width - m_plot.x - m_plot.width, gap)};
    for (const auto& tick : m_axis.ticks(m_group.measure, m_plot.width, size, most)) {
        const double x = m_plot.x + m_plot.width * tick.at;
        m_page.path(Role::Tick, {{x, base}, {x, base + 6}});
        m_page.text(Role::Tick, {x, base + 8 * k + size}, tick.label, {.size = size, .anchor = Anchor::Middle});
    }
    if (!title.empty())
        m_page.text(Role::Axis, {m_plot.x + m_plot.width / 2, base + 18 * k + 2.1 * size}, title,
            {.size = size, .anchor = Anchor::Middle, .maxWidth = m_plot.width});
}

std::vector<Point> SharePlot::pointsOf(const ShareCurve& curve) const
{
    std::vector<Point> out;
    for (const auto& point : curve.points)
        out.push_back({m_plot.x + m_plot.width * m_axis.at(point.value), m_plot.y + m_plot.height - heightOf(point.share)});
    // All values are below what is farther right, none below what is farther left.
    if (!out.empty() && out.front().x > m_plot.x) out.insert(out.begin(), {m_plot.x, m_plot.y + m_plot.height - heightOf(0)});
    if (!out.empty() && out.back().x < m_plot.x + m_plot.width && curve.beyond <= 0) out.push_back({m_plot.x + m_plot.width, out.back().y});
    return out;
}

void SharePlot::draw(const ShareCurve& curve, const Look& look, const std::string& name, const Noun& noun, Dots dots) const
{
    const auto points = pointsOf(curve);
    if (points.size() < 2) return;
    Item& line = m_page.path(look.role, points, look.shade);
    line.level = look.hue;
    line.key = line.tip = printable(name);
    std::get<Path>(line.shape).width = look.width * m_page.lines();
    if (dots == Dots::None || m_plot.width / (m_group.last - m_group.first + 1) < kRoomForDot) return;
    for (const auto& point : curve.points) {
        const double x = m_plot.x + m_plot.width * m_axis.at(point.value), y = m_plot.y + m_plot.height - heightOf(point.share);
        Item& dot = m_page.box(look.role, {x - kDot / 2, y - kDot / 2, kDot, kDot, kDot / 2}, look.shade);
        dot.level = look.hue;
        dot.key = printable(name);
        dot.tip = (name.empty() ? std::string() : printable(name) + "\n")
            + said("%1 of the %2 are below %3", formatShare(point.share, 1), noun.said(), m_group.measure.format(point.value));
        dot.data = {{"below", formatFixed(point.value, 0)}, {"share", formatFixed(point.share, 6)}};
    }
}

void SharePlot::drawBetween(const ShareCurve& before, const ShareCurve& after, double chance) const
{
    const auto was = pointsOf(before), is = pointsOf(after);
    if (was.size() < 2 || is.size() < 2) return;
    std::vector<double> at; // px, all corners of both
    for (const auto* line : {&was, &is})
        for (const auto& point : *line)
            if (point.x >= std::max(was.front().x, is.front().x) && point.x <= std::min(was.back().x, is.back().x)) at.push_back(point.x);
    std::sort(at.begin(), at.end());
    at.erase(std::unique(at.begin(), at.end()), at.end());
    const auto heightAt = [](const std::vector<Point>& line, double x) {
        const auto next = std::lower_bound(line.begin(), line.end(), x, [](const Point& p, double value) { return p.x < value; });
        if (next == line.begin() || next == line.end()) return (next == line.end() ? line.back() : *next).y;
        const auto& from = *std::prev(next);
        return next->x > from.x ? from.y + (next->y - from.y) * (x - from.x) / (next->x - from.x) : next->y;
    };

    std::vector<Point> upper, lower; // of an area: the line before, and the line after
    const auto finish = [&](double to) {
        upper.push_back({to, heightAt(was, to)});
        lower.push_back({to, heightAt(is, to)});
        drawArea(before, after, chance, upper, lower);
        upper.assign(1, upper.back());
        lower.assign(1, lower.back());
    };
    double last = 0; // how far the line after is below the one before, px
    for (std::size_t i = 0; i < at.size(); ++i) {
        const double a = heightAt(was, at[i]), b = heightAt(is, at[i]), far = b - a;
        if (i > 0 && far * last < 0) finish(at[i - 1] + (at[i] - at[i - 1]) * last / (last - far));
        upper.push_back({at[i], a});
        lower.push_back({at[i], b});
        if (i > 0 && far == 0) finish(at[i]);
        last = far;
    }
    if (!at.empty()) finish(at.back());
}

void SharePlot::drawArea(const ShareCurve& before, const ShareCurve& after, double chance, const std::vector<Point>& upper,
    const std::vector<Point>& lower) const
{
    constexpr double kSlack = 0.01; // px
    double left = 0, right = 0, most = 0;
    bool isAny = false, isMore = false;
    for (std::size_t i = 0; i < upper.size(); ++i)
        if (const double far = lower[i].y - upper[i].y; std::abs(far) > std::abs(most)) {
            most = far;
            isMore = far < 0;
        }
    left = upper.front().x - kSlack;
    right = upper.back().x + kSlack;
    if (std::abs(most) < kSlack) return;
    for (const auto* curve : {&before, &after})
        for (const auto& point : curve->points) {
            const double x = m_plot.x + m_plot.width * m_axis.at(point.value);
            if (x < left || x > right) continue;
            const auto apart = farthestApart(before, after, point.value, point.value);
            isAny = isAny || (isMore ? apart.more : apart.less) > chance;
        }
    auto outline = upper;
    outline.insert(outline.end(), lower.rbegin(), lower.rend());
    Item& area = m_page.path(Role::Bar, std::move(outline), isAny ? Shade::Plain : Shade::Unknown);
    std::get<Path>(area.shape).closed = true;
    std::get<Path>(area.shape).width = 0.5;
    if (isAny) area.level = changeLegend(Role::Bar, {})[isMore ? 1 : 0].level;
}
} // namespace dscope::graph
