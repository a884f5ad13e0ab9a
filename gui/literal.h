#pragma once
#include <QString>
namespace dscope::gui {
/// A D string literal that says `text`: what was typed or traced is data, never a part of the program.
QString literal(const QString& text);
} // namespace dscope::gui
