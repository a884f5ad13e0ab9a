#include "graph/frame_label.h"
#include "graph/keys.h"
#include "graph/page.h"
#include "graph/parts/call_chart_painter.h"
#include "graph/stacks.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/time_axis.h"
#include "graph/tongue.h"
#include "graph/units.h"
#include <algorithm>
#include <map>
namespace dscope::graph {
namespace {
constexpr ViewFacts kFacts{.name = "flame-chart",
    .tab = "Flame chart",
    .summary = "calls over time, a lane a thread: entry and return probes in the order of their time",
    .growth = Growth::Down,
    .hasFocus = true,
    .isOverTime = true};
constexpr std::size_t kMostHidden = 20'000; ///< calls that are kept to be searched although they are too short to be drawn

/// Calls over time: a lane a thread, nested by depth.
class FlameChart final : public Visual {
public:
    explicit FlameChart(const Store& store)
        : m_provenance(provenanceOf(store)), m_command(store.program().command), m_probes(probesText(store.program())),
          m_notKept(store.firedNotKept()), m_notShown(store.firedNotShown()), m_calls(callsOf(store)),
          m_names(m_calls, tellsTimes(store.program()) ? CallNames::Clock::Time : CallNames::Clock::Lines)
    {
    }
    const ViewFacts& facts() const override { return kFacts; }
    std::string title() const override { return titled(Privacy::Open); }
    bool empty() const override { return m_calls.calls.empty(); }
    const Calls* calls() const override { return &m_calls; }

    Table table() const override
    {
        Table t;
        t.columns = {Column::number("start_ns", Unit::Nanoseconds), Column::number("end_ns", Unit::Nanoseconds),
            Column::number("duration_ns", Unit::Nanoseconds), Column::number("pid"), Column::number("tid"), Column::number("depth"),
            Column::text("function")};
        for (const auto& c : m_calls.calls) {
            const auto& thread = m_calls.threads[c.thread];
            t.rows.push_back({c.begun ? std::to_string(c.start) : "", c.ended ? std::to_string(c.end) : "",
                c.begun && c.ended ? std::to_string(c.end - c.start) : "", std::to_string(thread.pid), std::to_string(thread.tid),
                std::to_string(c.depth), m_calls.names[c.name]});
        }
        return t;
    }

    /// By function, the longest in all first.
    Digest digest(std::size_t most, Privacy privacy) const override;
    Figure figure(const LayoutOptions& options) const override;
    /// Of the time of all threads.
    std::optional<Share> share(const NameTest& test, std::string_view focus) const override;

private:
    std::string titled(Privacy privacy) const
    {
        const bool isOfCommand = !m_command.empty() && !m_provenance.whose.isWiderThanTarget();
        return !isOfCommand || privacy == Privacy::Redacted ? said("What calls what, when")
                                                            : said("What calls what, when: %1", printable(m_command));
    }
    std::string subtitle() const;
    Caveats caveats(std::size_t hiddenThreads, std::size_t hiddenLevels, const std::string& note = {}) const;
    std::string inWords() const;

    const std::string& longest() const
    {
        const auto less = [](const Call& a, const Call& b) { return a.end - a.start < b.end - b.start; };
        return m_calls.names[std::max_element(m_calls.calls.begin(), m_calls.calls.end(), less)->name];
    }
    std::string shownPart(const CallSpan& span) const;

