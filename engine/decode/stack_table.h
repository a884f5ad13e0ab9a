#pragma once
#include "engine/record/record.h"
#include <unordered_map>
namespace dscope::decode {
/// Gives equal stacks equal ids, and tells of each stack before its id is used. Equality is that of a 128-bit hash of
/// the contents, so that the frames themselves need not be kept.
class StackTable {
public:
    StackId id(std::vector<record::Frame> frames, const record::Source::Deliver& deliver);

private:
    struct Digest {
        std::uint64_t low, high;
        bool operator==(const Digest&) const = default;
    };
    struct Low {
        std::size_t operator()(const Digest& digest) const { return digest.low; }
    };
    static Digest digestOf(const std::vector<record::Frame>& frames);
    std::unordered_map<Digest, StackId, Low> m_ids;
};
} // namespace dscope::decode
