// What a person has set: the main window obeys it.
#include "gui/main_window.h"
#include "gui/preferences_dialog.h"
#include "gui/rights.h"
#include "gui/style.h"
#include <QAction>
#include <QApplication>
#include <QEvent>
#include <QFont>
#include <QMenu>
namespace dscope::gui {
namespace {
constexpr double kProgramText = 10; ///< points of programs where the desktop's size is taken
constexpr auto kDesktopFont = "dscope-desktop-font";

/// The font that Qt began with: the text size is of the whole program, and may be taken back.
QFont desktopFont()
{
    if (!qApp->property(kDesktopFont).isValid()) qApp->setProperty(kDesktopFont, QApplication::font());
    return qApp->property(kDesktopFont).value<QFont>();
}
} // namespace

void MainWindow::setPreferences(const Preferences& preferences)
{
    preferences.keep();
    for (auto* widget : QApplication::topLevelWidgets())
        if (auto* window = qobject_cast<MainWindow*>(widget)) window->obey(preferences);
}

void MainWindow::obey(const Preferences& preferences)
{
    m_preferences = preferences;
    auto text = desktopFont();
    if (preferences.textSize > 0) text.setPointSizeF(preferences.textSize);
    if (QApplication::font() != text) QApplication::setFont(text); // of menus and dialogs
    setFont(text);                                                 // and of what a style sheet keeps the other from

    m_themes[static_cast<qsizetype>(preferences.ground)]->setChecked(true);
    const auto theme = preferences.theme();
    if (m_theme != theme) dress(*this, theme);
    m_theme = theme;
    m_views->setColours(preferences.paletteOrTheme());

    const auto program = monospace(preferences.textSize > 0 ? preferences.textSize : kProgramText, preferences.programFont);
    m_programs->setProgramFont(program);
    m_proposal->setProgramFont(program);
    m_message->setProgramFont(monospace(text.pointSizeF(), preferences.programFont));
    m_results->output().setFont(program);
    m_command->setFont(monospace(text.pointSizeF(), preferences.programFont));
    const bool isReadable = preferences.numbers == Preferences::Numbers::Readable;
    const auto numbers = isReadable ? TableModel::Numbers::Readable : TableModel::Numbers::Exact;
    m_results->setNumbers(numbers);
    m_functions->setNumbers(numbers);
    for (auto* dialog : findChildren<PreferencesDialog*>()) {
        dialog->setPreferences(preferences);
        dress(*dialog, theme);
    }
}

bool MainWindow::event(QEvent* e)
{
    const bool isDone = QMainWindow::event(e);
    // The desktop was switched to dark or light. Not from within what tells of it: each widget hears it in turn.
    if (e->type() == QEvent::ApplicationPaletteChange && m_theme && m_theme != m_preferences.theme())
        QMetaObject::invokeMethod(
            this, [this] { obey(m_preferences); }, Qt::QueuedConnection);
    return isDone;
}

Feed::Places MainWindow::places() const
{
    Feed::Places places;
    if (!m_preferences.sources.empty())
        places.sourceHere = [preferences = m_preferences](const std::string& named) { return preferences.sourceHere(named); };
    places.debugFolders = m_preferences.debugPath().toStdString();
    return places;
}

void MainWindow::showPreferences()
{
    if (auto* open = findChild<PreferencesDialog*>()) return open->activateWindow();
    auto* dialog = new PreferencesDialog(
        m_preferences, WaysToRoot::here().isRoot ? PreferencesDialog::Servers::Reached : PreferencesDialog::Servers::OutOfReach, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dress(*dialog, m_preferences.theme());
    connect(dialog, &PreferencesDialog::changed, this, [](const Preferences& changed) { setPreferences(changed); });
    dialog->show();
}

void MainWindow::buildEditMenu(QMenu& edit)
{
    // Lines and texts have these keys themselves: here they are only told.
    const auto told = [&](const QString& text, QKeySequence::StandardKey keys, const char* slot) {
        auto* action = edit.addAction(text, this, [slot] {
            // The widget itself, or what it is a part of.
            for (auto* widget = QApplication::focusWidget(); widget; widget = widget->parentWidget())
                if (widget->metaObject()->indexOfMethod(QByteArray(slot) + "()") >= 0) {
                    QMetaObject::invokeMethod(widget, slot);
                    return;
                }
        });
        action->setShortcutContext(Qt::WidgetShortcut);
        action->setShortcut(keys);
    };
    told(tr("&Undo"), QKeySequence::Undo, "undo");
    told(tr("&Redo"), QKeySequence::Redo, "redo");
    edit.addSeparator();
    told(tr("Cu&t"), QKeySequence::Cut, "cut");
    told(tr("&Copy"), QKeySequence::Copy, "copy");
    told(tr("&Paste"), QKeySequence::Paste, "paste");
    told(tr("Select &all"), QKeySequence::SelectAll, "selectAll");
    edit.addSeparator();
    edit.addAction(tr("&Format the program"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_I), this, [this] {
        if (!editor().format()) note(tr("The program has a mistake: format it once that is mended"));
    });
    edit.addSeparator();
    edit.addAction(tr("Pr&eferences…"), QKeySequence(Qt::CTRL | Qt::Key_Comma), this, &MainWindow::showPreferences);
}
} // namespace dscope::gui
