#include "gui/sidebar.h"
#include "engine/host/host.h"
#include "engine/probe/registry.h"
#include "gui/flat_tabs.h"
#include "gui/own_recipes.h"
#include "gui/style.h"
#include "gui/texts.h"
#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QStackedWidget>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>
namespace dscope::gui {
namespace {
constexpr int kRow = 24, kGroupRow = 34, kProgram = Qt::UserRole, kIsOwn = Qt::UserRole + 1;

/// Groups as small grey headings, questions as rows whose selection is a rounded field.
class RecipeDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        return {option.fontMetrics.horizontalAdvance(index.data().toString()) + 40, isGroup(index) ? kGroupRow : kRow};
    }

    void paint(QPainter* p, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        p->save();
        p->setRenderHint(QPainter::Antialiasing);
        auto box = option.rect;
        box.setLeft(0);
        const auto& colors = option.palette;
        if (isGroup(index)) {
            auto font = option.font;
            font.setWeight(QFont::DemiBold);
            font.setPointSizeF(font.pointSizeF() * 0.92);
            p->setFont(font);
            p->setPen(colors.color(QPalette::PlaceholderText));
            p->drawText(box.adjusted(12, 6, -8, -2), Qt::AlignLeft | Qt::AlignVCenter, index.data().toString());
        } else {
            const bool isSelected = option.state & QStyle::State_Selected, isHovered = option.state & QStyle::State_MouseOver;
            if (isSelected || isHovered) {
                p->setPen(Qt::NoPen);
                p->setBrush(colors.color(isSelected ? QPalette::Highlight : QPalette::AlternateBase));
                p->drawRoundedRect(QRectF(box).adjusted(7, 0.5, -7, -0.5), 4, 4);
            }
            p->setPen(colors.color(QPalette::Text));
            const auto place = box.adjusted(20, 0, -12, 0);
            p->drawText(place, Qt::AlignLeft | Qt::AlignVCenter,
                option.fontMetrics.elidedText(index.data().toString(), Qt::ElideRight, place.width()));
        }
        p->restore();
    }

private:
    static bool isGroup(const QModelIndex& index) { return !index.parent().isValid(); }
};

QTreeWidget* tree(const QString& name)
{
    auto* widget = new QTreeWidget;
    widget->setHeaderHidden(true);
    widget->setFrameShape(QFrame::NoFrame);
    widget->setAccessibleName(name);
    widget->setMouseTracking(true);
    widget->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    widget->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    widget->setUniformRowHeights(false);
    return widget;
}
} // namespace

Sidebar::Sidebar(QWidget* parent)
    : QWidget(parent), m_recipes(tree(tr("Recipes"))), m_probes(tree(tr("Probes"))), m_head(new QWidget), m_filter(new QLineEdit)
{
    setMinimumWidth(180);
    auto* tabs = new FlatTabs(tr("What to run"));
    tabs->addTab(tr("Recipes"));
    tabs->addTab(tr("Probes"));
    m_recipes->setIndentation(0);
    m_recipes->setRootIsDecorated(false);
    m_recipes->setItemDelegate(new RecipeDelegate(m_recipes));
    refreshRecipes();
    // Only one's own have something to ask about.
    auto* discard = new QAction(tr("Remove this recipe"), m_recipes);
    discard->setShortcut(QKeySequence::Delete);
    discard->setShortcutContext(Qt::WidgetShortcut);
    m_recipes->addAction(discard);
    connect(discard, &QAction::triggered, this, [this] {
        if (const auto* item = m_recipes->currentItem(); item && item->data(0, kIsOwn).toBool()) Q_EMIT removeAsked(item->text(0));
    });
    m_recipes->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_recipes, &QWidget::customContextMenuRequested, this, &Sidebar::askAboutRecipe);
    m_probes->setObjectName(QStringLiteral("probes"));
    m_probes->setIndentation(14);
    m_probes->setUniformRowHeights(true);
    m_filter->setPlaceholderText(tr("Filter probes"));
    m_filter->setClearButtonEnabled(true);
    auto* probes = new QWidget;
    auto* below = new QVBoxLayout(probes);
    below->setContentsMargins(12, 6, 4, 0);
    below->addWidget(m_filter);
    below->addWidget(m_probes, 1);
    auto* pages = new QStackedWidget;
    pages->addWidget(m_recipes);
    pages->addWidget(probes);
    auto* head = new QHBoxLayout(m_head);
    head->setContentsMargins(12, 6, 8, 0);
    head->addWidget(tabs);
    head->addStretch();
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(4);
    all->addWidget(m_head);
    all->addWidget(pages, 1);
    connect(tabs, &QTabBar::currentChanged, this, [this, pages](int tab) {
        pages->setCurrentIndex(tab);
        if (tab == 1) listProbes();
    });

    const auto choose = [this](QTreeWidgetItem* item) {
        if (const auto program = item->data(0, kProgram).toString(); !program.isEmpty()) Q_EMIT recipeChosen(program);
    };
    connect(m_recipes, &QTreeWidget::itemClicked, this, choose);
    connect(m_recipes, &QTreeWidget::itemActivated, this, choose);
    connect(m_probes, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
        if (const auto probe = item->data(0, kProgram).toString(); !probe.isEmpty()) Q_EMIT probeChosen(probe);
    });
    connect(m_filter, &QLineEdit::textChanged, this, &Sidebar::filterProbes);
}

