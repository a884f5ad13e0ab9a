#include "graph/page.h"
#include "engine/record/imported.h"
#include "graph/sha256.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/units.h"
#include <algorithm>
#include <array>
#include <ctime>
namespace dscope::graph {
namespace {
constexpr std::size_t kProgramLines = 3;
constexpr double kLegendMark = 16, kLegendGap = 28, kAboveFoot = 24;
constexpr double kLowPage = 400; // px below which the program is named instead of shown
constexpr std::string_view kDot = " \u00b7 ";

std::string joined(const std::vector<std::string>& parts)
{
    std::string out;
    for (const auto& part : parts)
        out += (out.empty() ? std::string() : std::string(kDot)) + part;
    return out;
}
// The program as one line: comments, the interpreter's line and runs of blanks say nothing in a footnote.
std::string oneLine(std::string_view source)
{
    if (source.starts_with("#!")) source.remove_prefix(std::min(source.find('\n'), source.size()));
    std::string out;
    bool gap = false;
    char quote = 0;
    for (std::size_t i = 0; i < source.size(); ++i) {
        const char c = source[i];
        const auto rest = source.substr(i);
        const bool isComment = !quote && (rest.starts_with("/*") || rest.starts_with("//"));
        if (isComment) {
            const bool isLine = rest[1] == '/';
            const auto end = rest.find(isLine ? "\n" : "*/", 2);
            i += (end == rest.npos ? rest.size() : end + (isLine ? 1 : 2)) - 1;
        }
        if (isComment || c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            gap = !out.empty();
            continue;
        }
        if (gap) out += ' ';
        gap = false;
        out += c;
        if (c == '\\' && quote && i + 1 < source.size())
            out += source[++i];
        else if (c == quote)
            quote = 0;
        else if (!quote && (c == '"' || c == '\''))
            quote = c;
    }
    return out;
}
double legendWidth(std::span<const LegendEntry> entries, double size)
{
    double width = 0;
    for (const auto& e : entries)
        width += kLegendMark + 6 + textWidth(e.label, size) + kLegendGap;
    return entries.empty() ? 0 : width - kLegendGap;
}
} // namespace

Provenance provenanceOf(const Store& store)
{
    const auto& p = store.program();
    Provenance out{p.source, p.name, p.host, p.kernel, p.version, 0, 0, store.drops(), record::isImported(p)};
    if (p.wallClockOffset != 0) out.utc = p.wallClockOffset + p.started;
    if (store.lastTime() > p.started && p.started > 0) out.duration = store.lastTime() - p.started;
    for (std::uint32_t id = 0; id < p.aggregations.size() && out.to == 0; ++id)
        if (const auto interval = store.shownInterval(AggregationId{id})) {
            out.from = interval->from - p.started;
            out.to = interval->to - p.started;
        }
    return out;
}
std::string formatUtc(std::int64_t ns)
{
    const std::time_t seconds = static_cast<std::time_t>(ns / 1'000'000'000 - (ns % 1'000'000'000 < 0 ? 1 : 0));
    std::tm tm{};
    ::gmtime_r(&seconds, &tm);
    std::array<char, 64> text{};
    const auto size = std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &tm);
    return {text.data(), size};
}
std::string inDuration(const Provenance& p)
{
    return p.duration > 0 ? " in " + formatDuration(static_cast<double>(p.duration)) : std::string();
}
std::string inShownInterval(const Provenance& p)
{
    if (p.to == 0) return inDuration(p);
    return " in the last interval (" + formatRange(static_cast<double>(p.from), static_cast<double>(p.to), Unit::Nanoseconds) + ')';
}

