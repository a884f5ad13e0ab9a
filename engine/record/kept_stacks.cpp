#include "engine/record/kept_stacks.h"
namespace dscope::record {
// -- nodes by caller and frame -------------------------------------------------------------------------------------
std::size_t KeptStacks::NodeIndex::slotOf(std::uint32_t caller, std::uint32_t frame) const
{
    auto hash = (std::uint64_t{caller} << 32U | frame) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 32U;
    return static_cast<std::size_t>(hash) & (m_slots.size() - 1);
}

std::uint32_t KeptStacks::NodeIndex::find(const Nodes& nodes, std::uint32_t caller, std::uint32_t frame) const
{
    if (m_slots.empty()) return kOutside;
    for (auto slot = slotOf(caller, frame);; slot = (slot + 1) & (m_slots.size() - 1)) {
        const auto number = m_slots[slot];
        if (number == kOutside || (nodes[number].caller == caller && nodes[number].frame == frame)) return number;
    }
}

void KeptStacks::NodeIndex::grow(const Nodes& nodes)
{
    constexpr std::size_t kFirst = 256;
    auto before = std::move(m_slots);
    m_slots.assign(before.empty() ? kFirst : 2 * before.size(), kOutside);
    m_used = 0;
    for (const auto number : before)
        if (number != kOutside) add(nodes, number);
}

void KeptStacks::NodeIndex::add(const Nodes& nodes, std::uint32_t number)
{
    if (4 * (m_used + 1) > 3 * m_slots.size()) grow(nodes);
    auto slot = slotOf(nodes[number].caller, nodes[number].frame);
    while (m_slots[slot] != kOutside)
        slot = (slot + 1) & (m_slots.size() - 1);
    m_slots[slot] = number;
    ++m_used;
}

/// What follows in its run of slots moves up, so that no search ends too early. Source: Knuth, The Art of Computer Programming 3,
/// 6.4, algorithm R.
void KeptStacks::NodeIndex::remove(const Nodes& nodes, std::uint32_t number)
{
    const auto last = m_slots.size() - 1;
    auto hole = slotOf(nodes[number].caller, nodes[number].frame);
    while (m_slots[hole] != number)
        hole = (hole + 1) & last;

    for (auto slot = (hole + 1) & last; m_slots[slot] != kOutside; slot = (slot + 1) & last) {
        const auto& other = nodes[m_slots[slot]];
        const auto wanted = slotOf(other.caller, other.frame);
        if (((slot - wanted) & last) < ((slot - hole) & last)) continue; // it would come before the slot it is searched from
        m_slots[hole] = m_slots[slot];
        hole = slot;
    }
    m_slots[hole] = kOutside;
    --m_used;
}

// -- stacks --------------------------------------------------------------------------------------------------------
std::uint32_t KeptStacks::frameNumber(const KnownFrame& known)
{
    auto& hint = known.hint.number;
    const auto number = hint.load(std::memory_order_relaxed);
    if (number < m_frames.size() && m_frames[number].digest == known.digest) return number;
    const auto found = findFrame(known.frame, known.digest);
    hint.store(found, std::memory_order_relaxed);
    return found;
}

std::uint32_t KeptStacks::findFrame(const Frame& frame, const Digest& digest)
{
    auto& recent = this->recent(digest);
    if (recent.number != kOutside && recent.digest == digest) return recent.number;
    const auto [known, isNew] = m_numbers.try_emplace(digest, static_cast<std::uint32_t>(m_frames.size()));
    recent = {digest, known->second};
    if (!isNew) return known->second;
    m_lined += frame.line != 0;
    if (m_freeFrames.empty()) {
        m_frames.push_back({frame, digest});
    } else {
        recent.number = known->second = m_freeFrames.back();
        m_freeFrames.pop_back();
        m_frames[known->second] = {frame, digest};
    }
    return known->second;
}

void KeptStacks::releaseFrame(std::uint32_t number)
{
    auto& kept = m_frames[number];
    if (--kept.uses != 0) return;
    m_numbers.erase(kept.digest);
    if (auto& recent = this->recent(kept.digest); recent.number == number) recent = {};
    m_lined -= kept.frame.line != 0;
    kept = {};
    m_freeFrames.push_back(number);
    ++m_generation;
}

std::uint32_t KeptStacks::nodeBelow(std::uint32_t caller, std::uint32_t frame)
{
    if (const auto known = m_index.find(m_nodes, caller, frame); known != kOutside) return known;
    auto number = static_cast<std::uint32_t>(m_nodes.size());
    if (m_freeNodes.empty()) {
        m_nodes.push_back({caller, frame});
    } else {
        number = m_freeNodes.back();
        m_freeNodes.pop_back();
        m_nodes[number] = {caller, frame};
    }
    m_index.add(m_nodes, number);
    ++m_frames[frame].uses;
    if (caller != kOutside) ++m_nodes[caller].uses;
    return number;
}

void KeptStacks::release(std::uint32_t leaf)
{
    for (auto number = leaf; number != kOutside;) {
        auto& node = m_nodes[number];
        if (--node.uses != 0) return;
        m_last.clear(); // it may name the node
        m_index.remove(m_nodes, number);
        releaseFrame(node.frame);
        m_freeNodes.push_back(number);
        number = node.caller;
    }
}

void KeptStacks::keep(StackId id, const FrameList& frames)
{
    const auto count = frames.size();
    std::size_t depth = 0;
    while (depth < count && depth < m_last.size() && m_last[depth].frame == frames.digest(count - 1 - depth))
        ++depth;

    m_last.resize(depth);
    auto node = depth == 0 ? kOutside : m_last.back().node;
    for (; depth < count; ++depth) {
        const auto at = count - 1 - depth;
        node = nodeBelow(node, frameNumber(frames.known(at)));
        m_last.push_back({frames.digest(at), node});
    }
    if (node != kOutside) ++m_nodes[node].uses;

    const auto [stack, isNew] = m_stacks.try_emplace(id.value, node);
    if (isNew) return;
    release(stack->second);
    stack->second = node;
}

void KeptStacks::forget(StackId id)
{
    const auto stack = m_stacks.find(id.value);
    if (stack == m_stacks.end()) return;
    release(stack->second);
    m_stacks.erase(stack);
}

KeptStacks::View KeptStacks::operator[](StackId id) const
{
    View view(this);
    const auto stack = m_stacks.find(id.value);
    if (stack == m_stacks.end()) return view;
    for (auto node = stack->second; node != kOutside; node = m_nodes[node].caller)
        view.m_frames.push_back(m_nodes[node].frame);
    return view;
}
} // namespace dscope::record
