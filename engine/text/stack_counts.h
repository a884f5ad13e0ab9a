#pragma once
#include "engine/record/folded.h"
#include "engine/text/interned.h"
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::text {
/// Counts stacks by their frames, which it keeps once each: memory grows with different stacks, not with samples.
class StackCounts {
public:
    /// A frame, as far as a tool tells what it is.
    struct Frame {
        std::string_view name;
        record::Frame::Kind kind = record::Frame::Kind::Unknown; ///< Kernel and Jit are told, others seen by the module
        bool inlined = false;                                    ///< into the one before it
    };
    /// The stack that is written next: give its frames from the root, then add().
    void frame(std::string_view name) { frame(numberOf({name})); }
    void frame(std::uint32_t number) { m_open.push_back(number); }
    /// Of a frame that comes again and again: its number, for frame().
    std::uint32_t numberOf(const Frame& frame);
    /// Samples without any frame are counted under "[no stack]".
    void add(std::int64_t value);
    bool empty() const { return m_values.empty(); }
    /// Every stack once, in the order of bytes. The counts are empty afterwards.
    record::FoldedStacks take(std::string noun, record::StackUnit unit = record::StackUnit::Count);

private:
    std::span<const std::uint32_t> framesOf(std::uint32_t stack) const;
    Interned m_names;
    Interned m_stacks; ///< numbers of m_names, one behind another
    std::vector<std::uint32_t> m_open;
    std::vector<std::int64_t> m_values; ///< by number of m_stacks
};
} // namespace dscope::text
