#include "engine/text/bcc_leaks.h"
#include "engine/text/bpf_frames.h"
#include "engine/text/words.h"
#include <utility>
namespace dscope::text {
namespace {
constexpr std::string_view kTop = "] Top ", kStacks = " stacks with outstanding allocations:", kBytes = " bytes in ",
                           kAllocations = " allocations from stack";

/// "80 bytes in 5 allocations from stack"
std::optional<std::pair<std::int64_t, std::int64_t>> sizesOf(std::string_view text)
{
    const auto middle = text.find(kBytes);
    if (middle == std::string_view::npos || !text.ends_with(kAllocations)) return {};
    const auto from = middle + kBytes.size();
    if (from + kAllocations.size() > text.size()) return {};
    const auto bytes = integer(text.substr(0, middle)), number = integer(text.substr(from, text.size() - kAllocations.size() - from));
    if (!bytes || !number || *bytes < 0 || *number < 0) return {};
    return std::pair(*bytes, *number);
}
} // namespace

bool BccLeaks::isHeading(std::string_view line)
{
    line = withoutBlanksBehind(line);
    return line.starts_with('[') && line.ends_with(kStacks) && line.find(kTop) != std::string_view::npos;
}

bool BccLeaks::take(std::string_view line)
{
    constexpr std::size_t kMostFrames = 65'536, kMostOfAll = 1'000'000;
    if (isHeading(line)) {
        if (!m_now.stacks.empty()) m_before = std::exchange(m_now, {});
        const auto at = line.find(kTop);
        m_now = {std::string(line.substr(1, at - 1)), 0, {}};
        m_now.top = static_cast<std::size_t>(std::max<std::int64_t>(leadingInteger(line.substr(at + kTop.size())).value_or(0), 0));
        m_isOpen = true;
        m_inStack = false;
        m_isLeftOut = false;
        m_frames = m_left = 0;
        ++m_printings;
        return true;
    }
    if (!m_isOpen) return false;
    const auto text = trimmed(line);
    if (text.empty()) return m_inStack = m_isLeftOut = false, true;
    if (text.starts_with("addr = ")) return true; // of -a: the stack below says their sum
    if (const auto sizes = sizesOf(text)) {
        m_now.stacks.push_back({sizes->first, sizes->second, {}});
        m_isLeftOut = false;
        return m_inStack = true;
    }
    if (text.find(kBytes) != std::string_view::npos
        && text.ends_with(kAllocations)) { // "18446744073709551608 bytes": freed before it was told
        ++m_left;
        m_inStack = false;
        return m_isLeftOut = true;
    }
    if (m_isLeftOut && isBlank(line.front())) return true;
    if (!m_inStack || !isBlank(line.front()) || m_now.stacks.back().frames.size() >= kMostFrames || m_frames >= kMostOfAll) return false;
    ++m_frames;
    m_now.stacks.back().frames.push_back(bccFrame(text));
    return true;
}

void BccLeaks::put(Imported& out)
{
    const auto& last = m_now.stacks.empty() ? m_before : m_now;
    if (last.stacks.empty()) return;
    StackCounts bytes, allocations;
    for (const auto& stack : last.stacks)
        for (auto* counts : {&bytes, &allocations}) {
            for (auto frame = stack.frames.rbegin(); frame != stack.frames.rend(); ++frame)
                counts->frames(numbersOf(*frame, *counts));
            counts->add(counts == &bytes ? stack.bytes : stack.allocations);
        }
    out.add(bytes.take("outstanding memory", record::StackUnit::Bytes));
    out.add(allocations.take("outstanding allocations"));
    if (m_left > 0) out.warn(counted(m_left, "stack has", "stacks have") + " numbers below 0 or beyond 64 bits: left out");
    if (m_printings > 1)
        out.warn("memleak printed its list " + std::to_string(m_printings) + " times: the stacks are those of the last one"
            + (m_now.stacks.empty() ? " with stacks, at " : ", at ") + last.time);
    if (last.top > 0 && last.stacks.size() >= last.top)
        out.warn("memleak printed only its " + std::to_string(last.top)
            + " largest stacks: others may be missing (run memleak with a larger -T)");
}
} // namespace dscope::text
