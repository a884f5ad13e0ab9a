#include "gui/dock.h"
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
namespace dscope::gui {
namespace {
constexpr int kIcon = 10, kTitle = 34;

/// Six points: where to take hold of a part.
class Handle final : public QWidget {
public:
    Handle()
    {
        setFixedWidth(14);
        setCursor(Qt::SizeAllCursor);
        setToolTip(Dock::tr("Draw to move this part; double click takes it out of the window, or puts it back"));
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(palette().color(QPalette::PlaceholderText));
        const QPointF middle(width() - 4.0, height() / 2.0);
        for (int row = -1; row <= 1; ++row)
            for (const double x : {-4.0, 0.0})
                painter.drawEllipse(middle + QPointF(x, row * 4.0), 0.9, 0.9);
    }
};

QToolButton* button(const QString& name, const QString& tip)
{
    auto* one = new QToolButton;
    one->setObjectName(QStringLiteral("link"));
    one->setAccessibleName(name);
    one->setToolTip(tip);
    one->setIconSize({kIcon, kIcon});
    one->setFocusPolicy(Qt::TabFocus);
    return one;
}

template <typename Draw> QIcon drawn(const QWidget& on, Draw draw)
{
    const auto ratio = on.devicePixelRatioF();
    QPixmap map(QSize(kIcon, kIcon) * ratio);
    map.setDevicePixelRatio(ratio);
    map.fill(Qt::transparent);
    QPainter painter(&map);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(on.palette().color(QPalette::PlaceholderText), 1.3, Qt::SolidLine, Qt::RoundCap));
    draw(painter);
    return QIcon(map);
}
} // namespace

Dock::Dock(const QString& name, const QString& title, QWidget* content, QWidget* head)
    : QDockWidget(title), m_out(button(tr("Take out: %1").arg(title), tr("Take it out of the window, or put it back"))),
      m_close(button(tr("Close: %1").arg(title), tr("Close it; the menu Window brings it back")))
{
    setObjectName(name);
    setWidget(content);
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(2, 6, 6, 0);
    row->setSpacing(2);
    row->addWidget(new Handle);
    if (!head) {
        auto* label = new QLabel(title);
        label->setTextFormat(Qt::PlainText);
        label->setContentsMargins(6, 0, 6, 0);
        label->setMinimumHeight(kTitle); // titles and tabs of parts side by side stand on one line
        auto font = label->font();
        font.setWeight(QFont::DemiBold);
        label->setFont(font);
        head = label;
    }
    if (head->layout()) head->layout()->setContentsMargins(6, 0, 4, 0);
    row->addWidget(head, 1);
    row->addWidget(m_out);
    row->addWidget(m_close);
    setTitleBarWidget(bar);
    connect(m_out, &QToolButton::clicked, this, [this] { setFloating(!isFloating()); });
    connect(m_close, &QToolButton::clicked, this, [this] {
        close();
        Q_EMIT closeAsked();
    });
    drawIcons();
}

void Dock::changeEvent(QEvent* e)
{
    QDockWidget::changeEvent(e);
    if (e->type() == QEvent::PaletteChange) drawIcons();
}

void Dock::drawIcons()
{
    m_out->setIcon(drawn(*this, [](QPainter& p) {
        p.drawRect(QRectF(1, 3, 6, 6));
        p.drawPolyline(QPolygonF({{4, 3}, {4, 1}, {9, 1}, {9, 6}, {7, 6}}));
    }));
    m_close->setIcon(drawn(*this, [](QPainter& p) {
        p.drawLine(QPointF(2, 2), QPointF(8, 8));
        p.drawLine(QPointF(8, 2), QPointF(2, 8));
    }));
}
} // namespace dscope::gui
