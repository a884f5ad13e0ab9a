#pragma once
#include <QString>
#include <span>
namespace dscope::gui {
/// A piece of a program that completion writes: where the name stands, its text comes.
struct Snippet {
    enum class Place : std::uint8_t { Clauses, Body } place; ///< between clauses, or within one
    const char* name;
    const char* summary; ///< in English, of the context Snippets
    const char* before;  ///< the cursor comes behind it
    const char* after;
};
std::span<const Snippet> snippets();
QString summaryOf(const Snippet& snippet); ///< in the window's language
} // namespace dscope::gui
