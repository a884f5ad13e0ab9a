#include "graph/page.h"
#include "graph/headline.h"
#include "graph/sha256.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include "graph/units.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <utility>
namespace dscope::graph {
namespace {
constexpr double kReadable = 8; // px: on small pages there is less rather than smaller text
}
double smallestText(const LayoutOptions& options)
{
    if (options.text > 0) return options.text;
    if (options.forScreen) return 12;
    return std::max(std::min(options.height, options.width * 9 / 16) / 50, kReadable);
}
namespace {
constexpr double kSmallest = 12; // px at scale 1, which all sizes of the views are told for
constexpr double kLowPage = 400; // px at scale 1: on lower pages title and subtitle have fewer lines
} // namespace

bool isLowPage(const LayoutOptions& options) { return options.height < kLowPage * smallestText(options) / kSmallest; }

namespace {
constexpr std::size_t kProgramLines = 3;
constexpr double kAboveFoot = 16, kTitle = 24, kLowTitle = 17, kSubtitle = 13.5, kNote = 12, kNoteLine = 17;
constexpr double kBareMargin = 6;    // px around a figure whose words are set by another
constexpr double kProgramPage = 800; // px at scale 1: on lower pages the program has one line, or is named instead
std::size_t linesOfTitle(const LayoutOptions& options) { return isLowPage(options) ? 1 : 2; }
double titleSizeOf(const LayoutOptions& options) { return (isLowPage(options) ? kLowTitle : kTitle) * smallestText(options) / kSmallest; }
double marginOf(const LayoutOptions& options)
{
    if (options.heading == Heading::Apart) return kBareMargin;
    if (options.forScreen) return 12;
    return std::clamp(options.width * 0.03, 12.0, std::max(48.0, 32 * smallestText(options) / kSmallest));
}
double markOf(double size) { return 1.25 * size; }
constexpr std::string_view kDot = " \u00b7 ";

/// A legend without the steps of its scales.
std::vector<LegendEntry> inBrief(std::span<const LegendEntry> legend)
{
    std::vector<LegendEntry> out;
    for (const auto& entry : legend) {
        if (entry.isFine) continue;
        out.push_back(entry);
        if (!entry.brief.empty()) out.back().label = entry.brief;
    }
    return out;
}
std::string joined(const std::vector<std::string>& parts)
{
    std::string out;
    for (const auto& part : parts)
        out += (out.empty() ? std::string() : std::string(kDot)) + part;
    return out;
}
// The program in few lines: comments, the interpreter's line and runs of blanks say nothing in a footnote. A line of the preprocessor
// stays one, since D would be another program otherwise.
std::vector<std::string> inFewLines(std::string_view source)
{
    if (source.starts_with("#!")) source.remove_prefix(std::min(source.find('\n'), source.size()));
    std::vector<std::string> lines(1);
    bool gap = false, isAtBegin = true, isDirective = false;
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
            gap = !lines.back().empty();
            isAtBegin = isAtBegin || c == '\n' || (isComment && i < source.size() && source[i] == '\n');
            if (isAtBegin && std::exchange(isDirective, false)) {
                lines.emplace_back();
                gap = false;
            }
            continue;
        }
        if (std::exchange(isAtBegin, false) && c == '#') {
            if (!lines.back().empty()) lines.emplace_back();
            isDirective = true;
            gap = false;
        }
        auto& out = lines.back();
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
    if (lines.back().empty()) lines.pop_back();
    return lines;
}
} // namespace

Provenance provenanceOf(const Store& store, Takes takes)
{
    const auto& p = store.program();
    Provenance out{p.source, p.name, p.host, p.kernel, p.version, 0, 0, store.drops(), p.isImported};
    if (p.wallClockOffset != 0) out.utc = p.wallClockOffset + p.started;
    if (store.lastTime() > p.started && p.started > 0) out.duration = store.lastTime() - p.started;
    for (std::uint32_t id = 0; id < p.aggregations.size() && out.to == 0; ++id)
        if (const auto interval = store.shownInterval(AggregationId{id})) {
            out.from = interval->from - p.started;
            out.to = interval->to - p.started;
        }
    if (p.lines > 0) out.notUnderstood = static_cast<double>(p.linesNotUnderstood) / static_cast<double>(p.lines);
    out.stretch = store.shownStretch();
    out.whose = Whose(p, processesIn(p, takes));
    return out;
}

