#pragma once
#include "engine/record/record.h"
#include <functional>
#include <unordered_map>
#include <vector>
namespace dscope::decode {
/// What was recorded speculatively, until it is known whether it counts. A `use` is RawHeader::speculation: a speculation's
/// number and which of its uses is meant.
class Speculations {
public:
    /// `room`: bytes for each of them, option specsize.
    explicit Speculations(std::uint64_t room) : m_room(room) { }
    /// Keeps a firing that takes `size` bytes; one for which there is no room is counted as lost.
    void hold(std::uint32_t use, record::Fired fired, std::uint64_t size);
    /// Takes the records of a speculation out, in order. Records that still come for it are dropped.
    std::vector<record::Fired> end(std::uint32_t use);
    void each(const std::function<void(const record::Fired&)>& held) const;
    /// What was lost since this was last asked.
    void reportDrops(const record::Source::Deliver& deliver);

private:
    struct Held {
        std::uint32_t use = 0; ///< the latest one
        bool ended = false;
        std::uint64_t size = 0;
        std::vector<record::Fired> firings;
    };
    std::uint64_t m_room;
    std::unordered_map<std::uint32_t, Held> m_held;          ///< by number
    std::unordered_map<std::uint32_t, std::uint64_t> m_lost; ///< by CPU
};
} // namespace dscope::decode
