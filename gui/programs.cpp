#include "gui/programs.h"
#include "gui/style.h"
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMenu>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
namespace dscope::gui {
namespace {
constexpr std::size_t kClosedKept = 10;
}

Programs::Programs(QWidget* parent)
    : QWidget(parent), m_head(new QWidget), m_tabs(new FlatTabs(tr("Programs"))), m_parameters(new ParameterForm),
      m_pages(new QStackedWidget)
{
    m_tabs->setContextMenuPolicy(Qt::CustomContextMenu);
    auto* more = new QToolButton;
    more->setObjectName(QStringLiteral("link"));
    more->setText(QStringLiteral("+"));
    more->setToolTip(tr("A new program (Ctrl+T)"));
    more->setAccessibleName(tr("New program"));
    more->setCursor(Qt::PointingHandCursor);
    auto* head = new QHBoxLayout(m_head);
    head->setContentsMargins(12, 6, 8, 0);
    head->setSpacing(2);
    head->addWidget(m_tabs);
    head->addWidget(more);
    head->addStretch();
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(4);
    all->addWidget(m_head);
    all->addWidget(m_parameters);
    all->addWidget(m_pages, 1);
    connect(more, &QToolButton::clicked, this, &Programs::newAsked);
    connect(m_parameters, &ParameterForm::runAsked, this, &Programs::runAsked);
    connect(m_tabs, &FlatTabs::closeAsked, this, &Programs::closeAsked);
    connect(m_tabs, &QWidget::customContextMenuRequested, this, &Programs::askAboutTab);
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int place) {
        if (place < 0) return;
        m_pages->setCurrentWidget(&editor());
        setFocusProxy(&editor());
        m_parameters->show(editor());
        Q_EMIT shown();
    });
    add({}, {});
}

int Programs::numberFor(const Origin& origin) const
{
    if (!origin.path.isEmpty() || !origin.name.isEmpty()) return 0;
    const auto isTaken
        = [this](int number) { return std::any_of(m_all.begin(), m_all.end(), [&](const Tab& one) { return one.number == number; }); };
    int number = 1;
    while (isTaken(number))
        ++number;
    return number;
}

Programs::Tab Programs::tab(const QString& text, const Origin& origin)
{
    Tab one{new Editor, origin, 0};
    auto* editor = one.editor;
    editor->setProgram(text);
    editor->completion().setProbes(m_probes);

    // What is told of a program that is not on show would be taken for that on show.
    const auto ifShown = [this, editor](auto say) {
        return [this, editor, say](const QString& what) {
            if (m_pages->currentWidget() == editor) say(what);
        };
    };
    connect(editor, &Editor::mistaken, this, ifShown([this](const QString& message) { Q_EMIT mistaken(message); }));
    connect(editor, &Editor::parsed, this, ifShown([this, editor](const QString& program) {
        m_parameters->show(*editor);
        Q_EMIT parsed(program);
    }));
    connect(&editor->completion(), &Completion::membersWanted, this,
        ifShown([this](const QString& program) { Q_EMIT membersWanted(program); }));
    connect(&editor->completion(), &Completion::probesWanted, this, &Programs::probesWanted);
    connect(editor, &QPlainTextEdit::textChanged, this, &Programs::changed);
    connect(editor->document(), &QTextDocument::modificationChanged, this, &Programs::refresh);

    one.number = numberFor(origin);
    return one;
}

int Programs::add(const QString& text, const Origin& origin, Where where)
{
    const auto before = m_pages->currentWidget();
    const int place = m_all.empty() ? 0 : current() + 1;
    m_all.insert(m_all.begin() + place, tab(text, origin));
    auto* editor = m_all[static_cast<std::size_t>(place)].editor;
    // Like what is there already: it was dressed before this one came.
    if (before) {
        editor->setPalette(before->palette());
        editor->setProgramFont(before->font());
    }
    m_pages->addWidget(editor);
    {
        const QSignalBlocker quiet(m_tabs);
        m_tabs->insertTab(place, QString());
    }
    refresh();
    if (where == Where::InFront) show(place);
    return place;
}

void Programs::show(int place)
{
    if (place != current())
        m_tabs->setCurrentIndex(place);
    else
        Q_EMIT m_tabs->currentChanged(place); // of the first tab, which is current from the start
}

void Programs::step(int by)
{
    if (count() < 2) return;
    show((current() + by + count()) % count());
    editor().setFocus();
}

void Programs::setOrigin(int place, const Origin& origin)
{
    auto& one = m_all[static_cast<std::size_t>(place)];
    one.origin = origin;
    one.number = 0; // its own may be taken again
    one.number = numberFor(origin);
    refresh();
}

