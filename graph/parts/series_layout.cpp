#include "graph/parts/series_layout.h"
#include "graph/palette.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include <algorithm>
#include <cmath>
namespace dscope::graph {
using Lengths = SeriesLengths;

std::size_t fittingPanels(double height, double scale)
{
    const double room = height - Lengths::kTimeAxis * scale;
    return static_cast<std::size_t>(std::max(1.0, std::floor(room / (Lengths::kLowestPanel * scale))));
}

SeriesSheet seriesSheet(std::span<const AmountsOverTime* const> panels, const Box& content, double k, const LayoutOptions& options)
{
    SeriesSheet sheet;
    const auto count = static_cast<double>(panels.size());
    sheet.height = (content.height - Lengths::kTimeAxis * k - Lengths::kPanelGap * k * (count - 1)) / count;
    if (!options.fit) sheet.height = std::max(sheet.height, Lengths::kLowestPanel * 1.5);
    sheet.most = std::clamp<std::size_t>(
        static_cast<std::size_t>((sheet.height - Lengths::kHead * k) / (Lengths::kText * k * Lengths::kLineGap)), 1, kSeriesHues + 1);
    if (options.top > 0) sheet.most = std::min(sheet.most, options.top + 1); // and one line for all others

    double widest = 40;
    for (const auto* p : panels)
        for (std::size_t i = 0; i < std::min(p->lines.size(), sheet.most); ++i)
            widest = std::max(widest, textWidth(p->lines[i].name(), Lengths::kText * k));
    for (const auto* p : panels)
        if (p->lines.size() > sheet.most)
            widest = std::max(widest,
                textWidth(said("\u2026 %1 more", formatGrouped(static_cast<std::int64_t>(p->lines.size() - sheet.most + 1))),
                    Lengths::kText * k));
    sheet.labels = std::min(widest + 48 * std::max(k, 1.0), content.width * 0.4);
    return sheet;
}

std::optional<LargeRest> withoutLargeRest(std::vector<DrawnLine>& lines)
{
    constexpr double kTooLarge = 4;
    const auto peakOf = [](const DrawnLine& line) {
        double peak = 0;
        for (const auto& value : line.values)
            peak = std::max(peak, value.value_or(0));
        return peak;
    };
    double named = 0;
    auto rest = lines.end();
    for (auto line = lines.begin(); line != lines.end(); ++line)
        if (line->hue < 0)
            rest = line;
        else
            named = std::max(named, peakOf(*line));
    if (rest == lines.end() || named <= 0 || peakOf(*rest) <= kTooLarge * named) return std::nullopt;
    LargeRest out{rest->label, peakOf(*rest)};
    lines.erase(rest);
    return out;
}

std::vector<SeriesLabel> seriesLabels(const std::vector<DrawnLine>& lines, const Box& plot, double step, const ValueAxis& axis)
{
    struct End {
        double y = 0, peak = 0;
        const DrawnLine* line = nullptr;
    };

    std::vector<End> ends;
    for (const auto& line : lines) {
        End end{0, 0, &line};
        for (const auto& value : line.values)
            if (value) {
                end.y = plot.y + plot.height * (1 - axis.at(*value));
                end.peak = std::max(end.peak, *value);
            }
        if (std::any_of(line.values.begin(), line.values.end(), [](const auto& value) { return value.has_value(); })) ends.push_back(end);
    }

    std::stable_sort(ends.begin(), ends.end(), [](const End& a, const End& b) { return a.y < b.y; });
    // Names that would cover one another become a block around the middle of their lines' ends.
    struct Block {
        std::size_t first = 0, count = 0;
        double middle = 0; ///< y
        double height(double line) const { return static_cast<double>(count) * line; }
    };

    std::vector<Block> blocks;
    const double low = plot.y + plot.height, least = plot.y;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        blocks.push_back({i, 1, ends[i].y});
        const auto clamped = [&](const Block& b) {
            return std::clamp(b.middle, least + b.height(step) / 2 - step / 2, std::max(low - b.height(step) / 2 + step / 2, least));
        };
        while (blocks.size() > 1) {
            auto& above = blocks[blocks.size() - 2];
            const auto& last = blocks.back();
            if (clamped(above) + above.height(step) / 2 <= clamped(last) - last.height(step) / 2) break;
            const auto all = static_cast<double>(above.count + last.count);
            above.middle = (above.middle * static_cast<double>(above.count) + last.middle * static_cast<double>(last.count)) / all;
            above.count += last.count;
            blocks.pop_back();
        }
        for (auto& block : blocks)
            block.middle = clamped(block);
    }

