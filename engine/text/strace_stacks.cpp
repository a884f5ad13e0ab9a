#include "engine/text/strace_stacks.h"
#include "engine/text/function_names.h"
#include "engine/text/words.h"
#include <algorithm>
#include <array>
#include <utility>
namespace dscope::text::strace {
namespace {
constexpr std::size_t kMostFrames = 65'536;
/// Where programs and threads begin: nothing has called it, whatever strace says of the rest.
constexpr std::array<std::string_view, 6> kFirst{"_start", "_dl_start_user", "clone", "__clone", "clone3", "__clone3"};

/// "/lib/libc.so.6(close+0x14) [0xee3f4] ./io/close.c:27", taken apart.
struct Line {
    std::string_view object, function, file;
    std::uint32_t line = 0;
};

/// The first parenthesis from which on all others are in pairs: it opens, and nothing of what follows closes it.
std::size_t firstUnpaired(std::string_view s)
{
    auto first = std::string_view::npos;
    std::int64_t depth = 0, lowest = 0; // of what is behind: what opens without closing, and how far it goes below that
    for (auto i = s.size(); i-- > 0;) {
        if (s[i] == '(' && depth == 0 && lowest == 0) first = i;
        const auto step = (s[i] == '(') - (s[i] == ')');
        depth += step;
        lowest = std::min<std::int64_t>(0, lowest + step);
    }
    return first;
}

/// "+0x0": how far into a symbol without a name, which libdw finds where a section begins and nothing else is known.
bool isOffsetAlone(std::string_view function)
{
    constexpr std::string_view kSign = "+0x";
    return function.size() > kSign.size() && function.starts_with(kSign)
        && function.find_first_not_of(kHexDigits, kSign.size()) == std::string_view::npos;
}

/// Nothing where it is no frame but says why there is none.
std::optional<Line> lineOf(std::string_view text)
{
    constexpr std::string_view kAddress = ") [0x";
    const auto address = text.rfind(kAddress);
    if (address == std::string_view::npos) return {};
    const auto digits = address + kAddress.size(), end = text.find_first_not_of(kHexDigits, digits);
    if (end == std::string_view::npos || end == digits || text[end] != ']') return {};
    Line out;
    if (const auto place = trimmed(text.substr(end + 1)); !place.empty()) {
        const auto colon = place.rfind(':');
        const auto line = colon == std::string_view::npos ? std::nullopt : integer(place.substr(colon + 1));
        if (!line || *line < 0 || *line > INT32_MAX) return {};
        out.file = place.substr(0, colon);
        out.line = static_cast<std::uint32_t>(*line);
    }

    // A path may have parentheses, too: the function begins behind the first one from which on all are in pairs.
    const auto named = text.substr(0, address);
    auto open = firstUnpaired(named);
    constexpr std::string_view kGone = " (deleted)"; // Source: linux/fs/d_path.c, __d_path()
    if (open != std::string_view::npos && open > 0 && named.substr(open - 1).starts_with(kGone)) open = named.find('(', open + 1);
    if (open == std::string_view::npos) return {};
    out.object = named.substr(0, open);
    if (out.object.ends_with(kGone)) out.object.remove_suffix(kGone.size());
    out.function = named.substr(open + 1);
    if (isOffsetAlone(out.function)) out.function = {};
    return out;
}
} // namespace

void Stacks::begin(std::string_view call, std::optional<std::int64_t> took)
{
    end();
    m_call = call;
    m_took = took;
    m_of = Of::Call;
}

void Stacks::beginOther()
{
    end();
    m_of = Of::Other;
}

std::uint32_t Stacks::frameOf(std::string_view line)
{
    const auto number = m_lines.of(line);
    if (number < m_frames.size()) return number;
    const auto parts = lineOf(line);
    if (!parts) {
        m_frames.push_back({0, 0, true, false});
        return number;
    }
    StackCounts::Frame frame;
    const auto module = parts->object.substr(parts->object.rfind('/') + 1);
    const auto unnamed = '[' + std::string(module) + ']'; // as perf's importer has them
    frame.name = parts->function.empty() ? std::string_view(unnamed) : withoutParameters(withoutOffset(parts->function));
    if (!parts->function.empty()) frame.module = module;
    frame.file = parts->file;
    frame.line = parts->line;
    const bool isFirst = std::find(kFirst.begin(), kFirst.end(), frame.name) != kFirst.end();
    m_frames.push_back({m_counts.numberOf(frame), m_times.numberOf(frame), false, isFirst});
    return number;
}

void Stacks::line(std::string_view line)
{
    m_any = true;
    if (m_of == Of::Other && m_stack.empty()) ++m_others;
    if (m_stack.size() == kMostFrames) ++m_cut;
    if (m_stack.size() < kMostFrames) m_stack.push_back(frameOf(line.substr(3)));
}

void Stacks::end()
{
    const auto of = std::exchange(m_of, Of::Nothing);
    if (of == Of::Call) count();
    m_stack.clear();
}

void Stacks::count()
{
    const auto took = m_took.value_or(0);
    m_timed = m_timed || m_took.has_value();
    const auto isEnd = [&](std::uint32_t line) { return m_frames[line].isEnd; };
    const auto outermost = std::find_if_not(m_stack.rbegin(), m_stack.rend(), isEnd);
    if (outermost == m_stack.rend()) {
        auto& bare = m_bare[m_call];
        ++bare.calls;
        if (__builtin_add_overflow(bare.took, took, &bare.took)) bare.took = INT64_MAX;
        return;
    }

    const bool isCut = isEnd(m_stack.back()) && !m_frames[*outermost].isFirst;
    add(m_counts, &Frame::inCounts, isCut, 1);
    if (took > 0) add(m_times, &Frame::inTimes, isCut, took);
}

void Stacks::add(StackCounts& to, std::uint32_t Frame::*number, bool isCut, std::int64_t value)
{
    if (isCut) to.frame("[truncated]");
    for (auto line = m_stack.rbegin(); line != m_stack.rend(); ++line)
        if (!m_frames[*line].isEnd) to.frame(m_frames[*line].*number);
    to.frame(m_call);
    to.add(value);
}

Result<> Stacks::check() const
{
    DSCOPE_CHECK(m_counts.check());
    return m_times.check();
}

void Stacks::put(Imported& out)
{
    end();
    if (!m_any) return;
    for (const auto& [call, bare] : m_bare) {
        m_counts.frame(call);
        m_counts.add(bare.calls);
        if (bare.took == 0) continue;
        m_times.frame(call);
        m_times.add(bare.took);
    }
    out.add(m_counts.take("calls"));
    if (m_timed && !m_times.empty()) out.add(m_times.take("time", record::StackUnit::Time));
    if (m_others > 0)
        out.warn(std::to_string(m_others) + (m_others == 1 ? " stack that is" : " stacks that are") + " of no system call "
            + (m_others == 1 ? "is" : "are") + " left out: signals have them, too");
    if (m_cut > 0) out.warn("stacks are cut behind their " + std::to_string(kMostFrames) + " innermost frames");
}
} // namespace dscope::text::strace
