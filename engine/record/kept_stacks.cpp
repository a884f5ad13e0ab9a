#include "engine/record/kept_stacks.h"
#include <functional>
#include <string_view>
namespace dscope::record {
std::size_t KeptStacks::hashOf(const Frame& frame)
{
    std::size_t hash = std::hash<std::uint64_t>()(frame.address) * 0x9e3779b97f4a7c15U;
    const auto take = [&hash](std::size_t part) { hash = (hash ^ part) * 0x9e3779b97f4a7c15U, hash ^= hash >> 29U; };
    take(std::hash<std::string_view>()(frame.function));
    take(std::hash<std::string_view>()(frame.module));
    take(frame.offset);
    take(frame.line);
    return hash;
}

std::uint32_t KeptStacks::use(const Frame& frame)
{
    const auto hash = hashOf(frame);
    for (auto [at, end] = m_numbers.equal_range(hash); at != end; ++at)
        if (auto& kept = m_frames[at->second]; kept.frame == frame) {
            ++kept.uses;
            return at->second;
        }
    std::uint32_t number = 0;
    m_lined += frame.line != 0;
    if (m_free.empty()) {
        number = static_cast<std::uint32_t>(m_frames.size());
        m_frames.push_back({frame, 1});
    } else {
        number = m_free.back();
        m_free.pop_back();
        m_frames[number] = {frame, 1};
    }
    m_numbers.emplace(hash, number);
    return number;
}

void KeptStacks::release(std::span<const std::uint32_t> frames)
{
    for (const auto number : frames) {
        auto& kept = m_frames[number];
        if (--kept.uses != 0) continue;
        for (auto [at, end] = m_numbers.equal_range(hashOf(kept.frame)); at != end; ++at)
            if (at->second == number) {
                m_numbers.erase(at);
                break;
            }
        m_lined -= kept.frame.line != 0;
        kept.frame = {};
        m_free.push_back(number);
    }
}

void KeptStacks::keep(StackId id, std::span<const Frame> frames)
{
    std::vector<std::uint32_t> numbers;
    numbers.reserve(frames.size());
    for (const auto& frame : frames)
        numbers.push_back(use(frame));
    auto& stack = m_stacks[id.value];
    release(stack);
    stack = std::move(numbers);
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
    const auto stack = m_stacks.find(id.value);
    return stack == m_stacks.end() ? View() : View(this, stack->second);
}
} // namespace dscope::record
