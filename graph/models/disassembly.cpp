#include "engine/record/folded.h"
#include "graph/keys.h"
#include "graph/page.h"
#include "graph/parts/code_head.h"
#include "graph/stacks.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include "graph/units.h"
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>
namespace dscope::graph {
namespace {
constexpr ViewFacts kFacts{.name = "disassembly",
    .tab = "Disassembly",
    .summary = "a function's machine instructions with the share of each",
    .hasFocus = true,
    .isText = true,
    .repeats = true,
    .heeds = {.amounts = Heeds::Amounts::Stacks}};
constexpr std::size_t kAround = 3;   ///< instructions before and behind those that have a share
constexpr double kBars = 0.09;       ///< of the width
constexpr double kMostBars = 0.5;    ///< where there is room
constexpr double kMostCode = 0.4;    ///< of the width, but where all of a row is cut
constexpr double kRow = 1.6;         ///< of the text's size
constexpr double kLeastSource = 0.3; ///< of the width, or lines of source stand between instructions

struct Share {
    std::int64_t self = 0, total = 0; ///< of stacks that end at the instruction, and that have it at all
};
/// A function of one file.
struct Place {
    std::string function;
    record::CodeFile file;
    std::map<std::uint64_t, Share> addresses; ///< as the file is linked; of a call any of its bytes
    std::int64_t self = 0, total = 0;
};
/// What is shown of it.
struct Code {
    std::string whyNot; ///< empty: it could be read
    record::CodeText text;
    std::vector<Share> shares;       ///< by instruction
    std::set<std::uint64_t> targets; ///< of jumps within the function
    bool hasLinesBeside = false;     ///< lines of source stand beside instructions, not between them
};
/// A row of the text.
struct Shown {
    enum class Kind : std::uint8_t { Gap, Source, Instruction } kind = Kind::Gap;
    std::size_t index = 0;   ///< of the instruction, or of the first that comes of the line
    bool beginsLine = false; ///< an instruction of another line of source than the one above it
};
/// What is shown of a function.
struct Section {
    const Place* place = nullptr;
    Code code;
    std::vector<Shown> shown;
    bool hasHead = false; ///< its name stands above it
};
/// Where its parts are.
struct Layout {
    double left, bars, shares, mark, address, code, source, right, row, size;
    double most; ///< of the totals
};

std::string hexOf(std::uint64_t number)
{
    char text[16];
    return {text, std::to_chars(text, text + sizeof text, number, 16).ptr};
}
std::string textOf(const record::CodeInstruction& one)
{
    return one.callee.empty() ? one.text : one.text + " <" + printable(one.callee) + '>';
}
std::string placeOfSource(const record::CodeInstruction& one)
{
    return one.line == 0 ? std::string() : printable(*one.file) + ':' + std::to_string(one.line);
}

class Disassembly final : public Visual {
public:
    explicit Disassembly(const Store& store)
        : m_provenance(provenanceOf(store, sumsUpStacks)), m_stacks(stacksOf(store)), m_sources(store.sources()), m_read(store.readCode())
    {
        std::map<std::tuple<std::string, std::string, std::string>, Place> places;
        std::set<const void*> seen; // it calls itself
        const auto unnamed = unnamedOf(store.program());
        eachStackOfFrames(store, [&](std::span<const record::KeptStacks::View> stacks, std::int64_t value) {
            seen.clear();
            bool isLeaf = true;
            for (const auto& frames : stacks)
                for (const auto& frame : frames) {
                    if (frame.inlined) continue; // its instructions are those of what it became part of
                    const bool ends = std::exchange(isLeaf, false);
                    if (frame.code->path.empty()) continue;
                    const auto name = frameName(frame, unnamed);
                    auto& place = places[std::tuple(name, frame.code->path, frame.code->buildId)];
                    if (place.function.empty()) {
                        place.function = name;
                        place.file = *frame.code;
                    }
                    auto& share = place.addresses[frame.linked];
                    if (ends) {
                        share.self += value;
                        place.self += value;
                    }
                    if (seen.insert(&share).second) share.total += value;
                    if (seen.insert(&place).second) place.total += value;
                }
        });

        for (auto& [key, place] : places)
            m_places.push_back(std::move(place));
        std::sort(m_places.begin(), m_places.end(), [](const Place& a, const Place& b) {
            if (a.self != b.self) return a.self > b.self;
            if (a.total != b.total) return a.total > b.total;
            return a.function != b.function ? a.function < b.function : a.file.path < b.file.path;
        });
    }

