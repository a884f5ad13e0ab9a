#include "gui/style.h"
#include <QApplication>
#include <QWidget>
#include <utility>
namespace dscope::gui {
namespace {
// %name stands for a colour of the look.
constexpr const char* kSheet = R"(
QMainWindow, QSplitter, QStackedWidget { background: %ground; border: 0 }
QSplitter::handle { background: %hairline }
QMainWindow::separator { width: 5px; height: 5px; background: %ground; border: 0 }
QMainWindow::separator:hover { background: %hover }
QDockWidget { background: %ground; color: %ink; border: 0 }
QMainWindow > QTabBar { background: %ground }
QMainWindow > QTabBar::tab { background: %ground; color: %muted; border: 0; border-bottom: 2px solid %ground; padding: 5px 12px }
QMainWindow > QTabBar::tab:selected { color: %ink; border-bottom-color: %accent }
QMenuBar { background: %ground; color: %ink; border: 0; padding: 3px 8px 0 8px }
QMenuBar::item { background: transparent; padding: 4px 9px; border-radius: 4px }
QMenuBar::item:selected { background: %selection }
QMenu { background: %ground; color: %ink; border: 1px solid %hairline; padding: 4px }
QMenu::item { padding: 5px 26px 5px 22px; border-radius: 4px }
QMenu::item:selected { background: %selection }
QMenu::item:disabled { color: %muted }
QMenu::separator { height: 1px; background: %hairline; margin: 4px 8px }
QToolBar { background: %ground; border: 0; border-bottom: 1px solid %hairline; padding: 7px 12px 8px 12px; spacing: 8px }
QToolBar QToolButton { background: %ground; color: %ink; border: 1px solid %hairline; border-radius: 6px; padding: 5px 13px 5px 10px }
QToolBar QToolButton:hover { background: %hover }
QToolBar QToolButton:focus { border-color: %accent }
QToolBar QToolButton:disabled { color: %muted }
QToolBar QToolButton#run { background: %button; color: %onButton; border-color: %button; font-weight: 600; padding: 5px 16px 5px 12px }
QToolBar QToolButton#run:focus { border-color: %ink }
QToolBar QToolButton#run:disabled { background: %hover; color: %muted; border-color: %hairline }
QToolButton#chip { background: %selection; color: %ink; border: 0; border-radius: 10px; padding: 3px 10px }
QToolButton#chip:hover, QToolButton#chip:focus { background: %hairline }
QToolButton#link { border: 0; color: %accent; padding: 3px 4px; border-radius: 4px; background: transparent }
QToolButton#link:hover, QToolButton#link:focus { background: %selection }
QToolButton#link:disabled { color: %muted }
QToolButton#deed { background: %button; color: %onButton; border: 1px solid %button; border-radius: 6px; padding: 5px 16px; font-weight: 600 }
QToolButton#deed:focus { border-color: %ink }
QWidget#start { background: %ground }
QScrollArea { background: %ground; border: 0 }
QComboBox { background: %ground; color: %ink; border: 1px solid %hairline; border-radius: 6px; padding: 5px 8px }
QComboBox::drop-down { border: 0; width: 22px }
QComboBox::down-arrow { image: url(:/icons/down.svg); width: 10px; height: 10px }
QComboBox:focus { border-color: %accent }
QComboBox QAbstractItemView { background: %ground; color: %ink; selection-background-color: %selection; selection-color: %ink }
QLineEdit { background: %ground; color: %ink; border: 1px solid %hairline; border-radius: 6px; padding: 5px 8px; selection-background-color: %button; selection-color: %onButton }
QLineEdit:focus { border-color: %accent }
QLineEdit:disabled { color: %muted; background: %hover }
QPlainTextEdit { background: %ground; color: %ink; border: 0; selection-background-color: %selection; selection-color: %ink }
QTreeView, QTreeWidget, QTableView { background: %ground; color: %ink; border: 0; outline: 0; selection-background-color: %selection; selection-color: %ink }
QListView { background: %ground; color: %ink; border: 1px solid %hairline; outline: 0 }
QListView::item { height: 22px; padding: 0 6px }
QListView::item:selected { background: %selection; color: %ink }
QTreeWidget#probes::item { height: 24px; border-radius: 4px; padding: 0 4px }
QTreeWidget#probes::item:hover { background: %hover }
QTreeWidget#probes::item:selected { background: %selection; color: %ink }
QTableView::item { padding: 0 8px; border: 0 }
QTreeView#costs::item { height: 24px; padding: 0 6px 0 2px; border: 0 }
QTreeView#costs::item:selected { background: %selection; color: %ink }
QTreeView#costs::branch:selected { background: %selection }
QTableView::item:selected { background: %selection; color: %ink }
QHeaderView, QTableView QTableCornerButton::section { background: %ground; border: 0 }
QHeaderView::section { background: %ground; color: %muted; border: 0; padding: 5px 8px 5px 11px; font-weight: 600 }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0 }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0 }
QScrollBar::handle { background: %hairline; border-radius: 3px; margin: 2px }
QScrollBar::handle:vertical { min-height: 28px }
QScrollBar::handle:horizontal { min-width: 28px }
QScrollBar::handle:hover { background: %muted }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0 }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent }
QAbstractScrollArea::corner { background: %ground; border: 0 }
QStatusBar { background: %ground; color: %muted; border-top: 1px solid %hairline; padding: 0 8px }
QStatusBar::item { border: 0 }
QStatusBar QLabel { color: %muted; padding: 3px 4px }
QDialog { background: %ground }
QDialog QLabel, QDialog QCheckBox { color: %ink; background: transparent }
QDialog QPlainTextEdit, QDialog QAbstractSpinBox { background: %ground; color: %ink; border: 1px solid %hairline; border-radius: 6px; padding: 4px 6px; selection-background-color: %selection; selection-color: %ink }
QDialog QPlainTextEdit:focus, QDialog QAbstractSpinBox:focus { border-color: %accent }
QDialog QAbstractSpinBox::up-button, QDialog QAbstractSpinBox::down-button { border: 0; width: 20px; background: transparent }
QDialog QAbstractSpinBox::up-arrow { image: url(:/icons/up.svg); width: 8px; height: 8px }
QDialog QAbstractSpinBox::down-arrow { image: url(:/icons/down.svg); width: 8px; height: 8px }
QDialog QCheckBox:disabled { color: %muted }
QCheckBox::indicator { width: 14px; height: 14px; border: 1px solid %muted; border-radius: 3px; background: %ground }
QCheckBox::indicator:checked { background: %button; border-color: %button; image: url(:/icons/check.svg) }
QCheckBox::indicator:focus { border-color: %accent }
QDialog QPushButton { background: %ground; color: %ink; border: 1px solid %hairline; border-radius: 6px; padding: 5px 16px }
QDialog QPushButton:hover { background: %hover }
QDialog QPushButton:focus { border-color: %accent }
QDialog QPushButton:disabled { color: %muted }
QToolTip { background: %ground; color: %ink; border: 1px solid %hairline; padding: 4px }
)";
} // namespace

