#pragma once
#include <QString>
#include <optional>
namespace dscope::gui {
/// The question of the recipe that a program is, whatever values its parameters have; none of other programs.
std::optional<QString> recipeOf(const QString& program);
/// What a run is called until somebody gives it a name: `title`, or without one what the program enables first ("syscall::write:entry"),
/// and behind it what is traced: "make", "pid 4711"; nothing where it is the whole machine.
QString runName(const QString& program, const QString& title, const QString& command);
} // namespace dscope::gui
