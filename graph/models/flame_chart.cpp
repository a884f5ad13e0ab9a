#include "graph/calls.h"
#include "graph/frame_label.h"
#include "graph/keys.h"
#include "graph/page.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/time_axis.h"
#include "graph/units.h"
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <span>
namespace dscope::graph {
namespace {
constexpr ViewFacts kFacts{.name = "flame-chart",
    .tab = "Flame chart",
    .summary = "calls over time, a lane a thread: entry and return probes in the order of their time",
    .growth = Growth::Down,
    .hasFocus = true};
constexpr double kTallestRow = 36, kLowestRow = 15, kScreenRow = 18, kHead = 24, kLaneGap = 12, kAxis = 30, kNarrowestLabel = 30;
constexpr double kSliver = 1; // px: what is narrower is drawn with its neighbours
constexpr std::size_t kMostBars = 10'000, kMostStrips = 8;
constexpr std::size_t kMostHidden = 20'000; ///< calls that are kept to be searched although they are too short to be drawn
constexpr double kReadable = 0.9;           // of the calls: with so many labelled, the time needs no more room

bool names(const record::Program& program, std::string_view what)
{
    return std::any_of(program.clauses.begin(), program.clauses.end(), [&](const record::Clause& c) {
        return !c.silent
            && (c.probes.find(std::string(":") + std::string(what)) != std::string::npos
                || c.probes.find('-' + std::string(what)) != std::string::npos);
    });
}
/// One call, or a run of neighbours that are too short to be seen alone.
struct Bar {
    std::size_t call = 0, calls = 1;
    std::int64_t start = 0, end = 0;
};

/// A stretch of time.
struct Span {
    std::int64_t from = 0, to = 1; ///< from < to
    /// Whether something of a call is seen in it; what lies on its left edge is, on its right edge not.
    bool shows(const Call& c) const { return c.start < to && (c.end > from || c.start >= from); }
};
/// The calls of one thread that are seen.
struct Lane {
    std::size_t thread = 0, first = 0, end = 0; ///< [first, end) of Calls::calls
    std::uint32_t depth = 0;                    ///< levels
    std::size_t calls = 0;
};

/// Calls over time: a lane a thread, nested by depth.
class FlameChart final : public Visual {
public:
    explicit FlameChart(const Store& store)
        : m_provenance(provenanceOf(store)), m_command(store.program().command), m_probes(probesText(store.program())),
          m_notKept(store.firedNotKept()), m_timed(tellsTimes(store.program())), m_calls(callsOf(store))
    {
    }
    const ViewFacts& facts() const override { return kFacts; }
    std::string title() const override { return titled(false); }
    bool empty() const override { return m_calls.calls.empty(); }
    const Calls* calls() const override { return &m_calls; }
    Table table() const override
    {
        Table t;
        t.columns = {{Unit::Nanoseconds, "start_ns", true}, {Unit::Nanoseconds, "end_ns", true}, {Unit::Nanoseconds, "duration_ns", true},
            {Unit::None, "pid", true}, {Unit::None, "tid", true}, {Unit::None, "depth", true}, {Unit::None, "function", false}};
        for (const auto& c : m_calls.calls) {
            const auto& thread = m_calls.threads[c.thread];
            t.rows.push_back({c.begun ? std::to_string(c.start) : "", c.ended ? std::to_string(c.end) : "",
                c.begun && c.ended ? std::to_string(c.end - c.start) : "", std::to_string(thread.pid), std::to_string(thread.tid),
                std::to_string(c.depth), m_calls.names[c.name]});
        }
        return t;
    }
    Figure figure(const LayoutOptions& options) const override;
    /// Of the time of all threads.
    std::optional<Share> share(const NameTest& test, std::string_view focus) const override;

private:
    std::string titled(bool redact) const
    {
        return m_command.empty() || redact ? "What calls what, when" : "What calls what, when: " + printable(m_command);
    }
    std::string subtitle(std::size_t hiddenThreads, std::size_t hiddenLevels, const std::string& note = {}) const;
    std::string inWords() const;
    std::string keyOf(const Bar& bar) const;
    std::optional<Span> spanOf(std::string_view key) const;
    const std::string& longest() const
    {
        const auto less = [](const Call& a, const Call& b) { return a.end - a.start < b.end - b.start; };
        return m_calls.names[std::max_element(m_calls.calls.begin(), m_calls.calls.end(), less)->name];
    }
    std::vector<Lane> lanesIn(const Span& span) const;
    std::size_t stripsFor(const Span& span, std::span<const Lane> lanes, double width, std::size_t most) const;
    std::string laneName(std::size_t thread) const
    {
        const auto& t = m_calls.threads[thread];
        if (!m_timed) return "CPU " + std::to_string(t.tid);
        std::string text = t.name.empty() ? "pid " + std::to_string(t.pid) : t.name + ' ' + std::to_string(t.pid);
        if (t.tid != t.pid) text += ", thread " + std::to_string(t.tid);
        return text;
    }
    std::string duration(const Call& c) const
    {
        if (!m_timed) return "lines " + std::to_string(c.start) + " to " + std::to_string(c.end);
        const std::string text = formatDuration(static_cast<double>(c.end - c.start));
        return c.begun && c.ended ? text : "more than " + text;
    }
    std::vector<Bar> barsOf(const Lane& lane, const Span& span, std::uint32_t levels, double sliver) const;
    /// How a thread's calls are drawn.
    struct LaneRoom {
        const TimeScale& time;
        double y = 0, row = 0; ///< px: the upper edge, the height of a level
        std::uint32_t levels = 1;
        bool isSearched = false; ///< calls that are too short to be drawn are put into the figure's tree
    };
    void drawLane(Page& page, const Lane& lane, std::span<const Bar> bars, const LaneRoom& room) const;
    NodeId drawBar(Page& page, const Bar& bar, const TimeScale& time, double y, double row, NodeId caller) const;

