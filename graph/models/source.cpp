#include "engine/record/folded.h"
#include "graph/headline.h"
#include "graph/page.h"
#include "graph/parts/code_head.h"
#include "graph/stacks.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include "graph/units.h"
#include <algorithm>
#include <cmath>
#include <map>
namespace dscope::graph {
namespace {
constexpr ViewFacts kFacts{.name = "source",
    .tab = "Source",
    .summary = "a function's source with the share of each line (-x ustacklines)",
    .hasFocus = true,
    .isText = true,
    .heeds = {.amounts = Heeds::Amounts::Stacks}};
constexpr std::uint32_t kAround = 3;       ///< lines before and behind those that have a share
constexpr double kRow = 1.6, kBeside = 14; ///< of the text: a row, and numbers, shares and gaps beside the code
constexpr double kBars = 0.09;             ///< of the width
constexpr double kMostBars = 0.5;          ///< where lines leave the room

struct Share {
    std::int64_t self = 0, total = 0; ///< of stacks that end in the line, and that have it at all
};
/// A function in one file: a macro or an included file makes some have several.
struct Place {
    std::string function, file;
    std::map<std::uint32_t, Share> lines;
    std::int64_t self = 0, total = 0;
};
/// A line as it is shown; a gap has none.
struct ShownLine {
    std::uint32_t number = 0;
    Share share;
};

/// A function as it stands on a page.
struct Section {
    const Place* place = nullptr;
    std::vector<ShownLine> lines;
    bool hasHead = false; ///< its name is not the page's
};

/// Where a line's parts are.
struct Columns {
    double left, number, bars, shares, code, right, row, size;
    double most; ///< of the lines' totals
};

class Source final : public Visual {
public:
    explicit Source(const Store& store)
        : m_provenance(provenanceOf(store, sumsUpStacks)), m_stacks(stacksOf(store)), m_sources(store.sources())
    {
        Frames frames;
        std::map<std::pair<std::string_view, std::string_view>, Place> places;
        std::vector<Share*> seen;
        std::vector<Place*> within;
        m_stacks->each(frames, [&](std::span<const StackStep> steps, std::int64_t value) {
            seen.clear();
            within.clear();
            for (const auto& step : steps) {
                if (step.line == 0) continue;
                const auto& line = frames.line(step.line);
                auto& place = places[{functionOf(frames[step.frame]), line.file}];
                auto& share = place.lines[line.line];
                if (&step == &steps.back()) {
                    share.self += value;
                    place.self += value;
                }
                addOnce(seen, share, value);
                addOnce(within, place, value);
            }
        });

        for (auto& [key, place] : places) {
            place.function = key.first;
            place.file = key.second;
            m_places.push_back(std::move(place));
        }

        std::sort(m_places.begin(), m_places.end(), [](const Place& a, const Place& b) {
            if (a.self != b.self) return a.self > b.self;
            if (a.total != b.total) return a.total > b.total;
            return a.function != b.function ? a.function < b.function : a.file < b.file;
        });
    }

    const ViewFacts& facts() const override { return kFacts; }
    std::string title() const override { return said("Source"); }
    bool empty() const override { return m_places.empty(); }

    /// Every function, the one with the most by itself first.
    Table table() const override
    {
        Table t;
        const auto unit = m_stacks->measure().unit();
        t.columns = {Column::text("function"), Column::text("file"), Column::number("line"), Column::number("self", unit),
            Column::number("total", unit), Column::text("text")};
        for (const auto& place : m_places)
            for (const auto& line : linesOf(place, kAround)) {
                if (line.number == 0) continue;
                t.rows.push_back({place.function, place.file, std::to_string(line.number), std::to_string(line.share.self),
                    std::to_string(line.share.total), textOf(place, line.number)});
            }
        return t;
    }

    Figure figure(const LayoutOptions& options) const override;

private:
    template <typename Value> static void addOnce(std::vector<Value*>& seen, Value& what, std::int64_t value)
    {
        if (std::find(seen.begin(), seen.end(), &what) != seen.end()) return; // it calls itself
        seen.push_back(&what);
        what.total += value;
    }

    /// An inlined function and the same where it was not are one here: its lines are the same.
    static std::string_view functionOf(const StackFrame& frame)
    {
        constexpr std::string_view kMark = "_[i]";
        const auto shown = frame.shown();
        return frame.shade == Shade::Inlined && shown.ends_with(kMark) ? shown.substr(0, shown.size() - kMark.size()) : shown;
    }