    const ViewFacts& facts() const override { return kFacts; }
    std::string title() const override { return said("Disassembly"); }
    bool empty() const override { return m_places.empty(); }

    /// Every function, the one with the most by itself first: instructions with a share, and some around them.
    Table table() const override
    {
        Table t;
        const auto unit = m_stacks->measure().unit();
        t.columns = {Column::text("function"), Column::text("file"), Column::text("address"), Column::number("self", unit),
            Column::number("total", unit), Column::text("instruction"), Column::text("source")};
        for (const auto& place : m_places) {
            const auto code = codeOf(place);
            if (!code.whyNot.empty()) {
                for (const auto& [address, share] : place.addresses)
                    t.rows.push_back({place.function, place.file.path, "0x" + hexOf(address), std::to_string(share.self),
                        std::to_string(share.total), "", ""});
                continue;
            }
            for (const auto& shown : rowsOf(code, kAround)) {
                if (shown.kind != Shown::Kind::Instruction) continue;
                const auto& one = code.text.instructions[shown.index];
                const auto& share = code.shares[shown.index];
                t.rows.push_back({place.function, place.file.path, "0x" + hexOf(one.address), std::to_string(share.self),
                    std::to_string(share.total), textOf(one), placeOfSource(one)});
            }
        }
        return t;
    }

    Figure figure(const LayoutOptions& options) const override;

private:
    /// What is asked for, with or without its module; else what took the most by itself.
    const Place* placeOf(std::string_view focus) const
    {
        if (focus.empty()) return m_places.empty() ? nullptr : &m_places.front();
        for (const auto asked : {focus, record::lastFrame(focus)})
            for (const auto& place : m_places)
                if (place.function == asked || std::string_view(place.function).substr(place.function.find('`') + 1) == asked)
                    return &place;
        return nullptr;
    }

    Code codeOf(const Place& place) const
    {
        Code code;
        auto read = m_read ? m_read(place.file, place.addresses.begin()->first)
                           : Result<record::CodeText>(Error{0, said("no files are read here")});
        if (!read) {
            code.whyNot = read.error().message;
            return code;
        }
        code.text = *std::move(read);
        const auto& all = code.text.instructions;
        code.shares.resize(all.size());
        for (const auto& [address, share] : place.addresses) {
            const auto after = std::upper_bound(
                all.begin(), all.end(), address, [](std::uint64_t at, const record::CodeInstruction& one) { return at < one.address; });
            if (after == all.begin() || address >= std::prev(after)->address + std::prev(after)->length) continue;
            auto& of = code.shares[static_cast<std::size_t>(after - all.begin()) - 1];
            of.self += share.self;
            of.total += share.total;
        }
        for (const auto& one : all)
            if (one.target && *one.target >= code.text.begin && *one.target < code.text.end) code.targets.insert(*one.target);
        return code;
    }

    /// Instructions that have a share, `around` more on both sides of them, gaps between, and the lines of source that they come of.
    static std::vector<Shown> rowsOf(const Code& code, std::size_t around)
    {
        const auto& all = code.text.instructions;
        std::vector<bool> isShown(all.size());
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (code.shares[i].total == 0) continue;
            const auto to = std::min(all.size(), i + around + 1);
            for (auto k = i > around ? i - around : 0; k < to; ++k)
                isShown[k] = true;
        }
        std::vector<Shown> rows;
        std::size_t next = 0;
        const record::CodeInstruction* line = nullptr; // the last whose line was shown
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (!isShown[i]) continue;
            if (!rows.empty() && i != next) rows.push_back({});
            const bool begins = all[i].line != 0 && (!line || line->line != all[i].line || !(line->file == all[i].file));
            if (begins) line = &all[i];
            if (begins && !code.hasLinesBeside) rows.push_back({Shown::Kind::Source, i});
            rows.push_back({Shown::Kind::Instruction, i, begins});
            next = i + 1;
        }
        return rows;
    }