    std::vector<double> at;
    for (const auto& block : blocks) {
        // Ends within a line of one another are in no order that the eye could see: the highest peak stands first.
        for (std::size_t i = block.first; i < block.first + block.count;) {
            auto end = i + 1;
            while (end < block.first + block.count && ends[end].y - ends[i].y < step / 2)
                ++end;
            std::stable_sort(ends.begin() + static_cast<std::ptrdiff_t>(i), ends.begin() + static_cast<std::ptrdiff_t>(end),
                [](const End& a, const End& b) { return a.peak > b.peak; });
            i = end;
        }
        for (std::size_t i = 0; i < block.count; ++i)
            at.push_back(block.middle + (static_cast<double>(i) - (static_cast<double>(block.count) - 1) / 2) * step);
    }

    std::vector<SeriesLabel> out;
    for (std::size_t i = 0; i < ends.size(); ++i)
        out.push_back({ends[i].line, ends[i].y, at[i]});
    return out;
}

std::vector<SeriesPeak> seriesPeaks(
    const AmountsOverTime& panel, const std::vector<DrawnLine>& lines, const TimeScale& time, const ValueAxis& axis, double size)
{
    constexpr double kFarBelow = 3; // of the text's size
    const double gap = 0.35 * size;
    const auto& plot = time.plot;
    std::vector<SeriesPeak> out;
    const auto y = [&](double value) { return plot.y + plot.height * (1 - axis.at(value)); };
    const auto isDrawn = [&](const std::optional<double>& value) { return value && (!axis.isLogarithmic() || *value > 0); };
    std::vector<Box> taken;
    const auto isFree = [&](const Box& box) {
        const auto covers = [&](double left, double right, double top, double bottom) {
            return left < box.x + box.width && right > box.x && top < box.y + box.height && bottom > box.y;
        };
        if (std::any_of(taken.begin(), taken.end(), [&](const Box& t) { return covers(t.x, t.x + t.width, t.y, t.y + t.height); }))
            return false;
        for (const auto& line : lines)
            for (std::size_t i = 0; i < line.values.size(); ++i) {
                if (!isDrawn(line.values[i])) continue;
                const double at = y(*line.values[i]), left = time.x(panel.intervals[i].from), right = time.x(panel.intervals[i].to);
                if (covers(left, right, at - 2, at + 2)) return false;
                if (i == 0 || !isDrawn(line.values[i - 1])) continue;
                const double before = y(*line.values[i - 1]);
                if (covers(left - 1, left + 1, std::min(at, before), std::max(at, before))) return false;
            }
        return true;
    };

    for (const auto& line : lines) {
        std::optional<std::size_t> peak, last;
        for (std::size_t i = 0; i < line.values.size(); ++i) {
            if (!isDrawn(line.values[i])) continue;
            if (!peak || *line.values[i] > *line.values[*peak]) peak = i;
            last = i;
        }
        if (!peak || y(*line.values[*last]) - y(*line.values[*peak]) < kFarBelow * size) continue;
        const double width = textWidth(line.label, size), top = y(*line.values[*peak]) - gap - size,
                     middle = (time.x(panel.intervals[*peak].from) + time.x(panel.intervals[*peak].to)) / 2,
                     left = std::clamp(middle - width / 2, plot.x + 2, std::max(plot.x + plot.width - width - 2, plot.x + 2));
        const Box box{left, top, width, size, 0};
        if (width > plot.width / 2 || top < plot.y - size || !isFree(box)) continue;
        out.push_back({&line, box});
        taken.push_back(box);
    }
    return out;
}
} // namespace dscope::graph
