#include "engine/syntax/source.h"
#include "engine/syntax/control_lines.h"
#include <algorithm>
namespace dscope::syntax {
Sources::Position Sources::position(Span span) const
{
    const std::string_view before = std::string_view(m_all.at(span.file).text).substr(0, span.begin);
    const auto newline = before.rfind('\n');
    const auto lines = std::count(before.begin(), before.end(), '\n');
    return {static_cast<std::uint32_t>(lines + 1), static_cast<std::uint32_t>(newline == std::string_view::npos ? before.size() + 1 : before.size() - newline)};
}

std::string rendered(const Diagnostic& diagnostic, const Sources& sources, bool errtags)
{
    const auto& source = sources.at(diagnostic.at.file);
    const auto [line, column] = sources.position(diagnostic.at);
    const std::string tag = errtags && !diagnostic.tag.empty() ? "[" + std::string(diagnostic.tag) + "] " : "";
    std::string out = source.name.empty()
        ? "invalid probe specifier " + source.text + ": " + tag + diagnostic.message
        : "failed to compile script " + source.name + ": " + tag + "line " + std::to_string(line) + ": " + diagnostic.message;
    const std::size_t begin = std::min<std::size_t>(diagnostic.at.begin, source.text.size()) - (column - 1);
    const std::string_view text = std::string_view(source.text).substr(begin, source.text.find('\n', begin) - begin);
    if (text.find_first_not_of(" \t\r") != std::string_view::npos) {
        std::string caret;
        for (const char c : text.substr(0, column - 1)) caret += c == '\t' ? '\t' : ' ';
        out += "\n    " + std::string(text) + "\n    " + caret + "^";
    }
    for (const auto& hint : diagnostic.hints) out += "\n    hint: " + hint;
    return out;
}
} // namespace dscope::syntax
