#include "graph/parts/process_timeline_data.h"
#include "graph/process_findings.h"
#include "graph/text.h"
#include "graph/units.h"
#include <algorithm>
namespace dscope::graph {
ProcessTimelineData::ProcessTimelineData(Family family) : m_family(std::move(family)), m_first(m_family.now)
{
    for (const auto i : m_family.shown) {
        m_first = std::min(m_first, m_family.all[i].firstSeen);
        m_last = std::max(m_last, endOf(i));
    }
    m_axisEnd = std::max(m_last, m_first + 1);
    m_order = m_family.shown;
    std::stable_sort(m_order.begin(), m_order.end(),
        [&](std::size_t a, std::size_t b) { return m_family.all[a].firstSeen < m_family.all[b].firstSeen; });
    m_row.resize(m_family.all.size());
    for (std::size_t place = 0; place < m_order.size(); ++place)
        m_row[m_order[place]] = Row{static_cast<std::uint32_t>(place)};
}

void ProcessTimelineData::lengthen(std::int64_t time) { m_axisEnd = std::max(m_axisEnd, m_first + time); }

bool ProcessTimelineData::critical(std::size_t process) const { return m_family.path.has(process); }

ShownProcess ProcessTimelineData::alone(std::size_t process) const
{
    const bool isOn = critical(process);
    return {
        {process}, static_cast<std::size_t>(-1), m_family.all[process].duration(m_family.now), 0, false, isOn ? std::size_t{1} : 0, isOn};
}

Extents ProcessTimelineData::extents() const
{
    Extents out;
    out.time = m_axisEnd - m_first;
    return out;
}

Table ProcessTimelineData::table() const
{
    Table t;
    for (const auto* title : {"pid", "ppid"})
        t.columns.push_back(Column::number(title));
    for (const auto* title : {"start_ns", "end_ns", "duration_ns", "cpu_ns", "critical_ns"})
        t.columns.push_back(Column::number(title, Unit::Nanoseconds));
    for (const auto* title : {"command", "args"})
        t.columns.push_back(Column::text(title));
    for (const auto i : m_order) {
        const auto& p = m_family.all[i];
        t.rows.push_back({std::to_string(p.pid), std::to_string(p.ppid), p.start ? std::to_string(*p.start) : "",
            p.end ? std::to_string(*p.end) : "", std::to_string(p.duration(m_family.now)), p.end ? std::to_string(p.cpu) : "",
            critical(i) ? std::to_string(p.duration(m_family.now)) : "", p.image().path, p.commandLine()});
    }
    return t;
}

Digest ProcessTimelineData::digest(std::size_t most, Privacy privacy) const
{
    auto longest = m_order;
    const auto took = [&](std::size_t i) { return m_family.all[i].duration(m_family.now); };
    std::stable_sort(longest.begin(), longest.end(), [&](std::size_t a, std::size_t b) { return took(a) > took(b); });
    Digest out;
    out.table.columns
        = {Column::text("process"), Column::number("pid"), Column::number("took"), Column::number("processor"), Column::text("ended")};
    for (const auto i : longest) {
        if (out.table.rows.size() == most) break;
        const auto& p = m_family.all[i];
        out.table.rows.push_back({calledIn(p, privacy), std::to_string(p.pid), formatDuration(static_cast<double>(took(i))),
            p.cpu > 0 ? formatDuration(static_cast<double>(p.cpu)) : std::string(), p.endText().empty() ? "well" : p.endText()});
    }
    out.more = longest.size() - out.table.rows.size();
    return out;
}

std::vector<SpanTrack> ProcessTimelineData::tracks() const
{
    std::vector<SpanTrack> out;
    for (const auto i : m_order) {
        const auto& p = m_family.all[i];
        const auto end = endOf(i);
        auto& track = out.emplace_back(SpanTrack{p.pid, p.name(), {}});
        auto from = p.firstSeen;
        for (std::size_t k = 0; k < p.images.size(); ++k) {
            const auto to = k + 1 < p.images.size() ? p.images[k + 1].since : end;
            track.spans.push_back({from, std::max(from, to), std::string(baseName(p.images[k].path))});
            from = std::max(from, to);
        }
        if (p.images.empty()) track.spans.push_back({from, std::max(from, end), track.name});
    }
    return out;
}
} // namespace dscope::graph
