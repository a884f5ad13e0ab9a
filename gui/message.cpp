#include "gui/message.h"
#include "gui/editor.h"
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextEdit>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
namespace dscope::gui {
namespace {
constexpr int kFewestLines = 3, kMostLines = 12; ///< that a long text is given room for; it is scrolled then
} // namespace

/// As high as its text, within bounds.
class Message::Text final : public QTextEdit {
public:
    Text()
    {
        setReadOnly(true);
        setUndoRedoEnabled(false);
        setAcceptRichText(false);
        setFrameShape(NoFrame);
        setFocusPolicy(Qt::ClickFocus);
        setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
        document()->setDocumentMargin(0);
    }
    QSize sizeHint() const override { return {240, std::min(wanted(), kMostLines * fontMetrics().lineSpacing())}; }
    QSize minimumSizeHint() const override { return {120, std::min(wanted(), kFewestLines * fontMetrics().lineSpacing())}; }
    void setKind(Kind kind)
    {
        m_kind = kind;
        colour();
    }

protected:
    void changeEvent(QEvent* e) override
    {
        QTextEdit::changeEvent(e);
        if (e->type() == QEvent::PaletteChange) colour();
    }
    void resizeEvent(QResizeEvent* e) override
    {
        QTextEdit::resizeEvent(e);
        updateGeometry();
    }

private:
    int wanted() const
    {
        const auto size = document()->size();
        const bool isWide = size.width() > viewport()->width();
        return static_cast<int>(std::ceil(size.height())) + (isWide ? horizontalScrollBar()->sizeHint().height() : 0);
    }
    void colour()
    {
        QTextCharFormat format;
        format.setForeground(palette().color(m_kind == Kind::Trouble ? QPalette::BrightText : QPalette::PlaceholderText));
        QTextCursor all(document());
        all.select(QTextCursor::Document);
        all.mergeCharFormat(format);
    }
    Kind m_kind = Kind::State;
};

Message::Message(QWidget* parent) : QWidget(parent), m_text(new Text), m_copy(new QToolButton)
{
    m_text->setAccessibleName(tr("Message"));
    m_copy->setText(tr("Copy the command"));
    m_copy->setObjectName(QStringLiteral("link"));
    m_copy->setCursor(Qt::PointingHandCursor);
    m_copy->hide();
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(16, 4, 12, 8);
    all->setSpacing(2);
    all->addWidget(m_text);
    all->addWidget(m_copy, 0, Qt::AlignLeft);
    connect(m_copy, &QToolButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_command); });
}

void Message::say(const QString& text, Kind kind, const QString& command)
{
    m_command = command;
    m_copy->setVisible(!command.isEmpty());
    if (text != m_said || m_text->document()->isEmpty()) {
        m_said = text;
        m_text->setPlainText(text);
        dressText();
    }
    m_text->setKind(kind);
    m_text->updateGeometry();
}

void Message::setProgramFont(const QFont& font)
{
    m_programFont = font;
    dressText();
    m_text->updateGeometry();
}

void Message::dressText()
{
    // An error's caret stands below what it means.
    m_text->setFont(m_said.contains(QChar('\n')) ? m_programFont : font());
    m_text->setTabStopDistance(4 * m_text->fontMetrics().horizontalAdvance(QChar(' ')));
    for (auto block = m_text->document()->begin(); block.isValid(); block = block.next()) {
        QTextBlockFormat format;
        format.setNonBreakableLines(block.text().startsWith(QChar(' ')) || block.text().startsWith(QChar('\t')));
        QTextCursor(block).mergeBlockFormat(format);
    }
}
} // namespace dscope::gui
