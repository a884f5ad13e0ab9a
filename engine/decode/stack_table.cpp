#include "engine/decode/stack_table.h"
#include <algorithm>
namespace dscope::decode {
StackTable::Digest StackTable::digestOf(const record::FrameList& frames)
{
    const auto count = frames.size();
    const auto frameAt = [&](std::size_t depth) -> const Digest& { return frames.digest(count - 1 - depth); };
    std::size_t same = 0;
    while (same < count && same < m_last.size() && m_last[same].frame == frameAt(same))
        ++same;

    m_last.resize(same);
    auto whole = same == 0 ? Digest{0, 0x5bd1e995} : m_last.back().whole;
    for (auto depth = same; depth < count; ++depth) {
        whole = whole.then(frameAt(depth));
        m_last.push_back({frameAt(depth), whole});
    }
    return whole;
}

StackId StackTable::id(record::FrameList frames, const record::Source::Deliver& deliver)
{
    if (frames.empty()) return StackId{0};
    const auto [entry, isNew] = m_ids.emplace(digestOf(frames), Known{StackId{m_given + 1}, m_round});
    auto& known = entry->second;
    known.round = m_round;
    if (isNew) {
        ++m_given;
        deliver(record::StackDef{known.id, std::move(frames)});
    }
    return known.id;
}

void StackTable::forget(const std::function<bool(StackId)>& isHeld, const record::Source::Deliver& deliver)
{
    std::erase_if(m_ids, [&](const auto& entry) {
        const auto& [id, round] = entry.second;
        if (round == m_round || isHeld(id)) return false;
        deliver(record::StackDef{id, {}});
        return true;
    });
    ++m_round;
    // Where most are in use they are not looked through each time that one is added.
    m_limit = std::max(kMost, 2 * m_ids.size());
}
} // namespace dscope::decode
