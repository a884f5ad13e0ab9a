#include "graph/annotated.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include "graph/units.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
namespace dscope::graph {
namespace {
constexpr double kNoteWidth = 17, kPad = 0.55, kLine = 1.35; // of the text's size
constexpr std::size_t kMostLines = 4, kNamesTold = 5;

/// What an item is called: its frame, its key or, of a table, its text.
std::string_view nameOf(const Figure& figure, const Item& item)
{
    if (item.node) return figure.tree[item.node->value].name;
    if (item.role == Role::Frame) return {}; // the text on a frame, which has a name itself
    if (!item.key.empty()) return item.key;
    const auto* text = std::get_if<Text>(&item.shape);
    return text && item.row ? std::string_view(text->text) : std::string_view();
}
bool isMark(const Item& item)
{
    switch (item.role) {
    case Role::Frame:
    case Role::Bar:
    case Role::Cell:
    case Role::Node:
    case Role::Series: return true;
    case Role::Label: return item.row.has_value();
    default: return false;
    }
}
Box boxOf(const Item& item)
{
    if (const auto* box = std::get_if<Box>(&item.shape)) return *box;
    if (const auto* text = std::get_if<Text>(&item.shape)) {
        const double left = text->anchor == Anchor::Start ? text->at.x
            : text->anchor == Anchor::End                 ? text->at.x - text->width
                                                          : text->at.x - text->width / 2;
        return {left, text->at.y - text->size * 0.8, text->width, text->size * 1.05, 0};
    }
    const auto& points = std::get<Path>(item.shape).points;
    if (points.empty()) return {};
    const auto [left, right] = std::minmax_element(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.x < b.x; });
    const auto [top, bottom] = std::minmax_element(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.y < b.y; });
    return {left->x, top->y, right->x - left->x, bottom->y - top->y, 0};
}
double overlap(const Box& a, const Box& b)
{
    const double width = std::min(a.x + a.width, b.x + b.width) - std::max(a.x, b.x),
                 height = std::min(a.y + a.height, b.y + b.height) - std::max(a.y, b.y);
    return width > 0 && height > 0 ? width * height : 0;
}
/// "mix" names "hot`mix", too.
bool isNamed(std::string_view name, std::string_view asked)
{
    return name == asked || (name.size() > asked.size() && name.ends_with(asked) && name[name.size() - asked.size() - 1] == '`');
}
/// The largest item of that name.
const Item* largestOf(const Figure& figure, std::string_view name)
{
    const Item* best = nullptr;
    double most = -1;
    for (const auto& item : figure.items) {
        if (!isMark(item) || !isNamed(nameOf(figure, item), name)) continue;
        const auto box = boxOf(item);
        const double area = std::max(box.width, 1.0) * std::max(box.height, 1.0);
        if (area <= most) continue;
        most = area;
        best = &item;
    }
    return best;
}
/// The point of `box` that is nearest to `from`.
Point nearest(const Box& box, const Point& from)
{
    return {std::clamp(from.x, box.x, box.x + box.width), std::clamp(from.y, box.y, box.y + box.height)};
}

class Annotator {
public:
    Annotator(Figure& figure, double size) : m_figure(figure), m_size(size)
    {
        for (const auto& item : figure.items)
            if (std::holds_alternative<Text>(item.shape))
                m_taken.push_back(boxOf(item));
            else if (isMark(item) && std::holds_alternative<Box>(item.shape))
                m_marks.push_back(boxOf(item));
    }

    void outline(const NamePattern& pattern)
    {
        std::vector<Item> added;
        for (const auto& item : m_figure.items) {
            if (!isMark(item) || !pattern.matches(nameOf(m_figure, item)) || nameOf(m_figure, item).empty()) continue;
            Item mark;
            mark.role = Role::Marker;
            if (const auto* path = std::get_if<Path>(&item.shape)) {
                auto wide = *path;
                wide.width = m_size / 3;
                mark.shape = wide;
            } else {
                auto box = boxOf(item);
                if (std::holds_alternative<Text>(item.shape)) box = {box.x - 3, box.y - 2, box.width + 6, box.height + 4, 0};
                box.radius = 2;
                mark.shape = box;
            }
            added.push_back(std::move(mark));
        }
        m_figure.items.insert(m_figure.items.end(), added.begin(), added.end());
    }

