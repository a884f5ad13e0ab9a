#include "graph/calls.h"
#include "graph/frame_label.h"
#include "graph/keys.h"
#include "graph/page.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/time_axis.h"
#include "graph/units.h"
#include <algorithm>
#include <cmath>
#include <map>
namespace dscope::graph {
namespace {
constexpr double kTallestRow = 36, kLowestRow = 15, kScreenRow = 18, kHead = 24, kLaneGap = 12, kAxis = 30, kNarrowestLabel = 30;
constexpr double kSliver = 1; // px: what is narrower is drawn with its neighbours
constexpr std::size_t kMostBars = 10'000;

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

/// Calls over time: a lane a thread, nested by depth.
class FlameChart final : public Visual {
public:
    explicit FlameChart(const Store& store)
        : m_provenance(provenanceOf(store)), m_command(store.program().command), m_probes(probesText(store.program())),
          m_notKept(store.firedNotKept()), m_timed(tellsTimes(store.program())), m_calls(callsOf(store))
    {
    }
    std::string_view name() const override { return "flame-chart"; }
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

private:
    std::string titled(bool redact) const
    {
        return m_command.empty() || redact ? "What calls what, when" : "What calls what, when: " + printable(m_command);
    }
    std::string subtitle(std::size_t hiddenThreads, std::size_t hiddenLevels) const;
    std::string inWords() const;
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
    std::vector<Bar> barsOf(std::size_t first, std::size_t end, std::uint32_t levels, double sliver) const;
    void drawBar(Page& page, const Bar& bar, const TimeScale& time, double y, double row) const;

