#include "engine/text/stack_counts.h"
#include "engine/demangle/declaration.h"
#include "engine/demangle/demangle.h"
#include "engine/record/folded.h"
#include <algorithm>
#include <numeric>
namespace dscope::text {
namespace {
/// As its author spelled a function of C++, Rust or D, without parameters; empty: `name` is none that a compiler mangled. Symbols of macOS
/// have one more underscore.
std::string spelled(std::string_view name)
{
    const auto symbol = name.starts_with("__") ? name.substr(1) : name;
    constexpr std::size_t kShortest = 4;
    if (symbol.size() < kShortest || symbol[0] != '_' || std::string_view("ZRD").find(symbol[1]) == std::string_view::npos) return {};
    auto is = demangle::demangledDeclaration(symbol);
    return is ? std::move(is->name) : std::string();
}
} // namespace

std::uint32_t StackCounts::numberOf(const Frame& told)
{
    auto frame = told;
    const auto name = spelled(told.name); // by whichever way it comes: profiles of one program can be compared
    if (!name.empty()) frame.name = name;
    const auto number = m_builder.frame(frame);
    if (number == m_wordSizes.size()) {
        constexpr std::size_t kMark = 4;
        m_wordSizes.push_back(static_cast<std::uint32_t>(frame.module.size() + frame.name.size() + kMark));
    }
    return number;
}

std::uint32_t StackCounts::numberOf(const Frame& frame, std::string_view descriptor)
{
    if (descriptor.empty()) return numberOf(frame);
    m_methods.add(frame.name, descriptor);
    const auto name = std::string(frame.name) + std::string(descriptor);
    auto described = frame;
    described.name = name;
    const auto before = m_builder.frameCount();
    const auto number = numberOf(described);
    if (number >= before) m_described.emplace_back(number, descriptor.size());
    return number;
}

/// The node that the open frames lead to.
std::uint32_t StackCounts::openNode()
{
    const auto common
        = static_cast<std::size_t>(std::mismatch(m_open.begin(), m_open.end(), m_path.begin(), m_path.end()).first - m_open.begin());
    m_path.resize(common);
    m_pathNodes.resize(common);
    auto node = common == 0 ? record::StackTable::kRoot : m_pathNodes.back();
    for (auto i = common; i < m_open.size(); ++i) {
        node = m_builder.below(node, m_open[i]);
        m_path.push_back(m_open[i]);
        m_pathNodes.push_back(node);
    }
    return node;
}

namespace {
constexpr std::int64_t kTen = 10;
/// Without its sign; of the least number the largest.
std::int64_t sizeOf(std::int64_t value) { return value >= 0 ? value : value == INT64_MIN ? INT64_MAX : -value; }
} // namespace

/// A tenth, rounded.
std::int64_t StackCounts::divided(std::int64_t value)
{
    m_isRounded = m_isRounded || value % kTen != 0;
    return value / kTen + (value % kTen >= kTen / 2 ? 1 : value % kTen <= -kTen / 2 ? -1 : 0);
}

/// One more decimal for all values. False: their sum would not fit.
bool StackCounts::makeFiner()
{
    if (m_exponent == 0) {
        m_total = 0;
        for (const auto value : m_values)
            if (__builtin_add_overflow(m_total, sizeOf(value), &m_total)) return false;
    }
    if (m_exponent <= m_leastExponent || m_total > INT64_MAX / kTen) return false;
    for (auto& value : m_values)
        value *= kTen;
    m_total *= kTen;
    --m_exponent;
    return true;
}

/// One decimal less for all values.
void StackCounts::makeCoarser()
{
    m_total = 0;
    for (auto& value : m_values) {
        value = divided(value);
        m_total += sizeOf(value);
    }
    m_leastExponent = ++m_exponent;
}

/// The value in m_exponent, which changes as far as it has to and can.
std::int64_t StackCounts::inExponent(std::int64_t value, int exponent)
{
    while (exponent < m_exponent && makeFiner()) { }
    for (; exponent < m_exponent && value != 0; ++exponent)
        value = divided(value);
    while (exponent > m_exponent) {
        if (sizeOf(value) <= INT64_MAX / kTen) {
            value *= kTen;
            --exponent;
        } else {
            makeCoarser();
        }
    }
    while (m_exponent < 0 && sizeOf(value) > INT64_MAX - m_total) {
        makeCoarser();
        value = divided(value);
    }
    if (m_exponent < 0) m_total += sizeOf(value);
    return value;
}

void StackCounts::keepsDecimals(std::uint32_t stack)
{
    if (stack >= m_hasDecimals.size()) m_hasDecimals.resize(stack + 1);
    m_hasDecimals[stack] = true;
}

std::uint32_t StackCounts::add(std::int64_t value, int exponent)
{
    const bool mayVanish = value != 0 && exponent < 0;
    if (value == 0) exponent = m_exponent;
    if (exponent != 0 || m_exponent != 0) value = inExponent(value, exponent);
    if (m_open.empty()) frame("[no stack]");
    const auto node = openNode();
    m_cost.different = m_builder.size();
    if (node >= m_stackOf.size()) m_stackOf.resize(std::max<std::size_t>(node + 1, m_stackOf.size() * 3 / 2));
    auto& stack = m_stackOf[node];
    if (stack == 0) {
        for (const auto frame : m_open)
            m_cost.text += m_wordSizes[frame] + 1;
        m_values.push_back(value);
        m_nodes.push_back(node);
        stack = static_cast<std::uint32_t>(m_values.size());
    } else {
        addTo(m_values[stack - 1], value);
    }
    if (mayVanish) keepsDecimals(stack - 1);
    m_open.clear();
    return stack - 1;
}

void StackCounts::addAgain(std::uint32_t stack, std::int64_t value, int exponent)
{
    if (value != 0 && exponent < 0) keepsDecimals(stack);
    if (value == 0) exponent = m_exponent;
    if (exponent != 0 || m_exponent != 0) value = inExponent(value, exponent);
    addTo(m_values[stack], value);
}

void StackCounts::addTo(std::int64_t& sum, std::int64_t value)
{
    if (!__builtin_add_overflow(sum, value, &sum)) return;
    m_hasOverflown = true;
    sum = value < 0 ? INT64_MIN : INT64_MAX;
}

Result<> StackCounts::Cost::check() const
{
    constexpr std::uint64_t kMostText = std::uint64_t{4} << 30U, kMostGiven = 500'000'000;
    constexpr std::size_t kMostDifferent = 50'000'000;
    if (text > kMostText) return Error{0, "its stacks are more than 4 GiB of text: record a shorter time"};
    if (different > kMostDifferent) return Error{0, "its stacks have more than 50,000,000 different callers: record a shorter time"};
    if (given > kMostGiven) return Error{0, "its samples have more than 500,000,000 frames in all: record a shorter time"};
    return {};
}

namespace {
/// Values with as few decimals as they need, and none of zeros where the digits fit.
void simplify(std::vector<record::CountedStacks::Stack>& stacks, int& exponent)
{
    constexpr int kBase = 10;
    const auto endsInZero = [](const auto& stack) { return stack.value % kBase == 0; };
    for (; exponent < 0 && std::all_of(stacks.begin(), stacks.end(), endsInZero); ++exponent)
        for (auto& stack : stacks)
            stack.value /= kBase;
    const auto sum = [&] {
        return std::accumulate(stacks.begin(), stacks.end(), std::int64_t{0}, [](auto s, const auto& stack) { return s + stack.value; });
    };
    for (; exponent > 0 && sum() <= INT64_MAX / kBase; --exponent)
        for (auto& stack : stacks)
            stack.value *= kBase;
}
} // namespace

/// The table of all stacks. Methods of Java whose name no other method has are without their descriptors there.
record::StackTableBuilder::Ordered StackCounts::orderedTable()
{
    std::vector<std::size_t> sizes(m_described.empty() ? 0 : m_builder.frameCount()); // of descriptors, by frame
    for (const auto& [number, size] : m_described)
        sizes[number] = size;
    auto ordered = m_builder.ordered();
    if (m_described.empty()) return ordered;

