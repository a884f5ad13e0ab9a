#include "graph/parts/process_timeline_painter.h"
#include "graph/process_drawing.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <variant>
namespace dscope::graph {
namespace {
constexpr std::size_t kMostConnected = 40; // rows: of more the lines from parents to children would be a weave

/// How many processes are at work at once: from when on how many.
std::vector<std::pair<std::int64_t, std::int64_t>> atWork(const ProcessTimelineData& data)
{
    const auto& family = data.family();
    struct Event {
        std::int64_t at;
        bool begins;
        std::size_t process;
    };

    std::vector<Event> events;
    for (const auto i : data.order()) {
        events.push_back({family.all[i].firstSeen, true, i});
        events.push_back({data.endOf(i), false, i});
    }

    // One that ends makes room for the next of the same moment, and a parent comes before its children.
    std::stable_sort(
        events.begin(), events.end(), [](const Event& a, const Event& b) { return a.at != b.at ? a.at < b.at : a.begins < b.begins; });
    std::vector<std::size_t> children(family.all.size(), 0);
    std::vector<bool> lives(family.all.size(), false);
    std::int64_t working = 0;
    std::vector<std::pair<std::int64_t, std::int64_t>> steps;
    for (const auto& [at, begins, process] : events) {
        const auto parent = family.all[process].parent;
        if (begins == lives[process]) continue;
        lives[process] = begins;
        if (children[process] == 0) working += begins ? 1 : -1;
        if (parent) {
            auto& own = children[*parent];
            own += begins ? 1 : static_cast<std::size_t>(-1);
            if (lives[*parent] && own == (begins ? 1U : 0U)) working += begins ? -1 : 1;
        }
        if (!steps.empty() && steps.back().first == at)
            steps.back().second = working;
        else
            steps.emplace_back(at, working);
    }
    return steps;
}
} // namespace

void ProcessTimelinePainter::drawBand(double top, double height)
{
    const Box& plot = m_time.plot;
    const auto steps = atWork(m_data);
    std::int64_t most = 0;
    for (const auto& [at, number] : steps)
        most = std::max(most, number);
    if (most < 2) return;
    const double k = m_page.scale(), size = 12 * k, low = top + height;
    const auto y = [&](std::int64_t number) { return low - height * static_cast<double>(number) / static_cast<double>(most); };
    std::vector<Point> outline{{plot.x, low}};
    for (const auto& [at, number] : steps) {
        const double left = m_time.x(at);
        outline.push_back({left, outline.back().y});
        outline.push_back({left, y(number)});
    }

    outline.push_back({plot.x + plot.width, outline.back().y});
    outline.push_back({plot.x + plot.width, low});
    Item& area = m_page.path(Role::Edge, std::move(outline));
    std::get<Path>(area.shape).closed = true;
    std::get<Path>(area.shape).width = 0.5;
    area.level = 0.3;
    area.tip = said("processes at work at once: at most %1", formatGrouped(most));
    m_page.text(Role::Note, {plot.x - 10 * k, top + size}, said("at work at once,"),
        {.size = size, .anchor = Anchor::End, .maxWidth = 0.9 * plot.x});
    m_page.text(Role::Note, {plot.x - 10 * k, top + 2.35 * size}, said("at most %1", formatGrouped(most)),
        {.size = size, .anchor = Anchor::End, .maxWidth = 0.9 * plot.x});
}

/// From the bar of a parent down to where its child begins: below bars and words, and no darker than it must be.
void ProcessTimelinePainter::drawConnectors(const std::vector<TimelineRow>& rows)
{
    const auto& family = m_data.family();
    const Box& plot = m_time.plot;
    std::map<std::size_t, std::size_t> places; // of processes
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (const auto bar : rows[i].bars)
            places.emplace(bar, i);
    const double elbow = TimelineLengths::kElbow * m_page.scale();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!rows[i].isFirst || rows[i].bars.empty()) continue;
        const auto child = rows[i].bars.front();
        const auto parent = family.all[child].parent;
        const auto place = parent ? places.find(*parent) : places.end();
        if (place == places.end() || place->second >= i) continue;
        const double begin = m_time.x(family.all[child].firstSeen), from = std::max(begin - elbow, m_time.x(family.all[*parent].firstSeen)),
                     top = plot.y + m_row * static_cast<double>(place->second + 1) - 1.5,
                     middle = plot.y + m_row * (static_cast<double>(i) + 0.5);
        std::vector<Point> line{{from, top}, {from, middle}};
        if (begin > from) line.push_back({begin, middle});
        Item& item = m_page.path(Role::Edge, std::move(line));
        std::get<Path>(item.shape).width = std::max(0.8, 0.7 * m_page.scale());
        item.level = 0.4; // light
        item.tip = said("%1 starts %2", printable(family.all[*parent].name()), printable(family.all[child].name()));
    }
}

