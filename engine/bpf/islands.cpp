#include "engine/bpf/islands.h"
#include "engine/base/result.h"
#include <algorithm>
#include <limits>
#include <optional>
namespace dscope::bpf {
namespace {
// Half of what a jump reaches: the other half is for islands that fill up.
constexpr std::size_t kSpacing = 16'000;

std::optional<std::uint32_t> jumpLabel(const Insn& insn)
{
    if (const auto* branch = std::get_if<Branch>(&insn.op)) return branch->to.id;
    if (const auto* jump = std::get_if<Jump>(&insn.op)) return jump->to.id;
    return {};
}
bool endsFlow(const Insn& insn) { return std::holds_alternative<Jump>(insn.op) || std::holds_alternative<Exit>(insn.op); }
} // namespace

Layout::Layout(const std::vector<Insn>& code, const std::vector<std::size_t>& sizes) : m_code(code), m_sizes(sizes)
{
    for (std::size_t i = 0; i < code.size(); ++i)
        if (const auto* bind = std::get_if<Bind>(&code[i].op)) DSCOPE_ASSERT(m_labels.emplace(bind->label.id, i).second);
    m_positions.resize(code.size() + 1);
    findSites();
    do {
        place();
    } while (fill());
}

/// Islands stand right after an instruction that has slots, above any label: a label must not name the hops.
void Layout::findSites()
{
    std::size_t slots = 0;
    for (std::size_t i = 0; i + 1 < m_code.size(); ++i) {
        slots += m_sizes[i];
        if (slots < kSpacing || !m_sizes[i]) continue;
        slots = 0;
        m_islands.push_back({i + 1, !endsFlow(m_code[i]), {}, 0});
    }
}

void Layout::place()
{
    std::size_t slot = 0;
    auto island = m_islands.begin();
    for (std::size_t i = 0; i < m_code.size(); ++i) {
        if (island != m_islands.end() && island->before == i) {
            island->position = slot;
            slot += island->slots();
            ++island;
        }
        m_positions[i] = slot;
        slot += m_sizes[i];
    }
    m_positions[m_code.size()] = slot;
}

std::size_t Layout::position(Label label) const
{
    const auto bound = m_labels.find(label.id);
    if (bound == m_labels.end()) DSCOPE_BUG("jump to a label that is never bound");
    return m_positions[bound->second];
}

bool Layout::tooLong(std::size_t slot, std::uint32_t label) const
{
    const auto distance = static_cast<std::int64_t>(position({label})) - static_cast<std::int64_t>(slot) - 1;
    return distance < std::numeric_limits<std::int16_t>::min() || distance > std::numeric_limits<std::int16_t>::max();
}

/// Index of the island next to instruction `from` on the way to `label`.
std::size_t Layout::siteOf(std::size_t from, std::uint32_t label) const
{
    const auto above
        = std::upper_bound(m_islands.begin(), m_islands.end(), from, [](std::size_t i, const Island& s) { return i < s.before; });
    const auto next = static_cast<std::size_t>(above - m_islands.begin());
    const bool forward = m_labels.at(label) > from;
    DSCOPE_ASSERT(forward ? next < m_islands.size() : next > 0);
    return forward ? next : next - 1;
}

/// Adds the hops that jumps lack; false when there were none. Looks only at a layout that is up to date.
bool Layout::fill()
{
    std::vector<std::pair<std::size_t, std::uint32_t>> wanted;
    for (std::size_t i = 0; i < m_code.size(); ++i)
        if (const auto label = jumpLabel(m_code[i]); label && tooLong(m_positions[i], *label))
            wanted.emplace_back(siteOf(i, *label), *label);
    for (std::size_t k = 0; k < m_islands.size(); ++k)
        for (const auto& [label, index] : m_islands[k].hops)
            if (tooLong(m_islands[k].hopAt(label), label)) wanted.emplace_back(beyond(k, label), label);
    bool grew = false;
    for (const auto& [site, label] : wanted)
        grew = m_islands[site].hops.emplace(label, 0).second || grew;
    for (auto& island : m_islands) {
        std::size_t index = 0;
        for (auto& [label, at] : island.hops)
            at = index++;
    }
    return grew;
}

/// Index of the island after island `k` on the way to `label`.
std::size_t Layout::beyond(std::size_t k, std::uint32_t label) const { return m_labels.at(label) >= m_islands[k].before ? k + 1 : k - 1; }

std::size_t Layout::jumpTarget(std::size_t index) const
{
    const auto label = jumpLabel(m_code[index]);
    DSCOPE_ASSERT(label);
    if (!tooLong(m_positions[index], *label)) return position({*label});
    return m_islands[siteOf(index, *label)].hopAt(*label);
}

std::size_t Layout::hopTarget(const Island& island, std::uint32_t label) const
{
    if (!tooLong(island.hopAt(label), label)) return position({label});
    const auto k = static_cast<std::size_t>(&island - m_islands.data());
    return m_islands[beyond(k, label)].hopAt(label);
}

const Island* Layout::islandBefore(std::size_t index) const
{
    const auto at
        = std::lower_bound(m_islands.begin(), m_islands.end(), index, [](const Island& s, std::size_t i) { return s.before < i; });
    return at != m_islands.end() && at->before == index && !at->hops.empty() ? &*at : nullptr;
}
} // namespace dscope::bpf
