#include "engine/syntax/control_lines.h"
#include "engine/syntax/lexer.h"
#include <algorithm>
#include <array>
#include <charconv>
namespace dscope::syntax {
namespace {
bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == '\r'; }

struct Word {
    enum class Kind : std::uint8_t { Integer, String, Name } kind = Kind::Name;
    std::string text;
};
std::vector<Word> words(std::string_view line)
{
    std::vector<Word> out;
    std::size_t i = 0;
    while (i < line.size()) {
        if (isBlank(line[i])) {
            ++i;
            continue;
        }
        if (line[i] == '"') {
            const std::size_t end = std::min(line.find('"', i + 1), line.size());
            out.push_back({Word::Kind::String, std::string(line.substr(i + 1, end - i - 1))});
            i = end + 1;
            continue;
        }
        const std::size_t begin = i;
        while (i < line.size() && !isBlank(line[i]) && line[i] != '"')
            ++i;
        const auto word = line.substr(begin, i - begin);
        const bool number = std::all_of(word.begin(), word.end(), isDigit);
        out.push_back({number ? Word::Kind::Integer : Word::Kind::Name, std::string(word)});
    }
    return out;
}
/// Where the comment, string or character constant that begins at `i` ends; `i` itself when nothing begins there.
std::size_t pastQuoted(std::string_view text, std::size_t i)
{
    const auto two = text.substr(i, 2);
    if (two == "/*") {
        const auto end = text.find("*/", i + 2);
        return end == std::string_view::npos ? text.size() : end + 2;
    }
    if (two == "//") return std::min(text.find('\n', i), text.size());
    if (text[i] != '"' && text[i] != '\'') return i;
    std::size_t end = i + 1;
    while (end < text.size() && text[end] != text[i] && text[end] != '\n')
        end += text[end] == '\\' && end + 1 < text.size() ? 2 : 1;
    return std::min(end + 1, text.size());
}
ControlLine read(std::string_view text, std::size_t begin, std::size_t hash)
{
    const std::size_t end = std::min(text.find('\n', hash), text.size());
    ControlLine control{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), ControlLine::Kind::Other, 0, {}};
    if (hash + 1 < end && text[hash + 1] == '!') {
        control.kind = ControlLine::Kind::Interpreter;
        return control;
    }
    auto parts = words(text.substr(hash + 1, end - hash - 1));
    if (!parts.empty() && parts[0].text == "line") parts.erase(parts.begin());
    if (!parts.empty() && parts[0].kind == Word::Kind::Integer && (parts.size() == 1 || parts[1].kind == Word::Kind::String)) {
        control.kind = ControlLine::Kind::Line;
        std::from_chars(parts[0].text.data(), parts[0].text.data() + parts[0].text.size(), control.line);
        if (parts.size() > 1) control.name = parts[1].text;
    }
    return control;
}
/// name/data/class, each a word of attributes(7): "Stable/Evolving/Common".
bool areAttributes(std::string_view text)
{
    static constexpr std::array<std::string_view, 8> kStability{
        "Internal", "Private", "Obsolete", "External", "Unstable", "Evolving", "Stable", "Standard"};
    static constexpr std::array<std::string_view, 6> kClass{"Unknown", "CPU", "Platform", "Group", "ISA", "Common"};
    const auto first = text.find('/');
    const auto second = first == std::string_view::npos ? first : text.find('/', first + 1);
    if (second == std::string_view::npos) return false;
    const auto among = [](const auto& table, std::string_view word) {
        return std::any_of(table.begin(), table.end(), [&](std::string_view row) {
            return row.size() == word.size()
                && std::equal(row.begin(), row.end(), word.begin(), [](char a, char b) { return (a | 0x20) == (b | 0x20); });
        });
    };
    return among(kStability, text.substr(0, first)) && among(kStability, text.substr(first + 1, second - first - 1))
        && among(kClass, text.substr(second + 1));
}
/// "1", "1.6", "1.6.3"
bool isVersion(std::string_view text)
{
    int dots = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (isDigit(text[i])) continue;
        if (text[i] != '.' || i == 0 || i + 1 == text.size() || !isDigit(text[i + 1])) return false;
        ++dots;
    }
    return !text.empty() && dots <= 2;
}
/// What is wrong with `#pragma D NAME ...`, in dtrace's words; the tag is empty when nothing is.
Failure checkedPragma(const std::vector<Word>& parts, Span at, bool isLibrary)
{
    const auto kind = [&](std::size_t i) { return i < parts.size() ? std::optional(parts[i].kind) : std::nullopt; };
    const std::string& name = parts[0].text;
    if (name == "option") {
        if (kind(1) != Word::Kind::Name) return {"D_PRAGMA_MALFORM", at, "malformed #pragma option <option>=<val>"};
        if (parts.size() > 2) return {"D_PRAGMA_MALFORM", at, "superfluous arguments specified for #pragma option"};
    } else if (name == "attributes") {
        if (kind(1) != Word::Kind::Name || kind(2) != Word::Kind::Name)
            return {"D_PRAGMA_MALFORM", at, "malformed #pragma attributes <attributes> <ident>"};
        if (!areAttributes(parts[1].text)) return {"D_PRAGMA_INVAL", at, "invalid attributes specified by #pragma attributes"};
    } else if (name == "binding") {
        if (kind(1) != Word::Kind::String || kind(2) != Word::Kind::Name)
            return {"D_PRAGMA_MALFORM", at, "malformed #pragma binding \"version\" <ident>"};
        if (!isVersion(parts[1].text)) return {"D_PRAGMA_INVAL", at, "invalid version string specified by #pragma binding"};
    } else if (name == "depends_on") {
        if (kind(1) != Word::Kind::Name || kind(2) != Word::Kind::Name)
            return {"D_PRAGMA_MALFORM", at, "malformed #pragma depends_on <class> <name>"};
        const auto& what = parts[1].text;
        if (what != "provider" && what != "module" && what != "library")
            return {"D_PRAGMA_INVAL", at, "invalid class " + what + " specified by #pragma depends_on"};
        if (what == "library" && !isLibrary) return {"D_PRAGMA_DEPEND", at, "main program may not explicitly depend on a library"};
    } else if (name == "error") {
        std::string message = "#error: ";
        for (std::size_t i = 1; i < parts.size(); ++i)
            message += parts[i].text + " ";
        return {"D_PRAGERR", at, std::move(message)};
    } else if (name != "ident" && name != "line")
        return {"D_PRAGMA_INVAL", at, "invalid D pragma: " + name};
    return {{}, at, {}};
}
} // namespace