    Provenance m_provenance;
    std::string m_command, m_probes;
    std::uint64_t m_notKept = 0;
    bool m_timed = true; ///< else what stands for a time is the number of a line
    Calls m_calls;
};

std::string FlameChart::subtitle(std::size_t hiddenThreads, std::size_t hiddenLevels, const std::string& note) const
{
    const auto number = [](std::size_t n, const char* one, const char* many) {
        return formatGrouped(static_cast<std::int64_t>(n)) + ' ' + (n == 1 ? one : many);
    };
    std::string text = number(m_calls.calls.size(), "call", "calls") + " of " + number(m_calls.names.size(), "function", "functions")
        + (m_timed ? " in " : " on ")
        + (m_timed ? number(m_calls.threads.size(), "thread", "threads") + ", "
                    + formatDuration(static_cast<double>(m_calls.to - m_calls.from))
                   : number(m_calls.threads.size(), "CPU", "CPUs") + ", in the order of their lines: the text tells no times");
    const auto open
        = static_cast<std::size_t>(std::count_if(m_calls.calls.begin(), m_calls.calls.end(), [](const Call& c) { return !c.ended; }));
    if (open > 0) text += " \u00b7 " + number(open, "had", "had") + " not returned (\u2192)";
    if (m_calls.returnsAlone > 0) text += " \u00b7 " + number(m_calls.returnsAlone, "return", "returns") + " without a call";
    if (m_provenance.drops > 0)
        text += " \u00b7 " + number(static_cast<std::size_t>(m_provenance.drops), "record", "records")
            + " lost: calls are missing, others look longer";
    if (m_notKept > 0) text += " \u00b7 " + number(static_cast<std::size_t>(m_notKept), "later record", "later records") + " not kept";
    if (!note.empty()) text += " \u00b7 " + note;
    if (hiddenLevels > 0) text += " \u00b7 " + number(hiddenLevels, "deeper level", "deeper levels") + " not shown";
    if (hiddenThreads > 0) text += " \u00b7 " + number(hiddenThreads, "more thread", "more threads") + " not shown";
    return text;
}
std::string FlameChart::inWords() const
{
    std::map<std::uint32_t, std::int64_t> total;
    for (const auto& c : m_calls.calls)
        total[c.name] += c.end - c.start;
    std::vector<std::pair<std::int64_t, std::uint32_t>> order;
    for (const auto& [name, time] : total)
        order.emplace_back(-time, name);
    std::sort(order.begin(), order.end());
    std::string text = "Calls over time: " + subtitle(0, 0) + ". Longest in all: ";
    for (std::size_t i = 0; i < std::min<std::size_t>(order.size(), 5); ++i)
        text += (i ? ", " : "") + m_calls.names[order[i].second]
            + (m_timed ? ' ' + formatDuration(static_cast<double>(-order[i].first)) : std::string());
    return text + '.';
}
/// What only this mark has: the function, and from when to when.
std::string FlameChart::keyOf(const Bar& bar) const
{
    const auto since = [&](std::int64_t at) { return std::to_string(at - m_calls.from); };
    return (bar.calls > 1 ? formatGrouped(static_cast<std::int64_t>(bar.calls)) + " calls" : m_calls.names[m_calls.calls[bar.call].name])
        + " @" + since(bar.start) + '-' + since(bar.end) + (m_timed ? " ns" : "");
}
/// The time of the mark that has this key, or of the function's longest call, with a little around it.
std::optional<Span> FlameChart::spanOf(std::string_view key) const
{
    Span found{0, 0};
    const auto at = key.rfind(" @");
    if (at != std::string_view::npos) {
        const auto* end = key.data() + key.size();
        const auto from = std::from_chars(key.data() + at + 2, end, found.from);
        if (from.ec != std::errc() || from.ptr == end || *from.ptr != '-') return std::nullopt;
        if (std::from_chars(from.ptr + 1, end, found.to).ec != std::errc()) return std::nullopt;
        if (found.from < 0 || found.to < found.from || found.to > m_calls.to - m_calls.from) return std::nullopt;
        found = {found.from + m_calls.from, found.to + m_calls.from};
    } else {
        const Call* longest = nullptr;
        for (const auto& c : m_calls.calls)
            if (m_calls.names[c.name] == key && (!longest || c.end - c.start > longest->end - longest->start)) longest = &c;
        if (!longest) return std::nullopt;
        found = {longest->start, longest->end};
    }
    const auto around = std::max<std::int64_t>((found.to - found.from) / 50, 1);
    return Span{std::max(found.from - around, m_calls.from), std::min(found.to + around, m_calls.to)};
}
std::vector<Lane> FlameChart::lanesIn(const Span& span) const
{
    std::vector<Lane> lanes;
    const auto& calls = m_calls.calls;
    for (std::size_t at = 0; at < calls.size();) {
        Lane lane{calls[at].thread, at, at, 0, 0};
        for (; lane.end < calls.size() && calls[lane.end].thread == lane.thread; ++lane.end)
            if (span.shows(calls[lane.end])) {
                lane.depth = std::max(lane.depth, calls[lane.end].depth + 1);
                ++lane.calls;
            }
        at = lane.end;
        if (lane.calls > 0) lanes.push_back(lane);
    }
    return lanes;
}
/// As few strips, one below the other, as it takes to label most calls; `most` where that is out of reach.
std::size_t FlameChart::stripsFor(const Span& span, std::span<const Lane> lanes, double width, std::size_t most) const
{
    most = std::min({most, kMostStrips, static_cast<std::size_t>(span.to - span.from)});
    std::vector<std::int64_t> lengths;
    for (const auto& lane : lanes)
        for (auto i = lane.first; i < lane.end; ++i)
            if (const auto& c = m_calls.calls[i]; span.shows(c) && c.end > c.start) lengths.push_back(c.end - c.start);
    if (lengths.empty()) return 1;
    const auto shortest = lengths.begin() + static_cast<std::ptrdiff_t>(static_cast<double>(lengths.size()) * (1 - kReadable));
    std::nth_element(lengths.begin(), shortest, lengths.end());
    const double needed = kNarrowestLabel * static_cast<double>(span.to - span.from) / (static_cast<double>(*shortest) * width);
    return needed >= static_cast<double>(most) ? std::max<std::size_t>(most, 1)
                                               : static_cast<std::size_t>(std::max(std::ceil(needed), 1.0));
}
/// Of one thread's calls, those of the first `levels` that are seen; runs of calls shorter than `sliver` ns as one.
std::vector<Bar> FlameChart::barsOf(const Lane& lane, const Span& span, std::uint32_t levels, double sliver) const
{
    std::vector<Bar> out;
    std::vector<std::ptrdiff_t> last(levels, -1); ///< the bar at the end of each level
    for (auto i = lane.first; i < lane.end; ++i) {
        const auto& c = m_calls.calls[i];
        if (c.depth >= levels || !span.shows(c)) continue;
        const bool thin = static_cast<double>(c.end - c.start) < sliver;
        if (thin && last[c.depth] >= 0) {
            auto& bar = out[static_cast<std::size_t>(last[c.depth])];
            const auto& own = m_calls.calls[bar.call];
            const bool run = bar.calls > 1 || static_cast<double>(own.end - own.start) < sliver;
            if (run && static_cast<double>(c.start - bar.end) < sliver) {
                bar.end = std::max(bar.end, c.end);
                ++bar.calls;
                continue;
            }
        }
        last[c.depth] = static_cast<std::ptrdiff_t>(out.size());
        out.push_back({i, 1, c.start, c.end});
    }
    return out;
}
void FlameChart::drawLane(Page& page, const Lane& lane, std::span<const Bar> bars, const LaneRoom& room) const
{
    const auto& time = room.time;
    const auto thread = page.hiddenNode(std::nullopt, {}, static_cast<double>(time.to - time.from));
    std::vector<NodeId> open(room.levels + 1, thread); // behind the thread itself the newest call of each level
    auto bar = bars.begin();
    for (auto i = lane.first; i < lane.end; ++i) {
        const auto& c = m_calls.calls[i];
        const bool isBar = bar != bars.end() && bar->call == i;
        if (isBar) {
            const auto node = drawBar(page, *bar, time, room.y + room.row * c.depth, room.row, open[c.depth]);
            const bool isRun = bar++->calls > 1;
            if (!isRun || !room.isSearched) open[c.depth + 1] = node;
            if (!isRun) continue;
        }
        const auto seen = std::min(c.end, time.to) - std::max(c.start, time.from);
        if (!room.isSearched || c.depth >= room.levels || seen < 0) continue;
        open[c.depth + 1] = page.hiddenNode(open[c.depth], m_calls.names[c.name], static_cast<double>(seen));
    }
}
NodeId FlameChart::drawBar(Page& page, const Bar& bar, const TimeScale& time, double y, double row, NodeId caller) const
{
    const auto& c = m_calls.calls[bar.call];
    const bool isRun = bar.calls > 1;
    const double x = time.x(std::max(bar.start, time.from)), right = time.plot.x + time.plot.width;
    const double width = std::min(std::max(time.x(std::min(bar.end, time.to)) - x, 0.75), std::max(right - x, 0.3));
    const double gap = width > 3 ? 0.5 : 0;
    Item& item = page.box(Role::Frame, {x, y, width - gap, row - 1, 0}, isRun ? Shade::Unknown : c.shade);
    const auto& name = m_calls.names[c.name];
    const double since = static_cast<double>(bar.start - m_calls.from);
    item.key = keyOf(bar);
    if (isRun)
        item.tip = formatGrouped(static_cast<std::int64_t>(bar.calls)) + " calls"
            + (m_timed ? " in " + formatDuration(static_cast<double>(bar.end - bar.start)) : std::string());
    else
        item.tip = name + '\n' + duration(c) + (c.begun ? "" : ", running since before tracing began")
            + (c.ended ? "" : ", had not returned") + (c.lost ? ", its return was not seen" : "");
    if (m_timed) item.tip += "\nat " + formatDuration(since);
    item.data = {{"start-ns", std::to_string(bar.start)}, {"duration-ns", std::to_string(bar.end - bar.start)}};
    if (isRun) item.data.emplace_back("calls", std::to_string(bar.calls));
    if (!isRun) item.row = Row{static_cast<std::uint32_t>(bar.call)};
    const auto seen = std::min(bar.end, time.to) - std::max(bar.start, time.from);
    const auto id = page.node(caller, isRun ? std::string_view() : name, static_cast<double>(seen));
    if (width < kNarrowestLabel) return id;
    const double size = std::clamp(std::floor(row * 0.62), 9.0, 15.0), pad = 4;
    const std::string before = c.begun ? "" : "\u2190 ", after = c.ended ? "" : " \u2192";
    const double room = width - 2 * pad - 1 - textWidth(before + after, size, false, true);
    const std::string calls = formatGrouped(static_cast<std::int64_t>(bar.calls)) + " calls, each too short to see";
    const std::string label = isRun ? elided(calls, width - 2 * pad - 1, size, false, false, true) : frameLabel(name, room, size);
    if (label.empty()) return id;
    page.text(Role::Frame, {x + pad, y + (row - 1) / 2 + size * 0.36}, isRun ? label : before + label + after, {.size = size, .mono = true},
            isRun ? Shade::Unknown : c.shade)
        .key
        = keyOf(bar);
    return id;
}
std::optional<Share> FlameChart::share(const NameTest& test, std::string_view /*focus*/) const
{
    if (empty() || !m_timed) return std::nullopt;
    std::vector<bool> passes;
    for (const auto& name : m_calls.names)
        passes.push_back(test(name));

    std::vector<std::int64_t> until(m_calls.threads.size(), m_calls.from); // the end of the outermost match, by thread
    std::int64_t sum = 0;
    for (const auto& call : m_calls.calls) {
        if (!passes[call.name] || call.start < until[call.thread]) continue;
        sum += call.end - call.start;
        until[call.thread] = call.end;
    }
    const auto whole = static_cast<double>(m_calls.to - m_calls.from) * static_cast<double>(m_calls.threads.size());
    return Share{static_cast<double>(sum) / whole, m_calls.threads.size() > 1 ? "all threads' time" : "all time"};
}
Figure FlameChart::figure(const LayoutOptions& options) const
{
    const auto legend = frameLegend([&](Shade shade) {
        return std::any_of(m_calls.calls.begin(), m_calls.calls.end(), [&](const Call& c) { return c.shade == shade; });
    });
    Page page(options, titled(options.redact), empty() ? "" : subtitle(0, 0), m_provenance, legend);
    if (empty()) {
        page.empty("No calls yet",
            m_probes.empty() ? "Calls appear when functions are entered and left." : "Calls appear when these probes fire: " + m_probes);
        return page.finish("Calls over time, without data.");
    }
    const auto focus = spanOf(options.focus);
    if (!focus && !options.focus.empty() && !options.forScreen) { // a window shows all, where what was in focus is gone
        page.empty("No call of " + options.focus, "Functions are named as in the CSV. The longest: " + longest());
        return page.finish("Calls over time of a function that is not there.");
    }
    const Span span = focus.value_or(Span{m_calls.from, m_calls.to});
    // The last call may lie on the very end.
    const auto seen = [&](std::int64_t from, std::int64_t to) { return Span{from, to == m_calls.to ? to + 1 : to}; };
    auto lanes = lanesIn(seen(span.from, span.to));
    // As many threads as fit with their first levels, then as many levels as fit with these.
    const double k = page.scale(), head = (kHead + kLaneGap) * k, least = kLowestRow * std::max(k, 0.8);
    const double room = page.content().height - kAxis * k;
    std::size_t threads = lanes.size();
    std::uint32_t levels = 1, deepest = 1;
    for (const auto& lane : lanes)
        deepest = std::max(deepest, lane.depth);
    double rows = 0;
    const auto needed = [&](std::size_t shown, std::uint32_t limit) {
        rows = 0;
        for (std::size_t i = 0; i < shown; ++i)
            rows += std::min(lanes[i].depth, limit);
        return static_cast<double>(shown) * head + rows * least;
    };
    if (options.fit) {
        while (threads > 1 && needed(threads, 3) > room)
            --threads;
        while (levels < deepest && needed(threads, levels + 1) <= room)
            ++levels;
    } else {
        levels = deepest;
    }
    needed(threads, levels);
    const auto hiddenThreads = lanes.size() - threads;
    lanes.resize(threads);
    // A page with room to spare shows the time in strips, as text has lines; a screen is zoomed instead.
    const double lowest = kAxis * k + static_cast<double>(threads) * head + rows * kScreenRow * std::max(k, 0.8);
    const auto strips = options.forScreen || !options.fit || options.zooms || focus
        ? std::size_t{1}
        : stripsFor(span, lanes, page.content().width, static_cast<std::size_t>(std::max(page.content().height / lowest, 1.0)));
    const auto hiddenLevels = deepest - levels;
    std::string note = strips > 1 ? "each row goes on where the one above ends" : "";
    if (focus && m_timed)
        note = formatDuration(static_cast<double>(span.to - span.from)) + " of it shown, from "
            + formatMoment(span.from - m_calls.from, timeStep(span.to - span.from, 10)) + " on";
    if (hiddenThreads > 0 || hiddenLevels > 0 || !note.empty())
        page = Page(options, titled(options.redact), subtitle(hiddenThreads, hiddenLevels, note), m_provenance, legend);
    const Box area = page.content();
    const auto count = static_cast<double>(strips);
    // One thread is named once.
    const double heads = count * (kAxis * k + static_cast<double>(threads) * head) - (threads > 1 ? 0.0 : (count - 1) * kHead * k);
    const double row = options.forScreen || !options.fit
        ? kScreenRow
        : std::clamp(std::floor((area.height - heads) / std::max(rows * count, 1.0)), least, kTallestRow);
    const auto wholeTime = span.to - span.from;
    const auto edge = [&](std::size_t strip) {
        return span.from + static_cast<std::int64_t>(static_cast<double>(wholeTime) / count * static_cast<double>(strip));
    };
    const auto timeOf = [&](std::size_t strip, double y) {
        const double height = (strip > 0 && threads == 1 ? 0.0 : static_cast<double>(threads) * kHead * k)
            + static_cast<double>(threads - 1) * kLaneGap * k + rows * row;
        return TimeScale{{area.x, y, area.width, std::min(height, options.fit ? area.y + area.height - y : height), 0}, edge(strip),
            strip + 1 == strips ? span.to : edge(strip + 1)};
    };
    const double perPixel = static_cast<double>(wholeTime) / count / area.width;
    std::vector<std::vector<Bar>> bars; // of strip after strip, in each of lane after lane
    for (double sliver = kSliver * perPixel;; sliver *= 2) {
        bars.clear();
        std::size_t all = 0;
        for (std::size_t strip = 0; strip < strips; ++strip)
            for (const auto& lane : lanes) {
                bars.push_back(barsOf(lane, seen(timeOf(strip, 0).from, timeOf(strip, 0).to), levels, sliver));
                all += bars.back().size();
            }
        if (all <= kMostBars || sliver > static_cast<double>(wholeTime)) break;
    }
    double y = area.y;
    const bool isSearched = options.zooms && m_calls.calls.size() <= kMostHidden;
    const double size = 13 * k;
    for (std::size_t strip = 0; strip < strips; ++strip) {
        y += kAxis * k;
        const auto time = timeOf(strip, y);
        if (m_timed) drawTimeAxis(page, time, false, 12 * k, time.from - m_calls.from);
        for (std::size_t i = 0; i < threads; ++i) {
            const auto& lane = lanes[i];
            if (strip == 0 || threads > 1) {
                const std::string calls = formatGrouped(static_cast<std::int64_t>(lane.calls)) + (lane.calls == 1 ? " call" : " calls");
                page.box(Role::Ground, {area.x, y, area.width, kHead * k - 2, 0});
                page.text(Role::Label, {area.x, y + 16 * k}, laneName(lane.thread),
                    {.size = size, .bold = true, .maxWidth = area.width - textWidth(calls, size) - 16});
                page.text(Role::Note, {area.x + area.width, y + 16 * k}, calls, {.size = size, .anchor = Anchor::End});
                y += kHead * k;
            }
            drawLane(page, lane, bars[strip * threads + i], {time, y, row, levels, isSearched});
            y += row * std::min(lane.depth, levels) + kLaneGap * k;
        }
    }
    if (isSearched && hiddenThreads == 0 && hiddenLevels == 0 && !focus) page.treeIsWhole();
    return page.finish(inWords(), {area.x + area.width, y});
}
} // namespace

Kind kind_flame_chart()
{
    return {kFacts, rank::kCalls,
        [](const Store& store) {
            const auto& p = store.program();
            const bool records = std::any_of(p.clauses.begin(), p.clauses.end(), [](const record::Clause& c) { return !c.silent; });
            return records && (!tellsTimes(p) || p.options.contains("flowindent") || (names(p, "entry") && names(p, "return")));
        },
        [](const Store& store) -> std::unique_ptr<Visual> { return std::make_unique<FlameChart>(store); }};
}
} // namespace dscope::graph
