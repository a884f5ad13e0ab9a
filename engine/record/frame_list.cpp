#include "engine/record/frame_list.h"
#include <algorithm>
#include <functional>
#include <string_view>
namespace dscope::record {
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
constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15U; // 2^64 by the golden ratio: no run of equal words gives equal states
} // namespace

Digest Digest::then(const Digest& next) const { return {mixed(low ^ next.low) + kStep, mixed(high ^ next.high) + kStep}; }

Digest KnownFrame::digestOf(const Frame& frame)
{
    Digest all{0, 0x5bd1e995};
    const auto take = [&all](std::uint64_t word) { all = all.then({word, word}); };
    // Texts are most of a frame: each is looked through once.
    const auto text = [&take](std::string_view words) { take(std::hash<std::string_view>()(words)); };
    take(frame.address);
    text(frame.module);
    text(frame.function);
    take(frame.offset);
    take(std::uint64_t(frame.kind) << 1U | std::uint64_t{frame.inlined});
    take(frame.linked);
    text(frame.code->buildId.empty() ? frame.code->path : frame.code->buildId); // code is the same wherever its file was found
    text(*frame.file);
    take(std::uint64_t{frame.line});
    return all;
}

FrameList::FrameList(std::vector<Frame> frames)
{
    if (frames.empty()) return;
    auto own = std::make_shared<std::vector<KnownFrame>>();
    own->reserve(frames.size());
    m_frames.reserve(frames.size());
    for (auto& frame : frames)
        m_frames.push_back(&own->emplace_back(std::move(frame)));
    m_owner = std::move(own);
}

bool FrameList::operator==(const FrameList& other) const
{
    return std::equal(m_frames.begin(), m_frames.end(), other.m_frames.begin(), other.m_frames.end(),
        [](const KnownFrame* a, const KnownFrame* b) { return a == b || a->frame == b->frame; });
}

Frame truncated(Truncation why)
{
    Frame frame;
    frame.kind = Frame::Kind::Truncated;
    frame.function = "[truncated]";
    frame.offset = static_cast<std::uint64_t>(why);
    return frame;
}
} // namespace dscope::record
