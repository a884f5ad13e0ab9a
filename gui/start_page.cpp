#include "gui/start_page.h"
#include "gui/own_recipes.h"
#include "gui/style.h"
#include <QComboBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QResizeEvent>
#include <QToolButton>
#include <algorithm>
namespace dscope::gui {
namespace {
constexpr int kShownFiles = 6, kColumnWidth = 230, kMostColumns = 4, kListsWidth = 560;

QLabel* heading(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    auto font = label->font();
    font.setWeight(QFont::DemiBold);
    label->setFont(font);
    return label;
}
QLabel* sentence(const QString& text, QWidget* parent, QPalette::ColorRole role = QPalette::PlaceholderText)
{
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setPalette(parent->palette());
    label->setForegroundRole(role);
    return label;
}
QToolButton* link(const QString& text, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setObjectName(QStringLiteral("link"));
    button->setText(text);
    button->setAccessibleName(text);
    button->setCursor(Qt::PointingHandCursor);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setPalette(parent->palette());
    return button;
}
QVBoxLayout* column(QWidget* box)
{
    auto* rows = new QVBoxLayout(box);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(1);
    return rows;
}
/// Empties a column but for its heading.
void clearBelowHeading(QVBoxLayout* rows)
{
    while (rows->count() > 1) {
        const auto* item = rows->takeAt(1);
        delete item->widget();
        delete item;
    }
}
} // namespace

StartPage::StartPage(QWidget* parent) : QScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Start page"));
    setFocusPolicy(Qt::NoFocus);
    auto* page = new QWidget;
    page->setObjectName(QStringLiteral("start"));
    auto* all = new QVBoxLayout(page);
    all->setContentsMargins(24, 16, 24, 20);
    all->setSpacing(16);
    auto* head = new QHBoxLayout;
    auto* title = heading(tr("What do you want to know?"), page);
    auto font = title->font();
    font.setPointSizeF(font.pointSizeF() * 1.5);
    title->setFont(font);
    title->setWordWrap(true);
    m_tour = link(tr("Two-minute tour"), page);
    head->addWidget(title, 1);
    head->addWidget(m_tour);
    all->addLayout(head);
    all->addWidget(buildRecord());
    all->addWidget(buildLists()); // before the questions, which the side bar has too
    all->addWidget(buildQuestions());
    all->addStretch(1);
    setWidget(page);
    connect(m_tour, &QToolButton::clicked, this, &StartPage::tourAsked);
    setRecent({});
    setMachine({});
}

QWidget* StartPage::buildRecord()
{
    auto* box = new QWidget;
    auto* rows = column(box);
    rows->setSpacing(6);
    rows->addWidget(heading(tr("Record now"), box));
    auto* first = new QHBoxLayout;
    m_command = new QLineEdit;
    m_command->setPlaceholderText(tr("A command, or nothing for the whole machine"));
    m_command->setAccessibleName(tr("Command to record"));
    m_command->setClearButtonEnabled(true);
    auto* process = link(tr("A process…"), box);
    process->setToolTip(tr("Choose a process that runs"));
    first->addWidget(m_command, 1);
    first->addWidget(process);
    auto* second = new QHBoxLayout;
    m_question = new QComboBox;
    m_question->setAccessibleName(tr("Question"));
    m_question->setMinimumWidth(80);
    m_question->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_record = new QToolButton;
    m_record->setObjectName(QStringLiteral("deed"));
    m_record->setText(tr("Record now"));
    m_record->setToolTip(tr("Runs it at once; File › Save run as… keeps it"));
    m_record->setFocusPolicy(Qt::StrongFocus);
    m_record->setCursor(Qt::PointingHandCursor);
    second->addWidget(m_question, 1);
    second->addWidget(m_record);
    rows->addLayout(first);
    rows->addLayout(second);
    const auto record = [this] { Q_EMIT recordAsked(m_question->currentData().toString(), m_command->text().trimmed()); };
    connect(m_record, &QToolButton::clicked, this, record);
    connect(m_command, &QLineEdit::returnPressed, this, record);
    connect(process, &QToolButton::clicked, this, &StartPage::processAsked);
    return box;
}

QWidget* StartPage::buildQuestions()
{
    auto* box = new QWidget;
    m_groups = new QGridLayout(box);
    m_groups->setContentsMargins(0, 0, 0, 0);
    m_groups->setHorizontalSpacing(18);
    m_groups->setVerticalSpacing(12);
    refreshRecipes();
    return box;
}

QWidget* StartPage::buildLists()
{
    auto* box = new QWidget;
    m_lists = new QGridLayout(box);
    m_lists->setContentsMargins(0, 0, 0, 0);
    m_lists->setHorizontalSpacing(24);
    m_lists->setVerticalSpacing(14);
    m_recentBox = new QWidget(box);
    m_recent = column(m_recentBox);
    m_recent->addWidget(heading(tr("Go on with"), m_recentBox));
    m_machineBox = new QWidget(box);
    m_machine = column(m_machineBox);
    m_machine->addWidget(heading(tr("What this machine can trace"), m_machineBox));
    return box;
}