Page::Page(const LayoutOptions& options, std::string_view title, std::string_view subtitle, Provenance provenance,
    std::span<const LegendEntry> entries)
    : m_options(options), m_provenance(std::move(provenance))
{
    m_options.width = std::max(m_options.width, 200.0);
    m_options.height = std::max(m_options.height, 150.0);
    const double width = m_options.width;
    m_scale = width >= 1100 ? 1 : width >= 600 ? 0.85 : 0.7;
    m_margin = m_options.forScreen ? 12 : std::clamp(width * 0.03, 12.0, 48.0);
    m_figure.width = width;
    m_figure.height = m_options.height;
    m_figure.title = printable(m_options.title.empty() ? title : m_options.title);
    const std::string below = printable(m_options.subtitle.empty() ? subtitle : m_options.subtitle);
    box(Role::Ground, {0, 0, width, m_options.height, 0});

    const double room = width - 2 * m_margin;
    double bottom = m_margin;
    if (m_options.forScreen) {
        if (!entries.empty()) bottom += legend({m_margin, m_margin}, room, entries, 12) + 8;
    } else {
        const double titleSize = 28 * m_scale, subtitleSize = 15 * m_scale;
        const double beside = legendWidth(entries, 13);
        const bool fitsBeside = !entries.empty() && textWidth(m_figure.title, titleSize, true) + 48 + beside <= room;
        double y = m_margin * 0.2;
        for (const auto& line : balanced(m_figure.title, room, titleSize, m_options.height < kLowPage ? 1 : 2, true)) {
            y += titleSize * 1.3;
            text(Role::Title, {m_margin, y + 8 * m_scale}, line, {.size = titleSize, .bold = true, .maxWidth = room});
        }
        y += 8 * m_scale;
        if (fitsBeside) legend({width - m_margin - beside, y - kLegendMark + 2}, beside + 1, entries, 13);
        for (const auto& line : wrapped(below, room, subtitleSize, m_options.height < kLowPage ? 1 : 3)) {
            y += subtitleSize * 1.45;
            text(Role::Subtitle, {m_margin, y + 6 * m_scale}, line, {.size = subtitleSize, .maxWidth = room});
        }
        bottom = y + 6 * m_scale + 22 * m_scale;
        if (!entries.empty() && !fitsBeside) bottom += legend({m_margin, bottom - 8 * m_scale}, room, entries, 12) + 6;
    }
    if (!m_options.forScreen) {
        const double size = 12 * m_scale;
        m_footHeight = 18 * m_scale * (1 + static_cast<double>(programLines(size, room).size())) + 30 * m_scale;
    }
    const double floor = m_options.height - (m_options.forScreen ? m_margin : m_footHeight + kAboveFoot * m_scale);
    m_content = {m_margin, bottom, room, std::max(floor - bottom, 20.0), 0};
}

