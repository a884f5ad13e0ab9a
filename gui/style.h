#pragma once
#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "graph/palette.h"
#endif
#include <QColor>
#include <QPalette>
#include <QString>
class QWidget;
namespace dscope::gui {
/// The window's colours, which are those of the figures: they look like one sheet of paper.
struct Look {
    QColor ground, ink, muted, hairline, accent, button, onButton, selection, hover, trouble;
};
/// The print theme is for figures; a window looks light then.
Look lookOf(graph::Theme theme);
/// What widgets that paint themselves ask: Base is the ground, Text the ink, PlaceholderText muted, Mid the hairlines,
/// Link the accent, Highlight the selection, AlternateBase what lies under the pointer, BrightText trouble.
QPalette paletteOf(const Look& look);
QString styleSheetOf(const Look& look);
/// Dresses a window and all in it.
void dress(QWidget& window, graph::Theme theme);
/// A tool tip that shows `text` as it is, whatever markup it seems to hold: names come from the traced machine.
QString plainTip(const QString& text);
/// What the desktop uses.
graph::Theme systemTheme();
} // namespace dscope::gui
