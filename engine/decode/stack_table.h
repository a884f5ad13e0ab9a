#pragma once
#include "engine/record/record.h"
#include <functional>
#include <unordered_map>
#include <vector>
namespace dscope::decode {
/// Gives equal stacks equal ids, and tells of each stack before its id is used. Equality is that of a 128-bit hash of
/// the contents, so that the frames themselves need not be kept. What has not been asked for in a while is forgotten, and
/// told as a StackDef without frames; were it to come again, it would have another id.
class StackTable {
public:
    StackId id(record::FrameList frames, const record::Source::Deliver& deliver);
    /// So many are known that it is time to forget().
    bool isFull() const { return m_ids.size() > m_limit; }
    /// Forgets those that were not asked for since the last time, but for the ids that `isHeld` says are in use.
    void forget(const std::function<bool(StackId)>& isHeld, const record::Source::Deliver& deliver);

private:
    using Digest = record::Digest;
    struct Low {
        std::size_t operator()(const Digest& digest) const { return digest.low; }
    };
    Digest digestOf(const record::FrameList& frames);
    struct Known {
        StackId id;
        std::uint64_t round; ///< in which it was last asked for
    };
    static constexpr std::size_t kMost = 4096; ///< the frames of so many take a reader some 10 MB
    std::unordered_map<Digest, Known, Low> m_ids;
    struct Caller {
        Digest frame, whole; ///< whole: of all frames from the outermost to this one
    };
    std::vector<Caller> m_last; ///< the last stack asked for, outermost frame first: the next one has many of its callers
    std::uint32_t m_given = 0;  ///< the last id
    std::uint64_t m_round = 0;
    std::size_t m_limit = kMost;
};
} // namespace dscope::decode
