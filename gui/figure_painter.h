#pragma once
#include "graph/palette.h"
#include <QRectF>
class QPainter;
namespace dscope::gui {
/// Draws the items of `figure` that meet `visible` (figure coordinates), in painter's order. Items whose key or tip holds
/// `search` get a second outline.
void paint(QPainter& painter, const graph::Figure& figure, graph::Theme theme, const QRectF& visible, const QString& search = {});
/// The rectangle around an item.
QRectF bounds(const graph::Item& item);
} // namespace dscope::gui
