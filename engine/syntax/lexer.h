#pragma once
#include "engine/syntax/parser.h"
#include "engine/syntax/token.h"
#include <optional>
namespace dscope::syntax {
/// Turns text into tokens, one at a time and on demand: what a character means depends on where the parser is.
/// A value: the parser copies it to look ahead.
class Lexer {
public:
    enum class Mode : std::uint8_t {
        Probe, ///< outside clauses: probe descriptions and declarations
        Expression,
        Predicate, ///< as Expression, but a / before { ; / or the end closes the predicate
    };
    /// `text` has the offsets of source `file`; `macros` may be null: then $x becomes a Macro token.
    Lexer(std::string_view text, std::uint32_t file, const Macros* macros) : m_text(text), m_file(file), m_macros(macros) { }
    Token next(Mode mode);
    /// Read again from a Word or ProbeName, in another mode.
    void back(const Token& token) { m_at = token.at.begin; }
    const std::optional<Failure>& failure() const { return m_failure; }

private:
    char peek(std::size_t ahead = 0) const { return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0'; }
    bool atEnd() const { return m_at >= m_text.size(); }
    bool skipBlanks(Mode mode);
    Span since(std::size_t begin) const { return {m_file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(m_at)}; }
    Token fail(std::string_view tag, Span at, std::string message, std::vector<std::string> hints = {});
    Token token(Token::Kind kind, std::size_t begin, std::string text) const { return {kind, since(begin), std::move(text)}; }

    Token probeName();
    Token probeNumber();
    Token number();
    Token quoted(char quote);
    Token macro();
    Token argument(std::size_t index, std::size_t begin, bool asString);
    Token word();
    Token punctuation(Mode mode);
    bool closesPredicate() const;

    std::string_view m_text;
    std::uint32_t m_file;
    const Macros* m_macros;
    std::size_t m_at = 0;
    int m_parens = 0, m_brackets = 0, m_braces = 0;
    std::optional<Failure> m_failure;
};
bool isDigit(char c);     ///< of a decimal number
bool isWordStart(char c);
bool isWordPart(char c);
bool isProbePart(char c);
} // namespace dscope::syntax
