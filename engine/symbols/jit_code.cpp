#include "engine/symbols/jit_code.h"
namespace dscope::symbols {
void JitCode::erase(std::map<std::uint64_t, Piece>::iterator at)
{
    m_text -= at->second.name.size();
    m_pieces.erase(at);
}

void JitCode::cut(std::uint64_t start, std::uint64_t end)
{
    auto at = m_pieces.lower_bound(start);
    if (at != m_pieces.begin() && std::prev(at)->second.end > start) {
        auto& before = std::prev(at)->second;
        if (before.end > end) {
            m_text += before.name.size();
            at = m_pieces.emplace_hint(at, end, before);
        }
        before.end = start;
    }
    while (at != m_pieces.end() && at->first < end) {
        const auto gone = at++;
        if (gone->second.end > end) {
            m_text += gone->second.name.size();
            m_pieces.emplace_hint(at, end, gone->second);
        }
        erase(gone);
    }
}

void JitCode::add(std::uint64_t start, std::uint64_t size, std::string_view name)
{
    if (size == 0 || start + size < start || name.empty()) return;
    if (m_pieces.size() >= kMostPieces || m_text + name.size() > kMostText) return;
    cut(start, start + size);
    m_text += name.size();
    m_pieces[start] = {start + size, start, std::string(name)};
}

void JitCode::move(std::uint64_t from, std::uint64_t to, std::uint64_t size)
{
    const auto at = m_pieces.find(from);
    if (at == m_pieces.end() || at->second.start != from) return;
    const auto name = at->second.name;
    erase(at);
    add(to, size, name);
}

void JitCode::clear()
{
    m_pieces.clear();
    m_text = 0;
}

std::optional<JitCode::Found> JitCode::find(std::uint64_t address) const
{
    const auto next = m_pieces.upper_bound(address);
    if (next == m_pieces.begin()) return {};
    const auto& piece = std::prev(next)->second;
    if (address >= piece.end) return {};
    return Found{piece.start, piece.name};
}
} // namespace dscope::symbols
