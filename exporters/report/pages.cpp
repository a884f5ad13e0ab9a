#include "exporters/report/pages.h"
#include "exporters/report/report.h"
#include "graph/text.h"
#include <algorithm>
#include <numeric>
namespace dscope::report {
namespace {
struct Look {
    double size = 13.3;
    graph::Role role = graph::Role::Label;
    bool bold = false, mono = false;
    double line = 1.4; ///< of the size
    double before = 0; ///< px above the first line
};
Look lookOf(Pages::Style style)
{
    using Style = Pages::Style;
    using graph::Role;
    switch (style) {
    case Style::Title: return {.size = 34, .role = Role::Title, .bold = true, .line = 1.25};
    case Style::Heading: return {.size = 20, .role = Role::Title, .bold = true, .line = 1.25, .before = 24};
    case Style::Caption: return {.size = 16, .role = Role::Title, .bold = true, .line = 1.25, .before = 14};
    case Style::Strong: return {.size = 13.3, .bold = true, .before = 4};
    case Style::Pale: return {.size = 12, .role = Role::Subtitle, .before = 2};
    case Style::Code: return {.size = Pages::kSmallest, .mono = true};
    case Style::Plain: break;
    }
    return {.size = 13.3, .before = 2};
}
constexpr double kIndent = 18, kFacts = 120, kCellGap = 14, kRowHeight = 19, kTableText = 12;
constexpr std::size_t kMostLines = 200, kLetters = 120;
constexpr std::size_t kTogether = 3; ///< rows at both ends of a table

/// Lines of at most `width` px; of code, where a line is too long, behind a blank, or else at any letter.
std::vector<std::string> linesOf(const std::string& words, double width, const Look& look)
{
    if (!look.mono) return graph::wrapped(words, width, look.size, kMostLines, {.bold = look.bold});
    constexpr std::string_view kBlank = "\u00a0"; // which, unlike others, SVG does not make one of within a line
    std::vector<std::string> out(1);
    for (std::size_t at = 0; at < words.size();) {
        std::string letter;
        graph::appendUtf8(letter, graph::nextCodePoint(words, at));
        if (letter == " ") letter = kBlank;
        if (graph::textWidth(out.back() + letter, look.size, {.mono = true}) > width) {
            const auto blank = out.back().rfind(kBlank);
            std::string rest;
            if (letter != kBlank && blank != std::string::npos && blank > out.back().size() / 2) {
                rest = out.back().substr(blank + kBlank.size());
                out.back().resize(blank);
            }
            out.push_back(std::move(rest));
        }
        out.back() += letter;
    }
    return out;
}
void move(graph::Item& item, double dx, double dy)
{
    const auto by = [&](graph::Point& p) {
        p.x += dx;
        p.y += dy;
    };
    if (auto* box = std::get_if<graph::Box>(&item.shape)) {
        box->x += dx;
        box->y += dy;
    } else if (auto* text = std::get_if<graph::Text>(&item.shape)) {
        by(text->at);
    } else {
        for (auto& p : std::get<graph::Path>(item.shape).points)
            by(p);
    }
}
} // namespace

void Pages::newPage()
{
    auto& page = m_pages.emplace_back();
    page.figure.width = kWidth;
    page.figure.height = kHeight;
    graph::Item ground;
    ground.role = graph::Role::Ground;
    ground.shape = graph::Box{0, 0, kWidth, kHeight, 0};
    page.figure.items.push_back(std::move(ground));
    m_y = kMargin;
}
void Pages::makeRoom(double height)
{
    if (m_y + height > kMargin + kRoomHeight && m_y > kMargin) newPage();
}
void Pages::line(const std::string& words, double x, double size, graph::Role role, graph::TextFont font, graph::Anchor anchor)
{
    if (words.empty()) return;
    graph::Text text;
    text.at = {x, m_y};
    text.text = words;
    text.size = size;
    text.width = graph::textWidth(words, size, font);
    text.anchor = anchor;
    text.bold = font.bold;
    text.mono = font.mono;
    graph::Item item;
    item.role = role;
    item.shape = std::move(text);
    m_pages.back().figure.items.push_back(std::move(item));
}
double Pages::heightOf(const std::string& words, Style style) const
{
    const auto look = lookOf(style);
    return look.before + look.line * look.size * static_cast<double>(linesOf(words, kRoomWidth, look).size());
}
void Pages::text(const std::string& words, Style style, double follows)
{
    const auto look = lookOf(style);
    const auto lines = linesOf(words, kRoomWidth, look);
    makeRoom(std::min(look.before + look.line * look.size * static_cast<double>(lines.size()) + follows, kRoomHeight));
    if (m_y > kMargin) m_y += look.before;
    for (const auto& words_ : lines) {
        makeRoom(look.line * look.size);
        m_y += look.line * look.size;
        // Blanks at the beginning, which renderers take away, are a place further to the right.
        constexpr std::string_view kBlank = "\u00a0";
        std::size_t blanks = 0;
        while (std::string_view(words_).substr(blanks).starts_with(kBlank))
            blanks += kBlank.size();
        const double indent = graph::textWidth(words_.substr(0, blanks), look.size, {.bold = look.bold, .mono = look.mono});
        line(words_.substr(blanks), kMargin + indent, look.size, look.role, {.bold = look.bold, .mono = look.mono}, graph::Anchor::Start);
    }
}
void Pages::bullet(const std::string& words)
{
    const auto look = lookOf(Style::Plain);
    const auto lines = linesOf(words, kRoomWidth - kIndent, look);
    makeRoom(look.line * look.size * static_cast<double>(lines.size()) + 6);
    m_y += 6;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        m_y += look.line * look.size;
        if (i == 0) line("\u2022", kMargin, look.size, look.role, {}, graph::Anchor::Start);
        line(lines[i], kMargin + kIndent, look.size, look.role, {}, graph::Anchor::Start);
    }
}
void Pages::fact(const std::string& name, const std::string& value)
{
    const auto look = lookOf(Style::Plain);
    const auto lines = linesOf(value, kRoomWidth - kFacts, look);
    makeRoom(look.line * look.size * static_cast<double>(lines.size()));
    for (std::size_t i = 0; i < lines.size(); ++i) {
        m_y += look.line * look.size;
        if (i == 0) line(name, kMargin, look.size, graph::Role::Subtitle, {}, graph::Anchor::Start);
        line(lines[i], kMargin + kFacts, look.size, look.role, {}, graph::Anchor::Start);
    }
}
void Pages::figure(const graph::Figure& figure)
{
    makeRoom(figure.height);
    auto& page = m_pages.back().figure;
    const double dx = kMargin + (kRoomWidth - figure.width) / 2;
    for (const auto& item : figure.items) {
        if (item.role == graph::Role::Ground && &item == &figure.items.front()) continue;
        auto& moved = page.items.emplace_back(item);
        moved.node.reset();
        move(moved, dx, m_y);
    }
    m_y += figure.height;
}
void Pages::table(const graph::Digest& digest)
{
    const auto& table = digest.table;
    const std::size_t count = table.columns.size();
    std::vector<double> widths(count);
    std::vector<std::vector<std::string>> rows;
    std::vector<std::string> head;
    for (std::size_t c = 0; c < count; ++c) {
        head.push_back(cellText(table.columns[c].title, kLetters));
        widths[c] = graph::textWidth(head.back(), kTableText, {.bold = true});
    }

    for (const auto& row : table.rows) {
        auto& cells = rows.emplace_back();
        for (std::size_t c = 0; c < count; ++c) {
            cells.push_back(cellText(c < row.size() ? row[c] : std::string(), kLetters));
            widths[c] = std::max(widths[c], graph::textWidth(cells.back(), kTableText));
        }
    }

    // Texts give way to numbers, then all to the page.
    const double room = kRoomWidth - kCellGap * static_cast<double>(count > 0 ? count - 1 : 0);
    double numbers = 0, texts = 0;
    for (std::size_t c = 0; c < count; ++c)
        (table.columns[c].isNumber ? numbers : texts) += widths[c];
    if (numbers + texts > room && texts > 0)
        for (std::size_t c = 0; c < count; ++c)
            if (!table.columns[c].isNumber) widths[c] *= std::max((room - numbers) / texts, 0.2);
    const double all = std::accumulate(widths.begin(), widths.end(), 0.0);
    if (all > room)
        for (auto& width : widths)
            width *= room / all;
    const auto put = [&](const std::vector<std::string>& cells, graph::TextFont font) {
        m_y += kRowHeight;
        double x = kMargin;
        for (std::size_t c = 0; c < count; ++c) {
            const bool isNumber = table.columns[c].isNumber;
            const auto words = graph::elided(cells[c], widths[c] + 0.5, kTableText, graph::Elide::End, font);
            line(words, isNumber ? x + widths[c] : x, kTableText, graph::Role::Label, font,
                isNumber ? graph::Anchor::End : graph::Anchor::Start);
            x += widths[c] + kCellGap;
        }
        graph::Item rule;
        rule.role = graph::Role::Grid;
        rule.shape = graph::Path{.points = {{kMargin, m_y + 5}, {kMargin + kRoomWidth, m_y + 5}}};
        m_pages.back().figure.items.push_back(std::move(rule));
    };

    const auto more = digest.more > 0 ? std::to_string(digest.more) + " more rows are not shown" : std::string();
    const double end = more.empty() ? 6 : heightOf(more, Style::Pale);
    // The first rows stand with the head, and the last together: no page has one row of a table alone.
    const auto first = rows.size() < 2 * kTogether ? rows.size() : kTogether;
    makeRoom(kRowHeight * static_cast<double>(1 + first) + (first == rows.size() ? end : 6));
    put(head, {.bold = true});
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto page = m_pages.size();
        const bool isEnd = rows.size() - i == kTogether;
        makeRoom(isEnd ? kRowHeight * static_cast<double>(kTogether) + end : kRowHeight + 6);
        if (m_pages.size() != page) put(head, {.bold = true});
        put(rows[i], {});
    }
    if (!more.empty()) text(more, Style::Pale);
}
void Pages::mark(std::string outline)
{
    auto& own = m_pages.back().outline;
    if (own.empty()) own = std::move(outline);
}
std::vector<Pages::Sheet> Pages::take()
{
    const std::size_t count = m_pages.size();
    auto pages = std::move(m_pages);
    for (std::size_t i = 0; i < count; ++i) {
        m_pages.assign(1, std::move(pages[i]));
        m_y = kHeight - kMargin + 16;
        line(graph::elided(m_footer, kRoomWidth - 80, kSmallest, graph::Elide::End), kMargin, kSmallest, graph::Role::Note, {},
            graph::Anchor::Start);
        line(
            std::to_string(i + 1) + " of " + std::to_string(count), kWidth - kMargin, kSmallest, graph::Role::Note, {}, graph::Anchor::End);
        pages[i] = std::move(m_pages.front());
    }
    return pages;
}
} // namespace dscope::report
