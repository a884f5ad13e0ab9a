#include "engine/demangle/brackets.h"
#include <array>
#include <string>
namespace dscope::demangle {
namespace {
constexpr std::string_view kOperator = "operator";

/// The length of an operator's sign that `s` begins with. Source: the C++ standard, [over.oper]
std::size_t signAt(std::string_view s)
{
    constexpr std::array<std::string_view, 27> kLong{"\"\"", "<=>", "<<=", ">>=", "->*", "()", "[]", "->", "<<", ">>",
        "<=", ">=", "==", "!=", "&&", "||", "++", "--", "+=", "-=", "*=", "/=", "%=", "^=", "|=", "&=", ".*"};
    for (const auto sign : kLong)
        if (s.starts_with(sign)) return sign.size();
    return !s.empty() && std::string_view("<>=+-*/%^&|~!,").find(s.front()) != std::string_view::npos ? 1 : 0;
}

/// The length of " new[]", " delete", " co_await", or of the blank in front of a type.
std::size_t wordAt(std::string_view s)
{
    constexpr std::array<std::string_view, 5> kWords{" new[]", " delete[]", " new", " delete", " co_await"};
    for (const auto word : kWords)
        if (s.starts_with(word) && (s.size() == word.size() || !isWord(s[word.size()]))) return word.size();
    return s.starts_with(' ') ? 1 : 0;
}

/// Behind 'c' or '\n', a character, or "text"; `at`: none begins there. A lone quote is a lifetime of Rust, or clang's 'lambda'.
std::size_t behindQuoted(std::string_view s, std::size_t at)
{
    const auto rest = s.substr(at);
    if (rest.size() > 2 && rest[0] == '\'' && rest[1] != '\\' && rest[2] == '\'') return at + 3;
    if (rest.size() > 3 && rest[0] == '\'' && rest[1] == '\\' && rest[3] == '\'') return at + 4;
    if (rest[0] != '"') return at;
    const auto end = rest.find('"', 1);
    return end == std::string_view::npos ? at : at + end + 1;
}

/// Which brackets are open.
class Open {
public:
    bool isEmpty() const { return m_open.empty(); }
    bool opens(char c)
    {
        const bool is = c == '(' || c == '<' || c == '{' || c == '[';
        if (is) m_open += c;
        return is;
    }
    /// Whether `c` closes what it should; a ">" that closes nothing is "greater than", an open "<" within others "less than".
    bool closes(char c)
    {
        if (c == '>') {
            if (m_open.ends_with('<')) m_open.pop_back();
            return true;
        }
        while (m_open.ends_with('<'))
            m_open.pop_back();
        const char partner = c == ')' ? '(' : c == '}' ? '{' : '[';
        if (!m_open.ends_with(partner)) return false;
        m_open.pop_back();
        return true;
    }

private:
    std::string m_open;
};
bool isClosing(char c) { return c == ')' || c == '}' || c == ']' || c == '>'; }
} // namespace

bool isWord(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$'
        || static_cast<unsigned char>(c) >= 0x80;
}
bool endsWithWord(std::string_view text, std::string_view word)
{
    return text.ends_with(word) && (text.size() == word.size() || !isWord(text[text.size() - word.size() - 1]));
}

std::size_t behindOperator(std::string_view text, std::size_t at)
{
    const auto end = at + kOperator.size();
    if (text[at] != 'o' || !text.substr(at).starts_with(kOperator) || (at > 0 && isWord(text[at - 1]))) return at;
    const auto rest = text.substr(end);
    if (rest.empty() || isWord(rest.front())) return at;
    auto size = signAt(rest);
    if (size == 0) size = wordAt(rest);
    if (rest.starts_with("\"\" ")) size = 3;                                              // a literal's suffix follows
    if (size > 0 && rest[size - 1] != ' ' && rest.substr(size).starts_with(" <")) ++size; // "operator< <int>"
    return size == 0 ? at : end + size;
}

Brackets::Brackets(std::string_view text)
{
    Open open;
    std::size_t list = kNone, closed = kNone, operatorEnd = kNone;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool isOutside = open.isEmpty();
        if (const auto behind = behindOperator(text, i); behind > i) {
            if (isOutside && conversion == kNone && behind == i + kOperator.size() + 1 && text[behind - 1] == ' ') conversion = behind;
            if (isOutside && text.substr(i, behind - i).ends_with("()")) list = behind - 2, closed = behind - 1, lastList = list;
            operatorEnd = behind;
            i = behind - 1;
            continue;
        }
        const char c = text[i];
        if (c == ' ' && isOutside && conversion == kNone) blanks.push_back(i);
        if ((c == '\'' || c == '"') && !isOutside) {
            if (const auto behind = behindQuoted(text, i); behind > i) i = behind - 1;
            continue;
        }
        const bool isArrow = c == '>' && i > 0 && i != operatorEnd && (text[i - 1] == '-' || text[i - 1] == '=');
        if (isArrow) continue;
        if (open.opens(c)) {
            if (isOutside && c == '(') {
                beforeLast = closed != kNone && closed + 1 == i ? list : kNone;
                list = i;
            }
        } else if (isClosing(c)) {
            if (!open.closes(c)) isBalanced = false;
            if (!isBalanced) return;
            if (c == ')' && open.isEmpty()) closed = i, lastList = list;
        }
    }
    isBalanced = open.isEmpty();
    if (closed == kNone || closed + 1 != text.size()) lastList = kNone;
}
} // namespace dscope::demangle
