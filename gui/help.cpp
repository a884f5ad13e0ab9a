#include "gui/help.h"
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QKeySequence>
#include <QLabel>
#include <QMessageBox>
#include <QVBoxLayout>
#include <iterator>
namespace dscope::gui {
namespace {
struct HelpWords {
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
    {"Ctrl+F, /", QT_TRANSLATE_NOOP("Help", "search in all views; Enter and n go on, Shift goes back")},
    {"F6, Shift+F6", QT_TRANSLATE_NOOP("Help", "go to the next pane, or to the one before")},
    {"F1, Shift+F1", QT_TRANSLATE_NOOP("Help", "what a word of the program means; this list")},
    {"Esc, Tab", QT_TRANSLATE_NOOP("Help", "leave the editor, where Tab alone indents")},
    {"Ctrl+Space", QT_TRANSLATE_NOOP("Help", "complete a word or a probe")},
    {"Ctrl+B, Ctrl+M", QT_TRANSLATE_NOOP("Help", "hide or show the questions, and the program with its results")},
    {"Ctrl+2, Ctrl+I", QT_TRANSLATE_NOOP("Help", "hide or show a second view, and details of what is chosen")},
    {"Ctrl+Shift+P", QT_TRANSLATE_NOOP("Help", "all commands, found by typing")},
    {"Shift+F11", QT_TRANSLATE_NOOP("Help", "the pictures alone, as for showing them to others")},
    {"F11", QT_TRANSLATE_NOOP("Help", "full screen")},
    {"Right click, Menu", QT_TRANSLATE_NOOP("Help", "ask further about a mark, a frame or a row")},
    {"Click, Esc", QT_TRANSLATE_NOOP("Help", "show a frame alone, and go back")},
    {"Shift+drag", QT_TRANSLATE_NOOP("Help", "in a timeline, series or heat map: show this stretch of time in all views")},
    {"Ctrl+Shift+H", QT_TRANSLATE_NOOP("Help", "the start page, and back to the pictures")},
    {"Alt+Left, Alt+Right", QT_TRANSLATE_NOOP("Help", "what was shown before, and after")},
    {"Arrows, Enter", QT_TRANSLATE_NOOP("Help", "walk from mark to mark; Enter is a click")},
    {"Ctrl+wheel, Ctrl+0", QT_TRANSLATE_NOOP("Help", "zoom; the whole figure")},
};
// What is no name of a key.
[[maybe_unused]] constexpr const char* kMouse[]{QT_TRANSLATE_NOOP("Help", "Right click"), QT_TRANSLATE_NOOP("Help", "Click"),
    QT_TRANSLATE_NOOP("Help", "Shift+drag"), QT_TRANSLATE_NOOP("Help", "Ctrl+wheel"), QT_TRANSLATE_NOOP("Help", "Arrows")};
constexpr int kMeaning = 250; ///< pixels wide
/// "Strg+F, /" of "Ctrl+F, /": as the keyboard of the language has it.
QString keysText(const char* keys)
{
    QStringList all;
    for (const auto& one : QString::fromLatin1(keys).split(QStringLiteral(", "))) {
        const QKeySequence sequence(one, QKeySequence::PortableText);
        const bool isKey = sequence.count() == 1 && sequence[0].key() != Qt::Key_unknown && sequence[0].key() != Qt::Key(0);
        all << (isKey ? sequence.toString(QKeySequence::NativeText) : HelpWords::tr(one.toLatin1().constData()));
    }
    return all.join(QStringLiteral(", "));
}
QLabel* label(const QString& text, QFont::Weight weight)
{
    auto* one = new QLabel(text);
    one->setTextFormat(Qt::PlainText);
    auto font = one->font();
    font.setWeight(weight);
    one->setFont(font);
    one->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    return one;
}
} // namespace

void showShortcuts(QWidget& parent)
{
    auto* dialog = new QDialog(&parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(HelpWords::tr("Keyboard and mouse"));
    auto* all = new QVBoxLayout(dialog);
    all->setContentsMargins(24, 20, 24, 16);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(18);
    grid->setVerticalSpacing(6);
    constexpr int kHalf = (std::size(kGestures) + 1) / 2; // two columns fit a small screen
    for (int i = 0; i < static_cast<int>(std::size(kGestures)); ++i) {
        const int column = i / kHalf * 3;
        grid->addWidget(label(keysText(kGestures[i].keys), QFont::DemiBold), i % kHalf, column);
        auto* meaning = label(HelpWords::tr(kGestures[i].what), QFont::Normal);
        meaning->setWordWrap(true);
        meaning->setMinimumWidth(kMeaning);
        grid->addWidget(meaning, i % kHalf, column + 1);
    }
    grid->setColumnMinimumWidth(2, 12);
    all->addLayout(grid);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    all->addWidget(buttons);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    dialog->show();
}

void showAbout(QWidget& parent)
{
    auto* box = new QMessageBox(QMessageBox::NoIcon, HelpWords::tr("About dscope"),
        QStringLiteral("<h3>dscope %1</h3><p>%2</p><p>Qt %3</p>")
            .arg(QCoreApplication::applicationVersion(),
                HelpWords::tr("Runs D programs on this machine and draws what they yield: process trees, distributions, flame graphs.")
                    .toHtmlEscaped(),
                QString::fromLatin1(qVersion())),
        QMessageBox::Close, &parent);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::RichText);
    box->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    box->setModal(false);
    box->show();
}
} // namespace dscope::gui