    record::StackTableBuilder named;
    const auto& table = *ordered.table;
    std::vector<std::uint32_t> frames(table.frameCount());
    std::vector<std::uint32_t> described;
    for (std::uint32_t i = 0; i < table.frameCount(); ++i)
        if (i < sizes.size() && sizes[i] > 0)
            described.push_back(i);
        else
            frames[i] = named.frame(table.frame(i));
    for (const auto i : described) {
        const auto whole = table.frame(i);
        auto plain = whole;
        plain.name = whole.name.substr(0, whole.name.size() - sizes[i]);
        const auto before = named.frameCount();
        frames[i] = m_methods.has(plain.name) ? before : named.frame(plain);
        // Another method of that name, or the same one that was also told without a descriptor.
        if (named.frameCount() == before) frames[i] = named.frame(whole);
    }

    std::vector<std::uint32_t> nodes(table.nodes().size());
    for (std::size_t i = 1; i < nodes.size(); ++i)
        nodes[i] = named.below(nodes[table.nodes()[i].caller], frames[table.nodes()[i].frame]);
    auto again = named.ordered();
    for (auto& number : ordered.numbers)
        number = again.numbers[nodes[number]];
    return {std::move(again.table), std::move(ordered.numbers)};
}

/// Which stacks are left out, so that who adds the others up finds no more than a number holds: those that have no room beside larger ones.
std::vector<bool> StackCounts::withoutRoom() const
{
    std::vector<bool> out(m_values.size());
    std::int64_t sum = 0;
    const bool fits
        = std::none_of(m_values.begin(), m_values.end(), [&](auto value) { return value > 0 && __builtin_add_overflow(sum, value, &sum); });
    if (fits) return out;

    std::vector<std::uint32_t> order(m_values.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return m_values[a] > m_values[b]; });
    std::int64_t room = INT64_MAX;
    for (const auto stack : order) {
        out[stack] = m_values[stack] > room;
        if (!out[stack] && m_values[stack] > 0) room -= m_values[stack];
    }
    return out;
}

