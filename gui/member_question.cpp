#include "gui/member_question.h"
#include <QRegularExpression>
#include <algorithm>
namespace dscope::gui {
namespace {
/// The text with blanks for comments and x for what stands between quotes: what is left is code. Nothing when it ends within one.
std::optional<QString> codeOf(const QString& text)
{
    QString code = text;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const auto two = QStringView(text).mid(i, 2);
        qsizetype end = -1;
        if (two == QLatin1String("/*"))
            end = text.indexOf(QStringLiteral("*/"), i + 2) + 1;
        else if (two == QLatin1String("//"))
            end = text.indexOf(QChar('\n'), i);
        else if (text[i] == QChar('"') || text[i] == QChar('\'')) {
            for (end = i + 1; end < text.size() && text[end] != text[i]; ++end)
                if (text[end] == QChar('\\')) ++end;
            if (end >= text.size()) return std::nullopt;
            for (auto at = i + 1; at < end; ++at)
                code[at] = QChar('x');
            i = end;
            continue;
        } else
            continue;
        if (end <= 0) return std::nullopt;
        for (auto at = i; at <= end; ++at)
            if (code[at] != QChar('\n')) code[at] = QChar(' ');
        i = end;
    }
    return code;
}
bool isNamePart(QChar c) { return c.isLetterOrNumber() || c == QChar('_') || c == QChar('$') || c == QChar('`'); }
qsizetype skipBlanks(const QString& code, qsizetype at)
{
    while (at > 0 && code[at - 1].isSpace())
        --at;
    return at;
}
/// Where the bracket that closes before `at` opens; -1 where none does.
qsizetype opening(const QString& code, qsizetype at)
{
    int depth = 0;
    for (auto i = at - 1; i >= 0; --i) {
        const auto c = code[i];
        if (c == QChar(')') || c == QChar(']')) ++depth;
        if (c == QChar('(') || c == QChar('[')) --depth;
        if (depth == 0) return i;
        if (c == QChar('{') || c == QChar('}') || c == QChar(';')) return -1;
    }
    return -1;
}
/// Where the operand that ends at `end` begins: names, calls, elements, casts and members; `end` where there is none.
qsizetype operandBefore(const QString& code, qsizetype end)
{
    auto at = end;
    for (;;) {
        at = skipBlanks(code, at);
        if (at == 0) return end;
        if (const auto c = code[at - 1]; c == QChar(')') || c == QChar(']')) {
            at = opening(code, at);
            if (at < 0) return end;
            const auto before = skipBlanks(code, at);
            if (before == 0 || !(isNamePart(code[before - 1]) || code[before - 1] == QChar(']') || code[before - 1] == QChar(')')))
                return at;
            continue;
        }
        const auto last = at;
        while (at > 0 && isNamePart(code[at - 1]))
            --at;
        if (at == last) return end;
        const auto before = skipBlanks(code, at);
        if (before >= 2 && QStringView(code).mid(before - 2, 2) == QLatin1String("->"))
            at = before - 2;
        else if (before >= 1 && code[before - 1] == QChar('.'))
            at = before - 1;
        else
            return code[at].isDigit() ? end : at;
    }
}
} // namespace

std::optional<MemberQuestion> memberQuestion(const QString& before)
{
    static const QRegularExpression kMember(QStringLiteral(R"((->|\.)\s*([A-Za-z_]\w*)?$)"));
    const auto code = codeOf(before);
    if (!code) return std::nullopt;
    const auto member = kMember.match(*code);
    if (!member.hasMatch()) return std::nullopt;
    const auto object = operandBefore(*code, member.capturedStart());
    if (object == member.capturedStart()) return std::nullopt;

    int braces = 0, parens = 0;
    qsizetype statement = 0;
    for (qsizetype i = 0; i < object; ++i) {
        const auto c = (*code)[i];
        braces += c == QChar('{') ? 1 : c == QChar('}') ? -1 : 0;
        parens += c == QChar('(') ? 1 : c == QChar(')') ? -1 : 0;
        const bool ends = c == QChar('{') || c == QChar('}') || (c == QChar(';') && parens == 0);
        if (!ends) continue;
        statement = i + 1;
        parens = 0;
    }

    // A predicate stands behind its probes, and in front of the clause that is still to come.
    QString head = before.left(statement);
    if (braces == 0) {
        const auto slash = code->indexOf(QChar('/'), statement);
        if (slash < 0 || slash > object) return std::nullopt;
        head = before.left(slash) + QStringLiteral(" {");
        braces = 1;
    }
    return MemberQuestion{head + QStringLiteral(" trace(") + before.mid(object, member.capturedEnd(1) - object)
            + QStringLiteral("no_member_has_this_name_); ") + QString(std::max(0, braces), QChar('}')),
        member.captured(2)};
}
} // namespace dscope::gui
