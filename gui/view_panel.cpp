#include "gui/view_panel.h"
#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>
namespace dscope::gui {
namespace {
/// What a view is called on its tab; its title says more.
QString tabName(std::string_view view)
{
    if (view == "process-tree") return ViewPanel::tr("Process tree");
    if (view == "flame") return ViewPanel::tr("Flame graph");
    if (view == "histogram") return ViewPanel::tr("Histogram");
    if (view == "bars") return ViewPanel::tr("Bars");
    if (view == "table") return ViewPanel::tr("Table");
    auto name = QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size())).replace(QChar('-'), QChar(' '));
    if (!name.isEmpty()) name[0] = name[0].toUpper();
    return name;
}
} // namespace

ViewPanel::ViewPanel(int place, QWidget* parent)
    : QWidget(parent), m_place(place), m_tabs(new QTabBar(this)), m_export(new QToolButton(this)), m_figure(new FigureView(this))
{
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setAccessibleName(tr("Views"));
    m_export->setText(tr("Export…"));
    m_export->setAutoRaise(true);
    m_export->setToolTip(tr("Write this view to a file"));
    m_export->setEnabled(false);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 6, 12, 0);
    head->addWidget(m_tabs);
    head->addStretch();
    head->addWidget(m_export);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(4);
    all->addLayout(head);
    all->addWidget(m_figure, 1);
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int tab) {
        if (m_filling || tab < 0) return;
        m_chosen = m_snapshot->views[m_views[static_cast<std::size_t>(tab)]].name;
        display(tab);
    });
    connect(m_export, &QToolButton::clicked, this, [this] {
        if (auto visual = shown()) Q_EMIT exportAsked(visual);
    });
}

std::shared_ptr<const graph::Visual> ViewPanel::shown() const { return m_figure->visual(); }

void ViewPanel::clear()
{
    m_snapshot.reset();
    m_views.clear();
    m_chosen.clear();
    m_filling = true;
    while (m_tabs->count() > 0)
        m_tabs->removeTab(0);
    m_filling = false;
    m_export->setEnabled(false);
    m_figure->setVisual(nullptr);
}

void ViewPanel::setSnapshot(const std::shared_ptr<const Snapshot>& snapshot)
{
    m_snapshot = snapshot;
    m_views.clear();
    for (std::size_t i = 0; i < snapshot->views.size(); ++i)
        m_views.push_back(i);
    m_filling = true;
    while (m_tabs->count() > static_cast<int>(m_views.size()))
        m_tabs->removeTab(m_tabs->count() - 1);
    while (m_tabs->count() < static_cast<int>(m_views.size()))
        m_tabs->addTab(QString());
    int current = std::min(m_place, m_tabs->count() - 1);
    for (std::size_t t = 0; t < m_views.size(); ++t) {
        const auto& view = snapshot->views[m_views[t]];
        const auto tab = static_cast<int>(t);
        if (const auto name = tabName(view.name); m_tabs->tabText(tab) != name) m_tabs->setTabText(tab, name);
        if (view.name == m_chosen) current = tab;
    }
    m_tabs->setCurrentIndex(current);
    m_filling = false;
    if (current >= 0) display(current);
}

void ViewPanel::display(int tab)
{
    const auto& view = m_snapshot->views[m_views[static_cast<std::size_t>(tab)]];
    m_tabs->setTabToolTip(tab, view.title.toHtmlEscaped());
    m_figure->setVisual(view.visual);
    m_export->setEnabled(true);
}
} // namespace dscope::gui
