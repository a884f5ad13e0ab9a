#pragma once
#include "engine/record/record.h"
#include <cstddef>
#include <deque>
#include <unordered_map>
#include <vector>
namespace dscope::record {
/// The stacks of a run, by their numbers. Stacks have most of their callers in common: they are kept as a tree that grows from the
/// outermost frames inwards, and each frame's names once.
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
        /// That of a frame among those that are kept: as long as it is, equal frames have equal numbers, less than frameCount().
        std::uint32_t number(std::size_t i) const { return m_frames[i]; }

    private:
        friend class KeptStacks;
        explicit View(const KeptStacks* owner) : m_owner(owner) { }
        const KeptStacks* m_owner = nullptr;
        std::vector<std::uint32_t> m_frames;
    };
    /// Under a number that is new, or in place of what had it.
    void keep(StackId id, const FrameList& frames);
    void forget(StackId id);
    /// Empty where there is no such stack.
    View operator[](StackId id) const;
    std::size_t size() const { return m_stacks.size(); }
    /// One more than the highest number of a frame.
    std::size_t frameCount() const { return m_frames.size(); }
    /// Grows when a number may have come to mean another frame.
    std::uint64_t generation() const { return m_generation; }
    /// Whether the line of any frame is known.
    bool tellLines() const { return m_lined > 0; }

private:
    /// What is kept for several; 0 uses: the place is free.
    struct Kept {
        Frame frame;
        Digest digest;
        std::uint32_t uses = 0; ///< by nodes
    };
    /// A frame below its callers; they are the same for all stacks that have it.
    struct Node {
        std::uint32_t caller = 0; ///< the node of it; kOutside for an outermost frame
        std::uint32_t frame = 0;
        std::uint32_t uses = 0; ///< by nodes that it called and by stacks that end here
    };
    static constexpr std::uint32_t kOutside = UINT32_MAX;
    using Nodes = std::vector<Node>;
    /// Nodes by caller and frame: their numbers in a table of open addresses with linear probing.
    class NodeIndex {
    public:
        /// kOutside when there is none.
        std::uint32_t find(const Nodes& nodes, std::uint32_t caller, std::uint32_t frame) const;
        void add(const Nodes& nodes, std::uint32_t number);
        void remove(const Nodes& nodes, std::uint32_t number);

    private:
        std::size_t slotOf(std::uint32_t caller, std::uint32_t frame) const;
        void grow(const Nodes& nodes);
        std::vector<std::uint32_t> m_slots; ///< a power of two; kOutside: free
        std::size_t m_used = 0;
    };
    std::uint32_t frameNumber(const KnownFrame& known);
    std::uint32_t findFrame(const Frame& frame, const Digest& digest);
    std::uint32_t nodeBelow(std::uint32_t caller, std::uint32_t frame);
    void release(std::uint32_t leaf);
    void releaseFrame(std::uint32_t number);

    std::deque<Kept> m_frames;
    std::vector<std::uint32_t> m_freeFrames, m_freeNodes;
    std::size_t m_lined = 0; ///< frames with a line
    std::uint64_t m_generation = 0;
    struct Low {
        std::size_t operator()(const Digest& digest) const { return digest.low; }
    };
    std::unordered_map<Digest, std::uint32_t, Low> m_numbers; ///< of frames
    struct Recent {
        Digest digest;
        std::uint32_t number = kOutside;
    };
    static constexpr std::size_t kRecent = 4096;
    Recent& recent(const Digest& digest) { return m_recent[digest.low % kRecent]; }
    std::vector<Recent> m_recent{kRecent}; ///< of m_numbers, by the low bits: most frames are in many stacks
    Nodes m_nodes;
    NodeIndex m_index;
    std::unordered_map<std::uint32_t, std::uint32_t> m_stacks; ///< the innermost node of each; kOutside when it has no frames
    struct Step {
        Digest frame;
        std::uint32_t node = 0;
    };
    std::vector<Step> m_last; ///< the stack that was kept last, outermost frame first: the next one has many of its callers
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