    void note(const Mark& mark)
    {
        const auto* item = largestOf(m_figure, mark.name);
        if (!item) return;
        const Box target = targetOf(*item);
        const auto lines = balanced(printable(mark.note), kNoteWidth * m_size, m_size, kMostLines);
        if (lines.empty()) return;
        double width = 0;
        for (const auto& line : lines)
            width = std::max(width, textWidth(line, m_size));
        const Box size{0, 0, width + 2 * kPad * m_size, (kLine * static_cast<double>(lines.size()) + kPad) * m_size, 3};
        const Box place = placeOf(target, size);
        const Point middle{place.x + place.width / 2, place.y + place.height / 2};

        // From the part of the target that is in view, to the note.
        const Point end = nearest({target.x + target.width * 0.1, target.y, target.width * 0.8, target.height, 0}, middle);
        const Point begin = nearest(place, end);
        addShape(Role::Marker, target);
        addShape(Role::Marker, Path{.points = {begin, end}, .width = 1.5});
        addShape(Role::Ground, place);
        addShape(Role::Marker, place);
        for (std::size_t i = 0; i < lines.size(); ++i) {
            Text text;
            text.at = {place.x + kPad * m_size, place.y + (kPad / 2 + kLine * (static_cast<double>(i) + 0.76)) * m_size};
            text.text = lines[i];
            text.size = m_size;
            text.width = textWidth(lines[i], m_size);
            addShape(Role::Label, text);
        }
        m_taken.push_back(place);
        m_notes.push_back(place);
    }

private:
    void addShape(Role role, std::variant<Box, Path, Text> shape)
    {
        Item item;
        item.role = role;
        item.shape = std::move(shape);
        m_figure.items.push_back(std::move(item));
    }

    /// What a note points to: a mark, but of a line, whose box is as large as its plot, its highest point.
    Box targetOf(const Item& item) const
    {
        const auto* path = std::get_if<Path>(&item.shape);
        if (!path || path->points.empty()) return boxOf(item);
        const auto top
            = *std::min_element(path->points.begin(), path->points.end(), [](const Point& a, const Point& b) { return a.y < b.y; });
        const double size = 0.7 * m_size;
        return {top.x - size / 2, top.y - size / 2, size, size, size / 2};
    }

    /// Near the target, on as little text and as few marks as may be, and on no other note.
    Box placeOf(const Box& target, Box size) const
    {
        const double margin = 8;
        Box best = size;
        double least = -1;
        const double right = std::max(m_figure.width - size.width - margin, margin),
                     bottom = std::max(m_figure.height - size.height - margin, margin);
        const Point middle{target.x + target.width / 2, target.y + target.height / 2};
        for (double far = 1.5; far <= 24; far += 1.5)
            for (int direction = 0; direction < 16; ++direction) {
                const double angle = M_PI * direction / 8, gap = far * m_size;
                Box place = size;
                place.x = std::clamp(
                    middle.x + std::cos(angle) * (std::min(target.width, 12 * m_size) / 2 + size.width / 2 + gap) - size.width / 2, margin,
                    right);
                place.y = std::clamp(
                    middle.y + std::sin(angle) * (target.height / 2 + size.height / 2 + gap) - size.height / 2, margin, bottom);
                double cost = far * m_size * m_size + 4 * overlap(place, target);
                for (const auto& taken : m_taken)
                    cost += 6 * overlap(place, taken);
                for (const auto& mark : m_marks)
                    cost += 3 * overlap(place, mark);
                for (const auto& note : m_notes)
                    cost += 100 * overlap(place, note);
                if (least >= 0 && cost >= least) continue;
                least = cost;
                best = place;
            }
        return best;
    }

