#pragma once
#include "engine/base/result.h"
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
    /// A frame, as far as a tool says what it is. Nothing of it is encoded in its name.
    struct Frame {
        std::string_view name; ///< of the function alone
        record::Frame::Kind kind = record::Frame::Kind::Unknown;
        bool inlined = false;          ///< into the frame before it, its caller
        std::string_view module = {};  ///< file name of the program or library, without its directory; empty: unknown
        std::string_view file = {};    ///< of the source; empty: unknown
        std::uint32_t line = 0;        ///< of `file`, from 1; 0: unknown
    };
    /// The stack that is written next: give its frames from the root, then add().
    void frame(std::string_view name) { frame(numberOf({name})); }

    void frame(std::uint32_t number)
    {
        m_open.push_back(number);
        ++m_cost.given;
    }

    void frames(std::span<const std::uint32_t> numbers)
    {
        m_open.insert(m_open.end(), numbers.begin(), numbers.end());
        m_cost.given += numbers.size();
    }
    /// Of a frame that comes again and again: its number, for frame().
    std::uint32_t numberOf(const Frame& frame);
    /// Samples without any frame are counted under "[no stack]". Gives the number of the stack, from 0 in the order of their coming.
    std::uint32_t add(std::int64_t value);
    bool empty() const { return m_values.empty(); }
    /// What the stacks take so far. Formats that name a frame once and use it often can ask for much with little.
    struct Cost {
        std::size_t text = 0;      ///< bytes of the different stacks as folded text: what take() makes
        std::size_t different = 0; ///< frames of the different stacks
        std::uint64_t given = 0;   ///< frames of all samples
        Cost& operator+=(const Cost& o) { return text += o.text, different += o.different, given += o.given, *this; }
        /// More than any profile has: 1 GiB of text, 512 MiB of frames, some seconds of reading. Error: the first bound that was reached.
        Result<> check() const;
    };
    const Cost& cost() const { return m_cost; }
    Result<> check() const { return m_cost.check(); }
    /// Every stack once, in the order of bytes. The counts are empty afterwards.
    /// A value of v stands for v * 10^exponent of `unit`: {Time, -3} are picoseconds, {Count, -3} thousandths of `noun`.
    record::FoldedStacks take(std::string noun, record::StackUnit unit = record::StackUnit::Count, int exponent = 0)
    {
        return takeNumbered(std::move(noun), unit, exponent).stacks;
    }
    struct Numbered {
        static constexpr std::uint32_t kNone = UINT32_MAX;
        record::FoldedStacks stacks;
        std::vector<std::uint32_t> lines; ///< by number of the stack, its line; kNone: it is left out, since it counts nothing
    };
    Numbered takeNumbered(std::string noun, record::StackUnit unit, int exponent = 0);

private:
    std::span<const std::uint32_t> framesOf(std::uint32_t stack) const;
    Interned m_names;
    Interned m_stacks; ///< numbers of m_names, one behind another
    std::vector<std::uint32_t> m_open;
    Cost m_cost;
    std::vector<std::int64_t> m_values; ///< by number of m_stacks
};
} // namespace dscope::text
