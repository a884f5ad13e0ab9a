#include "graph/parts/line_names.h"
#include <algorithm>
#include <cmath>
namespace dscope::graph {
namespace {
constexpr double kBehindLine = 0.45;                            // of the text's size, between a name and its line
constexpr double kLowest = 0.04, kHighest = 0.96, kStep = 0.02; // shares of the plot's height where a name may begin

bool cover(const Box& a, const Box& b)
{
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
/// Whether a stretch of a line passes through a box. Source: Liang and Barsky, "A new concept and method for line clipping", 1984.
bool passes(const Point& from, const Point& to, const Box& box)
{
    double enter = 0, leave = 1;
    const auto clip = [&](double step, double room) {
        if (step == 0) return room >= 0;
        const double at = room / step;
        if (step < 0)
            enter = std::max(enter, at);
        else
            leave = std::min(leave, at);
        return enter <= leave;
    };
    const double dx = to.x - from.x, dy = to.y - from.y;
    return clip(-dx, from.x - box.x) && clip(dx, box.x + box.width - from.x) && clip(-dy, from.y - box.y)
        && clip(dy, box.y + box.height - from.y);
}
struct Place {
    Box box;
    double cost = 0;
};
/// Beside a line at several heights: to the right below it, or to the left above it.
std::vector<Place> placesBeside(const NamedLine& line, const Box& plot, double size)
{
    std::vector<Place> out;
    const double width = textWidth(line.name, size), gap = kBehindLine * size;
    for (double share = kLowest; share <= kHighest; share += kStep) {
        const double y = plot.y + plot.height * (1 - share);
        for (std::size_t i = 1; i < line.points.size(); ++i) {
            const auto &a = line.points[i - 1], &b = line.points[i];
            if (a.y < y || b.y > y || a.y == b.y) continue;
            const double x = a.x + (b.x - a.x) * (a.y - y) / (a.y - b.y), cost = std::abs(share - 0.5);
            out.push_back({{x + gap, y, width, size, 0}, cost});
            out.push_back({{x - gap - width, y - size, width, size, 0}, cost + 0.02});
            break;
        }
    }
    std::erase_if(out, [&](const Place& p) {
        return p.box.x < plot.x + 2 || p.box.x + p.box.width > plot.x + plot.width - 2 || p.box.y < plot.y + 2
            || p.box.y + p.box.height > plot.y + plot.height - 2;
    });
    std::stable_sort(out.begin(), out.end(), [](const Place& a, const Place& b) { return a.cost < b.cost; });
    return out;
}
} // namespace

std::vector<std::optional<Point>> placesOfNames(
    const std::vector<NamedLine>& lines, const Box& plot, double size, const std::optional<Box>& taken)
{
    std::vector<std::vector<Place>> places;
    for (const auto& line : lines) {
        auto& own = places.emplace_back(placesBeside(line, plot, size));
        std::erase_if(own, [&](const Place& place) {
            const Box around{place.box.x - 3, place.box.y - 2, place.box.width + 6, place.box.height + 4, 0};
            if (taken && cover(around, *taken)) return true;
            return std::any_of(lines.begin(), lines.end(), [&](const NamedLine& other) {
                for (std::size_t i = 1; i < other.points.size(); ++i)
                    if (passes(other.points[i - 1], other.points[i], around)) return true;
                return false;
            });
        });
    }

    std::vector<std::optional<Point>> out(lines.size());
    std::vector<bool> done(lines.size(), false);
    for (std::size_t round = 0; round < lines.size(); ++round) {
        std::size_t next = lines.size();
        for (std::size_t i = 0; i < lines.size(); ++i)
            if (!done[i] && (next == lines.size() || places[i].size() < places[next].size())) next = i;
        done[next] = true;
        if (places[next].empty()) continue;
        const Box own = places[next].front().box, around{own.x - 6, own.y - 3, own.width + 12, own.height + 6, 0};
        out[next] = Point{own.x, own.y + 0.82 * size};
        for (auto& others : places)
            std::erase_if(others, [&](const Place& place) { return cover(place.box, around); });
    }
    return out;
}
} // namespace dscope::graph
