#include "gui/help.h"
#include <QCoreApplication>
#include <QMessageBox>
namespace dscope::gui {
namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(Help)
};
struct Gesture {
    const char *keys, *what;
};
constexpr Gesture kGestures[] = {
    {"F5", QT_TRANSLATE_NOOP("Help", "run the program")},
    {"Shift+F5", QT_TRANSLATE_NOOP("Help", "stop it: END fires and the aggregations come")},
    {"Ctrl+F5", QT_TRANSLATE_NOOP("Help", "pause, and go on")},
    {"Ctrl+D", QT_TRANSLATE_NOOP("Help", "what has changed since the run before")},
    {"Ctrl+O, Ctrl+S", QT_TRANSLATE_NOOP("Help", "open a file, save the program")},
    {"Ctrl+T, Ctrl+W", QT_TRANSLATE_NOOP("Help", "a new program in a tab of its own; close it")},
    {"Ctrl+Tab", QT_TRANSLATE_NOOP("Help", "the next program; Shift goes back")},
    {"Ctrl+E", QT_TRANSLATE_NOOP("Help", "export the view")},
    {"Ctrl+F or /", QT_TRANSLATE_NOOP("Help", "search in all views; Enter and n go on, Shift goes back")},
    {"F6, Shift+F6", QT_TRANSLATE_NOOP("Help", "go to the next pane, or to the one before")},
    {"F1, Shift+F1", QT_TRANSLATE_NOOP("Help", "what a word of the program means; this list")},
    {"Esc, then Tab", QT_TRANSLATE_NOOP("Help", "leave the editor, where Tab alone indents")},
    {"Ctrl+Space", QT_TRANSLATE_NOOP("Help", "complete a word or a probe")},
    {"Ctrl+B, Ctrl+M", QT_TRANSLATE_NOOP("Help", "hide or show the side bar, and the program with its results")},
    {"Ctrl+Shift+P", QT_TRANSLATE_NOOP("Help", "all commands, found by typing")},
    {"Shift+F11", QT_TRANSLATE_NOOP("Help", "the pictures alone, as for showing them to others")},
    {"F11", QT_TRANSLATE_NOOP("Help", "full screen")},
    {"Right click or Menu", QT_TRANSLATE_NOOP("Help", "ask further about a mark, a frame or a row")},
    {"Click, Esc", QT_TRANSLATE_NOOP("Help", "show a frame alone, and go back")},
    {"Shift+drag", QT_TRANSLATE_NOOP("Help", "in a timeline, series or heat map: show this stretch of time in all views")},
    {"Ctrl+Shift+H", QT_TRANSLATE_NOOP("Help", "the start page, and back to the pictures")},
    {"Alt+Left, Alt+Home", QT_TRANSLATE_NOOP("Help", "what was shown before; all of the run")},
    {"Arrows, Enter", QT_TRANSLATE_NOOP("Help", "walk from mark to mark; Enter is a click")},
    {"Ctrl+wheel, Ctrl+0", QT_TRANSLATE_NOOP("Help", "zoom; the whole figure")},
};
void show(QWidget& parent, const QString& title, const QString& text)
{
    auto* box = new QMessageBox(QMessageBox::NoIcon, title, text, QMessageBox::Close, &parent);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::RichText);
    box->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    box->setModal(false);
    box->show();
}
} // namespace

void showShortcuts(QWidget& parent)
{
    QString rows;
    for (const auto& [keys, what] : kGestures)
        rows += QStringLiteral("<tr><td style=\"padding-right: 24px\"><b>%1</b></td><td>%2</td></tr>")
                    .arg(QLatin1String(keys), Words::tr(what).toHtmlEscaped());
    show(parent, Words::tr("Keyboard and mouse"), QStringLiteral("<table>%1</table>").arg(rows));
}

void showAbout(QWidget& parent)
{
    show(parent, Words::tr("About dscope"),
        QStringLiteral("<h3>dscope %1</h3><p>%2</p><p>Qt %3</p>")
            .arg(QCoreApplication::applicationVersion(),
                Words::tr("Runs D programs on this machine and draws what they yield: process trees, distributions, flame graphs.")
                    .toHtmlEscaped(),
                QString::fromLatin1(qVersion())));
}
} // namespace dscope::gui