    Figure& m_figure;
    double m_size;
    std::vector<Box> m_taken, m_marks, m_notes;
};
bool annotates(const LayoutOptions& options) { return options.highlight || !options.marks.empty(); }
std::string outlined(const Visual& visual, const LayoutOptions& options)
{
    const auto& pattern = *options.highlight;
    const auto share = visual.share([&](std::string_view name) { return pattern.matches(name); }, options.focus);
    const auto text = printable(pattern.text());
    return share ? said("outlined: %1, %2", text, share->text(formatShare(share->value, 1))) : said("outlined: %1", text);
}
} // namespace

void Extents::add(const Extents& other)
{
    for (const auto& [name, range] : other.values)
        values.try_emplace(name, range).first->second.add(range);
    for (const auto& [name, range] : other.buckets) {
        auto& own = buckets.try_emplace(name, range).first->second;
        own = {std::min(own.first, range.first), std::max(own.last, range.last)};
    }
    time = std::max(time, other.time);
}
Figure annotatedFigure(const Visual& visual, const LayoutOptions& options)
{
    auto layout = options;
    if (layout.highlight) layout.said.push_back(outlined(visual, layout));
    auto figure = visual.figure(layout);
    if (options.ground == Ground::Transparent && !figure.items.empty() && figure.items.front().role == Role::Ground)
        figure.items.front().shade = Shade::Clear;
    if (!annotates(options)) return figure;
    Annotator annotator(figure, smallestText(options));
    if (options.highlight) annotator.outline(*options.highlight);
    for (const auto& mark : options.marks)
        annotator.note(mark);
    return figure;
}

Result<> checkNames(const Visual& visual, const LayoutOptions& options)
{
    if (!annotates(options)) return {};
    const auto figure = visual.figure(options);
    std::map<std::string_view, double> sizes;
    for (const auto& item : figure.items)
        if (const auto name = nameOf(figure, item); isMark(item) && !name.empty()) {
            const auto box = boxOf(item);
            sizes[name] = std::max(sizes[name], std::max(box.width, 1.0) * std::max(box.height, 1.0));
        }
    std::vector<std::pair<double, std::string_view>> largest;
    for (const auto& [name, size] : sizes)
        largest.emplace_back(-size, name);
    std::sort(largest.begin(), largest.end());
    std::string names;
    for (std::size_t i = 0; i < std::min(largest.size(), kNamesTold); ++i)
        names += (i == 0 ? "" : ", ") + printable(largest[i].second);
    const auto nothing = [&](std::string_view option, std::string_view asked) {
        return Error{0,
            std::string(option) + ": nothing that " + std::string(visual.name()) + " draws is called \"" + std::string(asked) + "\""
                + (names.empty() ? "" : "; what it draws is called " + names + (largest.size() > kNamesTold ? ", \u2026" : ""))};
    };

    if (const auto& pattern = options.highlight;
        pattern && std::none_of(sizes.begin(), sizes.end(), [&](const auto& named) { return pattern->matches(named.first); }))
        return nothing("--highlight", pattern->text());
    for (const auto& mark : options.marks)
        if (!mark.isKept && !largestOf(figure, mark.name)) return nothing("--mark", mark.name);
    return {};
}

std::vector<std::string> unplacedNotes(const Visual& visual, const LayoutOptions& options)
{
    std::vector<std::string> out;
    if (std::none_of(options.marks.begin(), options.marks.end(), [](const Mark& mark) { return mark.isKept; })) return out;
    const auto figure = visual.figure(options);
    for (const auto& mark : options.marks)
        if (mark.isKept && !largestOf(figure, mark.name)) out.push_back(mark.name);
    return out;
}
} // namespace dscope::graph
