#pragma once
#include "engine/base/result.h"
#include "engine/record/counted_stacks.h"
#include "engine/text/function_names.h"
#include "engine/text/taken_stacks.h"
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::text {
/// Counts stacks by their frames. Each frame and each path from the root is kept once: memory grows with different ones, not with samples.
class StackCounts {
public:
    using Frame = record::NamedFrame;
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
    /// The same of a method of Java that was printed with `descriptor` behind its name: it stays there if another method of that name has
    /// another one, since overloads would merge.
    std::uint32_t numberOf(const Frame& frame, std::string_view descriptor);
    /// The frame of a number, whose texts are valid until the next one is made.
    Frame frameOf(std::uint32_t number) const { return m_builder.frameAt(number); }
    /// Samples without any frame are counted under "[no stack]". Gives the number of the stack, from 0 in the order of their coming.
    /// `value` counts as value * 10^exponent, of at most 0: where exponents differ all values are kept in the least of them in which
    /// their sum fits into 64 bits; of what is finer the last decimals are rounded.
    std::uint32_t add(std::int64_t value, int exponent = 0);
    /// The same of a stack that has a number.
    void addAgain(std::uint32_t stack, std::int64_t value, int exponent = 0);
    /// A value that was added had more decimals than were given.
    void hasMoreDecimals() { m_isRounded = true; }
    bool empty() const { return m_values.empty(); }
    /// What the stacks take so far. Formats that name a frame once and use it often can ask for much with little.
    struct Cost {
        std::uint64_t text = 0;    ///< bytes of the different stacks as folded text
        std::size_t different = 0; ///< different paths from the root
        std::uint64_t given = 0;   ///< frames of all samples
        Cost& operator+=(const Cost& o) { return text += o.text, different += o.different, given += o.given, *this; }
        /// More than any profile has: 4 GiB of text, 50 million paths, some seconds of reading. Error: the first bound that was reached.
        Result<> check() const;
    };
    const Cost& cost() const { return m_cost; }
    Result<> check() const { return m_cost.check(); }
    /// Every stack once, in the order of the table. The counts are empty afterwards.
    /// A value of v stands for v * 10^exponent of `unit`: {Time, -3} are picoseconds, {Count, -3} thousandths of `noun`.
    TakenStacks take(std::string noun, record::StackUnit unit = record::StackUnit::Count, int exponent = 0)
    {
        return takeNumbered(std::move(noun), unit, exponent).stacks;
    }
    struct Numbered {
        static constexpr std::uint32_t kNone = UINT32_MAX;
        TakenStacks stacks;
        std::vector<std::uint32_t> lines; ///< by number of the stack, its place; kNone: it is left out, since it counts nothing
    };
    Numbered takeNumbered(std::string noun, record::StackUnit unit, int exponent = 0);

private:
    static constexpr int kMostDecimals = 30;
    std::uint32_t openNode();
    record::StackTableBuilder::Ordered orderedTable();
    std::vector<bool> withoutRoom() const;
    void addTo(std::int64_t& sum, std::int64_t value);
    void keepsDecimals(std::uint32_t stack);
    std::int64_t inExponent(std::int64_t value, int exponent);
    bool makeFiner();
    void makeCoarser();
    std::int64_t divided(std::int64_t value);
    record::StackTableBuilder m_builder;
    OverloadedMethods m_methods;
    std::vector<std::pair<std::uint32_t, std::size_t>> m_described; ///< frames whose names end in a descriptor, and its size
    std::vector<std::uint32_t> m_open;
    std::vector<std::uint32_t> m_path, m_pathNodes; ///< frames and nodes of the stack before: the next one has many of its callers
    Cost m_cost;
    int m_exponent = 0;                   ///< of all values, at most 0
    int m_leastExponent = -kMostDecimals; ///< that leaves room for the sum
    std::int64_t m_total = 0;             ///< of all values without their signs, where their exponent is less than 0
    bool m_hasOverflown = false, m_isRounded = false;
    std::vector<std::uint32_t> m_wordSizes; ///< by frame: bytes in folded text
    std::vector<std::uint32_t> m_stackOf;   ///< by node: the number of the stack that ends there and 1; 0: none
    std::vector<std::uint32_t> m_nodes;     ///< by stack
    std::vector<std::int64_t> m_values;     ///< by stack
    std::vector<bool> m_hasDecimals;        ///< by stack: values other than 0 were added that may have been rounded
};
} // namespace dscope::text
