#include "engine/text/stack_counts.h"
#include "engine/record/folded.h"
#include <algorithm>
#include <cstring>
namespace dscope::text {
std::uint32_t StackCounts::numberOf(const Frame& frame)
{
    if (!frame.module.empty()) {
        auto alone = frame;
        alone.module = {};
        const auto name = std::string(frame.module) + '`' + std::string(frame.name);
        alone.name = name;
        return numberOf(alone);
    }
    const bool isPlain = frame.kind == record::Frame::Kind::Unknown && !frame.inlined;
    if (isPlain && frame.name.find(record::kFrameSeparator) == std::string_view::npos) return m_names.of(frame.name);
    return m_names.of(record::foldedWord({frame.name, frame.kind, frame.inlined}));
}

std::uint32_t StackCounts::add(std::int64_t value)
{
    if (m_open.empty()) frame("[no stack]");
    const auto number = m_stacks.of({reinterpret_cast<const char*>(m_open.data()), m_open.size() * sizeof m_open[0]});
    if (number == m_values.size()) {
        m_cost.different += m_open.size();
        for (const auto frame : m_open)
            m_cost.text += m_names.text(frame).size() + 1;
    }
    m_open.clear();
    if (number == m_values.size())
        m_values.push_back(value);
    else if (auto& sum = m_values[number]; __builtin_add_overflow(sum, value, &sum))
        sum = value < 0 ? INT64_MIN : INT64_MAX;
    return number;
}

Result<> StackCounts::Cost::check() const
{
    constexpr std::size_t kMostText = std::size_t{1} << 30, kMostDifferent = std::size_t{128} << 20;
    constexpr std::uint64_t kMostGiven = 500'000'000;
    if (text > kMostText) return Error{0, "its stacks are more than 1,024 MiB of text: record a shorter time"};
    if (different > kMostDifferent) return Error{0, "its different stacks have more than 134,217,728 frames: record a shorter time"};
    if (given > kMostGiven) return Error{0, "its samples have more than 500,000,000 frames in all: record a shorter time"};
    return {};
}

std::span<const std::uint32_t> StackCounts::framesOf(std::uint32_t stack) const
{
    const auto bytes = m_stacks.text(stack); // nothing else is kept there, so each stack begins where a number may stand
    return {reinterpret_cast<const std::uint32_t*>(bytes.data()), bytes.size() / sizeof(std::uint32_t)};
}

StackCounts::Numbered StackCounts::takeNumbered(std::string noun, record::StackUnit unit, int /*exponent*/)
{
    struct Numbering {
        record::FoldedLines::Line line;
        std::uint32_t stack;
    };
    std::vector<Numbering> order;
    std::size_t size = 0;
    for (std::uint32_t i = 0; i < m_stacks.size(); ++i)
        for (const auto frame : framesOf(i))
            size += m_names.text(frame).size() + 1;
    const std::shared_ptr<char[]> text(new char[size + 1]);
    auto* at = text.get();
    std::int64_t room = INT64_MAX;
    order.reserve(m_values.size());
    for (std::uint32_t i = 0; i < m_stacks.size(); ++i) {
        const auto value = std::min(m_values[i], room); // who adds them up must not find more than a number holds
        if (value <= 0) continue;
        const auto* const from = at;
        const auto frames = framesOf(i);
        for (const auto& frame : frames) {
            const auto name = m_names.text(frame);
            if (&frame != frames.data()) *at++ = record::kFrameSeparator;
            if (!name.empty()) std::memcpy(at, name.data(), name.size());
            at += name.size();
        }
        order.push_back({{{from, static_cast<std::size_t>(at - from)}, value}, i});
        room -= value;
    }
    std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.line.stack < b.line.stack; });
    Numbered out;
    out.lines.assign(m_values.size(), Numbered::kNone);
    std::vector<record::FoldedLines::Line> lines;
    lines.reserve(order.size());
    for (const auto& one : order) {
        out.lines[one.stack] = static_cast<std::uint32_t>(lines.size());
        lines.push_back(one.line);
    }
    *this = {};
    out.stacks = {record::FoldedLines(std::move(lines), text), std::move(noun), unit};
    return out;
}
} // namespace dscope::text
