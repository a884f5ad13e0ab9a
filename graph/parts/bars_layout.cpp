#include "graph/parts/bars_layout.h"
#include "graph/shared_folders.h"
#include "graph/text.h"
#include <algorithm>
#include <cmath>
#include <numeric>
namespace dscope::graph {
namespace {
constexpr double kNames = 0.34, kShortNames = 0.44; // of the width: names; at most, where that has them whole
constexpr double kFewestBars = 3;                   // of a section, where there are several: two bars and what is left out

constexpr double kTallerRow = 2, kLargerText = 1.25, kOfPage = 0.85; // of a page with few bars, and how much of it they take

double headsOf(std::size_t sections, double k)
{
    return sections > 1 ? static_cast<double>(sections) * (BarLengths::kHead + BarLengths::kGap) * k : 0;
}

double widestOf(std::span<const std::string> names, double size)
{
    double widest = 0;
    for (const auto& name : names)
        widest = std::max(widest, textWidth(name, size));
    return widest;
}

/// What stands beside the bars; in less than `room` px paths are without the folders that all of their column share.
std::vector<std::string> namesOfBars(const Ranking& ranking, std::span<const std::size_t> lines, double size, double room)
{
    std::vector<std::string> out;
    for (const auto i : lines)
        out.push_back(printable(Ranking::label(ranking.lines[i])));
    if (widestOf(out, size) <= room) return out;
    std::vector<Ranking::Line> shorter;
    for (const auto i : lines)
        shorter.push_back(ranking.lines[i]);
    for (std::size_t c = 0; c < ranking.shape.keys.size(); ++c) {
        std::vector<std::string> column;
        for (const auto& line : shorter)
            column.push_back(c < line.keys.size() ? line.keys[c] : std::string());
        column = withoutSharedFolders(std::move(column));
        for (std::size_t i = 0; i < shorter.size(); ++i)
            if (c < shorter[i].keys.size()) shorter[i].keys[c] = column[i];
    }
    for (std::size_t i = 0; i < shorter.size(); ++i)
        out[i] = printable(Ranking::label(shorter[i]));
    return out;
}

double widestBarValue(const BarsData& data, const BarSection& section, double size)
{
    double widest = 0;
    for (const auto i : section.lines)
        widest = std::max(widest, textWidth(data.wordsOf(section.which, data.rankings()[section.which].lines[i]), size));
    return widest;
}

ValueRange barRange(const BarsData& data, const BarSection& section, const LayoutOptions& options)
{
    const Ranking& ranking = data.rankings()[section.which];
    ValueRange range;
    for (const auto i : section.lines) {
        range.add(ranking.lines[i].value);
        range.add(ranking.lines[i].before);
        if (const auto spread = data.spreadOf(section.which, ranking.lines[i])) {
            // On a logarithmic scale what is not above 0 lies at the low end.
            const double least = lowEndOfSpread(ranking, ranking.lines[i], *spread);
            const bool isCut = options.values == ValueScale::Logarithmic && ranking.lines[i].value >= 0;
            range.add(isCut ? std::max(least, 0.0) : least);
            range.add(ranking.lines[i].value + *spread);
        }
    }

    range.add(options, ranking.shape.name);
    return range;
}

/// px, between the keys' column and the numbers.
double roomForBars(const BarsData& data, const BarSection& section, double size)
{
    return std::max(section.area.width - section.labels - 14 - widestBarValue(data, section, size) - 14, 20.0);
}

/// Of `rows` as many as each wants, or as any other has that lacks some; two at least, a bar and what is left out.
std::vector<std::size_t> sharedEvenly(const std::vector<std::size_t>& wanted, std::size_t rows)
{
    std::vector<std::size_t> given(wanted.size(), 0);
    std::size_t left = rows;
    const auto isShort = [&](std::size_t i) { return given[i] < wanted[i]; };
    for (bool some = true; some;) {
        some = false;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            if (!isShort(i) || (left == 0 && given[i] >= 2)) continue;
            ++given[i];
            left -= std::min<std::size_t>(left, 1);
            some = true;
        }
    }
    return given;
}

std::size_t barsAtMost(const Ranking& ranking, const LayoutOptions& options)
{
    return options.top > 0 ? std::min(ranking.lines.size(), options.top) : ranking.lines.size();
}
} // namespace

double barTextSize(double row, double scale)
{
    const double usual = std::clamp(row * 0.5, 12 * scale, 16 * scale), tallest = BarLengths::kTallestRow * scale;
    return row > tallest ? usual * std::min(std::cbrt(row / tallest), kLargerText) : usual;
}

std::size_t fittingSections(std::size_t sections, double height, double k, const LayoutOptions& options)
{
    const double least = BarLengths::kLowestRow * k;
    while (options.fit && sections > 1 && height - headsOf(sections, k) < kFewestBars * least * static_cast<double>(sections))
        --sections;
    return sections;
}