Look lookOf(graph::Theme theme)
{
    if (theme == graph::Theme::Dark)
        return {QColor(0x14, 0x17, 0x1C), QColor(0xE8, 0xEA, 0xED), QColor(0xA9, 0xB4, 0xC0), QColor(0x2F, 0x37, 0x42),
            QColor(0x6A, 0xAE, 0xE4), QColor(0x2B, 0x6C, 0xA5), QColor(0xFF, 0xFF, 0xFF), QColor(0x22, 0x3B, 0x52),
            QColor(0x1D, 0x22, 0x29), QColor(0xF0, 0xA0, 0x70)};
    return {QColor(0xFF, 0xFF, 0xFF), QColor(0x1A, 0x1A, 0x1A), QColor(0x5B, 0x65, 0x70), QColor(0xD5, 0xDB, 0xE1),
        QColor(0x1F, 0x5F, 0x99), QColor(0x1F, 0x5F, 0x99), QColor(0xFF, 0xFF, 0xFF), QColor(0xE3, 0xED, 0xF7), QColor(0xF4, 0xF6, 0xF8),
        QColor(0x9A, 0x34, 0x12)};
}

QPalette paletteOf(const Look& look)
{
    QPalette p(look.ink, look.ground, look.ground, look.hairline, look.hairline, look.ink, look.trouble, look.ground, look.ground);
    p.setColor(QPalette::Mid, look.hairline);
    p.setColor(QPalette::Shadow, look.hairline);
    p.setColor(QPalette::PlaceholderText, look.muted);
    p.setColor(QPalette::Link, look.accent);
    p.setColor(QPalette::LinkVisited, look.accent);
    p.setColor(QPalette::Highlight, look.selection);
    p.setColor(QPalette::HighlightedText, look.ink);
    p.setColor(QPalette::AlternateBase, look.hover);
    p.setColor(QPalette::BrightText, look.trouble);
    p.setColor(QPalette::ToolTipBase, look.ground);
    p.setColor(QPalette::ToolTipText, look.ink);
    for (const auto role : {QPalette::Text, QPalette::WindowText, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, look.muted);
    return p;
}

QString styleSheetOf(const Look& look)
{
    auto sheet = QString::fromLatin1(kSheet);
    // No name begins another, so their order is of no matter.
    const std::pair<const char*, QColor> names[]{{"%ground", look.ground}, {"%ink", look.ink}, {"%muted", look.muted},
        {"%hairline", look.hairline}, {"%accent", look.accent}, {"%button", look.button}, {"%onButton", look.onButton},
        {"%selection", look.selection}, {"%hover", look.hover}};
    for (const auto& [name, color] : names)
        sheet.replace(QLatin1String(name), color.name());
    return sheet;
}

void dress(QWidget& window, graph::Theme theme)
{
    const auto look = lookOf(theme);
    // A style sheet keeps a window's palette from its children, and one that is replaced gives them back what they had before it.
    window.setStyleSheet({});
    const auto palette = paletteOf(look);
    window.setPalette(palette);
    for (auto* child : window.findChildren<QWidget*>())
        child->setPalette(palette);
    window.setStyleSheet(styleSheetOf(look));
    // A sheet's colour of text makes that of placeholders and headings half as strong, which is too weak to read.
    for (auto* child : window.findChildren<QWidget*>()) {
        child->ensurePolished();
        auto own = child->palette();
        if (own.color(QPalette::PlaceholderText) == look.muted) continue;
        own.setColor(QPalette::PlaceholderText, look.muted);
        child->setPalette(own);
    }
}

QString plainTip(const QString& text) { return QStringLiteral("<p style=\"white-space: pre-wrap\">%1</p>").arg(text.toHtmlEscaped()); }

graph::Theme systemTheme()
{
    return QApplication::palette().color(QPalette::Window).lightness() < 128 ? graph::Theme::Dark : graph::Theme::Light;
}
} // namespace dscope::gui