    Provenance m_provenance;
    std::string m_command, m_probes;
    std::uint64_t m_notKept = 0, m_notShown = 0;
    Calls m_calls;
    CallNames m_names;
};

std::string FlameChart::subtitle() const
{
    const auto number = [](std::size_t n) { return formatGrouped(static_cast<std::int64_t>(n)); };
    const auto lanes = m_calls.threads.size();
    const auto calls = Noun("calls").with(number(m_calls.calls.size())), functions = functionsText(m_calls.names.size());
    auto text = m_names.isTimed()
        ? saidOf(lanes, "%1 of %2 in %3 thread, %4", "%1 of %2 in %3 threads, %4", calls, functions, number(lanes),
            formatDuration(static_cast<double>(m_calls.to - m_calls.from)))
        : saidOf(lanes, "%1 of %2 on %3 CPU, in the order of their lines: the text tells no times",
            "%1 of %2 on %3 CPUs, in the order of their lines: the text tells no times", calls, functions, number(lanes));
    const auto open
        = static_cast<std::size_t>(std::count_if(m_calls.calls.begin(), m_calls.calls.end(), [](const Call& c) { return !c.ended; }));
    if (open > 0) text += kMiddleDot + said("%1 had not returned (\u2192)", number(open));
    if (const auto alone = m_calls.returnsAlone; alone > 0)
        text += kMiddleDot + saidOf(alone, "%1 return without a call", "%1 returns without a call", number(alone));
    return text;
}
Caveats FlameChart::caveats(std::size_t hiddenThreads, std::size_t hiddenLevels, const std::string& note) const
{
    const auto add = [](Caveats& to, std::uint64_t n, const char* one, const char* many) {
        if (n > 0) to.push_back(saidOf(n, one, many, formatGrouped(static_cast<std::int64_t>(n))));
    };
    Caveats out;
    if (!note.empty()) out.push_back(note);
    add(out, hiddenLevels, toSay("%1 deeper level not shown"), toSay("%1 deeper levels not shown"));
    add(out, hiddenThreads, toSay("%1 more thread not shown"), toSay("%1 more threads not shown"));
    add(out, m_notShown, toSay("%1 earlier record not shown while the run goes on"),
        toSay("%1 earlier records not shown while the run goes on"));
    if (m_notShown == 0) add(out, m_notKept, toSay("%1 later record not kept"), toSay("%1 later records not kept"));
    if (m_provenance.drops > 0) out.push_back(said("calls are missing, others look longer"));
    return out;
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
    std::string longest;
    for (std::size_t i = 0; i < std::min<std::size_t>(order.size(), 5); ++i)
        longest += (i ? ", " : "") + m_calls.names[order[i].second]
            + (m_names.isTimed() ? ' ' + formatDuration(static_cast<double>(-order[i].first)) : std::string());
    return said("Calls over time: %1. Longest in all: %2.", subtitle(), longest);
}
std::optional<Share> FlameChart::share(const NameTest& test, std::string_view /*focus*/) const
{
    if (empty() || !m_names.isTimed()) return std::nullopt;
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
    return Share{static_cast<double>(sum) / whole, m_calls.threads.size() > 1 ? Share::Of::TimeOfThreads : Share::Of::Time};
}
/// "1.2 ms of it shown, from 3.4 ms on"
std::string FlameChart::shownPart(const CallSpan& span) const
{
    return said("%1 of it shown, from %2 on", formatDuration(static_cast<double>(span.to - span.from)),
        formatMoment(span.from - m_calls.from, timeStep(span.to - span.from, 10)));
}

Figure FlameChart::figure(const LayoutOptions& options) const
{
    const auto legend = frameLegend([&](Shade shade) {
        return std::any_of(m_calls.calls.begin(), m_calls.calls.end(), [&](const Call& c) { return c.shade == shade; });
    });
    Page page(options, titled(options.privacy()), empty() ? "" : subtitle(), m_provenance, legend, empty() ? Caveats() : caveats(0, 0));
    if (empty()) {
        page.empty(said("No calls yet"),
            m_probes.empty() ? said("Calls appear when functions are entered and left.")
                             : said("Calls appear when these probes fire: %1", m_probes));
        return page.finish(said("Calls over time, without data."));
    }

    const auto focus = m_names.span(options.focus);
    if (!focus && !options.focus.empty() && !options.forScreen) { // a window shows all, where what was in focus is gone
        page.empty(said("No call of %1", options.focus), said("Functions are named as in the CSV. The longest: %1", longest()));
        return page.finish(said("Calls over time of a function that is not there."));
    }

    const CallSpan span = focus.value_or(CallSpan{m_calls.from, m_calls.to});
    // The last call may lie on the very end.
    const auto all = callLanes(m_calls, {span.from, span.to == m_calls.to ? span.to + 1 : span.to});
    const auto sheetOf = [&] { return CallSheet{page.content(), page.scale(), options.fit, options.forScreen}; };

    // A screen is zoomed where paper has strips.
    const bool isOneStrip = options.forScreen || !options.fit || options.zooms || focus;
    auto levels = callLevels(all, sheetOf());
    auto lanes = all;
    std::size_t strips = 1, hiddenThreads = 0, hiddenLevels = 0;
    for (const bool isAgain : {false, true}) {
        if (isAgain) levels = callLevels(all, sheetOf()); // what has to be said takes room itself
        lanes = all;
        lanes.resize(levels.threads);
        hiddenThreads = all.size() - levels.threads;
        hiddenLevels = levels.deepest - levels.levels;
        strips = isOneStrip ? 1 : callStrips(m_calls, lanes, span, levels, sheetOf());
        const std::string note = focus && m_names.isTimed() ? shownPart(span)
            : strips > 1                                    ? said("each row goes on where the one above ends")
                                                            : "";
        if (hiddenThreads == 0 && hiddenLevels == 0 && note.empty()) break;
        page = Page(options, titled(options.privacy()), subtitle(), m_provenance, legend, caveats(hiddenThreads, hiddenLevels, note));
    }

    const bool isSearched = options.zooms && m_calls.calls.size() <= kMostHidden;
    CallChartPainter painter(page, m_calls, m_names, isSearched ? CallChartPainter::Hidden::Searched : CallChartPainter::Hidden::Left);
    const auto lowest = painter.draw(CallChartLayout(m_calls, std::move(lanes), span, levels, sheetOf(), strips));
    if (isSearched && hiddenThreads == 0 && hiddenLevels == 0 && !focus) page.treeIsWhole();
    return page.finish(inWords(), {page.content().x + page.content().width, lowest});
}
Digest FlameChart::digest(std::size_t most, Privacy /*privacy*/) const
{
    struct Sum {
        std::size_t calls = 0;
        std::int64_t time = 0, longest = 0;
    };

    std::map<std::string_view, Sum> sums;
    for (const auto& c : m_calls.calls) {
        auto& sum = sums[m_calls.names[c.name]];
        ++sum.calls;
        if (!c.begun || !c.ended) continue;
        sum.time += c.end - c.start;
        sum.longest = std::max(sum.longest, c.end - c.start);
    }

    std::vector<std::pair<std::string_view, Sum>> rows(sums.begin(), sums.end());
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.second.time > b.second.time; });
    Digest out;
    out.table.columns
        = {Column::text("function"), Column::number("calls"), Column::number("time with what it calls"), Column::number("longest")};
    for (const auto& [name, sum] : rows) {
        if (out.table.rows.size() == most) break;
        const auto time = [](std::int64_t ns) { return ns > 0 ? formatDuration(static_cast<double>(ns)) : std::string(); };
        out.table.rows.push_back(
            {std::string(name), formatGrouped(static_cast<std::int64_t>(sum.calls)), time(sum.time), time(sum.longest)});
    }
    out.more = rows.size() - out.table.rows.size();
    return out;
}
} // namespace

Kind kind_flame_chart()
{
    return {kFacts, rank::kCalls,
        [](const Store& store) {
            const auto& p = store.program();
            const bool records = std::any_of(p.clauses.begin(), p.clauses.end(), [](const record::Clause& c) { return !c.silent; });
            return records
                && (!tellsTimes(p) || p.options.contains("flowindent") || (recordsOf(store, isEntry) && recordsOf(store, isReturn)));
        },
        [](const Store& store) -> std::unique_ptr<Visual> { return std::make_unique<FlameChart>(store); }};
}
} // namespace dscope::graph
