#include "gui/notice.h"
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
namespace dscope::gui {
Notice::Notice(QWidget* parent) : QFrame(parent), m_text(new QLabel), m_deed(new QToolButton)
{
    setObjectName(QStringLiteral("notice"));
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setForegroundRole(QPalette::BrightText);
    m_deed->setObjectName(QStringLiteral("link"));
    m_deed->setCursor(Qt::PointingHandCursor);
    auto* all = new QHBoxLayout(this);
    all->setContentsMargins(16, 6, 12, 6);
    all->addWidget(m_text, 1);
    all->addWidget(m_deed);
    connect(m_deed, &QToolButton::clicked, this, &Notice::asked);
    hide();
}

void Notice::say(const QString& text, const QString& deed)
{
    m_text->setText(text);
    m_deed->setText(deed);
    m_deed->setVisible(!deed.isEmpty());
    setVisible(!text.isEmpty());
}

QString Notice::text() const { return m_text->text(); }
} // namespace dscope::gui