    /// As much of it as `most` rows hold; where there is no room what is around is left out first, then what has the least.
    static std::vector<Shown> fitting(const Code& code, std::size_t most)
    {
        for (auto around = 8 * kAround; around > 0; --around)
            if (auto rows = rowsOf(code, around); rows.size() <= most) return rows;
        auto rows = rowsOf(code, 0);
        if (rows.size() <= most) return rows;
        std::erase_if(rows, [](const Shown& row) { return row.kind != Shown::Kind::Instruction; });
        if (rows.size() <= most) return rows;
        std::stable_sort(rows.begin(), rows.end(),
            [&](const Shown& a, const Shown& b) { return code.shares[a.index].total > code.shares[b.index].total; });
        rows.resize(most);
        std::sort(rows.begin(), rows.end(), [](const Shown& a, const Shown& b) { return a.index < b.index; });
        return rows;
    }

    std::string percent(std::int64_t value) const
    {
        return value == 0 ? std::string() : formatShare(static_cast<double>(value), static_cast<double>(m_stacks->total()));
    }

    std::string subtitle(const Place& place) const
    {
        const auto& measure = m_stacks->measure();
        return printable(place.file.path) + kMiddleDot + measure.what() + kMiddleDot
            + said("%1, %2 of them end in this function", measure.amount(m_stacks->total()), place.self > 0 ? percent(place.self) : "0 %")
            + inShownInterval(m_provenance);
    }

    std::string sourceText(const record::CodeInstruction& one) const
    {
        const auto& path = *one.file;
        auto text = printable(path.substr(path.rfind('/') + 1)) + ':' + std::to_string(one.line);
        const auto found = m_sources ? m_sources->find(printable(path)) : SourceTexts::const_iterator();
        if (!m_sources || found == m_sources->end() || !found->second || one.line > found->second->size()) return text;
        const auto& line = (*found->second)[one.line - 1];
        if (const auto begin = line.find_first_not_of(" \t"); begin != std::string::npos) text += "  " + line.substr(begin);
        return text;
    }

    static bool hasLines(const Code& code);
    static double widestOf(const Code& code, double size);
    static double besidesBars(const Code& code, const Box& area, double size);
    double roomySize(const Code& code, const Box& area, double smallest) const;
    std::vector<Section> sectionsOf(const Place& first, Code code, std::size_t rows, const LayoutOptions& options) const;
    Layout layoutOf(const std::vector<Section>& sections, const Box& area, double size) const;
    double drawSection(Page& page, const Section& section, double y, const Layout& layout) const;
    void drawRow(
        Page& page, const Place& place, const Code& code, const Shown& shown, double y, const Layout& layout, std::uint32_t row) const;
    Provenance m_provenance;
    std::shared_ptr<const Stacks> m_stacks;
    std::shared_ptr<const SourceTexts> m_sources;
    record::ReadCode m_read;
    std::vector<Place> m_places;
};