void StartPage::refreshRecipes()
{
    const auto chosen = m_question->currentText();
    m_question->clear();
    qDeleteAll(m_groupBoxes);
    m_groupBoxes.clear();
    QString name;
    QVBoxLayout* rows = nullptr;
    auto* box = m_groups->parentWidget();
    for (const auto& recipe : offeredRecipes()) {
        if (!rows || recipe.group != name) {
            auto* one = new QWidget(box);
            rows = column(one);
            auto* title = heading(recipe.group, one);
            title->setPalette(box->palette());
            rows->addWidget(title);
            m_groupBoxes << one;
            name = recipe.group;
        }
        auto* question = link(recipe.question, m_groupBoxes.back());
        question->setPalette(box->palette());
        question->setToolTip(tr("Writes the program that answers it; F5 runs it"));
        rows->addWidget(question);
        connect(question, &QToolButton::clicked, this, [this, program = recipe.program] { Q_EMIT recipeChosen(program); });
        m_question->addItem(recipe.question, recipe.program);
    }
    m_question->setCurrentIndex(std::max(0, m_question->findText(chosen)));
    m_columns = 0;
    arrangeQuestions();
}

void StartPage::arrangeQuestions()
{
    const int room = viewport()->width() - 48;
    const int columns = std::clamp(room / (fontMetrics().averageCharWidth() * 4 + kColumnWidth - 28), 1, kMostColumns);
    const bool isWide = room >= kListsWidth;
    if (columns == m_columns && isWide == m_isWide) return;
    m_columns = columns;
    m_isWide = isWide;
    for (int c = 0; c < kMostColumns; ++c)
        m_groups->setColumnStretch(c, c < columns ? 1 : 0);
    int place = 0;
    for (auto* one : m_groupBoxes) {
        m_groups->addWidget(one, place / columns, place % columns, Qt::AlignTop | Qt::AlignLeft);
        ++place;
    }
    m_lists->addWidget(m_recentBox, 0, 0, Qt::AlignTop);
    m_lists->addWidget(m_machineBox, isWide ? 0 : 1, isWide ? 1 : 0, Qt::AlignTop);
    m_lists->setColumnStretch(0, 2);
    m_lists->setColumnStretch(1, isWide ? 3 : 0);
}

void StartPage::resizeEvent(QResizeEvent* e)
{
    QScrollArea::resizeEvent(e);
    arrangeQuestions();
}

void StartPage::setRecent(const QStringList& paths)
{
    m_files = paths;
    refillRecent();
}

void StartPage::setSessions(const QStringList& names)
{
    m_sessions = names;
    refillRecent();
}

void StartPage::refillRecent()
{
    clearBelowHeading(m_recent);
    int shown = 0;
    for (int place = 0; place < m_sessions.size(); ++place) {
        auto* one = link(m_sessions[place], m_recentBox);
        one->setToolTip(tr("What this window had when it was closed"));
        connect(one, &QToolButton::clicked, this, [this, place] { Q_EMIT sessionChosen(place); });
        m_recent->addWidget(one);
    }

    for (const auto& path : m_files) {
        if (shown == kShownFiles || !QFileInfo::exists(path)) continue;
        auto* one = link(QFileInfo(path).fileName(), m_recentBox);
        one->setToolTip(plainTip(path));
        connect(one, &QToolButton::clicked, this, [this, path] { Q_EMIT fileChosen(path); });
        m_recent->addWidget(one);
        ++shown;
    }

    if (shown == 0 && m_sessions.isEmpty())
        m_recent->addWidget(sentence(tr("Nothing yet: what you open or save will be found here."), m_recentBox));
    auto* open = link(tr("Open a file…"), m_recentBox);
    open->setToolTip(tr("Programs, recordings, figures and other tools' text; they can be dropped here, too"));
    connect(open, &QToolButton::clicked, this, &StartPage::openAsked);
    m_recent->addWidget(open);
    auto* collect = link(tr("Collect from hosts…"), m_recentBox);
    collect->setToolTip(tr("What many hosts send to a broker, as one run"));
    connect(collect, &QToolButton::clicked, this, &StartPage::collectAsked);
    m_recent->addWidget(collect);
}

void StartPage::setMachine(const std::vector<MachineLine>& lines)
{
    clearBelowHeading(m_machine);
    if (lines.empty()) m_machine->addWidget(sentence(tr("Looking…"), m_machineBox));
    for (const auto& line : lines) {
        using State = MachineLine::State;
        const auto mark = line.state == State::Works ? QStringLiteral("✓ ")
            : line.state == State::Fails             ? QStringLiteral("✗ ")
                                                     : QStringLiteral("? ");
        m_machine->addWidget(
            sentence(mark + line.text, m_machineBox, line.state == State::Fails ? QPalette::BrightText : QPalette::WindowText));
        if (!line.why.isEmpty()) m_machine->addWidget(sentence(line.why, m_machineBox));
    }
    auto* more = link(tr("All of it…"), m_machineBox);
    connect(more, &QToolButton::clicked, this, &StartPage::doctorAsked);
    m_machine->addWidget(more);
}

void StartPage::setMachineTrouble(const QString& why)
{
    clearBelowHeading(m_machine);
    m_machine->addWidget(sentence(why, m_machineBox, QPalette::BrightText));
}

void StartPage::setTourSeen(bool isSeen) { m_tour->setText(isSeen ? tr("Tour again") : tr("Two-minute tour")); }

void StartPage::setCommand(const QString& command)
{
    if (m_command->text() != command) m_command->setText(command); // the cursor stays where somebody types
}
} // namespace dscope::gui