    /// The function named by `focus` (with or without module, or the last of a path); without focus the one with the most self time.
    const Place* placeOf(std::string_view focus) const
    {
        if (focus.empty()) return m_places.empty() ? nullptr : &m_places.front();
        for (const auto asked : {focus, record::lastFrame(focus)})
            for (const auto& place : m_places)
                if (place.function == asked || std::string_view(place.function).substr(place.function.find('`') + 1) == asked)
                    return &place;
        return nullptr;
    }

    const std::vector<std::string>* text(const Place& place) const
    {
        if (!m_sources) return nullptr;
        const auto found = m_sources->find(place.file);
        return found == m_sources->end() ? nullptr : found->second.get();
    }

    std::string textOf(const Place& place, std::uint32_t line) const
    {
        const auto* lines = text(place);
        return lines && line >= 1 && line <= lines->size() ? (*lines)[line - 1] : std::string();
    }

    /// Those that have a share, `around` more on both sides of them, and gaps between.
    std::vector<ShownLine> linesOf(const Place& place, std::uint32_t around) const
    {
        const auto* lines = text(place);
        const auto last = lines ? static_cast<std::uint32_t>(lines->size()) : 0;
        std::vector<ShownLine> shown;
        std::uint32_t next = 1; // the first line that may come
        for (const auto& [number, share] : place.lines) {
            const auto from = lines ? std::max(next, number > around ? number - around : 1) : number;
            if (!shown.empty() && from > next) shown.push_back({});
            for (auto i = from; i < number && i <= last; ++i)
                shown.push_back({i, {}});
            shown.push_back({number, share});
            next = number + 1;
            const auto following = place.lines.upper_bound(number);
            const auto before = following == place.lines.end() ? UINT32_MAX : following->first;
            for (std::uint32_t i = 0; i < around && next <= last && next < before; ++i)
                shown.push_back({next++, {}});
        }
        return shown;
    }

    std::string percent(std::int64_t value) const
    {
        return value == 0 ? std::string() : formatShare(static_cast<double>(value), static_cast<double>(m_stacks->total()));
    }

    std::string subtitle(const Place& place) const
    {
        const auto& measure = m_stacks->measure();
        return place.file + kMiddleDot + measure.what() + kMiddleDot
            + said("%1, %2 of them end in this function", measure.amount(m_stacks->total()), place.self > 0 ? percent(place.self) : "0 %")
            + inShownInterval(m_provenance);
    }

    Claim claim(const Place& place) const
    {
        LargestEnd end;
        for (const auto& [number, share] : place.lines) {
            if (share.self <= end.most) {
                end.next = std::max(end.next, share.self);
                continue;
            }
            const auto function = functionInTitle(place.function);
            end = {function.empty() ? std::string() : said("line %1 of %2", std::to_string(number), function), share.self, end.most};
        }
        return headlineOf(*m_stacks, end);
    }

