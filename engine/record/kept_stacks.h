#pragma once
#include "engine/record/record.h"
#include <cstddef>
#include <deque>
#include <span>
#include <unordered_map>
#include <vector>
namespace dscope::record {
/// The stacks of a run, by their numbers. Stacks have most of their frames in common: each frame is kept once, a stack is four
/// bytes for each of its own.
class KeptStacks {
public:
    /// The frames of one stack, innermost first. Holds as long as nothing is kept or forgotten.
    class View {
    public:
        class Iterator {
        public:
            using iterator_category = std::forward_iterator_tag;
            using value_type = Frame;
            using difference_type = std::ptrdiff_t;
            using pointer = const Frame*;
            using reference = const Frame&;
            Iterator() = default;
            Iterator(const View& view, std::size_t at) : m_view(&view), m_at(at) { }
            const Frame& operator*() const { return (*m_view)[m_at]; }
            const Frame* operator->() const { return &(*m_view)[m_at]; }

            Iterator& operator++()
            {
                ++m_at;
                return *this;
            }
            Iterator operator++(int) { return {*m_view, m_at++}; }
            bool operator==(const Iterator& other) const { return m_at == other.m_at; }

        private:
            const View* m_view = nullptr;
            std::size_t m_at = 0;
        };
        View() = default;
        std::size_t size() const { return m_frames.size(); }
        bool empty() const { return m_frames.empty(); }
        const Frame& operator[](std::size_t i) const { return m_owner->m_frames[m_frames[i]].frame; }
        Iterator begin() const { return {*this, 0}; }
        Iterator end() const { return {*this, size()}; }

    private:
        friend class KeptStacks;
        View(const KeptStacks* owner, std::span<const std::uint32_t> frames) : m_owner(owner), m_frames(frames) { }
        const KeptStacks* m_owner = nullptr;
        std::span<const std::uint32_t> m_frames;
    };
    /// Under a number that is new, or in place of what had it.
    void keep(StackId id, std::span<const Frame> frames);
    void forget(StackId id);
    /// Empty where there is no such stack.
    View operator[](StackId id) const;
    std::size_t size() const { return m_stacks.size(); }
    /// Whether the line of any frame is known.
    bool tellLines() const { return m_lined > 0; }

private:
    struct Kept {
        Frame frame;
        std::uint32_t uses = 0; ///< 0: the place is free
    };
    std::uint32_t use(const Frame& frame);
    void release(std::span<const std::uint32_t> frames);
    static std::size_t hashOf(const Frame& frame);

    std::deque<Kept> m_frames;
    std::vector<std::uint32_t> m_free;
    std::size_t m_lined = 0; ///< frames with a line
    std::unordered_multimap<std::size_t, std::uint32_t> m_numbers; ///< by hash
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> m_stacks;
};
/// The function that contains a symbol: the last frame, into which the frames before it were inlined. `frames` must not be
/// empty.
inline const Frame& functionAt(const KeptStacks::View& frames)
{
    std::size_t i = 0;
    while (frames[i].inlined && i + 1 < frames.size())
        ++i;
    return frames[i];
}
} // namespace dscope::record