Item& Page::box(Role role, const Box& shape, Shade shade)
{
    Item& item = m_figure.items.emplace_back();
    item.role = role;
    item.shape = shape;
    item.shade = shade;
    return item;
}
Item& Page::path(Role role, std::vector<Point> points, Shade shade)
{
    Item& item = m_figure.items.emplace_back();
    item.role = role;
    item.shape = Path{std::move(points), false, false, false};
    item.shade = shade;
    return item;
}
Item& Page::text(Role role, Point at, std::string_view raw, const TextStyle& style, Shade shade)
{
    const std::string whole = printable(raw);
    Text text;
    text.at = at;
    text.text = style.maxWidth > 0 ? elided(whole, style.maxWidth, style.size, style.middle, style.bold, style.mono) : whole;
    if (text.text.empty()) {
        m_scratch = {};
        return m_scratch;
    }
    text.size = style.size;
    text.width = textWidth(text.text, style.size, style.bold, style.mono);
    text.anchor = style.anchor;
    text.bold = style.bold;
    text.mono = style.mono;
    const bool cut = text.text != whole;
    Item& item = m_figure.items.emplace_back();
    item.role = role;
    item.shape = std::move(text);
    item.shade = shade;
    if (cut) item.tip = whole;
    return item;
}
NodeId Page::node(std::optional<NodeId> parent, std::string_view name, double weight, bool isCaller)
{
    const auto id = hiddenNode(parent, name, weight, isCaller);
    m_figure.tree.back().item = ItemId{static_cast<std::uint32_t>(m_figure.items.size() - 1)};
    m_figure.items.back().node = id;
    return id;
}
NodeId Page::hiddenNode(std::optional<NodeId> parent, std::string_view name, double weight, bool isCaller)
{
    m_figure.tree.push_back({parent, std::string(name), weight, isCaller, std::nullopt});
    return NodeId{static_cast<std::uint32_t>(m_figure.tree.size() - 1)};
}
double Page::legend(Point at, double width, std::span<const LegendEntry> entries, double size)
{
    double x = at.x, y = at.y;
    for (const auto& entry : entries) {
        const double needed = kLegendMark + 6 + textWidth(entry.label, size);
        if (x > at.x && x + needed > at.x + width) {
            x = at.x;
            y += kLegendMark + 8;
        }
        if (entry.line)
            path(entry.role, {{x, y + kLegendMark / 2}, {x + kLegendMark, y + kLegendMark / 2}}, entry.shade);
        else
            box(entry.role, {x, y, kLegendMark, kLegendMark, 2}, entry.shade).level = entry.level;
        text(Role::Legend, {x + kLegendMark + 6, y + kLegendMark - 3}, entry.label,
            {.size = size, .maxWidth = at.x + width - x - kLegendMark - 6 + 0.5});
        x += needed + kLegendGap;
    }
    return y + kLegendMark - at.y;
}
void Page::empty(std::string_view sentence, std::string_view advice)
{
    const double size = 20 * m_scale, small = 15 * m_scale, room = std::min(m_content.width, 900.0);
    const Point middle{m_content.x + m_content.width / 2, m_content.y + m_content.height / 2};
    double y = middle.y - size;
    for (const auto& line : wrapped(printable(sentence), room, size, 3)) {
        text(Role::Legend, {middle.x, y}, line, {.size = size, .anchor = Anchor::Middle});
        y += size * 1.4;
    }
    for (const auto& line : wrapped(printable(advice), room, small, 4)) {
        text(Role::Note, {middle.x, y}, line, {.size = small, .anchor = Anchor::Middle});
        y += small * 1.5;
    }
}
std::vector<std::string> Page::programLines(double size, double width) const
{
    const std::string program = printable(oneLine(m_provenance.source));
    if (program.empty()) return {};
    if (m_provenance.isImported)
        return {elided(
            program + (m_provenance.name.empty() ? "" : ": " + std::string(baseName(m_provenance.name))), width, size, false, false, true)};
    auto lines = wrapped(program, width, size, kProgramLines + 1, false, true);
    const bool cut = std::any_of(lines.begin(), lines.end(), [](const std::string& l) { return l.find("\u2026") != std::string::npos; });
    if (lines.size() <= kProgramLines && !cut && m_options.height >= kLowPage) return lines;
    const std::string digest = "program " + sha256(m_provenance.source).substr(0, 8);
    return {m_provenance.name.empty() ? digest : std::string(baseName(m_provenance.name)) + std::string(kDot) + digest};
}
void Page::addFootnote()
{
    const auto& p = m_provenance;
    const double size = 12 * m_scale, step = 18 * m_scale, width = m_figure.width, room = width - 2 * m_margin;
    const auto program = programLines(size, room);
    double y = m_figure.height - m_footHeight + 2 * m_scale;
    path(Role::Grid, {{m_margin, y - 12 * m_scale}, {width - m_margin, y - 12 * m_scale}});
    const bool named = program.size() == 1 && program.front().find("program ") != std::string::npos;
    for (const auto& line : program) {
        y += step;
        text(Role::Note, {m_margin, y - 6 * m_scale}, line, {.size = size, .mono = !named, .maxWidth = room});
    }
    std::vector<std::string> facts;
    if (!p.host.empty() && !m_options.redact) facts.push_back(p.host);
    if (!p.kernel.empty()) facts.push_back("Linux " + p.kernel);
    if (p.utc != 0) facts.push_back(formatUtc(p.utc));
    if (p.duration > 0) facts.push_back(formatDuration(static_cast<double>(p.duration)));
    // What other tools printed says only what was lost, not that nothing was.
    if (p.drops > 0 || !p.isImported) facts.push_back(withNoun(formatGrouped(static_cast<std::int64_t>(p.drops)), "drops"));
    if (!p.source.empty() && !named && !p.isImported) facts.push_back("program " + sha256(p.source).substr(0, 8));
    const std::string version = "dscope " + (p.version.empty() ? std::string(DSCOPE_VERSION) : p.version);
    const double right = textWidth(version, size) + 24;
    y += step;
    text(Role::Note, {m_margin, y - 6 * m_scale}, joined(facts), {.size = size, .maxWidth = room - right});
    text(Role::Note, {width - m_margin, y - 6 * m_scale}, version, {.size = size, .anchor = Anchor::End});
}
Figure Page::finish(std::string description, Point used)
{
    if (!m_options.fit) {
        const double below = m_options.forScreen ? m_margin : m_footHeight + kAboveFoot * m_scale;
        m_figure.width = std::max(m_figure.width, used.x + m_margin);
        m_figure.height = std::max(m_figure.height, used.y + below);
        std::get<Box>(m_figure.items.front().shape) = {0, 0, m_figure.width, m_figure.height, 0};
    }
    if (!m_options.forScreen) addFootnote();
    m_figure.description = printable(description);
    return std::move(m_figure);
}
} // namespace dscope::graph
