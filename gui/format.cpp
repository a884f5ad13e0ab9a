#include "gui/format.h"
#include "engine/syntax/parser.h"
#include "gui/reading.h"
#include <QStringList>
#include <algorithm>
namespace dscope::gui {
namespace {
/// Follows a text character by character as far as indentation goes: what is open, and whether a statement is.
class Scan {
public:
    bool isInComment() const { return m_in == In::Comment; }
    int braces() const { return m_braces; }
    /// Whether the next line goes on with what the last one began.
    bool isWithin() const { return m_parens > 0 || (m_braces > 0 && !QStringLiteral(";,{}").contains(m_last)); }

    void read(const QString& line)
    {
        for (qsizetype at = 0; at < line.size(); ++at) {
            const auto c = line[at], next = at + 1 < line.size() ? line[at + 1] : QChar();
            if (m_in == In::Comment) {
                if (c != QChar('*') || next != QChar('/')) continue;
                m_in = In::Code;
                ++at;
            } else if (m_in == In::Code) {
                if (c == QChar('/') && next == QChar('/')) return;
                if (c == QChar('/') && next == QChar('*')) {
                    m_in = In::Comment;
                    ++at;
                    continue;
                }
                take(c);
            } else if (c == QChar('\\'))
                ++at;
            else if (c == (m_in == In::Text ? QChar('"') : QChar('\'')))
                m_in = In::Code;
        }
        if (m_in != In::Comment) m_in = In::Code; // no literal goes over the end of a line
    }

private:
    void take(QChar c)
    {
        if (c.isSpace()) return;
        m_last = c;
        if (c == QChar('"')) m_in = In::Text;
        if (c == QChar('\'')) m_in = In::Character;
        if (c == QChar('{')) ++m_braces;
        if (c == QChar('}')) m_braces = std::max(0, m_braces - 1);
        if (c == QChar('(') || c == QChar('[')) ++m_parens;
        if (c == QChar(')') || c == QChar(']')) m_parens = std::max(0, m_parens - 1);
    }
    enum class In : std::uint8_t { Code, Comment, Text, Character } m_in = In::Code;
    int m_braces = 0, m_parens = 0;
    QChar m_last = QChar(';'); ///< of the code
};
/// A text without its blanks: what formatting must leave as it is.
QString bare(const QString& text)
{
    QString out;
    std::copy_if(text.begin(), text.end(), std::back_inserter(out), [](QChar c) { return !c.isSpace(); });
    return out;
}
} // namespace

std::optional<QString> formatted(const QString& program)
{
    const auto before = readProgram(program);
    if (before.error()) return std::nullopt;
    QStringList out;
    Scan scan;
    bool goesOn = false; // a line of the preprocessor
    for (const auto& line : program.split(QChar('\n'))) {
        const auto trimmed = line.trimmed();
        const bool isRaw = scan.isInComment() || goesOn || trimmed.startsWith(QChar('#'));
        if (isRaw) {
            if (scan.isInComment())
                scan.read(line);
            else
                goesOn = trimmed.endsWith(QChar('\\'));
            out << line;
            continue;
        }
        if (trimmed.isEmpty()) {
            if (!out.isEmpty() && !out.last().isEmpty()) out << QString();
            continue;
        }
        const bool closes = trimmed.startsWith(QChar('}')) || trimmed.startsWith(QChar(')'));
        const int level = scan.braces() + (scan.isWithin() ? 1 : 0) - (closes ? 1 : 0);
        out << QString(std::max(0, level), QChar('\t')) + trimmed;
        scan.read(trimmed);
    }
    while (!out.isEmpty() && out.last().isEmpty())
        out.removeLast();
    auto text = out.join(QChar('\n')) + QChar('\n');

    // Whatever the lines above think: what D reads is the same, or nothing is done.
    const auto after = readProgram(text);
    if (after.error() || bare(text) != bare(program) || syntax::print(after.program) != syntax::print(before.program)) return std::nullopt;
    return text;
}
} // namespace dscope::gui
