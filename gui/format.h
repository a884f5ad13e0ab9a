#pragma once
#include <QString>
#include <optional>
namespace dscope::gui {
/// A program with its lines indented by the braces and parentheses that they stand in, a tab a level, and without blanks at their ends.
/// Only blanks and empty lines between lines change, so it means the same; comments and lines of the preprocessor stay as they are. None
/// where its syntax is wrong.
std::optional<QString> formatted(const QString& program);
} // namespace dscope::gui
