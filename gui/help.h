#pragma once
class QWidget;
namespace dscope::gui {
/// Windows of the Help menu; they don't wait for an answer.
void showShortcuts(QWidget& parent);
void showAbout(QWidget& parent);
} // namespace dscope::gui
