#include "engine/symbols/kallsyms.h"
#include <algorithm>
#include <charconv>
#include <tuple>
#include <unordered_map>
namespace dscope::symbols {
namespace {
// kallsyms has no sizes: a function reaches to the next one. The last one before a hole (the end of the kernel's or of a
// module's text) is given at most this size.
constexpr std::uint64_t kLongestFunction = 1u << 20;
constexpr std::uint64_t kKernelHalf = std::uint64_t{1} << 63;
} // namespace

Kallsyms::Kallsyms(std::string_view text)
{
    std::unordered_map<std::string_view, std::uint16_t> modules;
    m_modules.emplace_back("vmlinux");
    m_entries.reserve(text.size() / 45);
    m_names.reserve(text.size() / 2);
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        auto line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        Entry entry;
        const auto [rest, error] = std::from_chars(line.data(), line.data() + line.size(), entry.start, 16);
        line.remove_prefix(static_cast<std::size_t>(rest - line.data()));
        if (error != std::errc{} || line.size() < 4 || entry.start == 0) continue;
        // Per-CPU variables have offsets in place of addresses. Source: nm(1); arch/x86/kernel/vmlinux.lds.S
        const char type = line[1];
        if (type == 'A' || type == 'a' || type == 'U' || entry.start < kKernelHalf) continue;
        line.remove_prefix(3);
        const auto tab = line.find('\t');
        const auto name = line.substr(0, tab);
        if (tab != std::string_view::npos && line.size() > tab + 3) {
            const auto module = line.substr(tab + 2, line.size() - tab - 3); // [name]
            const auto [known, added] = modules.try_emplace(module, static_cast<std::uint16_t>(m_modules.size()));
            if (added) m_modules.emplace_back(module);
            entry.module = known->second;
        }
        entry.name = static_cast<std::uint32_t>(m_names.size());
        entry.length = static_cast<std::uint16_t>(std::min<std::size_t>(name.size(), 0xffff));
        entry.code = type == 't' || type == 'T' || type == 'w' || type == 'W';
        entry.global = type >= 'A' && type <= 'Z';
        entry.weak = type == 'w' || type == 'W' || type == 'v' || type == 'V';
        m_names += name;
        m_entries.push_back(entry);
    }

    // Of several names for one address: code, global, not weak, fewer leading underscores, shorter, alphabetical.
    const auto rank = [this](const Entry& e) {
        const auto name = nameOf(e);
        return std::tuple(e.start, !e.code, !e.global, e.weak, std::min(name.find_first_not_of('_'), name.size()), name.size(), name);
    };

    std::sort(m_entries.begin(), m_entries.end(),
        [&](const Entry& a, const Entry& b) { return a.start != b.start ? a.start < b.start : rank(a) < rank(b); });
    m_entries.erase(std::unique(m_entries.begin(), m_entries.end(), [](const Entry& a, const Entry& b) { return a.start == b.start; }),
        m_entries.end());
}

std::optional<Kallsyms::Named> Kallsyms::find(std::uint64_t address) const
{
    const auto next
        = std::upper_bound(m_entries.begin(), m_entries.end(), address, [](std::uint64_t a, const Entry& e) { return a < e.start; });
    if (next == m_entries.begin()) return std::nullopt;
    const auto& e = *std::prev(next);
    if (address - e.start >= kLongestFunction) return std::nullopt;
    return Named{nameOf(e), m_modules[e.module], address - e.start};
}
} // namespace dscope::symbols
