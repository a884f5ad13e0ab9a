#pragma once
#include <QAccessibleWidget>
namespace dscope::gui {
class FigureView;
/// Makes figures known to screen readers: a FigureView is a graphic with its title and description, and each of its marks, in the order
/// in which they are drawn, a child with its name, what else is told of it, and where it is. Pressing a child is a click on the mark.
void makeFiguresAccessible();
/// Tells screen readers that the keyboard stands on another mark (an index into Drawing::marks()).
void tellFocus(FigureView& view, int mark);
/// Tells them that the marks are others now.
void tellNewMarks(FigureView& view);
} // namespace dscope::gui
