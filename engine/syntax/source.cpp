#include "engine/syntax/source.h"
#include "engine/syntax/control_lines.h"
#include <algorithm>
namespace dscope::syntax {
namespace {
/// Blanks that put a caret below byte `column`: tabs stay tabs, a character of several bytes is one blank.
std::string padding(std::string_view line, std::size_t column)
{
    std::string out;
    for (const char c : line.substr(0, column))
        if ((static_cast<unsigned char>(c) & 0xc0U) != 0x80) out += c == '\t' ? '\t' : ' ';
    return out;
}
/// What of a line is shown around byte `at`, and where that is in it then: programs made by others have lines of megabytes.
std::pair<std::string, std::size_t> shown(std::string_view line, std::size_t at)
{
    constexpr std::size_t kAround = 100, kWhole = 240;
    constexpr std::string_view kMore = "...";
    if (line.size() <= kWhole) return {std::string(line), at};
    const auto isInside = [&](std::size_t i) { return i < line.size() && (static_cast<unsigned char>(line[i]) & 0xc0U) == 0x80; };
    auto begin = at > kAround ? at - kAround : 0, end = std::min(line.size(), at + kAround);
    while (begin > 0 && isInside(begin))
        --begin;
    while (isInside(end))
        ++end;
    std::string out(begin > 0 ? kMore : "");
    out += line.substr(begin, end - begin);
    if (end < line.size()) out += kMore;
    return {std::move(out), at - begin + (begin > 0 ? kMore.size() : 0)};
}
} // namespace

Sources::Position Sources::position(Span span) const
{
    const std::string_view text = m_all.at(span.file).text;
    const auto before = text.substr(0, span.begin);
    const auto newline = before.rfind('\n');
    const auto column = newline == std::string_view::npos ? before.size() + 1 : before.size() - newline;
    std::size_t from = 0;
    std::uint32_t line = 1;
    if (text.find('#') != std::string_view::npos)
        for (const auto& control : controlLines(text)) {
            if (control.kind != ControlLine::Kind::Line || control.end >= span.begin) continue;
            from = control.end + 1;
            line = control.line;
        }
    const auto counted = before.substr(std::min(from, before.size()));
    return {line + static_cast<std::uint32_t>(std::count(counted.begin(), counted.end(), '\n')), static_cast<std::uint32_t>(column)};
}
std::string Sources::includedFile(Span span) const
{
    const auto& source = m_all.at(span.file);
    std::string name;
    for (const auto& control : controlLines(source.text))
        if (control.kind == ControlLine::Kind::Line && control.end < span.begin && !control.name.empty()) name = control.name;
    // cpp reads the program from its standard input.
    return name == "/dev/stdin" || name.starts_with("<") || name == source.name ? "" : name;
}

std::string headline(const Diagnostic& diagnostic, const Sources& sources, Tags tags, Given shown)
{
    // A library is read for a program: the message names that, then the library's file as if it had been included.
    const auto& place = sources.at(diagnostic.at.file);
    const auto& source = place.isLibrary ? sources.program() : place;
    const auto line = sources.position(diagnostic.at).line;
    const auto included = place.isLibrary ? place.name : sources.includedFile(diagnostic.at);
    const auto& given = source.given.empty() ? source.text : source.given;
    if (diagnostic.severity == Diagnostic::Severity::Warning)
        return "warning: " + (source.name.empty() ? std::string() : source.name + ", line " + std::to_string(line) + ": ")
            + diagnostic.message;
    std::string out = !source.name.empty() ? "failed to compile script " + source.name + ": "
        : shown == Given::Whole            ? "invalid probe specifier " + given + ": "
                                           : "";
    if (tags == Tags::Shown && !diagnostic.tag.empty()) out += "[" + std::string(diagnostic.tag) + "] ";
    if (!included.empty())
        out += "\"" + included + "\", line " + std::to_string(line) + ": ";
    else if (!source.name.empty())
        out += "line " + std::to_string(line) + ": ";
    else if (!diagnostic.region.empty())
        out += "in " + std::string(diagnostic.region) + ": ";
    return out + diagnostic.message;
}

std::string rendered(const Diagnostic& diagnostic, const Sources& sources, Tags tags, Given given)
{
    std::string out = headline(diagnostic, sources, tags, given);
    const auto& source = sources.at(diagnostic.at.file);
    const std::size_t at = std::min<std::size_t>(diagnostic.at.begin, source.text.size());
    const std::size_t begin = at - std::min<std::size_t>(at, sources.position(diagnostic.at).column - 1);
    const auto text = std::string_view(source.text).substr(begin, source.text.find('\n', begin) - begin);
    if (text.find_first_not_of(" \t\r") != std::string_view::npos) {
        const auto [part, column] = shown(text, at - begin);
        out += "\n    " + part + "\n    " + padding(part, column) + "^";
    }
    for (const auto& hint : diagnostic.hints)
        out += "\n    hint: " + hint;
    return out;
}
} // namespace dscope::syntax
