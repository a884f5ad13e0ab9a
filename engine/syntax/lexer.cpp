#include "engine/syntax/lexer.h"
#include "engine/base/near_names.h"
#include "engine/language/elsewhere.h"
#include "engine/syntax/literals.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
namespace dscope::syntax {
namespace {
bool isHexDigit(char c) { return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool isSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
std::string quotedForMessage(std::string_view text) { return "\"" + std::string(text) + "\""; }
} // namespace
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isWordStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '`'; }
bool isWordPart(char c) { return isWordStart(c) || isDigit(c); }
bool isProbePart(char c) { return c != '\0' && (isWordPart(c) || std::string_view("-$:.?*\\[]!").find(c) != std::string_view::npos); }

Token Lexer::fail(std::string_view tag, Span at, std::string message, std::vector<std::string> hints)
{
    if (!m_failure) m_failure = Failure{tag, at, std::move(message), std::move(hints)};
    m_at = m_text.size();
    return token(Token::Kind::End, m_at, {});
}

/// Blanks, comments and continued lines. False when a comment is not closed.
bool Lexer::skipBlanks(Mode mode)
{
    while (!atEnd()) {
        if (isSpace(peek()) || (peek() == '\\' && peek(1) == '\n' && mode != Mode::Probe)) {
            m_at += peek() == '\\' ? 2 : 1;
        } else if (peek() == '/' && peek(1) == '*') {
            const auto begin = m_at;
            m_at += 2;
            while (!atEnd() && !(peek() == '*' && peek(1) == '/')) {
                if (peek() == '/' && peek(1) == '*') {
                    m_at += 2;
                    fail("D_SYNTAX", {m_file, static_cast<std::uint32_t>(m_at - 2), static_cast<std::uint32_t>(m_at)},
                        "/* encountered inside a comment");
                    return false;
                }
                ++m_at;
            }
            if (atEnd()) {
                const auto line = 1 + std::count(m_text.begin(), m_text.begin() + static_cast<std::ptrdiff_t>(begin), '\n');
                fail("D_SYNTAX", since(m_at), "end-of-file encountered before matching */",
                    {"the comment begins in line " + std::to_string(line)});
                return false;
            }
            m_at += 2;
        } else if (peek() == '/' && peek(1) == '/' && !(mode == Mode::Predicate && peek(2) == '*')) {
            while (!atEnd() && peek() != '\n')
                ++m_at;
        } else
            break;
    }
    return true;
}

Token Lexer::next(Mode mode)
{
    if (m_failure) return token(Token::Kind::End, m_at, {});
    if (!skipBlanks(mode) || atEnd()) return token(Token::Kind::End, m_at, {});
    const char c = peek();
    if (mode == Mode::Probe) {
        if (isDigit(c)) return probeNumber();
        if (isProbePart(c)) return probeName();
        if (c == '{' || c == '/' || c == ',') return punctuation(mode);
        ++m_at;
        std::vector<std::string> hints;
        const auto before = m_text.substr(0, m_at - 1).find_last_not_of(" \t\n");
        const auto word = before == std::string_view::npos ? 0 : m_text.find_last_of(" \t\n,;}", before) + 1;
        const auto point = c == '(' ? language::fromSystemTap(m_text.substr(word)) : std::string();
        if (!point.empty())
            hints.push_back("a clause begins with the probe's name, here " + point);
        else if (c == ';' && before != std::string_view::npos && m_text[before] == '}')
            hints.emplace_back("no ; stands behind the } of a clause");
        else if (c == '(' || c == ')' || c == ';' || c == '}')
            hints.emplace_back("actions stand within { }: PROBE /CONDITION/ { ... }; is a { missing?");
        return fail("D_SYNTAX", since(m_at - 1), "syntax error near " + quotedForMessage(std::string(1, c)), std::move(hints));
    }

    if (isWordStart(c)) return word();
    if (isDigit(c) || (c == '.' && isDigit(peek(1)))) return number();
    if (c == '"' || c == '\'') return quoted(c);
    if (c == '$') return macro();
    if (c == '@') {
        const auto begin = m_at++;
        if (isWordStart(peek()) && peek() != '`')
            while (isWordPart(peek()) && peek() != '`')
                ++m_at;
        return token(Token::Kind::Aggregation, begin, std::string(m_text.substr(begin + 1, m_at - begin - 1)));
    }
    return punctuation(mode);
}

Token Lexer::probeName()
{
    const auto begin = m_at;
    while (isProbePart(peek()))
        ++m_at;
    return token(Token::Kind::ProbeName, begin, std::string(m_text.substr(begin, m_at - begin)));
}

/// No number of C's: what follows the digits is a name of its own, so that 4-2 is two descriptions.
Token Lexer::probeNumber()
{
    const auto begin = m_at;
    while (isDigit(peek()))
        ++m_at;
    return token(Token::Kind::Integer, begin, std::string(m_text.substr(begin, m_at - begin)));
}

Token Lexer::word()
{
    const auto begin = m_at;
    while (isWordPart(peek()))
        ++m_at;
    // Programs and libraries have dots in their names: a.out`struct point, libc.so.6`div_t.
    std::size_t ahead = 0;
    while (peek(ahead) == '.' && isWordPart(peek(ahead + 1)))
        do
            ++ahead;
        while (isWordPart(peek(ahead)));
    if (m_text.substr(m_at, ahead).find('`') != std::string_view::npos) m_at += ahead;
    return token(Token::Kind::Word, begin, std::string(m_text.substr(begin, m_at - begin)));
}

Token Lexer::number()
{
    const auto begin = m_at;
    // A name may begin with a digit when it holds a back quote: modules such as 8021q`vlan_hash.
    std::size_t name = 0;
    while (isWordPart(peek(name)))
        ++name;
    if (m_text.substr(begin, name).find('`') != std::string_view::npos) return word();

    if (peek() == '0' && (peek(1) == 'x' || peek(1) == 'X') && isHexDigit(peek(2))) {
        m_at += 2;
        while (isHexDigit(peek()))
            ++m_at;
    } else {
        while (isDigit(peek()))
            ++m_at;
        const bool fraction = peek() == '.';
        const bool exponent
            = (peek() == 'e' || peek() == 'E') && (isDigit(peek(1)) || ((peek(1) == '+' || peek(1) == '-') && isDigit(peek(2))));
        if (fraction || exponent || peek() == 'f' || peek() == 'F') {
            while (isWordPart(peek()) || peek() == '.')
                ++m_at;
            return fail("D_SYNTAX", since(begin), "floating-point constants are not permitted");
        }
    }

    const auto digits = m_text.substr(begin, m_at - begin);
    if (peek() == 'u' || peek() == 'U') ++m_at;
    for (int i = 0; i < 2 && (peek() == 'l' || peek() == 'L'); ++i)
        ++m_at;
    std::string spelling(m_text.substr(begin, m_at - begin));
    const auto read = leadingInteger(digits);
    if (read.overflow) return fail("D_INT_OFLOW", since(begin), "constant " + spelling + " results in integer overflow");
    if (read.length < digits.size())
        return fail("D_INT_DIGIT", since(begin), "constant " + spelling + " contains invalid digit " + digits[read.length],
            {"a constant that begins with 0 is octal"});
    auto integer = token(Token::Kind::Integer, begin, std::move(spelling));
    integer.number = read.value;
    return integer;
}

Token Lexer::quoted(char quote)
{
    const auto begin = m_at++;
    while (!atEnd() && peek() != quote) {
        if (peek() == '\n') {
            // dtrace has read past the newline when it complains, and names the next line.
            ++m_at;
            const Span at{m_file, static_cast<std::uint32_t>(m_at), static_cast<std::uint32_t>(m_at)};
            if (quote == '"') return fail("D_STR_NL", at, "newline encountered in string literal");
            return fail("D_CHR_NL", at, "newline encountered in character constant");
        }
        m_at += peek() == '\\' && peek(1) != '\0' && peek(1) != '\n' ? 2 : 1;
    }

    if (atEnd()) {
        m_at = begin + 1;
        return fail("D_SYNTAX", since(begin), "syntax error near " + quotedForMessage(std::string(1, quote)),
            {"this " + std::string(quote == '"' ? "string literal" : "character constant") + " is not closed"});
    }

    const auto inside = m_text.substr(begin + 1, m_at - begin - 1);
    ++m_at;
    if (quote == '"') return token(Token::Kind::String, begin, unescaped(inside));
    if (inside.empty()) return fail("D_CHR_NULL", since(begin), "empty character constant");
    const auto value = characterValue(unescaped(inside));
    if (!value)
        return fail("D_CHR_OFLOW", since(begin), "character constant is too long",
            {"text stands between double quotes: \"" + std::string(inside) + '"'});
    auto integer = token(Token::Kind::Integer, begin, std::string(m_text.substr(begin, m_at - begin)));
    integer.number = *value;
    return integer;
}

Token Lexer::macro()
{
    const auto begin = m_at++;
    const bool asString = peek() == '$';
    if (asString) ++m_at;
    const auto name = m_at;
    if (isDigit(peek()))
        while (isDigit(peek()))
            ++m_at;
    else if (isWordStart(peek()))
        while (isWordPart(peek()))
            ++m_at;
    if (m_at == name) {
        m_at = begin + 1;
        return fail("D_SYNTAX", since(begin), "syntax error near \"$\"");
    }

    const auto text = m_text.substr(name, m_at - name);
    if (!m_macros) return token(Token::Kind::Macro, begin, std::string(m_text.substr(begin, m_at - begin)));
    if (isDigit(text[0])) {
        std::size_t index = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
        return argument(error == std::errc() ? index : SIZE_MAX, begin, asString);
    }

    for (const auto& [key, value] : m_macros->numbers) {
        if (key != text) continue;
        if (value == 0 && key == "target" && !m_macros->zeroTarget) m_macros->zeroTarget = since(begin);
        if (asString) return token(Token::Kind::String, begin, std::to_string(static_cast<std::uint32_t>(value)));
        auto integer = token(Token::Kind::Integer, begin,
            std::to_string(value < 0 ? -static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value)));
        integer.negative = value < 0;
        integer.isTarget = key == "target";
        integer.number = value < 0 ? -static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
        return integer;
    }
    std::vector<std::string> known;
    for (const auto& each : m_macros->numbers)
        known.push_back('$' + each.first);
    const auto spelling = std::string(m_text.substr(begin, m_at - begin));
    auto hint = didYouMean(nearNames(spelling, known));
    if (hint.empty()) hint = "a variable of D has no $: x for all, self->x in a thread, this->x in a clause";
    return fail("D_MACRO_UNDEF", since(begin), "macro variable " + spelling + " is not defined", {std::move(hint)});
}

