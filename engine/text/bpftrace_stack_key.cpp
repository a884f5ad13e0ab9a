#include "engine/text/bpftrace_stack_key.h"
#include "engine/text/bpf_frames.h"
#include "engine/text/bpftrace_rows.h"
#include "engine/text/words.h"
#include <algorithm>
namespace dscope::text {
namespace {
std::string withoutEscapes(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char next = text[i] == '\\' && i + 1 < text.size() ? text[i + 1] : '\0';
        if (next == 'n' || next == 't')
            out += next == 'n' ? '\n' : '\t';
        else if (next == '\\' || next == '"')
            out += next;
        else {
            out += text[i];
            continue;
        }
        ++i;
    }
    return out;
}
} // namespace

bool BpftraceStackKey::isStack(std::string_view key)
{
    const auto end = key.find('\n');
    if (end == std::string_view::npos) return false;
    return end == 0 || key[end - 1] == ',';
}

std::string BpftraceStackKey::withLineEnds(std::string_view key)
{
    constexpr auto kNone = std::string_view::npos;
    const bool ends = key.ends_with("\\n") || key.find("\\n,") != kNone;
    const bool isEscapedTwice = ends && key.find('\n') == kNone && (key.starts_with("\\n") || key.find(",\\n") != kNone);
    return isEscapedTwice ? withoutEscapes(key) : std::string(key);
}

void BpftraceStackKey::begin()
{
    m_stacks.assign(1, {});
    m_keys.clear();
}

/// Keys before and behind the stacks stand on lines that begin or end with a comma. Commas within a frame separate nothing:
/// "f<int,long>(int,int)+4".
void BpftraceStackKey::read(std::string_view key, std::string_view separator)
{
    begin();
    for (bool isFirst = true; !key.empty(); isFirst = false) {
        const auto end = std::min(key.find('\n'), key.size());
        const auto line = key.substr(0, end);
        key.remove_prefix(std::min(end + 1, key.size()));
        if (isFirst || line.starts_with(',')) {
            others(line, separator);
        } else if (!trimmed(line).empty()) {
            frame(line);
            m_known.stop();
        }
    }
}

bool BpftraceStackKey::takeKnown(std::string_view line)
{
    auto known = m_known.find(line);
    if (!known) return false;
    for (; known; known = m_known.next())
        frame(*known);
    return true;
}

void BpftraceStackKey::frame(std::string_view line)
{
    if (!m_known.find(line)) {
        const auto frame = bpfFrame(line);
        const auto first = m_frames.size();
        for (const auto number : numbersOf(frame, m_counts))
            m_frames.push_back(number);
        m_seen.push_back({first, m_frames.size() - first, frame.side, outermostSide(frame.name)});
    }
    frame(m_known.of(line));
}

void BpftraceStackKey::frame(std::uint32_t number)
{
    const auto& seen = m_seen[number];
    auto& stack = m_stacks.back();
    for (std::size_t i = seen.count; i-- > 0;)
        stack.frames.push_back(m_frames[seen.first + i]);
    stack.lines.push_back(number);
    if (seen.side != StackSide::Unknown) stack.side = seen.side;
    stack.outermost = seen.outermost; // the last frame is that
}

void BpftraceStackKey::others(std::string_view line, std::string_view separator)
{
    if (line.starts_with(',')) { // the next key
        line.remove_prefix(1);
        m_stacks.emplace_back();
    }
    line = trimmed(line);
    if (line.ends_with(',')) line.remove_suffix(1);
    if (line.empty()) return;
    for (auto& key : bpftraceKeys(line, separator))
        if (!key.empty()) m_keys.push_back(std::move(key));
}
} // namespace dscope::text