std::vector<ControlLine> controlLines(std::string_view text)
{
    std::vector<ControlLine> all;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < text.size();) {
        if (i == begin) {
            while (i < text.size() && isBlank(text[i]))
                ++i;
            if (i == text.size()) break;
            if (text[i] == '#') {
                all.push_back(read(text, begin, i));
                i = all.back().end;
                continue;
            }
        }
        if (text[i] == '\n') {
            begin = ++i;
            continue;
        }
        const auto past = pastQuoted(text, i);
        i = past > i ? past : i + 1;
        if (i > 0 && text[i - 1] == '\n') begin = i;
    }
    return all;
}

Pragmas readPragmas(const Sources& sources, std::uint32_t file)
{
    Pragmas found;
    found.text = sources.at(file).text;
    for (const auto& control : controlLines(sources.at(file).text)) {
        const Span at{file, control.begin, control.end};
        const std::string_view line = sources.text(at);
        std::fill(found.text.begin() + control.begin, found.text.begin() + control.end, ' ');
        if (control.kind != ControlLine::Kind::Other || found.failure) continue;
        const auto hash = line.find('#');
        auto parts = words(line.substr(hash + 1));
        if (parts.empty()) continue;
        if (parts[0].text == "pragma" && control.end == sources.at(file).text.size()) {
            found.failure = Failure{"D_SYNTAX", at, "end-of-file encountered before end of control line", {"end the line with a newline"}};
            continue;
        }
        if (parts[0].kind == Word::Kind::String) {
            found.failure = Failure{"D_PRAGCTL_INVAL", at, "invalid control directive"};
        } else if (parts[0].text == "error" || (parts[0].text == "pragma" && parts.size() > 1 && parts[1].text == "error")) {
            parts.erase(parts.begin(), parts.begin() + (parts[0].text == "error" ? 0 : 1));
            found.failure = checkedPragma(parts, at, sources.at(file).isLibrary);
        } else if (parts[0].text == "pragma") {
            if (parts.size() < 3 || parts[1].text != "D") continue; // K&R A12.8: unknown pragmas are ignored
            parts.erase(parts.begin(), parts.begin() + 2);
            auto failure = checkedPragma(parts, at, sources.at(file).isLibrary);
            if (!failure.tag.empty()) {
                found.failure = std::move(failure);
                continue;
            }
            const auto begin = line.find(parts[0].text, line.find('D', line.find("pragma") + 6) + 1);
            auto last = line.size();
            while (last > begin && isBlank(line[last - 1]))
                --last;
            found.all.push_back({std::string(line.substr(begin, last - begin)), at});
        } else if (parts[0].text == "line" || parts[0].kind == Word::Kind::Integer) {
            found.failure = Failure{"D_PRAGMA_MALFORM", at, "malformed #line <line> [ [\"file\"] state ]"};
        } else if (parts[0].text != "ident")
            found.failure = Failure{"D_PRAGCTL_INVAL", at, "invalid control directive: #" + parts[0].text,
                {parts[0].text == "define" || parts[0].text == "include" || parts[0].text.starts_with("if")
                        ? "run with -C to preprocess the program"
                        : "did you mean #pragma D ...?"}};
    }
    return found;
}
} // namespace dscope::syntax