    Provenance m_provenance;
    std::string m_command, m_probes;
    std::uint64_t m_notKept = 0;
    bool m_timed = true; ///< else what stands for a time is the number of a line
    Calls m_calls;
};

std::string FlameChart::subtitle(std::size_t hiddenThreads, std::size_t hiddenLevels) const
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
/// Of one thread's calls [first, end), those of the first `levels`; runs of calls shorter than `sliver` ns as one.
std::vector<Bar> FlameChart::barsOf(std::size_t first, std::size_t end, std::uint32_t levels, double sliver) const
{
    std::vector<Bar> out;
    std::vector<std::ptrdiff_t> last(levels, -1); ///< the bar at the end of each level
    for (std::size_t i = first; i < end; ++i) {
        const auto& c = m_calls.calls[i];
        if (c.depth >= levels) continue;
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
void FlameChart::drawBar(Page& page, const Bar& bar, const TimeScale& time, double y, double row) const
{
    const auto& c = m_calls.calls[bar.call];
    const bool isRun = bar.calls > 1;
    const double x = time.x(bar.start), width = std::max(time.x(bar.end) - x, 0.75);
    const double gap = width > 3 ? 0.5 : 0;
    Item& item = page.box(
        Role::Frame, {x, y, std::min(width, time.plot.x + time.plot.width - x) - gap, row - 1, 0}, isRun ? Shade::Unknown : c.shade);
    const auto& name = m_calls.names[c.name];
    const double since = static_cast<double>(bar.start - m_calls.from);
    item.key = isRun ? std::string() : name;
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
    if (width < kNarrowestLabel) return;
    const double size = std::clamp(std::floor(row * 0.62), 9.0, 15.0), pad = 4;
    const std::string before = c.begun ? "" : "\u2190 ", after = c.ended ? "" : " \u2192";
    const double room = width - 2 * pad - 1 - textWidth(before + after, size, false, true);
    const std::string label = isRun ? std::string() : frameLabel(name, room, size);
    if (label.empty()) return;
    page.text(Role::Frame, {x + pad, y + (row - 1) / 2 + size * 0.36}, before + label + after, {.size = size, .mono = true}, c.shade).key
        = name;
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
    // As many threads as fit with their first levels, then as many levels as fit with these.
    const double k = page.scale(), head = (kHead + kLaneGap) * k, least = kLowestRow * std::max(k, 0.8);
    const double room = page.content().height - kAxis * k;
    std::size_t threads = m_calls.threads.size();
    std::uint32_t levels = 1, deepest = 1;
    for (const auto& t : m_calls.threads)
        deepest = std::max(deepest, t.depth);
    double rows = 0;
    const auto needed = [&](std::size_t shown, std::uint32_t limit) {
        rows = 0;
        for (std::size_t i = 0; i < shown; ++i)
            rows += std::min(m_calls.threads[i].depth, limit);
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
    const auto hiddenLevels = deepest - levels;
    if (threads < m_calls.threads.size() || hiddenLevels > 0)
        page = Page(options, titled(options.redact), subtitle(m_calls.threads.size() - threads, hiddenLevels), m_provenance, legend);
    const Box area = page.content();
    const double row = options.forScreen || !options.fit
        ? kScreenRow
        : std::clamp(std::floor((area.height - kAxis * k - static_cast<double>(threads) * head) / std::max(rows, 1.0)), least, kTallestRow);
    const double height = static_cast<double>(threads) * head + rows * row;
    const TimeScale time{{area.x, area.y + kAxis * k, area.width, std::min(height, options.fit ? area.height - kAxis * k : height), 0},
        m_calls.from, m_calls.to};
    if (m_timed) drawTimeAxis(page, time, false, 12 * k);
    const double perPixel = static_cast<double>(m_calls.to - m_calls.from) / area.width;
    std::vector<std::pair<std::size_t, std::size_t>> parts; ///< of m_calls.calls, by thread
    for (std::size_t at = 0; at < m_calls.calls.size();) {
        auto end = at;
        while (end < m_calls.calls.size() && m_calls.calls[end].thread == m_calls.calls[at].thread)
            ++end;
        parts.emplace_back(at, end);
        at = end;
    }
    std::vector<std::vector<Bar>> lanes;
    for (double sliver = kSliver * perPixel;; sliver *= 2) {
        lanes.clear();
        std::size_t bars = 0;
        for (std::size_t t = 0; t < threads; ++t) {
            lanes.push_back(barsOf(parts[t].first, parts[t].second, levels, sliver));
            bars += lanes.back().size();
        }
        if (bars <= kMostBars || sliver > static_cast<double>(m_calls.to - m_calls.from)) break;
    }
    double y = time.plot.y;
    const double size = 13 * k;
    for (std::size_t t = 0; t < threads; ++t) {
        const auto& thread = m_calls.threads[t];
        const std::string count = formatGrouped(static_cast<std::int64_t>(thread.calls)) + (thread.calls == 1 ? " call" : " calls");
        page.box(Role::Ground, {area.x, y, area.width, kHead * k - 2, 0});
        page.text(Role::Label, {area.x, y + 16 * k}, laneName(t),
            {.size = size, .bold = true, .maxWidth = area.width - textWidth(count, size) - 16});
        page.text(Role::Note, {area.x + area.width, y + 16 * k}, count, {.size = size, .anchor = Anchor::End});
        y += kHead * k;
        for (const auto& bar : lanes[t])
            drawBar(page, bar, time, y + row * m_calls.calls[bar.call].depth, row);
        y += row * std::min(thread.depth, levels) + kLaneGap * k;
    }
    return page.finish(inWords(), {area.x + area.width, y});
}
} // namespace

Kind kind_flame_chart()
{
    return {"flame-chart", "calls over time, a lane a thread: entry and return probes in the order of their time", 25,
        [](const Store& store) {
            const auto& p = store.program();
            const bool records = std::any_of(p.clauses.begin(), p.clauses.end(), [](const record::Clause& c) { return !c.silent; });
            return records && (!tellsTimes(p) || p.options.contains("flowindent") || (names(p, "entry") && names(p, "return")));
        },
        [](const Store& store) -> std::unique_ptr<Visual> { return std::make_unique<FlameChart>(store); }};
}
} // namespace dscope::graph