    std::vector<ShownLine> fitting(const Place& place, std::size_t most) const;
    std::vector<Section> sectionsOf(const Place& first, std::size_t rows, const LayoutOptions& options) const;
    double roomySize(const Place& place, const Box& area, double smallest) const;
    Columns columnsOf(const std::vector<Section>& sections, const Box& area, double size) const;
    double drawSection(Page& page, const Section& section, double y, const Columns& columns) const;
    void drawLine(Page& page, const Place& place, const ShownLine& line, double y, const Columns& columns, std::uint32_t row) const;
    Provenance m_provenance;
    std::shared_ptr<const Stacks> m_stacks;
    std::shared_ptr<const SourceTexts> m_sources;
    std::vector<Place> m_places;
};

/// As much of it as `most` rows hold, with more around its lines where there is room; where there is none what is around them is left out
/// first, then those with the least.
std::vector<ShownLine> Source::fitting(const Place& place, std::size_t most) const
{
    for (auto around = 4 * kAround; around > 0; --around)
        if (auto shown = linesOf(place, around); shown.size() <= most) return shown;
    auto shown = linesOf(place, 0);
    if (shown.size() <= most) return shown;
    std::erase_if(shown, [](const ShownLine& line) { return line.number == 0; });
    if (shown.size() <= most) return shown;
    std::stable_sort(shown.begin(), shown.end(), [](const ShownLine& a, const ShownLine& b) { return a.share.total > b.share.total; });
    shown.resize(most);
    std::sort(shown.begin(), shown.end(), [](const ShownLine& a, const ShownLine& b) { return a.number < b.number; });
    return shown;
}

void Source::drawLine(Page& page, const Place& place, const ShownLine& line, double y, const Columns& columns, std::uint32_t row) const
{
    const double base = y + columns.row / 2 + columns.size * 0.36;
    if (line.number == 0) {
        page.text(Role::Note, {columns.number, base}, "\u22ee", {.size = columns.size, .anchor = Anchor::End});
        return;
    }

    const auto text = textOf(place, line.number);
    const auto& [self, total] = line.share;
    const auto wide = [&](std::int64_t value) { return (columns.shares - columns.bars) * static_cast<double>(value) / columns.most; };
    if (total > 0) {
        if (total > self)
            page.box(Role::Bar, {columns.bars, y + columns.row * 0.12, std::max(wide(total), 1.0), columns.row * 0.76, 2}, Shade::Dashed);
        Item& bar
            = page.box(Role::Bar, {columns.bars, y + columns.row * 0.2, self > 0 ? std::max(wide(self), 1.0) : 0, columns.row * 0.6, 2});
        bar.key = place.function + ' ' + std::to_string(line.number);
        bar.tip = printable(place.file) + ':' + std::to_string(line.number) + '\n' + printable(text) + '\n'
            + said("self %1, total %2", m_stacks->measure().quantity(self), m_stacks->measure().quantity(total));
        bar.data = {{"line", std::to_string(line.number)}, {"self", std::to_string(self)}, {"total", std::to_string(total)}};
        bar.row = Row{row};
        page.text(Role::Label, {columns.code - columns.size, base}, percent(self > 0 ? self : total),
            {.size = columns.size, .anchor = Anchor::End});
    }

    page.text(Role::Note, {columns.number, base}, std::to_string(line.number), {.size = columns.size, .mono = true, .anchor = Anchor::End});
    const auto indent = text.find_first_not_of(' ');
    if (indent == std::string::npos) return;
    // Drawings swallow spaces at the beginning of a text.
    const double from = columns.code + static_cast<double>(indent) * textWidth("n", columns.size, {.mono = true});
    page.text(total > 0 ? Role::Label : Role::Note, {from, base}, text.substr(indent),
        {.size = columns.size, .mono = true, .maxWidth = columns.right - from});
}

/// The function, and where it leaves room those that come next by what they take by themselves; what these leave is for more around its
/// lines.
std::vector<Section> Source::sectionsOf(const Place& first, std::size_t rows, const LayoutOptions& options) const
{
    if (!options.fit) return {{&first, linesOf(first, kAround)}};
    if (options.forScreen || !options.focus.empty()) return {{&first, fitting(first, rows)}};
    std::vector<Section> out{{&first, fitting(first, std::min(rows, linesOf(first, kAround).size()))}};
    auto left = rows - std::min(rows, out.front().lines.size());
    constexpr std::size_t kHead = 2; // rows: its name, and what is above it
    for (const auto& place : m_places) {
        if (&place == &first || !text(place) || place.total == 0) continue;
        const auto least = linesOf(place, 1).size() + kHead;
        if (least > left) break;
        auto lines = fitting(place, std::min(left - kHead, linesOf(place, kAround).size()));
        left -= lines.size() + kHead;
        out.push_back({&place, std::move(lines), true});
    }
    out.front().lines = fitting(first, out.front().lines.size() + left);
    return out;
}

/// px, of text that grows with the room that few and short lines leave.
double Source::roomySize(const Place& place, const Box& area, double smallest) const
{
    const auto usual = linesOf(place, kAround);
    for (const double larger : {1.6, 1.4, 1.2}) {
        const double size = smallest * larger;
        double widest = 0;
        for (const auto& line : usual)
            if (line.number != 0) widest = std::max(widest, textWidth(textOf(place, line.number), size, {.mono = true}));
        const bool isHigh = static_cast<double>(usual.size() + 1) * std::floor(size * kRow) > area.height;
        if (!isHigh && widest + kBeside * size <= area.width * (1 - kBars)) return size;
    }
    return smallest;
}

Columns Source::columnsOf(const std::vector<Section>& sections, const Box& area, double size) const
{
    Columns columns{};
    columns.row = std::floor(size * kRow);
    columns.size = size;
    columns.most = 1;
    double number = 0, share = 0, widest = 0;
    for (const auto& section : sections)
        for (const auto& line : section.lines) {
            if (line.number == 0) continue;
            number = std::max(number, textWidth(std::to_string(line.number), size, {.mono = true}));
            share = std::max(share, textWidth(percent(line.share.self > 0 ? line.share.self : line.share.total), size));
            columns.most = std::max(columns.most, static_cast<double>(line.share.total));
            widest = std::max(widest, textWidth(textOf(*section.place, line.number), size, {.mono = true}));
        }
    columns.left = area.x;
    columns.number = area.x + number;
    columns.bars = columns.number + size;
    // Lines are often short: what they leave is for longer bars.
    columns.shares = columns.bars + std::clamp(area.width - number - share - 4 * size - widest, area.width * kBars, area.width * kMostBars);
    columns.code = columns.shares + share + 2 * size;
    columns.right = area.x + area.width;
    return columns;
}

/// Gives where it ends below.
double Source::drawSection(Page& page, const Section& section, double y, const Columns& columns) const
{
    const auto& place = *section.place;
    const double base = columns.row / 2 + columns.size * 0.36;
    if (section.hasHead) {
        const Box area{columns.left, y, columns.right - columns.left, 0};
        y = drawCodeHead(page, {place.function, place.self, place.total, m_stacks->total()}, area, y, columns.row, columns.size);
    }

    std::uint32_t before = 0; // rows of the table that are other functions'
    for (const auto* other = m_places.data(); other != &place; ++other)
        for (const auto& line : linesOf(*other, kAround))
            before += line.number != 0;
    const auto whole = linesOf(place, kAround);
    std::size_t withShare = 0;
    for (const auto& line : section.lines) {
        const auto at = std::find_if(whole.begin(), whole.end(), [&](const ShownLine& l) { return l.number == line.number; });
        const auto rows = std::count_if(whole.begin(), at, [](const ShownLine& l) { return l.number != 0; });
        drawLine(page, place, line, y, columns, before + static_cast<std::uint32_t>(rows));
        withShare += line.share.total > 0;
        y += columns.row;
    }
    if (withShare < place.lines.size()) {
        page.text(Role::Note, {columns.code, y + base},
            saidOf(place.lines.size() - withShare, "\u2026 %1 more line with less", "\u2026 %1 more lines with less",
                formatGrouped(static_cast<std::int64_t>(place.lines.size() - withShare))),
            {.size = columns.size});
        y += columns.row;
    }
    return y;
}

Figure Source::figure(const LayoutOptions& options) const
{
    const std::vector<LegendEntry> legend{
        {Role::Bar, Shade::Plain, -1, said("the line itself"), false}, {Role::Bar, Shade::Dashed, -1, said("with what it calls"), false}};
    auto caveats = intervalCaveat(m_provenance);
    for (auto& caveat : stackCaveats(*m_stacks))
        caveats.push_back(std::move(caveat));
    const auto* place = placeOf(options.focus);
    if (place && !text(*place)) caveats.push_back(said("the source file is not here"));
    Page page(options, headed(options, place ? claim(*place) : Claim(), place ? place->function : title(), place ? subtitle(*place) : ""),
        m_provenance, place ? legend : std::vector<LegendEntry>(), caveats);
    if (!place) {
        if (!m_places.empty())
            page.empty(said("No lines are known of %1", options.focus), said("The view lines lists the functions that have some."));
        else if (m_stacks->empty() && !m_stacks->ruled().empty())
            sayNoStacks(page, *m_stacks, {});
        else
            page.empty(said("No lines are known"), said("Option ustacklines asks for them, and the program's debug information has them."));
        return page.finish(said("Source without lines."));
    }

    const Box area = page.content();
    const double size = options.fit ? roomySize(*place, area, page.smallest()) : page.smallest(), row = std::floor(size * kRow);
    const auto sections = sectionsOf(*place, static_cast<std::size_t>(std::max(2.0, std::floor(area.height / row)) - 1), options);
    const auto columns = columnsOf(sections, area, size);
    double y = area.y;
    for (const auto& section : sections)
        y = drawSection(page, section, y, columns);
    return page.finish(said("The source of %1 with the share of each line.", place->function), {area.x + area.width, y});
}
} // namespace

Kind kind_source()
{
    return {kFacts, rank::kStacks + 9,
        [](const Store& store) { return hasStacks(store) && (store.tellsLines() || store.program().options.contains("ustacklines")); },
        [](const Store& store) -> std::unique_ptr<Visual> { return std::make_unique<Source>(store); }, nullptr};
}
} // namespace dscope::graph