void ProcessTimelinePainter::drawRow(const TimelineRow& of, double y, Connected connected)
{
    const auto& family = m_data.family();
    const Box& plot = m_time.plot;
    const double row = m_row, labels = m_labels;
    const auto privacy = m_page.options().privacy();
    const bool isConnected = connected == Connected::Yes;
    const auto& node = of.node;
    const auto i = node.members.front();
    const auto& p = family.all[i];
    const auto label = labelOf(family.all, node, family.now, privacy);
    const double k = m_page.scale(), size = std::clamp(std::floor(row * 0.72), 12 * k, 14 * k), base = y + row / 2 + size * 0.36;
    const double left = plot.x - labels;
    auto name = nameIn(label, labels - 12, size);
    if (name.empty()) name = elided(label.name, labels - 12, size, Elide::End, {.bold = true});
    if (of.isFirst) m_page.text(Role::Label, {left, base}, name, {.size = size, .bold = true, .maxWidth = labels - 12});
    const double used = textWidth(name, size, {.bold = true}) + 8;
    const double room = labels - 12 - used;
    const bool isWhole = textWidth(label.arguments, size, {.mono = true}) <= room;
    if (of.isFirst && room > 40 * k && (isWhole || !label.telling.empty()))
        m_page.text(Role::Note, {left + used, base}, isWhole ? label.arguments : label.telling,
            {.size = size, .mono = true, .maxWidth = room, .middle = true});

    double from = plot.x + plot.width, width = 0;
    auto bars = of.bars;
    std::stable_sort(
        bars.begin(), bars.end(), [&](std::size_t a, std::size_t b) { return family.all[a].firstSeen < family.all[b].firstSeen; });
    double free = plot.x - 1; // where no bar of this row is yet
    for (const auto member : bars) {
        const auto& one = family.all[member];
        const double whole = m_time.x(one.firstSeen), end = std::max(m_time.x(m_data.endOf(member)), whole + 1.5),
                     begin = std::max(whole, free);
        if (end - begin < 0.75) continue; // those before it are drawn there
        free = end + 0.25;
        const Box bar{begin, y + 1.5, end - begin, row - 3, 2};
        if (m_data.critical(member))
            m_page.box(Role::Marker,
                {bar.x - m_page.lines(), bar.y - 0.5 * m_page.lines(), bar.width + 2 * m_page.lines(), bar.height + m_page.lines(), 3});
        drawSpan(m_page, family.all, m_data.alone(member), bar, family.now, privacy).row = m_data.rowOf(member);
        from = std::min(from, begin);
        width = std::max(width, end);
    }

    width -= from;
    // Each exec after the first begins another program.
    for (std::size_t at = 1; at < p.images.size() && node.members.size() == 1; ++at) {
        const double px = m_time.x(p.images[at].since);
        if (px > from + 2 && px < from + width - 2) m_page.path(Role::Edge, {{px, y + 1.5}, {px, y + row - 1.5}});
    }

    if (!of.isFirst) return;
    const std::string text = label.end.empty() ? label.duration
        : label.duration.empty()               ? label.end
                                               : label.duration + " \u00b7 " + label.end;
    const double beside = plot.x + plot.width - (from + width) - 8, needed = textWidth(text, size),
                 before = (isConnected ? TimelineLengths::kElbow * k : 0) + 6;
    const auto note = [&](double at, Anchor anchor) {
        // No line runs through it.
        if (isConnected) m_page.box(Role::Ground, {(anchor == Anchor::Start ? at : at - needed) - 2, y + 1, needed + 4, row - 2, 0});
        m_page.text(Role::Note, {at, base}, text, {.size = size, .anchor = anchor});
    };
    if (needed <= beside)
        note(from + width + 6, Anchor::Start);
    else if (needed + before + 6 <= from - plot.x)
        note(from - before, Anchor::End);
}

double ProcessTimelinePainter::drawRows(const std::vector<TimelineRow>& rows)
{
    const auto connected = rows.size() <= kMostConnected ? Connected::Yes : Connected::No;
    if (connected == Connected::Yes) drawConnectors(rows);
    double y = m_time.plot.y;
    for (const auto& row : rows) {
        drawRow(row, y, connected);
        y += m_row;
    }
    return y;
}
} // namespace dscope::graph
