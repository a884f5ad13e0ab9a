#include "engine/decode/stack_table.h"
#include <algorithm>
namespace dscope::decode {
namespace {
/// Source: the finalizer of MurmurHash3 (public domain), used as a mixing step.
std::uint64_t mixed(std::uint64_t h)
{
    h ^= h >> 33U;
    h *= 0xff51afd7ed558ccdU;
    h ^= h >> 33U;
    h *= 0xc4ceb9fe1a85ec53U;
    return h ^ h >> 33U;
}
struct Hash {
    std::uint64_t state;
    void take(std::uint64_t word) { state = mixed(state ^ word) + 0x9e3779b97f4a7c15U; }
};
} // namespace

StackTable::Digest StackTable::digestOf(const std::vector<record::Frame>& frames)
{
    Hash low{0}, high{0x5bd1e995};
    const auto both = [&](std::uint64_t word) {
        low.take(word);
        high.take(word);
    };
    // Texts are most of a frame: each is looked through once.
    const auto text = [&](std::string_view words) { both(std::hash<std::string_view>()(words)); };
    for (const auto& frame : frames) {
        both(frame.address);
        text(frame.module);
        text(frame.function);
        both(frame.offset);
        both(std::uint64_t(frame.kind) << 1 | std::uint64_t{frame.inlined});
        both(frame.linked);
        text(frame.code->buildId);
        text(*frame.file);
        both(std::uint64_t{frame.line});
    }
    return {low.state, high.state};
}

StackId StackTable::id(std::vector<record::Frame> frames, const record::Source::Deliver& deliver)
{
    if (frames.empty()) return StackId{0};
    const auto [entry, isNew] = m_ids.emplace(digestOf(frames), Known{StackId{m_last + 1}, m_round});
    auto& known = entry->second;
    known.round = m_round;
    if (isNew) {
        ++m_last;
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
