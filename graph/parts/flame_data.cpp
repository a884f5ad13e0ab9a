#include "graph/parts/flame_data.h"
#include "engine/record/folded.h"
#include "graph/ranking.h"
#include <algorithm>
#include <cmath>
#include <map>
namespace dscope::graph {
FlameData::FlameData(const ComparedStacks& runs, RunScatter scatter) : m_stacks(runs.after), m_compares(true), m_scatter(std::move(scatter))
{
    Frames frames;
    StackTreeBuilder builder(frames);
    std::vector<StackStep> steps;
    enum class Run : std::uint8_t { Before, After };
    const auto add = [&](const Stacks& stacks, Run run) {
        const bool isBefore = run == Run::Before;
        stacks.each(frames, [&](std::span<const StackStep> given, std::int64_t value) {
            steps.assign(given.begin(), given.end());
            for (auto& step : steps)
                step.shade = Shade::Unknown;
            builder.add(steps, isBefore ? 0 : value, isBefore ? value : 0);
        });
    };
    add(*runs.before, Run::Before);
    add(*m_stacks, Run::After);
    m_tree = std::make_shared<StackTree>(builder.build());
    m_deviations = deviationsAmong(m_tree->nodes.size());
}

FlameData FlameData::seen(std::string_view focus, double width, const WidthPart& part, bool zooms) const
{
    FlameData out(*this);
    if (zooms) {
        out.m_tree = m_stacks->tree({.mostNodes = kMostHiddenFrames});
        if (out.m_tree->nodes.size() <= kMostHiddenFrames) return out;
    }
    out.m_tree
        = m_stacks->tree({record::framesOf(focus), kNarrowestFlame / std::max(width * part.zoom(), 1.0), SIZE_MAX, part.from, part.to});
    return out;
}

bool FlameData::empty() const
{
    if (!m_compares) return m_stacks->empty();
    return root().total == 0 && root().before == 0;
}

std::int64_t FlameData::weight(const StackNode& n) const
{
    if (!m_compares) return n.total;
    const double whole = static_cast<double>(root().total + root().before);
    return std::llround(static_cast<double>(n.total + n.before) / whole * 1e9);
}

Change FlameData::changeOf(const std::string& frame, double before, double after) const
{
    const double variance = m_scatter.variance(frame, before, after);
    if (measure().isCount && measure().exponent == 0) return countChange(before, after, 1, m_deviations, variance);
    return valueChange(before, after, 1, static_cast<double>(root().total), m_deviations * std::sqrt(variance));
}

std::string FlameData::noise() const
{
    return Noise(measure().isCount && measure().exponent == 0 ? Noise::Of::Counts : Noise::Of::PartsOfAWhole, m_deviations, &m_scatter)
        .text();
}

void FlameData::eachChange(const Visual::DeliverChange& deliver) const
{
    for (std::size_t i = 0; i < m_tree->nodes.size(); ++i) {
        const auto& n = m_tree->nodes[i];
        if (ends(n)) deliver(i ? m_tree->path(i) : "[no stack]", measure().exact(n.selfBefore), measure().exact(n.self));
    }
}

Table FlameData::changes() const
{
    Table t;
    const auto unit = measure().unit();
    t.columns = {Column::text("stack"), Column::number("before", unit), Column::number("after", unit), Column::number("difference", unit)};
    for (std::size_t i = 0; i < m_tree->nodes.size(); ++i) {
        const auto& n = m_tree->nodes[i];
        if (!ends(n)) continue;
        t.rows.push_back({i ? m_tree->path(i) : "[no stack]", measure().exact(n.selfBefore), measure().exact(n.self),
            measure().exact(n.self - n.selfBefore)});
    }
    return t;
}

std::vector<std::string> FlameData::mostChanged(std::size_t most) const
{
    struct Own {
        double before = 0, after = 0;
        const std::string* frame = nullptr;
    };
    std::map<std::string_view, Own> own;
    for (std::size_t i = 1; i < m_tree->nodes.size(); ++i) {
        auto& [before, after, frame] = own[m_tree->nameOf(i)];
        frame = &m_tree->frameOf(i).name;
        before += static_cast<double>(m_tree->nodes[i].selfBefore);
        after += static_cast<double>(m_tree->nodes[i].self);
    }
    std::vector<std::pair<double, std::string>> order;
    for (const auto& [frame, values] : own) {
        const auto change = changeOf(*values.frame, values.before, values.after);
        if (change.told) order.emplace_back(-std::abs(change.difference()), std::string(frame) + ' ' + change.text());
    }
    std::sort(order.begin(), order.end());
    if (order.size() > most) order.resize(most);
    std::vector<std::string> out;
    for (auto& [difference, text] : order)
        out.push_back(std::move(text));
    return out;
}
} // namespace dscope::graph
