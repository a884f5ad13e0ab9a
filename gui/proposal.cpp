#include "gui/proposal.h"
#include "gui/line_difference.h"
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QTextBlock>
#include <QTextCursor>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
namespace dscope::gui {
namespace {
constexpr int kMostLines = 9; ///< in sight; further ones scroll
QToolButton* link(const QString& text, const QString& tip)
{
    auto* button = new QToolButton;
    button->setObjectName(QStringLiteral("link"));
    button->setText(text);
    button->setToolTip(tip);
    button->setCursor(Qt::PointingHandCursor);
    return button;
}
} // namespace

Proposal::Proposal(QWidget* parent)
    : QFrame(parent), m_head(new QLabel), m_lines(new QPlainTextEdit), m_run(link(tr("Run"), tr("Run the program (F5)"))),
      m_back(link(tr("Take back"), tr("Bring back the program before (undo)")))
{
    m_head->setTextFormat(Qt::PlainText);
    m_lines->setReadOnly(true);
    m_lines->setFrameShape(QFrame::NoFrame);
    m_lines->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_lines->setTabChangesFocus(true);
    m_lines->setAccessibleName(tr("What changes"));
    auto* head = new QHBoxLayout;
    head->setContentsMargins(0, 0, 0, 0);
    head->addWidget(m_head, 1);
    head->addWidget(m_back);
    head->addWidget(m_run);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(16, 4, 12, 0);
    all->setSpacing(2);
    all->addLayout(head);
    all->addWidget(m_lines);
    connect(m_run, &QToolButton::clicked, this, &Proposal::runAsked);
    connect(m_back, &QToolButton::clicked, this, &Proposal::backAsked);
    hide();
}

void Proposal::show(const QString& before, const QString& program)
{
    m_program = program;
    m_lines->clear();
    QTextCharFormat gone, fresh;
    gone.setForeground(palette().color(QPalette::BrightText));
    gone.setFontStrikeOut(true);
    fresh.setForeground(palette().color(QPalette::Link));
    QTextCursor at(m_lines->document());
    int changed = 0;
    for (const auto& [kind, line] : lineDifference(before, program)) {
        if (kind == LineChange::Kind::Same) continue;
        if (changed++ > 0) at.insertBlock();
        const bool isGone = kind == LineChange::Kind::Gone;
        at.insertText((isGone ? QStringLiteral("- ") : QStringLiteral("+ ")) + line, isGone ? gone : fresh);
    }
    m_head->setText(changed == 1 ? tr("What changes: 1 line") : tr("What changes: %1 lines").arg(changed));
    const auto height = m_lines->fontMetrics().lineSpacing() * std::min(changed, kMostLines);
    m_lines->setFixedHeight(height + 2 * static_cast<int>(m_lines->document()->documentMargin()) + m_lines->frameWidth() * 2 + 4);
    m_lines->moveCursor(QTextCursor::Start);
    setVisible(changed > 0);
}

void Proposal::keepFor(const QString& program)
{
    if (isVisibleTo(parentWidget()) && program != m_program) hide();
}

void Proposal::setProgramFont(const QFont& font)
{
    m_lines->setFont(font);
    m_lines->setTabStopDistance(4 * m_lines->fontMetrics().horizontalAdvance(QChar(' ')));
}

QString Proposal::text() const { return isVisibleTo(parentWidget()) ? m_lines->toPlainText() : QString(); }
} // namespace dscope::gui
