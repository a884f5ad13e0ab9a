#include "engine/symbols/named_stacks.h"
#include <algorithm>
#include <utility>
namespace dscope::symbols {
using record::KnownFrame;

const KnownFrame* FrameStore::add(record::Frame frame) { return &m_frames->emplace_back(std::move(frame)); }

const KnownFrame* FrameStore::truncated(record::Truncation why)
{
    auto& frame = m_truncated.at(static_cast<std::size_t>(why));
    if (!frame) frame = add(record::truncated(why));
    return frame;
}

void FrameStore::clear()
{
    m_frames = std::make_shared<std::deque<KnownFrame>>();
    m_truncated = {};
}

void NamedStacks::clear()
{
    m_places.clear();
    m_returns.clear();
    m_steps.clear();
    m_ended = Callers::Follow;
    m_frames.clear();
    ++m_generation;
}

/// How many of the outermost addresses the last stack has, too, with names that stay.
std::size_t NamedStacks::sameCallers(std::span<const std::uint64_t> addresses) const
{
    std::size_t same = 0;
    while (same < addresses.size() && same < m_steps.size()) {
        const auto& step = m_steps[m_steps.size() - 1 - same];
        if (!step.stays || step.address != addresses[addresses.size() - 1 - same]) break;
        ++same;
    }
    return same;
}

NamedStacks::Frames NamedStacks::name(std::span<const std::uint64_t> addresses, Namer& namer)
{
    Frames frames;
    auto steps = std::exchange(m_spare, {});
    steps.clear();
    frames.reserve(std::max(addresses.size(), m_frames.size()));
    steps.reserve(addresses.size());
    auto same = sameCallers(addresses);
    auto ended = Callers::Follow;
    bool isReturnAddress = false; // the innermost frame is where the thread is, as is one that a signal interrupted
    for (std::size_t i = 0; i < addresses.size(); ++i) {
        const auto left = addresses.size() - i;
        if (left <= same && m_steps[m_steps.size() - left].isReturnAddress == isReturnAddress) {
            const auto from = m_steps.end() - static_cast<std::ptrdiff_t>(left);
            const std::size_t before = from->first, now = frames.size();
            frames.insert(frames.end(), m_frames.begin() + static_cast<std::ptrdiff_t>(before), m_frames.end());
            for (auto step = from; step != m_steps.end(); ++step)
                steps.push_back(
                    {step->address, static_cast<std::uint32_t>(step->first - before + now), step->isReturnAddress, step->stays});
            ended = m_ended;
            break;
        }
        auto& names = isReturnAddress ? m_returns : m_places;
        const auto known = names.find(addresses[i]);
        const auto* name = known == names.end() ? nullptr : &known->second;
        if (!name || !name->stays) {
            const auto generation = m_generation;
            auto asked = namer(addresses[i], isReturnAddress, name);
            if (generation != m_generation) same = 0;
            name = &(names[addresses[i]] = std::move(asked));
        }
        steps.push_back({addresses[i], static_cast<std::uint32_t>(frames.size()), isReturnAddress, name->stays});
        frames.insert(frames.end(), name->frames.begin(), name->frames.end());
        isReturnAddress = !name->signal;
        ended = name->callers;
        if (ended != Callers::Follow) break;
    }

    m_spare = std::exchange(m_steps, std::move(steps));
    m_frames = frames;
    m_ended = ended;
    return frames;
}
} // namespace dscope::symbols