Sidebar::~Sidebar()
{
    if (m_lister) m_lister->wait();
}

void Sidebar::askAboutRecipe(const QPoint& at)
{
    const auto* item = m_recipes->itemAt(at);
    if (!item || !item->data(0, kIsOwn).toBool()) return;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Remove this recipe"), this, [this, question = item->text(0)] { Q_EMIT removeAsked(question); });
    menu->popup(m_recipes->viewport()->mapToGlobal(at));
}

void Sidebar::refreshRecipes()
{
    m_recipes->clear();
    QTreeWidgetItem* group = nullptr;
    for (const auto& recipe : offeredRecipes()) {
        if (!group || group->text(0) != recipe.group) {
            group = new QTreeWidgetItem(m_recipes, {recipe.group});
            group->setFlags(Qt::ItemIsEnabled);
        }
        auto* item = new QTreeWidgetItem(group, {recipe.question});
        item->setData(0, kProgram, recipe.program);
        item->setData(0, kIsOwn, recipe.isOwn);
        item->setToolTip(0, plainTip(item->text(0)));
    }
    m_recipes->expandAll();
    m_recipes->setItemsExpandable(false);
}

void Sidebar::listProbes()
{
    if (m_lister) return;
    auto* waiting = new QTreeWidgetItem(m_probes, {tr("Listing probes…")});
    waiting->setFlags(Qt::NoItemFlags);
    m_lister.reset(QThread::create([this] {
        std::vector<Listing> all;
        const auto host = host::local();
        const probe::Registry registry(*host, providers::all());
        for (const auto& provider : registry.providers()) {
            Listing listing{fromView(provider->name()), fromView(provider->summary()), {}};
            const auto listed = provider->list(*host, {}, [&](const probe::Name& p) {
                listing.probes.emplace_back(QString::fromStdString(p.function.empty() ? p.name : p.function + ":" + p.name),
                    QString::fromStdString(p.provider + "::" + p.function + ":" + p.name));
            });
            if (!listed) listing.summary = QString::fromStdString(listed.error().message);
            std::sort(listing.probes.begin(), listing.probes.end());
            all.push_back(std::move(listing));
        }
        QMetaObject::invokeMethod(
            this, [this, all = std::move(all)] { fillProbes(all); }, Qt::QueuedConnection);
    }));
    m_lister->start();
}

void Sidebar::fillProbes(const std::vector<Listing>& all)
{
    m_probes->clear();
    QList<QTreeWidgetItem*> tops;
    QStringList descriptions;
    for (const auto& listing : all) {
        auto* top = new QTreeWidgetItem({listing.provider});
        top->setToolTip(0, plainTip(listing.summary));
        QList<QTreeWidgetItem*> below;
        for (const auto& [shown, inserted] : listing.probes) {
            auto* item = new QTreeWidgetItem({shown});
            item->setData(0, kProgram, inserted);
            below << item;
            descriptions << inserted;
        }
        top->addChildren(below);
        tops << top;
    }
    m_probes->addTopLevelItems(tops);
    filterProbes(m_filter->text());
    Q_EMIT probesListed(descriptions);
}

void Sidebar::filterProbes(const QString& text)
{
    for (int i = 0; i < m_probes->topLevelItemCount(); ++i) {
        auto* top = m_probes->topLevelItem(i);
        bool any = top->text(0).contains(text, Qt::CaseInsensitive);
        const bool all = any;
        for (int k = 0; k < top->childCount(); ++k) {
            auto* item = top->child(k);
            const bool matches = all || item->data(0, kProgram).toString().contains(text, Qt::CaseInsensitive);
            item->setHidden(!matches);
            any = any || matches;
        }
        top->setHidden(!any);
        top->setExpanded(!text.isEmpty() && any && !all);
    }
}
} // namespace dscope::gui
