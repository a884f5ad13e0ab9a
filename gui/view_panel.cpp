#include "gui/view_panel.h"
#include "gui/selection_bar.h"
#include "gui/style.h"
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QVBoxLayout>
namespace dscope::gui {
ViewPanel::ViewPanel(QWidget* parent)
    : QWidget(parent), m_head(new QWidget), m_tabs(new FlatTabs(tr("Views"))), m_export(new QToolButton), m_caveat(new QLabel),
      m_figure(new FigureView)
{
    m_export->setText(tr("Export…"));
    m_export->setObjectName(QStringLiteral("link"));
    m_export->setToolTip(tr("Write this view to a file"));
    m_export->setCursor(Qt::PointingHandCursor);
    m_export->hide();
    auto* head = new QHBoxLayout(m_head);
    head->setContentsMargins(16, 6, 12, 0);
    head->addWidget(m_tabs, 1);
    head->addWidget(m_export);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(2);
    all->addWidget(m_head);
    m_caveat->setTextFormat(Qt::PlainText);
    m_caveat->setWordWrap(true);
    m_caveat->setContentsMargins(16, 2, 12, 4);
    m_caveat->setForegroundRole(QPalette::BrightText);
    m_caveat->hide();
    all->addWidget(m_caveat);
    all->addWidget(m_figure, 1);
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int tab) {
        if (tab < 0 || static_cast<std::size_t>(tab) >= m_views.size()) return;
        Q_EMIT chosen(m_snapshot->views[m_views[static_cast<std::size_t>(tab)]].facts.name);
    });
    connect(m_export, &QToolButton::clicked, this, [this] {
        if (auto visual = shown()) Q_EMIT exportAsked(visual);
    });
}

void ViewPanel::clear()
{
    const QSignalBlocker quiet(m_tabs);
    m_snapshot.reset();
    m_views.clear();
    while (m_tabs->count() > 0)
        m_tabs->removeTab(0);
    m_export->hide();
    m_caveat->hide();
    m_figure->setVisual(nullptr);
}

void ViewPanel::setViews(std::shared_ptr<const Snapshot> snapshot, std::vector<std::size_t> views, std::size_t current)
{
    const QSignalBlocker quiet(m_tabs);
    m_snapshot = std::move(snapshot);
    m_views = std::move(views);
    while (m_tabs->count() > static_cast<int>(m_views.size()))
        m_tabs->removeTab(m_tabs->count() - 1);
    while (m_tabs->count() < static_cast<int>(m_views.size()))
        m_tabs->addTab(QString());
    for (std::size_t t = 0; t < m_views.size(); ++t) {
        const auto& view = m_snapshot->views[m_views[t]];
        const auto tab = static_cast<int>(t);
        if (const auto name = tr(std::string(view.facts.tab).c_str()); m_tabs->tabText(tab) != name) m_tabs->setTabText(tab, name);
        m_tabs->setTabToolTip(tab, plainTip(view.title));
    }
    m_tabs->setCurrentIndex(static_cast<int>(current));
    m_export->show();
    const auto ignored = SelectionBar::textsOf(m_snapshot->views[m_views[current]].ignored, m_snapshot->started);
    QStringList known;
    for (const auto& text : m_snapshot->said)
        known << QString::fromStdString(text);
    if (!ignored.isEmpty()) known << tr("Not in this view, which shows the run without it: %1").arg(ignored.join(QStringLiteral(", ")));
    m_caveat->setText(known.join(QStringLiteral(" · ")));
    m_caveat->setVisible(!known.isEmpty());
    m_figure->setSaid(m_snapshot->said);
    const auto& view = m_snapshot->views[m_views[current]];
    m_figure->setVisual(view.visual, view.isOld ? FigureView::Draw::WhenRenewed : FigureView::Draw::Now);
}
} // namespace dscope::gui
