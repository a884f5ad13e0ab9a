#pragma once
#include "engine/base/bytes.h"
#include "engine/base/result.h"
#include <cstdint>
#include <deque>
#include <vector>
namespace dscope::decode {
/// The deep parts of copied stacks, which come before the records that have the rest (object::RawStackRest).
class StackRests {
public:
    /// Error: it is cut.
    Result<> add(ByteView raw);
    /// Makes each of a thread's stacks that goes on in one of these whole: they then lie in what is returned.
    std::vector<Bytes> join(std::uint32_t tid, std::vector<ByteView>& stacks);

private:
    static constexpr std::size_t kMost = 64; ///< of records that were lost some stay
    struct Rest {
        std::uint64_t number = 0, from = 0, holes = 0;
        std::uint32_t tid = 0;
        Bytes bytes;
    };
    std::deque<Rest> m_rests; ///< oldest first
    Bytes m_spare;            ///< memory of the one that was joined last
};
} // namespace dscope::decode