void Disassembly::drawRow(
    Page& page, const Place& place, const Code& code, const Shown& shown, double y, const Layout& layout, std::uint32_t row) const
{
    const double base = y + layout.row / 2 + layout.size * 0.36;
    if (shown.kind == Shown::Kind::Gap) {
        page.text(Role::Note, {layout.code - layout.size, base}, "\u22ee", {.size = layout.size, .anchor = Anchor::End});
        return;
    }

    const auto& one = code.text.instructions[shown.index];
    if (shown.kind == Shown::Kind::Source) {
        page.text(Role::Note, {layout.address, base}, sourceText(one), {.size = layout.size, .maxWidth = layout.right - layout.address});
        return;
    }

    const auto& [self, total] = code.shares[shown.index];
    const auto text = textOf(one);
    const auto wide = [&](std::int64_t value) { return (layout.shares - layout.bars) * static_cast<double>(value) / layout.most; };
    if (total > 0) {
        if (total > self)
            page.box(Role::Bar, {layout.bars, y + layout.row * 0.12, std::max(wide(total), 1.0), layout.row * 0.76, 2}, Shade::Dashed);
        Item& bar = page.box(Role::Bar, {layout.bars, y + layout.row * 0.2, self > 0 ? std::max(wide(self), 1.0) : 0, layout.row * 0.6, 2});
        bar.key = place.function + ' ' + hexOf(one.address);
        const auto& measure = m_stacks->measure();
        bar.tip = hexOf(one.address) + "  " + text + (one.line != 0 ? '\n' + placeOfSource(one) : "") + '\n'
            + said("self %1, total %2", measure.quantity(self), measure.quantity(total));
        bar.data = {{"address", hexOf(one.address)}, {"self", std::to_string(self)}, {"total", std::to_string(total)}};
        bar.row = Row{row};
        page.text(Role::Label, {layout.mark - layout.size / 2, base}, percent(self > 0 ? self : total),
            {.size = layout.size, .anchor = Anchor::End});
    }

    if (code.targets.contains(one.address)) page.text(Role::Note, {layout.mark, base}, "\u2192", {.size = layout.size});
    page.text(
        Role::Note, {layout.code - layout.size, base}, hexOf(one.address), {.size = layout.size, .mono = true, .anchor = Anchor::End});
    page.text(total > 0 ? Role::Label : Role::Note, {layout.code, base}, text,
        {.size = layout.size, .mono = true, .maxWidth = (code.hasLinesBeside ? layout.source - layout.size : layout.right) - layout.code});
    if (code.hasLinesBeside && shown.beginsLine)
        page.text(Role::Note, {layout.source, base}, sourceText(one), {.size = layout.size, .maxWidth = layout.right - layout.source});
}

bool Disassembly::hasLines(const Code& code)
{
    for (std::size_t i = 0; i < code.shares.size(); ++i)
        if (code.shares[i].total > 0 && code.text.instructions[i].line != 0) return true;
    return false;
}

/// px, of the widest instruction that is shown.
double Disassembly::widestOf(const Code& code, double size)
{
    double widest = 0;
    for (const auto& one : rowsOf(code, kAround))
        if (one.kind == Shown::Kind::Instruction)
            widest = std::max(widest, textWidth(textOf(code.text.instructions[one.index]), size, {.mono = true}));
    return widest;
}

/// px, of instructions with their shares, marks and addresses, and what is between.
double Disassembly::besidesBars(const Code& code, const Box& area, double size)
{
    return std::min(widestOf(code, size), area.width * kMostCode) + 20 * size;
}

/// px, of text that grows with the room that few instructions leave.
double Disassembly::roomySize(const Code& code, const Box& area, double smallest) const
{
    const auto usual = rowsOf(code, kAround);
    const bool isLined = hasLines(code);
    for (const double larger : {1.8, 1.6, 1.4, 1.2}) {
        const double size = smallest * larger, widest = widestOf(code, size);
        double source = isLined ? area.width * kLeastSource : 0;
        for (const auto& one : usual)
            if (isLined && one.beginsLine)
                source = std::max(source, 2 * size + textWidth(sourceText(code.text.instructions[one.index]), size));
        const bool isWide = widest <= area.width * kMostCode && widest + 20 * size + source <= area.width * (1 - kBars);
        if (isWide && static_cast<double>(usual.size() + 1) * std::floor(size * kRow) <= area.height) return size;
    }
    return smallest;
}