StackCounts::Numbered StackCounts::takeNumbered(std::string noun, record::StackUnit unit, int exponent)
{
    m_stackOf = {};
    auto ordered = orderedTable();
    std::vector<std::uint32_t> order(m_values.size());
    std::iota(order.begin(), order.end(), 0U);
    for (auto& node : m_nodes)
        node = ordered.numbers[node];
    ordered.numbers = {};
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return m_nodes[a] < m_nodes[b]; });

    Numbered out;
    out.lines.assign(m_values.size(), Numbered::kNone);
    std::vector<record::CountedStacks::Stack> stacks;
    stacks.reserve(order.size());
    const auto isLeftOut = withoutRoom();
    std::size_t below = 0, tooSmall = 0;
    for (const auto stack : order) {
        const auto value = m_values[stack];
        tooSmall += value == 0 && m_isRounded && stack < m_hasDecimals.size() && m_hasDecimals[stack] ? 1 : 0;
        m_hasOverflown = m_hasOverflown || isLeftOut[stack];
        below += value < 0 ? 1 : 0;
        if (value <= 0 || isLeftOut[stack]) continue;
        out.lines[stack] = static_cast<std::uint32_t>(stacks.size());
        stacks.push_back({m_nodes[stack], value});
    }
    exponent += m_exponent;
    const auto decimals = std::max(-exponent, 0);
    simplify(stacks, exponent);
    out.stacks = {{std::move(ordered.table), std::make_shared<const std::vector<record::CountedStacks::Stack>>(std::move(stacks)),
                      std::move(noun), unit, static_cast<std::int8_t>(exponent)},
        m_hasOverflown, m_isRounded, decimals, tooSmall, below};
    *this = {};
    return out;
}
} // namespace dscope::text