Provenance provenanceOfProcesses(const Store& store)
{
    auto out = provenanceOf(store);
    out.whose = Whose();
    return out;
}

std::string stretchText(const Provenance& provenance)
{
    if (!provenance.stretch) return {};
    const auto& shown = *provenance.stretch;
    const auto time = [](std::int64_t ns) { return formatDuration(static_cast<double>(ns)); };
    const auto length = time(shown.to - shown.from), whole = time(shown.whole);
    const auto range = formatRange(static_cast<double>(shown.from), static_cast<double>(shown.to), Unit::Nanoseconds);
    auto text = shown.from == 0 && shown.to == shown.whole ? said("all of %1", whole)
        : shown.from == 0                                  ? said("only the first %1 of %2", length, whole)
        : shown.to == shown.whole                          ? said("only the last %1 of %2", length, whole)
                                                           : said("only %1 of %2", range, whole);
    if (shown.beyond > 0) text += said(", sums to within %1", time(shown.beyond));
    if (shown.hasExtremes) text += said("; min() and max() since the start");
    return text;
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
std::int64_t shownTime(const Provenance& p)
{
    if (p.stretch) return p.stretch->to - p.stretch->from;
    return p.to > 0 ? p.to - p.from : p.duration;
}
std::string inDuration(const Provenance& p)
{
    return p.duration > 0 ? said(" in %1", formatDuration(static_cast<double>(p.duration))) : std::string();
}
std::string lostText(std::uint64_t records)
{
    return saidOf(records, "%1 record lost", "%1 records lost", formatGrouped(static_cast<std::int64_t>(records)));
}
std::string inShownInterval(const Provenance& p) { return p.to == 0 ? inDuration(p) : std::string(); }
Caveats intervalCaveat(const Provenance& p)
{
    Caveats out;
    constexpr double kMuch = 0.1; // of a text: less is said where it is imported
    if (p.notUnderstood > kMuch) out.push_back(said("%1 of the file's lines were not understood", formatShare(p.notUnderstood, 1)));
    if (p.to != 0)
        out.push_back(
            said("only the last interval, %1", formatRange(static_cast<double>(p.from), static_cast<double>(p.to), Unit::Nanoseconds)));
    return out;
}

bool isTitleOfOneLine(const LayoutOptions& options, std::string_view title)
{
    return textWidth(printable(title), titleSizeOf(options), {.bold = true}) <= options.width - 2 * marginOf(options);
}

bool isWholeTitle(const LayoutOptions& options, std::string_view title)
{
    const double room = options.width - 2 * marginOf(options), size = titleSizeOf(options);
    const auto words = printable(title);
    const auto lines = wrapped(words, room, size, linesOfTitle(options), {.bold = true});
    return lines.empty()
        || (lines.back().ends_with("\u2026") == words.ends_with("\u2026")
            && std::all_of(lines.begin(), lines.end(), [&](const auto& line) { return textWidth(line, size, {.bold = true}) <= room; }));
}

Page::Page(
    const LayoutOptions& options, const Headed& own, Provenance provenance, std::span<const LegendEntry> legend, const Caveats& caveats)
    : m_options(options), m_provenance(std::move(provenance))
{
    m_options.width = std::max(m_options.width, 200.0);
    m_options.height = std::max(m_options.height, 150.0);
    const double width = m_options.width;
    m_scale = smallestText(m_options) / kSmallest;
    const auto entries = isLow() ? inBrief(legend) : std::vector<LegendEntry>(legend.begin(), legend.end());
    const bool isBare = m_options.forScreen || m_options.heading == Heading::Apart;
    m_margin = marginOf(m_options);
    m_figure.width = width;
    m_figure.lines = std::max(1.0, m_scale);
    m_figure.height = m_options.height;
    const auto [title, subtitle, isFinding] = headedByWhose(m_options, own, m_provenance.whose);
    auto& words = m_figure.words;
    words.title = printable(m_options.title.value_or(title));
    words.subtitle = printable(m_options.subtitle.value_or(subtitle));
    words.isFinding = isFinding;
    words.known = known(caveats);
    m_figure.title = words.title.empty() ? printable(title) : words.title; // for those who cannot see it
    box(Role::Ground, {0, 0, width, m_options.height, 0});

    const double room = width - 2 * m_margin;
    double bottom = m_margin;
    if (!m_options.forScreen && m_options.heading == Heading::Drawn)
        bottom = addHeading(entries);
    else if (!entries.empty())
        bottom += this->legend({m_margin, m_margin}, room, entries) + 8;
    if (hasFootnote()) {
        m_footHeight = kNoteLine * m_scale * (1 + static_cast<double>(programLines(kNote * m_scale, room).size())) + 20 * m_scale;
    }
    const double floor = m_options.height - (isBare ? m_margin : m_footHeight + kAboveFoot * m_scale);
    m_content = {m_margin, bottom, room, std::max(floor - bottom, 20.0), 0};
}

bool Page::isLow() const { return isLowPage(m_options); }
double Page::legendGap() const { return (isLow() ? 1 : 2) * kSmallest * m_scale; }
double Page::legendWidth(std::span<const LegendEntry> entries) const
{
    const double size = kSmallest * m_scale;
    double width = 0;
    for (const auto& e : entries)
        width += markOf(size) * 1.4 + textWidth(e.label, size) + legendGap();
    return entries.empty() ? 0 : width - legendGap();
}
bool Page::hasFootnote() const
{
    return !m_options.forScreen && m_options.heading == Heading::Drawn && m_options.footer != LayoutOptions::Footer::None;
}
Caveats Page::known(const Caveats& caveats) const
{
    auto known = caveats;
    if (m_provenance.stretch) known.insert(known.begin(), stretchText(m_provenance));
    known.insert(known.end(), m_options.said.begin(), m_options.said.end());
    if (m_provenance.drops > 0) known.push_back(lostText(m_provenance.drops));
    for (auto& line : known)
        line = printable(line);
    return known;
}
/// Title, subtitle, caveats and legend; returns where they end.
double Page::addHeading(std::span<const LegendEntry> entries)
{
    const auto& words = m_figure.words;
    const double width = m_figure.width, room = width - 2 * m_margin;
    const bool isLow = this->isLow();
    const double titleSize = titleSizeOf(m_options), subtitleSize = kSubtitle * m_scale, legendSize = kSmallest * m_scale;
    const double beside = legendWidth(entries);
    const bool fitsBeside = !entries.empty() && textWidth(words.title, titleSize, {.bold = true}) + 48 + beside <= room;
    double y = m_margin * 0.2;
    for (const auto& line : balanced(words.title, room, titleSize, linesOfTitle(m_options), {.bold = true})) {
        y += titleSize * 1.3;
        text(Role::Title, {m_margin, y + 8 * m_scale}, line, {.size = titleSize, .bold = true, .maxWidth = room});
    }

    y += 8 * m_scale;
    if (fitsBeside && words.title.empty()) y += titleSize;
    if (fitsBeside) legend({width - m_margin - beside, y - markOf(legendSize) + 2}, beside + 1, entries);
    for (const auto& line : wrappedParts(words.subtitle, room, subtitleSize, isLow ? 1 : 3)) {
        y += subtitleSize * 1.45;
        text(Role::Subtitle, {m_margin, y + 6 * m_scale}, line, {.size = subtitleSize, .maxWidth = room});
    }

    for (const auto& line : wrapped(joined(words.known), room, subtitleSize, 2)) {
        y += subtitleSize * 1.45;
        text(Role::Label, {m_margin, y + 6 * m_scale}, line, {.size = subtitleSize, .maxWidth = room});
    }
    double bottom = y + 6 * m_scale + 22 * m_scale;
    if (!entries.empty() && !fitsBeside) bottom += legend({m_margin, bottom - 8 * m_scale}, room, entries) + 6 * m_scale;
    return bottom;
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
    item.shape = Path{.points = std::move(points)};
    item.shade = shade;
    return item;
}
Item& Page::text(Role role, Point at, std::string_view raw, const TextStyle& style, Shade shade)
{
    const std::string whole = printable(raw);
    Text text;
    text.at = at;
    text.text = style.maxWidth > 0
        ? elided(whole, style.maxWidth, style.size, style.middle ? Elide::Middle : Elide::End, {.bold = style.bold, .mono = style.mono})
        : whole;
    if (text.text.empty()) {
        m_scratch = {};
        return m_scratch;
    }

    text.size = style.size;
    text.width = textWidth(text.text, style.size, {.bold = style.bold, .mono = style.mono});
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
NodeId Page::node(std::optional<NodeId> parent, std::string_view name, double weight, Side side)
{
    const auto id = hiddenNode(parent, name, weight, side);
    m_figure.tree.back().item = ItemId{static_cast<std::uint32_t>(m_figure.items.size() - 1)};
    m_figure.items.back().node = id;
    return id;
}
NodeId Page::hiddenNode(std::optional<NodeId> parent, std::string_view name, double weight, Side side)
{
    m_figure.tree.push_back({parent, std::string(name), weight, side == Side::Callers, std::nullopt});
    return NodeId{static_cast<std::uint32_t>(m_figure.tree.size() - 1)};
}
double Page::legend(Point at, double width, std::span<const LegendEntry> entries)
{
    const double size = kSmallest * m_scale, mark = markOf(size), toText = mark * 1.4;
    double x = at.x, y = at.y;
    for (const auto& entry : entries) {
        const double needed = toText + textWidth(entry.label, size);
        if (x > at.x && x + needed > at.x + width) {
            x = at.x;
            y += mark * 1.45;
        }
        if (entry.isLine)
            path(entry.role, {{x, y + mark / 2}, {x + mark, y + mark / 2}}, entry.shade);
        else
            box(entry.role, {x, y, mark, mark, 2}, entry.shade).level = entry.level;
        text(Role::Legend, {x + toText, y + mark / 2 + size * 0.36}, entry.label,
            {.size = size, .maxWidth = at.x + width - x - toText + 0.5});
        x += needed + legendGap();
    }
    return y + mark - at.y;
}
void Page::empty(std::string_view sentence, std::string_view advice)
{
    const bool isLow = m_content.height < 130 * m_scale;
    const double size = (isLow ? 13 : 20) * m_scale, small = (isLow ? 12 : 15) * m_scale, room = std::min(m_content.width, 900.0);
    const Point middle{m_content.x + m_content.width / 2, m_content.y + m_content.height / 2};
    double y = isLow ? m_content.y + size : middle.y - size;
    const double bottom = m_content.y + m_content.height;
    const auto put = [&](Role role, std::string_view words, double high, double step, std::size_t most) {
        // As many lines as have room; the last says by its ellipsis that there is more.
        const auto fitting = static_cast<std::size_t>(std::max(0.0, std::floor((bottom - y) / step + 1)));
        if (fitting == 0) return;
        for (const auto& line : wrapped(printable(words), room, high, std::min(most, fitting))) {
            text(role, {middle.x, y}, line, {.size = high, .anchor = Anchor::Middle});
            y += step;
        }
    };
    put(Role::Legend, sentence, size, size * 1.4, 3);
    put(Role::Note, advice, small, small * 1.5, 4);
}
std::vector<std::string> Page::programLines(double size, double width) const
{
    if (isLow()) return {}; // which has one line for all
    auto program = inFewLines(m_provenance.source);
    if (program.empty() || m_options.footer != LayoutOptions::Footer::Full) return {};
    if (m_provenance.isImported)
        return {elided(printable(program.front()) + (m_provenance.name.empty() ? "" : ": " + std::string(baseName(m_provenance.name))),
            width, size, Elide::End, {.mono = true})};
    const std::size_t most = m_options.height >= kProgramPage * m_scale ? kProgramLines : 1;
    const auto linesOfAll = [&] {
        std::vector<std::string> lines;
        for (const auto& one : program) {
            if (lines.size() > most) break;
            auto parts = wrapped(printable(one), width, size, most + 1, {.mono = true});
            lines.insert(lines.end(), parts.begin(), parts.end());
        }
        return lines;
    };

    auto lines = linesOfAll();
    // Options say how it was run, clauses what was asked: where there is no room for both these are told.
    if (lines.size() > most && std::erase_if(program, [](const std::string& one) { return one.starts_with("#pragma D option"); }) > 0)
        lines = linesOfAll();
    if (lines.empty()) return {};
    const bool cut = std::any_of(lines.begin(), lines.end(), [](const std::string& l) { return l.find("\u2026") != std::string::npos; });
    if (lines.size() <= most && !cut) return lines;
    const std::string digest = "program " + sha256(m_provenance.source).substr(0, 8);
    return {m_provenance.name.empty() ? digest : std::string(baseName(m_provenance.name)) + std::string(kDot) + digest};
}
/// Of a page that has one line for its footnote: where the data came from, in few words.
std::string Page::originOnLow() const
{
    const auto name = std::string(baseName(m_provenance.name));
    if (!m_provenance.isImported) return name;
    return printable(m_provenance.source) + (name.empty() ? "" : ": " + name);
}
void Page::addFootnote()
{
    const auto& p = m_provenance;
    const double size = kNote * m_scale, step = kNoteLine * m_scale, width = m_figure.width, room = width - 2 * m_margin;
    const auto program = programLines(size, room);
    double y = m_figure.height - m_footHeight + 2 * m_scale;
    path(Role::Grid, {{m_margin, y - 12 * m_scale}, {width - m_margin, y - 12 * m_scale}});
    const bool named = program.size() == 1 && program.front().find("program ") != std::string::npos;
    for (const auto& line : program) {
        y += step;
        text(Role::Note, {m_margin, y - 6 * m_scale}, line, {.size = size, .mono = !named, .maxWidth = room});
    }

    // With how much each matters: where there is no room for all, whole facts are left out, and none is cut.
    std::vector<std::pair<int, std::string>> facts;
    const std::string version = "dscope " + (p.version.empty() ? std::string(DSCOPE_VERSION) : p.version);
    const double right = textWidth(version, size) + 24;
    if (isLow() && m_options.footer == LayoutOptions::Footer::Full) {
        const auto origin = originOnLow();
        const bool fits = p.name.empty() || textWidth(printable(origin), size) <= room - right;
        facts.emplace_back(5, fits ? origin : std::string(baseName(p.name))); // nothing is cut: the file's name says most
    }
    if (!p.host.empty() && !m_options.redact) facts.emplace_back(1, p.host);
    if (!p.kernel.empty()) facts.emplace_back(0, "Linux " + p.kernel);
    if (p.utc != 0) facts.emplace_back(3, formatUtc(p.utc));
    if (p.duration > 0) facts.emplace_back(2, formatDuration(static_cast<double>(p.duration)));

    // What other tools printed says only what was lost, not that nothing was.
    if (p.drops > 0 || !p.isImported)
        facts.emplace_back(6, saidOf(p.drops, "%1 drop", "%1 drops", formatGrouped(static_cast<std::int64_t>(p.drops))));
    if (!p.source.empty() && !named && !p.isImported) facts.emplace_back(4, "program " + sha256(p.source).substr(0, 8));
    std::erase_if(facts, [](const auto& fact) { return fact.second.empty(); });
    const auto all = [&] {
        std::vector<std::string> texts;
        for (const auto& fact : facts)
            texts.push_back(printable(fact.second));
        return joined(texts);
    };
    while (facts.size() > 1 && textWidth(all(), size) > room - right)
        facts.erase(std::min_element(facts.begin(), facts.end(), [](const auto& a, const auto& b) { return a.first < b.first; }));
    y += step;
    text(Role::Note, {m_margin, y - 6 * m_scale}, all(), {.size = size, .maxWidth = room - right});
    text(Role::Note, {width - m_margin, y - 6 * m_scale}, version, {.size = size, .anchor = Anchor::End});
}
Figure Page::finish(std::string description, Point used)
{
    if (!m_options.fit) {
        const bool isBare = m_options.forScreen || m_options.heading == Heading::Apart;
        const double below = isBare ? m_margin : m_footHeight + kAboveFoot * m_scale;
        m_figure.width = std::max(m_figure.width, used.x + m_margin);
        m_figure.height = std::max(m_figure.height, used.y + below);
        std::get<Box>(m_figure.items.front().shape) = {0, 0, m_figure.width, m_figure.height, 0};
    }
    if (hasFootnote()) addFootnote();
    m_figure.description = printable(description);
    return std::move(m_figure);
}
} // namespace dscope::graph