/// The function, and where it leaves room those that come next by what they take by themselves; what these leave is for more around its
/// instructions.
std::vector<Section> Disassembly::sectionsOf(const Place& first, Code code, std::size_t rows, const LayoutOptions& options) const
{
    std::vector<Section> out;
    out.push_back({&first, std::move(code), {}, false});
    auto& own = out.front();
    if (!options.fit || options.forScreen || !options.focus.empty()) {
        own.shown = options.fit ? fitting(own.code, rows) : rowsOf(own.code, kAround);
        return out;
    }

    auto shown = fitting(own.code, std::min(rows, rowsOf(own.code, kAround).size()));
    auto left = rows - std::min(rows, shown.size());
    constexpr std::size_t kHead = 2, kLeastCut = 10; // rows: its name, and what is above it; of what does not fit as a whole
    for (const auto& place : m_places) {
        if (&place == &first || place.total == 0) continue;
        if (left <= kHead) break;
        auto its = codeOf(place);
        if (!its.whyNot.empty()) continue;
        its.hasLinesBeside = out.front().code.hasLinesBeside;
        const bool isCut = rowsOf(its, 1).size() + kHead > left;
        if (isCut && left < kLeastCut) break;
        auto fits = fitting(its, std::min(left - kHead, rowsOf(its, kAround).size()));
        left -= fits.size() + kHead;
        out.push_back({&place, std::move(its), std::move(fits), true});
        if (isCut) break;
    }
    out.front().shown = fitting(out.front().code, shown.size() + left);
    return out;
}

Layout Disassembly::layoutOf(const std::vector<Section>& sections, const Box& area, double size) const
{
    Layout layout{};
    layout.row = std::floor(size * kRow);
    layout.size = size;
    layout.most = 1;
    // Instructions are short: where the page is wide there is room for the source beside them, or for longer bars.
    double address = 0, share = 0, widest = 0, source = 0, others = 0;
    for (const auto& section : sections) {
        const auto& code = section.code;
        widest = std::max(widest, std::min(widestOf(code, size), area.width * kMostCode));
        others = std::max(others, besidesBars(code, area, size));
        for (const auto& one : section.shown) {
            if (one.kind != Shown::Kind::Instruction) continue;
            const auto& instruction = code.text.instructions[one.index];
            const auto& [self, total] = code.shares[one.index];
            address = std::max(address, textWidth(hexOf(instruction.address), size, {.mono = true}));
            share = std::max(share, textWidth(percent(self > 0 ? self : total), size));
            layout.most = std::max(layout.most, static_cast<double>(total));
            if (code.hasLinesBeside && total > 0 && instruction.line != 0)
                source = std::max(source, 2 * size + textWidth(sourceText(instruction), size));
        }
    }

    layout.left = layout.bars = area.x;
    layout.shares = layout.bars + std::clamp(area.width - others - source, area.width * kBars, area.width * kMostBars);
    layout.mark = layout.shares + share + 1.5 * size;
    layout.address = layout.mark + 1.5 * size;
    layout.code = layout.address + address + size;
    layout.source = layout.code + widest + 2 * size;
    layout.right = area.x + area.width;
    return layout;
}

