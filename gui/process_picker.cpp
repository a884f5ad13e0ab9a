#include "gui/process_picker.h"
#include "engine/host/host.h"
#include "gui/style.h"
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <unistd.h>
namespace dscope::gui {
namespace {
enum Column { kPid, kName, kContainer, kCommandColumn };
constexpr int kGroup = Qt::UserRole; ///< of the container's column: its path
/// Sorts by number where the column has numbers.
class ProcessItem final : public QTreeWidgetItem {
public:
    using QTreeWidgetItem::QTreeWidgetItem;

    bool operator<(const QTreeWidgetItem& other) const override
    {
        const int column = treeWidget() ? treeWidget()->sortColumn() : kPid;
        if (column == kPid) return text(kPid).toInt() < other.text(kPid).toInt();
        return text(column).localeAwareCompare(other.text(column)) < 0;
    }
};
} // namespace

std::vector<RunningProcess> runningProcesses(const host::Host& host)
{
    std::vector<RunningProcess> all;
    const auto entries = host.entries("/proc");
    if (!entries) return all;
    for (const auto& entry : *entries) {
        bool isPid = false;
        const int pid = QString::fromStdString(entry).toInt(&isPid);
        if (!isPid) continue;
        const auto name = host.read("/proc/" + entry + "/comm"), words = host.read("/proc/" + entry + "/cmdline");
        if (!name || !words) continue; // it has ended
        RunningProcess process{
            pid, QString::fromStdString(*name).trimmed(), QString::fromStdString(*words).replace(QChar('\0'), QChar(' ')).trimmed()};
        if (process.command.isEmpty()) process.command = QStringLiteral("[%1]").arg(process.name);
        process.container = containerOf(host, pid);
        all.push_back(std::move(process));
    }
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.pid < b.pid; });
    return all;
}

QString targetText(int pid) { return QStringLiteral("-p %1").arg(pid); }

int targetPid(const QString& text)
{
    static const QRegularExpression kProcess(QStringLiteral("^\\s*-p\\s*([0-9]{1,9})\\s*$"));
    const auto match = kProcess.match(text);
    return match.hasMatch() ? match.captured(1).toInt() : 0;
}

ProcessPicker::ProcessPicker(const std::vector<RunningProcess>& processes, QWidget* parent)
    : QDialog(parent), m_filter(new QLineEdit), m_list(new QTreeWidget), m_whole(new QPushButton(tr("All of its container")))
{
    setWindowTitle(tr("Trace a process"));
    resize(640, 460);
    m_filter->setPlaceholderText(tr("Name, command, container or pid"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setAccessibleName(tr("Filter"));
    m_list->setHeaderLabels({tr("pid"), tr("Program"), tr("Container"), tr("Command")});
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setAccessibleName(tr("Processes"));
    QList<QTreeWidgetItem*> items;
    bool hasContainers = false;
    for (const auto& process : processes) {
        if (process.pid == ::getpid()) continue;
        auto* item = new ProcessItem({QString::number(process.pid), process.name, process.container.name, process.command});
        item->setData(kContainer, kGroup, process.container.group);
        item->setToolTip(kContainer, plainTip(process.container.group));
        hasContainers = hasContainers || !process.container.name.isEmpty();
        items << item;
    }

    m_list->addTopLevelItems(items);
    m_list->setSortingEnabled(true);
    m_list->sortByColumn(kPid, Qt::AscendingOrder);
    for (const int column : {kPid, kName, kContainer})
        m_list->resizeColumnToContents(column);
    m_list->setColumnHidden(kContainer, !hasContainers);
    m_whole->setVisible(hasContainers);
    m_whole->setEnabled(false);
    m_whole->setToolTip(tr("The program gets a predicate for the container's control group"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    buttons->addButton(m_whole, QDialogButtonBox::ActionRole);
    auto* all = new QVBoxLayout(this);
    all->addWidget(m_filter);
    all->addWidget(m_list, 1);
    all->addWidget(buttons);
    const auto take = [this] {
        const auto* item = m_list->currentItem();
        if (!item || item->isHidden()) return;
        Q_EMIT chosen(item->text(kPid).toInt());
        accept();
    };

    connect(m_list, &QTreeWidget::currentItemChanged, this, [this](const QTreeWidgetItem* item) {
        m_whole->setEnabled(item && !item->isHidden() && !item->data(kContainer, kGroup).toString().isEmpty());
    });
    connect(m_whole, &QPushButton::clicked, this, [this] {
        const auto* item = m_list->currentItem();
        Q_EMIT containerChosen(item->text(kContainer), item->data(kContainer, kGroup).toString());
        accept();
    });
    connect(m_filter, &QLineEdit::textChanged, this, &ProcessPicker::narrow);
    connect(m_list, &QTreeWidget::itemActivated, this, take);
    connect(buttons, &QDialogButtonBox::accepted, this, take);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    m_filter->setFocus();
}

void ProcessPicker::narrow(const QString& text)
{
    QTreeWidgetItem* first = nullptr;
    for (int i = 0; i < m_list->topLevelItemCount(); ++i) {
        auto* item = m_list->topLevelItem(i);
        const bool matches = item->text(kPid) == text || item->text(kName).contains(text, Qt::CaseInsensitive)
            || item->text(kCommandColumn).contains(text, Qt::CaseInsensitive) || item->text(kContainer).contains(text, Qt::CaseInsensitive);
        item->setHidden(!matches);
        if (matches && !first) first = item;
    }
    m_list->setCurrentItem(first);
}
} // namespace dscope::gui