BarSheet barSheet(const BarsData& data, std::span<const std::size_t> which, const Box& content, double k, const LayoutOptions& options)
{
    BarSheet sheet;
    sheet.hasHeads = which.size() > 1;
    const double least = BarLengths::kLowestRow * k, tallest = options.forScreen ? 28.0 : BarLengths::kTallestRow * k;
    std::vector<std::size_t> wanted;
    for (const auto i : which) { // what is left out has a line, too
        const auto& r = data.rankings()[i];
        wanted.push_back(barsAtMost(r, options) + (barsAtMost(r, options) < r.lines.size() ? 1 : 0));
    }
    const auto lines = static_cast<double>(std::accumulate(wanted.begin(), wanted.end(), std::size_t{0}));

    const double smallest = 12 * k,
                 scales = options.values == ValueScale::Logarithmic ? static_cast<double>(which.size()) * BarLengths::kScale * smallest : 0;
    const double heads = headsOf(which.size(), k) + scales;
    double row = std::clamp(std::floor((content.height - heads) / std::max(lines, 1.0)), least, tallest);
    const auto widestName = [&](double size) {
        double widest = 0;
        for (const auto i : which)
            for (const auto& line : data.rankings()[i].lines)
                widest = std::max(widest, textWidth(printable(Ranking::label(line)), size));
        return widest;
    };
    // A few bars have more of a page than they need at the least, as far as their names stay whole.
    const double larger = std::floor(std::min(kOfPage * (content.height - heads) / std::max(lines, 1.0), kTallerRow * tallest));
    if (options.fit && !options.forScreen && larger > row && widestName(barTextSize(larger, k)) <= content.width * kNames) row = larger;
    const auto fitting = options.fit ? std::max(1.0, std::floor((content.height - heads) / row)) : lines;
    const auto given = sharedEvenly(wanted, static_cast<std::size_t>(fitting));
    double labels = 0;
    for (std::size_t n = 0; n < which.size(); ++n) {
        const auto i = which[n];
        const auto& r = data.rankings()[i];
        const std::size_t count = given[n] < wanted[n] ? given[n] - 1 : barsAtMost(r, options);

        BarSection section{i, 0, {}, row, 0, ordered(r, options.order == Order::Name ? Order::Own : options.order)};
        section.lines.resize(count);
        if (options.order == Order::Name) // of the largest, which are shown in any order
            std::stable_sort(section.lines.begin(), section.lines.end(),
                [&](std::size_t a, std::size_t b) { return isBeforeByName(r.lines[a].keys, r.lines[b].keys); });
        const double size = barTextSize(row, k), most = content.width * kNames;
        section.names = namesOfBars(r, section.lines, size, most);
        const double widest = widestOf(section.names, size);
        labels = std::max(labels, widest <= content.width * kShortNames ? widest : most);
        sheet.sections.push_back(std::move(section));
    }

    double y = content.y;
    for (auto& section : sheet.sections) {
        const auto count = section.lines.size();
        section.head = y;
        if (sheet.hasHeads) y += BarLengths::kHead * k;
        section.area = {content.x, y, content.width, 0, 0};
        section.labels = labels;
        y += scales / static_cast<double>(sheet.sections.size());
        y += row * static_cast<double>(count + (count < data.rankings()[section.which].lines.size() ? 1 : 0))
            + (sheet.hasHeads ? BarLengths::kGap * k : 0);
    }
    sheet.bottom = y;
    return sheet;
}

BarScale::BarScale(const BarsData& data, const BarSection& section, double k, const LayoutOptions& options)
    : m_range(barRange(data, section, options)), m_left(section.area.x + section.labels + 14),
      m_room(roomForBars(data, section, barTextSize(section.row, k))),
      m_zero(m_left + (m_range.high > m_range.low ? m_room * -m_range.low / (m_range.high - m_range.low) : 0)),
      m_axis(m_range, hasNegative() ? ValueScale::Linear : options.values,
          std::max(2, static_cast<int>(m_room / (6 * barTextSize(section.row, k)))), data.rankings()[section.which].measure)
{
}

double BarScale::at(double value) const
{
    return isLogarithmic() ? m_left + m_room * m_axis.at(value) : m_zero + m_room * value / std::max(m_range.high - m_range.low, 1e-300);
}

std::pair<double, double> BarScale::span(double value) const
{
    if (value == 0) return {m_zero, 0}; // nothing is no bar
    if (isLogarithmic()) return {m_left, std::max(m_room * m_axis.at(value), 2.0)};
    const double length = std::max(m_room * std::abs(value) / (m_range.high - m_range.low), 1.0);
    return {value < 0 ? m_zero - length : m_zero, length};
}
} // namespace dscope::graph
