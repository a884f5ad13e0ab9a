#include "engine/symbols/process_maps.h"
#include <algorithm>
#include <charconv>
namespace dscope::symbols {
namespace {
constexpr std::string_view kDeleted = " (deleted)";

/// Takes a number off the front of `text`, and the character behind it, which must be `after` (0: any, or none).
bool take(std::string_view& text, std::uint64_t& value, int base, char after)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc{}) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.empty()) return after == 0;
    if (after != 0 && text.front() != after) return false;
    text.remove_prefix(1);
    return true;
}

/// The kernel writes a newline in a path as \012. Source: fs/proc/task_mmu.c, show_map_vma()
std::string unescaped(std::string_view path)
{
    std::string result;
    for (std::size_t i = 0; i < path.size(); ++i) {
        if (path.substr(i, 4) == "\\012") {
            result += '\n';
            i += 3;
        } else
            result += path[i];
    }
    return result;
}

bool parseLine(std::string_view line, Mapping& m)
{
    std::uint64_t major = 0, minor = 0;
    if (!take(line, m.start, 16, '-') || !take(line, m.end, 16, ' ')) return false;
    if (line.size() < 5 || line[2] != 'x' || m.start >= m.end) return false;
    line.remove_prefix(5);
    if (!take(line, m.offset, 16, ' ') || !take(line, major, 16, ':') || !take(line, minor, 16, ' ') || !take(line, m.inode, 10, 0))
        return false;
    m.major = static_cast<std::uint32_t>(major);
    m.minor = static_cast<std::uint32_t>(minor);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    m.setShownPath(unescaped(line));
    return true;
}
} // namespace

void Mapping::setShownPath(std::string_view shown)
{
    deleted = inode != 0 && shown.ends_with(kDeleted);
    if (deleted) shown.remove_suffix(kDeleted.size());
    path = shown;
}

std::string moduleName(std::string_view path)
{
    if (path.ends_with(kDeleted)) path.remove_suffix(kDeleted.size());
    const auto slash = path.rfind('/');
    return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

ProcessMaps ProcessMaps::parse(std::string_view text)
{
    ProcessMaps maps;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        Mapping mapping;
        if (parseLine(text.substr(0, end), mapping)) maps.m_all.push_back(std::move(mapping));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    std::sort(maps.m_all.begin(), maps.m_all.end(), [](const Mapping& a, const Mapping& b) { return a.start < b.start; });
    return maps;
}

Mapping* ProcessMaps::find(std::uint64_t address)
{
    const auto covers = [address](const Mapping& m) { return address >= m.start && address < m.end; };
    if (m_last < m_all.size() && covers(m_all[m_last])) return &m_all[m_last];
    const auto next = std::upper_bound(m_all.begin(), m_all.end(), address, [](std::uint64_t a, const Mapping& m) { return a < m.start; });
    if (next == m_all.begin() || !covers(*std::prev(next))) return nullptr;
    m_last = static_cast<std::size_t>(std::prev(next) - m_all.begin());
    return &m_all[m_last];
}

void ProcessMaps::add(Mapping mapping)
{
    if (mapping.start >= mapping.end) return;
    std::vector<Mapping> kept;
    kept.reserve(m_all.size() + 2);
    for (auto& old : m_all) {
        if (old.end <= mapping.start || old.start >= mapping.end) {
            kept.push_back(std::move(old));
            continue;
        }
        if (old.start < mapping.start) {
            kept.push_back(old);
            kept.back().end = mapping.start;
        }
        if (old.end > mapping.end) {
            kept.push_back(old);
            kept.back().offset += mapping.end - old.start;
            kept.back().start = mapping.end;
        }
    }
    kept.push_back(std::move(mapping));
    std::sort(kept.begin(), kept.end(), [](const Mapping& a, const Mapping& b) { return a.start < b.start; });
    m_all = std::move(kept);
}

void ProcessMaps::inherit(const ProcessMaps& before)
{
    for (auto& m : m_all)
        for (const auto& old : before.m_all)
            if (old.resolved && m.sameFile(old)) {
                m = old;
                break;
            }
}
} // namespace dscope::symbols
