#include "gui/editor.h"
#include "engine/language/language.h"
#include "gui/format.h"
#include "gui/reading.h"
#include "gui/word_help.h"
#include <QEvent>
#include <QFontDatabase>
#include <QKeyEvent>
#include <QPainter>
#include <QRegularExpression>
#include <QTextBlock>
#include <algorithm>
#include <utility>
namespace dscope::gui {
namespace {
class Highlighter final : public QSyntaxHighlighter {
public:
    Highlighter(QTextDocument* document, bool dark) : QSyntaxHighlighter(document)
    {
        const auto format = [](const char* light, const char* darkColor, bool isDark, bool bold = false) {
            QTextCharFormat f;
            f.setForeground(QColor(QString::fromLatin1(isDark ? darkColor : light)));
            if (bold) f.setFontWeight(QFont::DemiBold);
            return f;
        };

        m_comment = format("#5B6570", "#9AA4AE", dark);
        const auto probe = format("#1D5F9C", "#7CB7F0", dark), pragma = format("#7A2E9D", "#D0A0EA", dark),
                   string = format("#9A3412", "#F0A070", dark), word = format("#0F766E", "#5CC8BE", dark),
                   aggregation = format("#A8480C", "#F2B25C", dark), number = format("#1A1A1A", "#E8EAED", dark);
        const auto rule = [this](const char* pattern, const QTextCharFormat& f) {
            m_rules.push_back({QRegularExpression(QString::fromLatin1(pattern)), f});
        };

        rule(R"(\b\d[\dxXa-fA-FuUlL]*\b)", number);
        rule(
            R"(\b(self|this|if|else|inline|translator|typedef|struct|union|enum|sizeof|offsetof|stringof|xlate|int|long|char|string|uint64_t|int64_t|uintptr_t)\b)",
            word);
        QStringList functions;
        for (const auto name : language::functionNames())
            functions << QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
        m_rules.push_back({QRegularExpression(QStringLiteral("\\b(%1)\\b(?=\\s*\\()").arg(functions.join(QChar('|')))), word});
        rule(R"(@\w*)", aggregation);
        rule(R"(\$\$?\w+)", aggregation);
        rule(R"((^|[\s,])[\w$*?\[\]]*:[\w.$*?\[\]+-]*:[\w.$*?\[\]+-]*:[\w.$*?\[\]+-]*)", probe);
        rule(R"(\b(BEGIN|END|ERROR|(tick|profile)-\w+)\b)", probe);
        rule(R"("(\\.|[^"\\])*")", string);
        rule(R"(^\s*#.*$)", pragma);
    }

protected:
    void highlightBlock(const QString& text) override
    {
        for (const auto& [pattern, format] : m_rules)
            for (auto m = pattern.globalMatch(text); m.hasNext();) {
                const auto match = m.next();
                setFormat(static_cast<int>(match.capturedStart()), static_cast<int>(match.capturedLength()), format);
            }
        // Comments last: they win over everything; a /* may span blocks.
        setCurrentBlockState(0);
        qsizetype at = previousBlockState() == 1 ? 0 : text.indexOf(QStringLiteral("/*"));
        if (const auto line = text.indexOf(QStringLiteral("//")); line >= 0 && previousBlockState() != 1)
            setFormat(static_cast<int>(line), static_cast<int>(text.size() - line), m_comment);
        while (at >= 0) {
            const auto end = text.indexOf(QStringLiteral("*/"), at);
            const auto length = end < 0 ? text.size() - at : end + 2 - at;
            setFormat(static_cast<int>(at), static_cast<int>(length), m_comment);
            if (end < 0) {
                setCurrentBlockState(1);
                return;
            }
            at = text.indexOf(QStringLiteral("/*"), at + length);
        }
    }

private:
    std::vector<std::pair<QRegularExpression, QTextCharFormat>> m_rules;
    QTextCharFormat m_comment;
};
class Gutter final : public QWidget {
public:
    explicit Gutter(Editor* editor) : QWidget(editor), m_editor(editor) { }

protected:
    void paintEvent(QPaintEvent* e) override { m_editor->paintGutter(e); }

private:
    Editor* m_editor;
};
int indentation(const QString& line)
{
    return static_cast<int>(std::find_if_not(line.begin(), line.end(), [](QChar c) { return c.isSpace(); }) - line.begin());
}
/// Behind the word that begins at `from`; `from` where none does.
int endOfWord(const QString& line, int from)
{
    const auto isPart = [](QChar c) { return c.isLetterOrNumber() || c == QChar('_') || c == QChar('$') || c == QChar('@'); };
    return static_cast<int>(std::find_if_not(line.begin() + from, line.end(), isPart) - line.begin());
}
bool isDark(const QWidget& widget) { return widget.palette().color(QPalette::Base).lightness() < 128; }
} // namespace

QFont monospace(double points, const QString& family)
{
    auto font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    QStringList families{QStringLiteral("JetBrains Mono"), QStringLiteral("DejaVu Sans Mono"), QStringLiteral("monospace")};
    if (!family.isEmpty()) families.prepend(family);
    font.setFamilies(families);
    font.setPointSizeF(points);
    font.setStyleStrategy(QFont::PreferNoShaping); // no ligatures: != is two letters
    return font;
}

Editor::Editor(QWidget* parent)
    : QPlainTextEdit(parent), m_gutter(new Gutter(this)), m_highlighter(new Highlighter(document(), isDark(*this))),
      m_completion(new Completion(this))
{
    setFont(monospace(10));
    setLineWrapMode(NoWrap);
    setFrameShape(NoFrame);
    setTabStopDistance(4 * fontMetrics().horizontalAdvance(QChar(' ')));
    setAccessibleName(tr("D program"));
    setPlaceholderText(tr("A D program, for example:\n\nsyscall::write:entry\n{\n\t@bytes[execname] = quantize(arg2);\n}"));
    connect(this, &QPlainTextEdit::blockCountChanged, this, &Editor::placeGutter);
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& rect, int dy) {
        if (dy)
            m_gutter->scroll(0, dy);
        else
            m_gutter->update(0, rect.y(), m_gutter->width(), rect.height());
    });
    new HelpOnWords(this); // its own, as the highlighter is its document's
    m_checkSoon.setSingleShot(true);
    m_checkSoon.setInterval(400);
    connect(&m_checkSoon, &QTimer::timeout, this, &Editor::check);
    connect(document(), &QTextDocument::contentsChange, this, [this](int, int removed, int added) {
        if (removed || added) m_checkSoon.start();
    });
    placeGutter();
}

void Editor::setProgramFont(const QFont& font)
{
    setFont(font);
    setTabStopDistance(4 * fontMetrics().horizontalAdvance(QChar(' ')));
    placeGutter();
}

int Editor::gutterWidth() const
{
    int digits = 2;
    for (int n = blockCount(); n >= 100; n /= 10)
        ++digits;
    return 18 + fontMetrics().horizontalAdvance(QChar('9')) * digits;
}

void Editor::placeGutter()
{
    setViewportMargins(gutterWidth(), 0, 0, 0);
    m_gutter->setGeometry(contentsRect().x(), contentsRect().y(), gutterWidth(), contentsRect().height());
}

void Editor::resizeEvent(QResizeEvent* e)
{
    QPlainTextEdit::resizeEvent(e);
    placeGutter();
}

void Editor::changeEvent(QEvent* e)
{
    QPlainTextEdit::changeEvent(e);
    if (e->type() != QEvent::PaletteChange) return;
    delete m_highlighter;
    m_highlighter = new Highlighter(document(), isDark(*this));
}

void Editor::keyPressEvent(QKeyEvent* e)
{
    const bool isEnter = e->key() == Qt::Key_Return || e->key() == Qt::Key_Enter;
    // Tab indents; after Esc it leaves the editor, as one must be able to without a mouse.
    if (std::exchange(m_leaves, false) && e->key() == Qt::Key_Tab) {
        QAbstractScrollArea::focusNextPrevChild(true); // the editor's own refuses while Tab indents
        return;
    }

    m_leaves = e->key() == Qt::Key_Escape && !m_completion->isOpen();
    if (m_completion->isOpen()) {
        if (e->key() == Qt::Key_Escape || ((isEnter || e->key() == Qt::Key_Tab) && m_completion->hasChosen())) {
            e->ignore(); // the list of proposals takes it
            return;
        }
        if (e->key() == Qt::Key_Tab) {
            m_completion->takeFirst();
            return;
        }
        if (isEnter) m_completion->close();
    }

    if (e->key() == Qt::Key_Space && e->modifiers() == Qt::ControlModifier) {
        m_completion->proposeAll();
        return;
    }

    if (e->text() == QStringLiteral("}")) closeBrace();
    if (!isEnter || (e->modifiers() & ~Qt::KeypadModifier)) {
        QPlainTextEdit::keyPressEvent(e);
        if (!e->text().isEmpty() || m_completion->isOpen()) m_completion->propose();
        return;
    }

    // A new line begins where this one does, one step further in after an opening brace.
    const auto line = textCursor().block().text().left(textCursor().positionInBlock());
    auto indent = line.left(indentation(line));
    if (line.trimmed().endsWith(QChar('{'))) indent += QChar('\t');
    insertPlainText(QStringLiteral("\n") + indent);
    ensureCursorVisible();
}

/// A closing brace stands where the line of its opening one begins: one step further out.
void Editor::closeBrace()
{
    auto cursor = textCursor();
    const auto before = cursor.block().text().left(cursor.positionInBlock());
    if (cursor.hasSelection() || before.isEmpty() || !before.trimmed().isEmpty()) return;
    const auto step = before.endsWith(QChar('\t')) ? 1 : std::min<qsizetype>(4, before.size());
    cursor.movePosition(QTextCursor::Left, QTextCursor::KeepAnchor, static_cast<int>(step));
    cursor.removeSelectedText();
    setTextCursor(cursor);
}

void Editor::paintGutter(QPaintEvent* e)
{
    QPainter p(m_gutter);
    p.fillRect(e->rect(), palette().color(QPalette::Base));
    auto block = firstVisibleBlock();
    double top = blockBoundingGeometry(block).translated(contentOffset()).top();
    p.setFont(font());
    while (block.isValid() && top <= e->rect().bottom()) {
        const double height = blockBoundingRect(block).height();
        p.setPen(block == textCursor().block() ? palette().color(QPalette::Text) : palette().color(QPalette::PlaceholderText));
        p.drawText(QRectF(0, top, gutterWidth() - 10, height), Qt::AlignRight | Qt::AlignTop, QString::number(block.blockNumber() + 1));
        top += height;
        block = block.next();
    }
}

void Editor::setProgram(const QString& text)
{
    setPlainText(text);
    document()->setModified(false);
}

void Editor::replaceProgram(const QString& text)
{
    QTextCursor all(document());
    all.select(QTextCursor::Document);
    all.insertText(text);
    moveCursor(QTextCursor::Start);
}

bool Editor::format()
{
    const auto text = toPlainText();
    const auto better = formatted(text);
    if (!better) return false;
    if (*better == text) return true;
    const int line = textCursor().blockNumber();
    QTextCursor all(document());
    all.select(QTextCursor::Document);
    all.insertText(*better);
    QTextCursor at(document()->findBlockByNumber(std::min(line, blockCount() - 1)));
    at.movePosition(QTextCursor::EndOfBlock);
    setTextCursor(at);
    return true;
}

void Editor::mark(const Place& place, const QString& message)
{
    m_checkSoon.stop();
    m_checked = toPlainText();
    m_marked = std::min(place.line, blockCount());
    QList<QTextEdit::ExtraSelection> marks;
    if (m_marked > 0) {
        QTextEdit::ExtraSelection mark;
        const auto block = document()->findBlockByNumber(m_marked - 1);
        const auto line = block.text().toUtf8();
        // What is wrong, where it is known; the whole line otherwise.
        int from = indentation(block.text()), to = block.length() - 1;
        if (place.column > 0 && place.column <= line.size() && place.line == m_marked) {
            from = static_cast<int>(QString::fromUtf8(line.left(place.column - 1)).size());
            if (place.length > 0)
                to = std::min(to, static_cast<int>(QString::fromUtf8(line.left(place.column - 1 + place.length)).size()));
            else if (const int end = endOfWord(block.text(), from); end > from)
                to = end;
        }
        mark.cursor = QTextCursor(block);
        mark.cursor.setPosition(block.position() + std::min(from, std::max(0, to - 1)));
        mark.cursor.setPosition(block.position() + to, QTextCursor::KeepAnchor);
        mark.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        mark.format.setUnderlineColor(palette().color(QPalette::BrightText));
        mark.format.setToolTip(message);
        marks << mark;
    }
    setExtraSelections(marks);
    m_mistake = message;
    Q_EMIT mistaken(message);
}

void Editor::setArgument(int number, const QString& value)
{
    auto arguments = m_arguments;
    while (arguments.size() < number)
        arguments << QString();
    arguments[number - 1] = value;
    setArguments(arguments);
}

void Editor::setArguments(const QStringList& arguments)
{
    if (std::exchange(m_arguments, arguments) == arguments) return;
    m_checked.clear(); // what was wrong with a program may be right with these
    m_checkSoon.start();
}

void Editor::check()
{
    const auto text = toPlainText();
    if (text == m_checked) return; // only colours changed; what a run found wrong stays marked
    if (text.trimmed().isEmpty()) {
        mark({}, {});
        return;
    }
    const auto reading = readProgram(text);
    if (const auto* error = reading.error()) {
        const auto from = reading.sources.position(error->at);
        const int line = static_cast<int>(from.line);
        const auto bytes = std::max(1U, error->at.end - error->at.begin);
        mark({line, static_cast<int>(from.column), static_cast<int>(bytes)},
            tr("line %1: %2").arg(line).arg(QString::fromStdString(error->message)));
        return;
    }
    mark({}, {});
    Q_EMIT parsed(text);
}
} // namespace dscope::gui