/// Gives where it ends below.
double Disassembly::drawSection(Page& page, const Section& section, double y, const Layout& layout) const
{
    const auto& place = *section.place;
    const double base = layout.row / 2 + layout.size * 0.36;
    if (section.hasHead) {
        const Box area{layout.left, y, layout.right - layout.left, 0};
        y = drawCodeHead(page, {place.function, place.self, place.total, m_stacks->total()}, area, y, layout.row, layout.size);
    }

    const auto rowsOfTable = [](const Place& other, const Code& its) {
        if (!its.whyNot.empty()) return other.addresses.size();
        const auto rows = rowsOf(its, kAround);
        return static_cast<std::size_t>(
            std::count_if(rows.begin(), rows.end(), [](const Shown& one) { return one.kind == Shown::Kind::Instruction; }));
    };
    std::size_t before = 0; // rows of the table that are other functions'
    for (const auto* other = m_places.data(); other != &place; ++other)
        before += rowsOfTable(*other, codeOf(*other));
    std::map<std::size_t, std::size_t> rows; // by instruction
    for (const auto& one : rowsOf(section.code, kAround))
        if (one.kind == Shown::Kind::Instruction) rows.emplace(one.index, before + rows.size());

    std::size_t withShare = 0;
    for (const auto& one : section.shown) {
        const auto at = rows.find(one.index);
        drawRow(page, place, section.code, one, y, layout, static_cast<std::uint32_t>(at == rows.end() ? 0 : at->second));
        withShare += one.kind == Shown::Kind::Instruction && section.code.shares[one.index].total > 0;
        y += layout.row;
    }
    const auto& shares = section.code.shares;
    const auto all = static_cast<std::size_t>(std::count_if(shares.begin(), shares.end(), [](const Share& one) { return one.total > 0; }));
    if (withShare < all) {
        const auto rest = saidOf(all - withShare, "\u2026 %1 more instruction with less", "\u2026 %1 more instructions with less",
            formatGrouped(static_cast<std::int64_t>(all - withShare)));
        const double x = std::min(layout.code, layout.right - textWidth(rest, layout.size)); // further left on a narrow page
        page.text(Role::Note, {std::max(x, layout.left), y + base}, rest, {.size = layout.size});
        y += layout.row;
    }
    return y;
}

Figure Disassembly::figure(const LayoutOptions& options) const
{
    const std::vector<LegendEntry> legend{{Role::Bar, Shade::Plain, -1, said("the instruction itself"), false},
        {Role::Bar, Shade::Dashed, -1, said("with what it calls"), false}};
    auto caveats = intervalCaveat(m_provenance);
    for (auto& caveat : stackCaveats(*m_stacks))
        caveats.push_back(std::move(caveat));
    const auto* place = placeOf(options.focus);
    auto code = place ? codeOf(*place) : Code();
    const bool isRead = place && code.whyNot.empty();
    Page page(options, place ? place->function : title(), place ? subtitle(*place) : "", m_provenance,
        isRead ? legend : std::vector<LegendEntry>(), caveats);
    if (!isRead) {
        if (place)
            page.empty(said("The code of %1 can't be read", place->function), printable(code.whyNot));
        else if (!m_places.empty())
            page.empty(said("No stacks have %1", options.focus), said("The view table lists the functions that have some."));
        else if (m_stacks->empty() && !m_stacks->ruled().empty())
            sayNoStacks(page, *m_stacks, {});
        else
            page.empty(said("No code of a file was met"), said("Stacks of programs have it: ustack() as a key."));
        return page.finish(said("Disassembly without code."));
    }

    const Box area = page.content();
    code.hasLinesBeside = true;
    const double size = options.fit ? roomySize(code, area, page.smallest()) : page.smallest();
    code.hasLinesBeside = hasLines(code) && area.width * (1 - kBars - kLeastSource) > besidesBars(code, area, size);
    const auto rows = static_cast<std::size_t>(std::max(2.0, std::floor(area.height / std::floor(size * kRow))) - 1);
    const auto sections = sectionsOf(*place, std::move(code), rows, options);
    const auto layout = layoutOf(sections, area, size);
    double y = area.y;
    for (const auto& section : sections)
        y = drawSection(page, section, y, layout);
    return page.finish(said("The instructions of %1 with the share of each.", place->function), {area.x + area.width, y});
}
} // namespace

Kind kind_disassembly()
{
    return {kFacts, rank::kStacks + 9,
        [](const Store& store) {
            const auto& all = store.program().aggregations;
            return store.readCode() && std::any_of(all.begin(), all.end(), [](const record::Aggregation& a) {
                return sumsUpStacks(a) && std::any_of(a.keys.begin(), a.keys.end(), [](const record::Field& f) {
                    return f.kind == record::FieldKind::UserStack;
                });
            });
        },
        [](const Store& store) -> std::unique_ptr<Visual> { return std::make_unique<Disassembly>(store); }, nullptr};
}
} // namespace dscope::graph
