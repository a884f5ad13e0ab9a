#include "engine/text/drawn_stacks.h"
#include "engine/text/stack_counts.h"
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
namespace dscope::text {
namespace {
constexpr double kRounding = 0.11; // positions are written with one decimal

struct Frame {
    std::string name, noun;
    std::int64_t value = 0, callees = 0;
    double x = 0, y = 0, width = 0;
    std::size_t caller = 0;
};
std::string unescaped(std::string_view text)
{
    static const std::map<std::string_view, char> kEntities{{"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto end = text[at] == '&' ? text.find(';', at) : text.npos;
        const auto entity = end == text.npos ? kEntities.end() : kEntities.find(text.substr(at + 1, end - at - 1));
        out += entity == kEntities.end() ? text[at] : entity->second;
        if (entity != kEntities.end()) at = end;
    }
    return out;
}
double attribute(std::string_view tag, std::string_view name)
{
    const auto at = tag.find(' ' + std::string(name) + "=\"");
    double value = NAN;
    if (at != tag.npos) std::from_chars(tag.data() + at + name.size() + 3, tag.data() + tag.size(), value);
    return value;
}
/// "name (1,234 samples, 5.67%)", taken apart.
bool readTitle(std::string_view title, Frame& frame)
{
    const auto open = title.rfind(" (");
    if (open == title.npos || !title.ends_with("%)")) return false;
    const auto inside = title.substr(open + 2);
    std::size_t at = 0;
    for (; at < inside.size() && (std::isdigit(static_cast<unsigned char>(inside[at])) || inside[at] == ','); ++at) {
        if (inside[at] == ',') continue;
        if (frame.value > (INT64_MAX - 9) / 10) return false;
        frame.value = frame.value * 10 + (inside[at] - '0');
    }
    const auto end = inside.find(", ", at);
    if (at == 0 || at >= inside.size() || inside[at] != ' ' || end == inside.npos) return false;
    frame.noun = inside.substr(at + 1, end - at - 1);
    frame.name = unescaped(title.substr(0, open));
    return true;
}
std::vector<Frame> framesOf(std::string_view svg)
{
    constexpr std::string_view kTitle = "<title>", kRect = "<rect";
    std::vector<Frame> frames;
    for (std::size_t at = 0; (at = svg.find(kTitle, at)) != svg.npos;) {
        at += kTitle.size();
        const auto end = svg.find('<', at), rect = svg.find(kRect, at), close = svg.find('>', rect == svg.npos ? at : rect);
        if (end == svg.npos || rect == svg.npos || close == svg.npos) break;
        Frame frame;
        const auto tag = svg.substr(rect, close - rect);
        frame.x = attribute(tag, "x");
        frame.y = attribute(tag, "y");
        frame.width = attribute(tag, "width");
        if (std::isfinite(frame.x) && std::isfinite(frame.y) && std::isfinite(frame.width) && readTitle(svg.substr(at, end - at), frame))
            frames.push_back(std::move(frame));
    }
    return frames;
}
} // namespace

std::optional<record::CountedStacks> drawnStacks(std::string_view svg)
{
    auto frames = framesOf(svg);
    if (frames.empty()) return std::nullopt;
    const auto [top, bottom] = std::minmax_element(frames.begin(), frames.end(), [](const Frame& a, const Frame& b) { return a.y < b.y; });
    // The root is the lowest, or in a graph that hangs the highest: the row of one frame that is as wide as any.
    double widest = 0;
    for (const auto& f : frames)
        widest = std::max(widest, f.width);
    const bool hangs = bottom->width < widest - kRounding;
    const double ground = hangs ? top->y : bottom->y;
    std::stable_sort(frames.begin(), frames.end(), [&](const Frame& a, const Frame& b) {
        const double up = std::abs(a.y - ground), other = std::abs(b.y - ground);
        return up != other ? up < other : a.x < b.x;
    });

    // Row by row: the caller of a frame is the one below it, the last that begins before it does.
    std::size_t below = 0, row = 0;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        if (frames[i].y != frames[row].y) {
            below = row;
            row = i;
        }
        if (row == 0) continue;
        while (below + 1 < row && frames[below + 1].x <= frames[i].x + kRounding)
            ++below;
        frames[i].caller = below;
        frames[below].callees += frames[i].value;
    }

    StackCounts counts;
    std::vector<std::uint32_t> numbers(frames.size());
    std::vector<std::uint32_t> path; // from the leaf
    for (std::size_t i = 0; i < frames.size(); ++i) {
        numbers[i] = counts.numberOf({frames[i].name});
        const auto own = frames[i].value - frames[i].callees;
        if (own <= 0) continue;
        path.clear();
        for (auto at = i; frames[at].y != ground; at = frames[at].caller)
            path.push_back(numbers[at]);
        if (path.empty()) continue;
        for (auto number = path.rbegin(); number != path.rend(); ++number)
            counts.frame(*number);
        counts.add(own);
    }
    return counts.take(frames.front().noun);
}
} // namespace dscope::text
