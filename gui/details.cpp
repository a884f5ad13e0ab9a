#include "gui/details.h"
#include <QAbstractButton>
#include <QAction>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QVBoxLayout>
namespace dscope::gui {
namespace {
constexpr int kMargin = 6;

/// A link of as many lines as its text takes.
class Offer final : public QAbstractButton {
public:
    explicit Offer(const QString& text)
    {
        setText(text);
        setFocusPolicy(Qt::StrongFocus);
        setCursor(Qt::PointingHandCursor);
        auto policy = QSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        policy.setHeightForWidth(true);
        setSizePolicy(policy);
    }
    int heightForWidth(int width) const override { return needs(width) + 2 * kMargin; }
    bool hasHeightForWidth() const override { return true; }
    QSize sizeHint() const override { return {120, heightForWidth(120)}; }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const auto& colours = palette();
        if (isEnabled() && (underMouse() || hasFocus() || isDown())) {
            painter.setPen(hasFocus() ? QPen(colours.color(QPalette::Link), 1) : QPen(Qt::NoPen));
            painter.setBrush(colours.color(QPalette::Highlight));
            painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
        }
        painter.setPen(colours.color(isEnabled() ? QPalette::Link : QPalette::PlaceholderText));
        painter.drawText(rect().adjusted(kMargin, kMargin, -kMargin, -kMargin), Qt::TextWordWrap | Qt::AlignLeft, text());
    }
    void enterEvent(QEnterEvent*) override { update(); }
    void leaveEvent(QEvent*) override { update(); }

private:
    int needs(int width) const
    {
        return fontMetrics().boundingRect(QRect(0, 0, width - 2 * kMargin, 10'000), Qt::TextWordWrap | Qt::AlignLeft, text()).height();
    }
};

QLabel* label()
{
    auto* one = new QLabel;
    one->setTextFormat(Qt::PlainText);
    one->setWordWrap(true);
    one->setTextInteractionFlags(Qt::TextSelectableByMouse);
    // A long name without blanks is cut rather than wider than the part.
    one->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Minimum);
    return one;
}
/// QLabel breaks lines at blanks only: names get places to break at behind what joins their parts.
QString breakable(QString text)
{
    for (const auto* joint : {"::", "/", "`", "_", ",", "."})
        text.replace(QLatin1String(joint), QLatin1String(joint) + QChar(0x200B));
    return text;
}
} // namespace

Details::Details(QWidget* parent) : QScrollArea(parent), m_name(label()), m_text(label()), m_offers(new QVBoxLayout)
{
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Details"));
    setMinimumWidth(160);
    auto font = m_name->font();
    font.setWeight(QFont::DemiBold);
    m_name->setFont(font);
    auto* page = new QWidget;
    page->setObjectName(QStringLiteral("start")); // with the ground of the start page
    auto* all = new QVBoxLayout(page);
    all->setContentsMargins(16, 6, 12, 8);
    all->setSpacing(6);
    all->addWidget(m_name);
    all->addWidget(m_text);
    m_offers->setSpacing(0);
    m_offers->setContentsMargins(0, 6, 0, 0);
    all->addLayout(m_offers);
    all->addStretch(1);
    setWidget(page);
    clear();
}

Details::~Details() = default;

void Details::clear()
{
    m_isChosen = false;
    const auto hint = tr("Click on something that is drawn, or on a row of a table.");
    present(m_run.isEmpty() ? tr("Nothing is chosen") + QChar('\n') + hint : m_run + QStringLiteral("\n\n") + hint, nullptr);
}

void Details::setRun(const QString& about)
{
    m_run = about;
    if (!m_isChosen) clear();
}

void Details::show(const QString& about, std::unique_ptr<QMenu> menu)
{
    m_isChosen = true;
    present(about, std::move(menu));
}

void Details::present(const QString& about, std::unique_ptr<QMenu> menu)
{
    const auto end = about.indexOf(QChar('\n'));
    m_name->setText(breakable(about.left(end)));
    m_text->setText(end < 0 ? QString() : breakable(about.mid(end + 1)));
    m_text->setVisible(end >= 0);
    while (auto* old = m_offers->takeAt(0)) {
        // What was pressed is on the way still.
        if (auto* widget = old->widget()) {
            widget->hide();
            widget->deleteLater();
        }
        delete old;
    }
    m_actions.clear();
    if (menu) take(*menu);
    if (m_menu) m_menu.release()->deleteLater();
    m_menu = std::move(menu);
}

void Details::take(const QMenu& menu)
{
    for (auto* action : menu.actions()) {
        if (action->isSeparator()) {
            m_offers->addSpacing(8);
            continue;
        }
        auto text = action->text();
        auto* offer = new Offer(text.replace(QLatin1String("&&"), QLatin1String("&")));
        offer->setPalette(palette());
        offer->setEnabled(action->isEnabled());
        connect(offer, &QAbstractButton::clicked, action, &QAction::trigger);
        m_offers->addWidget(offer);
        if (action->isEnabled()) m_actions << action;
    }
}

QString Details::text() const
{
    auto text = m_name->text() + QChar('\n') + m_text->text();
    return text.remove(QChar(0x200B));
}

QStringList Details::offers() const
{
    QStringList all;
    for (const auto* action : m_actions)
        all << action->text();
    return all;
}

void Details::choose(int offer) { m_actions.at(offer)->trigger(); }
} // namespace dscope::gui