QString Programs::title(int place) const
{
    const auto& one = m_all[static_cast<std::size_t>(place)];
    if (one.origin.path.isEmpty()) {
        if (!one.origin.name.isEmpty()) return one.origin.name;
        return one.number < 2 ? tr("Program") : tr("Program %1").arg(one.number);
    }
    // Files of one name are told apart by their folders.
    const QFileInfo file(one.origin.path);
    const bool isAlone = std::none_of(m_all.begin(), m_all.end(), [&](const Tab& other) {
        return &other != &one && !other.origin.path.isEmpty() && QFileInfo(other.origin.path).fileName() == file.fileName();
    });
    return isAlone ? file.fileName() : file.absoluteDir().dirName() + QChar('/') + file.fileName();
}

bool Programs::isModified(int place) const
{
    const auto& one = editor(place);
    return one.document()->isModified() && (!origin(place).path.isEmpty() || !one.toPlainText().trimmed().isEmpty());
}

bool Programs::isDisposable(int place) const { return !isModified(place) && origin(place).path.isEmpty(); }

std::optional<int> Programs::placeOfFile(const QString& path) const
{
    const auto found = std::find_if(m_all.begin(), m_all.end(),
        [&](const Tab& one) { return !one.origin.path.isEmpty() && QFileInfo(one.origin.path) == QFileInfo(path); });
    if (found == m_all.end()) return std::nullopt;
    return static_cast<int>(found - m_all.begin());
}

std::optional<int> Programs::placeOf(const Editor* editor) const
{
    const auto found = std::find_if(m_all.begin(), m_all.end(), [&](const Tab& one) { return one.editor == editor; });
    if (found == m_all.end()) return std::nullopt;
    return static_cast<int>(found - m_all.begin());
}

void Programs::refresh()
{
    for (int place = 0; place < count(); ++place) {
        const auto name = title(place);
        const auto& path = origin(place).path;
        m_tabs->setTabText(place, isModified(place) ? name + QStringLiteral(" •") : name);
        m_tabs->setTabToolTip(place, path.isEmpty() ? QString() : plainTip(path));
    }
    // A program that stands alone needs no cross.
    m_tabs->setClosable(count() > 1);
    Q_EMIT changed();
}

void Programs::close(int place)
{
    const auto& one = m_all[static_cast<std::size_t>(place)];
    auto* editor = one.editor;
    if (!editor->toPlainText().trimmed().isEmpty()) {
        m_closed.push_back({editor->toPlainText(), one.origin});
        if (m_closed.size() > kClosedKept) m_closed.erase(m_closed.begin());
    }
    if (count() == 1) add({}, {}, Where::Behind);
    m_all.erase(m_all.begin() + place);
    {
        const QSignalBlocker quiet(m_tabs);
        m_tabs->removeTab(place);
    }
    m_pages->removeWidget(editor);
    editor->deleteLater();
    refresh();
    Q_EMIT m_tabs->currentChanged(current());
}

bool Programs::reopen()
{
    if (m_closed.empty()) return false;
    const auto last = m_closed.back();
    m_closed.pop_back();
    auto origin = last.origin;
    if (const auto open = origin.path.isEmpty() ? std::nullopt : placeOfFile(origin.path)) {
        // One tab a file: what is the same is shown, another text has to find a file of its own.
        if (editor(*open).toPlainText() == last.text) {
            show(*open);
            return true;
        }
        origin = {{}, QFileInfo(origin.path).fileName()};
    }

    const int place = add(last.text, origin);

    // A program that has no file, or another text than its file, is not saved.
    QFile file(origin.path);
    const bool isSaved = !origin.path.isEmpty() && file.open(QIODevice::ReadOnly) && QString::fromUtf8(file.readAll()) == last.text;
    editor(place).document()->setModified(!isSaved);
    return true;
}

void Programs::setProbes(const QStringList& probes)
{
    m_probes = probes;
    for (const auto& one : m_all)
        one.editor->completion().setProbes(probes);
}

void Programs::setProgramFont(const QFont& font)
{
    for (const auto& one : m_all)
        one.editor->setProgramFont(font);
}

void Programs::askAboutTab(const QPoint& at)
{
    const int place = m_tabs->tabAt(at);
    if (place < 0) return;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);

    // By editor: places may be others by the time that somebody chooses.
    const auto close = [this](const Editor* which) {
        if (const auto where = placeOf(which)) Q_EMIT closeAsked(*where);
    };

    menu->addAction(tr("&Close"), this, [close, one = &editor(place)] { close(one); });
    auto* others = menu->addAction(tr("Close all &others"), this, [this, close, one = &editor(place)] {
        std::vector<const Editor*> rest;
        for (const auto& other : m_all)
            if (other.editor != one) rest.push_back(other.editor);
        for (const auto* other : rest) {
            close(other);
            if (placeOf(other)) return; // somebody wants to keep it: they are asked no more
        }
    });

    others->setEnabled(count() > 1);
    if (const auto path = origin(place).path; !path.isEmpty()) {
        menu->addSeparator();
        menu->addAction(tr("Copy &path"), this, [path] { QApplication::clipboard()->setText(path); });
    }
    menu->popup(m_tabs->mapToGlobal(at));
}
} // namespace dscope::gui
