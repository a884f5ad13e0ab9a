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
    void take(std::string_view text)
    {
        take(text.size());
        for (std::size_t at = 0; at < text.size(); at += sizeof(std::uint64_t)) {
            std::uint64_t word = 0;
            std::memcpy(&word, text.data() + at, std::min(sizeof word, text.size() - at));
            take(word);
        }
    }
};
} // namespace

StackTable::Digest StackTable::digestOf(const std::vector<record::Frame>& frames)
{
    Hash low{0}, high{0x5bd1e995};
    const auto both = [&](const auto& what) {
        low.take(what);
        high.take(what);
    };
    for (const auto& frame : frames) {
        both(frame.address);
        both(std::string_view(frame.module));
        both(std::string_view(frame.function));
        both(frame.offset);
        both(std::uint64_t(frame.kind) << 1 | std::uint64_t{frame.inlined});
        both(frame.linked);
        both(std::string_view(frame.code->buildId));
        both(std::string_view(*frame.file));
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
