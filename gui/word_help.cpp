#include "gui/word_help.h"
#include "engine/language/help.h"
#include "engine/options/options.h"
#include "engine/probe/provider.h"
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextCursor>
#include <QToolTip>
#include <algorithm>
namespace dscope::gui {
namespace {
QString q(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }
QString sentence(std::string_view clause)
{
    auto text = q(clause);
    if (!text.isEmpty()) text[0] = text[0].toUpper();
    return text + QChar('.');
}

/// Where a place of a program is.
struct Context {
    enum class In : std::uint8_t { Code, Text, Comment } in = In::Code;
    int depth = 0; ///< of braces
};
Context contextOf(const QString& program, int position)
{
    Context context;
    QChar quote;
    bool isLine = false;
    for (int i = 0; i < position; ++i) {
        const auto c = program[i], next = i + 1 < program.size() ? program[i + 1] : QChar();
        switch (context.in) {
        case Context::In::Text:
            if (c == QChar('\\'))
                ++i;
            else if (c == quote || c == QChar('\n'))
                context.in = Context::In::Code;
            break;
        case Context::In::Comment:
            if (isLine ? c == QChar('\n') : c == QChar('/') && program[i - 1] == QChar('*')) context.in = Context::In::Code;
            break;
        case Context::In::Code:
            if (c == QChar('"') || c == QChar('\'')) {
                context.in = Context::In::Text;
                quote = c;
            } else if (c == QChar('/') && (next == QChar('/') || next == QChar('*'))) {
                context.in = Context::In::Comment;
                isLine = next == QChar('/');
                ++i;
            } else if (c == QChar('{'))
                ++context.depth;
            else if (c == QChar('}'))
                context.depth = std::max(0, context.depth - 1);
            break;
        }
    }
    return context;
}

/// The longest stretch around `position` in which all letters are `wanted`.
template <typename Wanted> std::pair<int, int> stretch(const QString& program, int position, const Wanted& wanted)
{
    int begin = position, end = position;
    while (begin > 0 && wanted(program[begin - 1]))
        --begin;
    while (end < program.size() && wanted(program[end]))
        ++end;
    return {begin, end};
}
bool isOfWord(QChar c) { return c.isLetterOrNumber() || c == QChar('_') || c == QChar('$'); }
bool isOfDescription(QChar c) { return !c.isSpace() && !QStringLiteral(",/{};()&|=").contains(c); }

std::optional<WordHelp> ofProvider(const QString& description)
{
    static const auto kProviders = providers::all();
    const auto first = description.section(QChar(':'), 0, 0);
    // A macro variable stands for a number: pid$target.
    const auto name = (first.contains(QChar('$')) ? first.section(QChar('$'), 0, 0) + QChar('1') : first).toStdString();
    const bool isNameAlone = !description.contains(QChar(':'));
    for (const auto& provider : kProviders) {
        if (isNameAlone ? !provider->owns(description.toStdString()) : !provider->serves(name)) continue;
        return WordHelp{.prototype = HelpOnWords::tr("provider %1").arg(q(provider->name())),
            .summary = sentence(provider->summary()),
            .example = q(provider->example())};
    }
    return {};
}
std::optional<WordHelp> ofOption(const QString& name)
{
    const auto* row = options::find(name.toStdString());
    if (!row) return {};
    WordHelp help{
        .prototype = q(row->name), .summary = sentence(row->summary), .example = QString::fromStdString(options::exampleOf(*row))};
    if (!row->unset.empty()) help.prototype += QChar('=') + q(row->unset);
    if (!row->choices.empty())
        help.summary += HelpOnWords::tr(" One of: %1.").arg(q(row->choices).replace(QChar(' '), QStringLiteral(", ")));
    if (row->atRunTime) help.summary += HelpOnWords::tr(" setopt() may change it.");
    return help;
}
std::optional<WordHelp> ofWord(const QString& word)
{
    const auto row = language::helpOf(word.toStdString());
    if (!row) return {};
    WordHelp help{.prototype = q(row->prototype), .summary = sentence(row->summary), .example = q(row->example), .value = q(row->value)};
    if (row->effect == language::Effect::Destructive) help.summary += HelpOnWords::tr(" Destructive: needs -w.");
    if (row->since != "1.0") help.summary += HelpOnWords::tr(" Since D %1.").arg(q(row->since));
    if (!row->refusal.empty()) {
        help.summary += HelpOnWords::tr(" Not available: %1.").arg(q(row->refusal));
        help.example.clear();
    }
    return help;
}
/// Names that the program makes up itself follow @, ., -> and `.
bool isMadeUp(const QString& program, int begin)
{
    const auto before = program.left(begin);
    return before.endsWith(QChar('@')) || before.endsWith(QChar('.')) || before.endsWith(QStringLiteral("->"))
        || before.endsWith(QChar('`'));
}
} // namespace

QString WordHelp::html() const
{
    auto text = QStringLiteral("<p style=\"white-space: pre-wrap\"><b><code>%1</code></b></p><p>%2</p>")
                    .arg(prototype.toHtmlEscaped(), summary.toHtmlEscaped());
    if (!example.isEmpty()) text += QStringLiteral("<p><code>%1</code>").arg(example.toHtmlEscaped());
    if (!value.isEmpty()) text += QStringLiteral(" \u2192 <code>%1</code>").arg(value.toHtmlEscaped());
    return text;
}
QString WordHelp::plain() const
{
    auto text = prototype + QStringLiteral(": ") + summary;
    if (!example.isEmpty()) text += HelpOnWords::tr(" Example: %1").arg(example);
    if (!value.isEmpty()) text += HelpOnWords::tr(" gives %1").arg(value);
    return text;
}

std::optional<WordHelp> helpAt(const QString& program, int position)
{
    if (position < 0 || position > program.size()) return {};
    const auto found = [](std::optional<WordHelp> help, std::pair<int, int> where) {
        if (help) {
            help->begin = where.first;
            help->length = where.second - where.first;
        }
        return help;
    };

    const auto word = stretch(program, position, isOfWord);
    const auto text = program.mid(word.first, word.second - word.first);
    const auto context = contextOf(program, word.first);
    if (context.in != Context::In::Code) return {};

    const auto line = stretch(program, position, [](QChar c) { return c != QChar('\n'); });
    static const QRegularExpression kPragma(QStringLiteral(R"(^\s*#\s*pragma\s+D\s+option\s+$)"));
    if (kPragma.match(program.mid(line.first, word.first - line.first)).hasMatch()) return found(ofOption(text), word);

    // Outside of clauses a word is of a probe's description, or of a predicate.
    if (context.depth == 0) {
        const auto whole = stretch(program, position, isOfDescription);
        if (auto help = ofProvider(program.mid(whole.first, whole.second - whole.first))) return found(std::move(help), whole);
    }
    if (text.isEmpty() || isMadeUp(program, word.first)) return {};
    return found(ofWord(text), word);
}

HelpOnWords::HelpOnWords(QPlainTextEdit* editor) : QObject(editor), m_editor(editor)
{
    editor->installEventFilter(this);
    editor->viewport()->installEventFilter(this);
    connect(editor, &QPlainTextEdit::cursorPositionChanged, this, &HelpOnWords::describe);
}

int HelpOnWords::placeAt(const QPoint& point) const
{
    auto cursor = m_editor->cursorForPosition(point);
    auto rect = m_editor->cursorRect(cursor);
    if (point.y() < rect.top() || point.y() > rect.bottom()) return -1;
    // The cursor stands between letters: the one that is pointed to may be to its left.
    if (rect.left() > point.x()) {
        if (cursor.atBlockStart()) return -1;
        cursor.movePosition(QTextCursor::PreviousCharacter);
    }
    return cursor.atBlockEnd() ? -1 : cursor.position();
}

bool HelpOnWords::show(int position) const
{
    const auto help = helpAt(m_editor->toPlainText(), position);
    if (!help) return false;
    QTextCursor cursor(m_editor->document());
    cursor.setPosition(help->begin);
    auto rect = m_editor->cursorRect(cursor);
    cursor.setPosition(help->begin + help->length);
    rect = rect.united(m_editor->cursorRect(cursor));
    QToolTip::showText(m_editor->viewport()->mapToGlobal(rect.bottomLeft()), help->html(), m_editor->viewport(), rect);
    return true;
}

void HelpOnWords::describe() const
{
    const auto help = helpAt(m_editor->toPlainText(), m_editor->textCursor().position());
    const auto text = help ? help->plain() : QString();
    if (text != m_editor->accessibleDescription()) m_editor->setAccessibleDescription(text);
}

bool HelpOnWords::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_editor->viewport() && event->type() == QEvent::ToolTip) {
        const auto place = placeAt(static_cast<QHelpEvent*>(event)->pos());
        if (place >= 0 && show(place)) return true;
        QToolTip::hideText();
    }
    if (watched == m_editor && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_F1 && key->modifiers() == Qt::NoModifier) return show(m_editor->textCursor().position());
    }
    return QObject::eventFilter(watched, event);
}
} // namespace dscope::gui
