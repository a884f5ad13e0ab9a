#pragma once
#include <array>
#include <concepts>
#include <functional>
#include <span>
#include <string>
#include <string_view>
namespace dscope::graph {
/// The language that figures speak which this thread lays out while the object lives. Only words and numbers of the figure are in it; what
/// was traced stays as it is. Files are in English: they are read elsewhere, too.
class Tongue {
public:
    /// Gives the words for an English text, or that text where it has none. Places of values, %1 to %9, are kept.
    using Words = std::function<std::string(const char* english)>;
    /// Of numbers: before the decimals, and between groups of digits. Source: CLDR, symbols "decimal" and "group"
    struct Separators {
        std::string decimal = ".", group = ",";
    };
    /// The first letter of a title that stands within a sentence: a small one, or what it is, as in a language whose nouns have capitals.
    enum class Initials : bool { Small, Kept };
    Tongue(Words words, Separators separators, Initials initials = Initials::Small);
    Tongue(const Tongue&) = delete;
    Tongue& operator=(const Tongue&) = delete;
    ~Tongue();
    /// That of this thread; null: English.
    static const Words* here();
    /// As numbers are written in this thread.
    static const Separators& separators();
    static Initials initials();

private:
    Words m_words;
    Separators m_separators;
    Initials m_initials;
    const Tongue* m_before;
};
/// A text of a figure in the language of this thread, with values in place of %1 to %9. The window finds it by its English in
/// gui/figure_words.cpp, where each such text has to stand. It is for people: nothing reads it back.
std::string saidWith(const char* english, std::span<const std::string_view> values);
template <std::convertible_to<std::string_view>... Values> std::string said(const char* english, const Values&... values)
{
    const std::array<std::string_view, sizeof...(Values)> all{values...};
    return saidWith(english, all);
}
/// The same of a number of things: `one` where it is 1, else `many`.
template <std::convertible_to<std::string_view>... Values>
std::string saidOf(std::size_t number, const char* one, const char* many, const Values&... values)
{
    return said(number == 1 ? one : many, values...);
}
/// Marks a text that is said somewhere else, by what holds it.
constexpr const char* toSay(const char* english) { return english; }
} // namespace dscope::graph