/// $1 stands for an integer, a name or else a string; $$1 always for a string.
Token Lexer::argument(std::size_t index, std::size_t begin, bool asString)
{
    const auto spelling = std::string(m_text.substr(begin, m_at - begin));
    const bool given = index < m_macros->arguments.size();
    if (!given && !m_macros->defaultArgs)
        return fail("D_MACRO_UNDEF", since(begin), "macro argument " + spelling + " is not defined",
            {"arguments follow the options: dscope -s script.d ARGUMENT..."});
    if (given) {
        if (m_macros->used.size() < m_macros->arguments.size()) m_macros->used.resize(m_macros->arguments.size());
        m_macros->used[index] = true;
    }

    std::string value = given ? m_macros->arguments[index] : asString ? "" : "0";
    if (asString) return token(Token::Kind::String, begin, unescaped(value));

    std::string_view digits = value;
    const bool sign = !digits.empty() && (digits[0] == '-' || digits[0] == '+');
    if (sign) digits.remove_prefix(1);
    const auto read = leadingInteger(digits);
    const auto suffix = digits.substr(read.length);
    const bool suffixed = suffix.size() <= 3
        && std::all_of(suffix.begin(), suffix.end(), [](char c) { return std::string_view("uUlL").find(c) != std::string_view::npos; });
    if (!digits.empty() && isDigit(digits[0]) && suffixed) {
        if (read.overflow)
            return fail("D_MACRO_OFLOW", since(begin),
                "macro argument " + spelling + " constant " + std::string(digits) + " results in integer overflow");
        auto integer = token(Token::Kind::Integer, begin, std::string(digits));
        integer.number = read.value;
        integer.negative = value[0] == '-';
        return integer;
    }

    if (!value.empty() && isWordStart(value[0]) && std::all_of(value.begin(), value.end(), isWordPart))
        return token(Token::Kind::Word, begin, std::move(value));
    if (value.size() > 1 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
    return token(Token::Kind::String, begin, unescaped(value));
}

bool Lexer::closesPredicate() const
{
    std::size_t i = m_at + 1;
    while (i < m_text.size() && isSpace(m_text[i]))
        ++i;
    return i == m_text.size() || m_text[i] == ';' || m_text[i] == '{' || m_text[i] == '/';
}

Token Lexer::punctuation(Mode mode)
{
    static constexpr std::array<std::string_view, 23> kLong{"<<=", ">>=", "...", "&&", "^^", "||", "==", "!=", "<=", ">=", "<<", ">>", "->",
        "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|=", "++", "--"};
    const auto begin = m_at;
    if (mode == Mode::Predicate && peek() == '/' && closesPredicate()) {
        ++m_at;
        if (m_parens > 0 || m_brackets > 0) {
            // dtrace has looked ahead to the next token, and names the line of that.
            auto ahead = m_at;
            while (ahead < m_text.size() && isSpace(m_text[ahead]))
                ++ahead;
            const bool sameLine = m_text.substr(begin, ahead - begin).find('\n') == std::string_view::npos;
            const Span at{m_file, static_cast<std::uint32_t>(sameLine ? begin : ahead), static_cast<std::uint32_t>(ahead)};
            return fail("D_SYNTAX", at, std::string("closing ") + (m_parens > 0 ? ")" : "]") + " expected in predicate before /");
        }
        return token(Token::Kind::PredicateEnd, begin, "/");
    }

    std::string_view found;
    for (const auto p : kLong)
        if (m_text.substr(m_at).starts_with(p)) {
            found = p;
            break;
        }
    if (found.empty()) {
        found = m_text.substr(m_at, 1);
        if (std::string_view("{}()[]|^&<>+-*/%~!?:.=,;").find(found[0]) == std::string_view::npos) {
            ++m_at;
            return fail("D_SYNTAX", since(begin),
                found[0] == '\0' ? "syntax error near end-of-input" : "syntax error near " + quotedForMessage(found));
        }
    }

    m_at += found.size();
    const auto closing = [&](int& open, const char* name) {
        return --open < 0 ? fail("D_SYNTAX", since(begin), std::string("extra ") + name + " in input stream")
                          : token(Token::Kind::Punctuation, begin, name);
    };

    if (found == "(") ++m_parens;
    if (found == "[") ++m_brackets;
    if (found == "{") ++m_braces;
    if (found == ")") return closing(m_parens, ")");
    if (found == "]") return closing(m_brackets, "]");
    if (found == "}") return closing(m_braces, "}");
    return token(Token::Kind::Punctuation, begin, std::string(found));
}
} // namespace dscope::syntax
