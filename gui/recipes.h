#pragma once
#include <QCoreApplication>
#include <span>
namespace dscope::gui {
/// A question an administrator asks, and the D program that answers it. With a command to trace ($target) the program looks
/// at that command and what it starts, without one ($target is 0) at the whole machine but dscope: $pid is what traces, $ppid the
/// window, with all of its threads and with the processes that it starts for itself, as the ones that lay graphs out. Who wants to see
/// them, too, takes that out of the predicate. Where dscope runs such a program in a terminal, $ppid is the shell.
struct Recipe {
    const char* group; ///< translated in the context "Recipes"
    const char* question;
    const char* program;
};
std::span<const Recipe> recipes();
} // namespace dscope::gui
