#include "graph/parts/beside.h"
#include "graph/tongue.h"
#include <algorithm>
#include <utility>
namespace dscope::graph {
namespace {
constexpr double kGap = 28, kHead = 30;                             // px at scale 1
constexpr double kRoomEach = 400;                                   // px at scale 1: narrower figures lie one above the other
constexpr double kLeastWidth = 200, kLeastHeight = 150;             // px: no page is smaller
constexpr std::array<std::string_view, 2> kRuns{"before", "after"}; // of the table
constexpr std::array kSidesSaid{toSay("before: %1"), toSay("after: %1")};

class Beside final : public Visual {
public:
    Beside(std::unique_ptr<Visual> before, std::unique_ptr<Visual> after, std::function<BesideWords()> words, Provenance provenance)
        : m_sides{std::move(before), std::move(after)}, m_words(std::move(words)), m_provenance(std::move(provenance))
    {
    }

    const ViewFacts& facts() const override { return m_sides[1]->facts(); }
    std::string title() const override { return m_words().title; }
    bool empty() const override { return m_sides[0]->empty() && m_sides[1]->empty(); }
    bool isSlight() const override { return m_sides[0]->isSlight() && m_sides[1]->isSlight(); }

    Extents extents() const override
    {
        auto both = m_sides[0]->extents();
        both.add(m_sides[1]->extents());
        return both;
    }

    Table table() const override
    {
        Table out;
        for (std::size_t side = 0; side < m_sides.size(); ++side) {
            auto own = m_sides[side]->table();
            std::vector<std::size_t> places; // of its columns among those of both
            if (out.columns.empty()) out.columns.push_back(Column::text("run"));
            for (auto& column : own.columns) {
                const auto known
                    = std::find_if(out.columns.begin() + 1, out.columns.end(), [&](const Column& c) { return c.title == column.title; });
                places.push_back(static_cast<std::size_t>(known - out.columns.begin()));
                if (known == out.columns.end()) out.columns.push_back(std::move(column));
            }
            for (auto& row : own.rows) {
                auto& wide = out.rows.emplace_back(out.columns.size());
                wide.front() = kRuns[side];
                for (std::size_t i = 0; i < row.size(); ++i)
                    wide[places[i]] = std::move(row[i]);
            }
        }
        for (auto& row : out.rows)
            row.resize(out.columns.size());
        return out;
    }

    Figure figure(const LayoutOptions& options) const override;

private:
    std::array<std::unique_ptr<Visual>, 2> m_sides;
    std::function<BesideWords()> m_words;
    Provenance m_provenance;
};

void moveBy(Item& item, double x, double y)
{
    if (auto* box = std::get_if<Box>(&item.shape)) {
        box->x += x;
        box->y += y;
    } else if (auto* path = std::get_if<Path>(&item.shape)) {
        for (auto& point : path->points)
            point = {point.x + x, point.y + y};
    } else if (auto* text = std::get_if<Text>(&item.shape)) {
        text->at = {text->at.x + x, text->at.y + y};
    }
}

Figure Beside::figure(const LayoutOptions& options) const
{
    auto own = options;
    own.heading = Heading::Apart;
    own.text = smallestText(options);
    own.marks.clear(); // they are drawn on the whole
    own.highlight.reset();
    if (own.order == Order::Own && facts().heeds.order) own.order = Order::Name; // the same keys beside each other
    auto common = std::make_shared<Extents>(extents());
    if (options.extents) common->add(*options.extents);
    own.extents = std::move(common);

    // What has to be known of either run is known before there is room for it; what the page says by itself stands there already.
    const auto itself = Page(options, {}, {}, m_provenance).finish({}).words.known;
    Caveats caveats;
    for (std::size_t side = 0; side < m_sides.size(); ++side)
        for (const auto& line : m_sides[side]->figure(own).words.known)
            if (side == 0 ? std::find(options.said.begin(), options.said.end(), line) == options.said.end()
                          : std::find(itself.begin(), itself.end(), line) == itself.end())
                caveats.push_back(said(kSidesSaid[side], line));
    own.said.clear();

    const auto both = m_words();
    Page page(options, both.title, both.subtitle, m_provenance, {}, caveats);
    const Box area = page.content();
    const double k = page.scale(), size = 14 * k;
    const bool isBeside = area.width >= (2 * kRoomEach + kGap) * k;
    own.width = isBeside ? (area.width - kGap * k) / 2 : area.width;
    own.height = isBeside ? area.height - kHead * k : (area.height - kGap * k) / 2 - kHead * k;
    if (options.fit && (own.width < kLeastWidth || own.height < kLeastHeight)) {
        page.empty(said("A page of this size has no room for two runs"), said("A larger --size has."));
        return page.finish(both.title);
    }
    own.width = std::max(own.width, kLeastWidth);
    own.height = std::max(own.height, kLeastHeight);

    std::string words;
    std::vector<Item> drawn;
    std::vector<TimePlot> times;
    std::uint32_t firstRow = 0;
    Point used{area.x, area.y}, at{area.x, area.y};
    for (std::size_t side = 0; side < m_sides.size(); ++side) {
        const auto& visual = *m_sides[side];
        auto figure = visual.figure(own);
        page.text(Role::Label, {at.x, at.y + size}, said(kSidesSaid[side], both.sides[side]),
            {.size = size, .bold = true, .maxWidth = own.width});
        const double down = at.y + kHead * k;
        for (std::size_t i = 1; i < figure.items.size(); ++i) { // without its ground
            auto& item = drawn.emplace_back(std::move(figure.items[i]));
            moveBy(item, at.x, down);
            if (item.row) item.row = Row{item.row->value + firstRow};
        }
        for (auto& plot : figure.times) {
            plot.area.x += at.x;
            plot.area.y += down;
            times.push_back(plot);
        }
        firstRow += static_cast<std::uint32_t>(visual.table().rows.size());
        words += (words.empty() ? "" : " ") + said(kSidesSaid[side], figure.description);
        used = {std::max(used.x, at.x + figure.width), std::max(used.y, down + figure.height)};
        if (isBeside)
            at.x += own.width + kGap * k;
        else
            at.y = down + figure.height + kGap * k;
    }

    for (const auto& plot : times)
        page.timePlot(plot);
    for (auto& item : drawn)
        page.put(std::move(item));
    return page.finish(words, used);
}
} // namespace

std::unique_ptr<Visual> beside(
    std::unique_ptr<Visual> before, std::unique_ptr<Visual> after, std::function<BesideWords()> words, Provenance provenance)
{
    return std::make_unique<Beside>(std::move(before), std::move(after), std::move(words), std::move(provenance));
}
} // namespace dscope::graph
