#pragma once
#include <functional>
#include <string>
namespace dscope::graph {
/// The language that figures speak which this thread lays out while the object lives. Only words and numbers of the figure are in it; what
/// was traced stays as it is. Files are in English: they are read elsewhere, too.
class Tongue {
public:
    /// Gives the words for an English text, or that text where it has none. Places of values, %1 to %3, are kept.
    using Words = std::function<std::string(const char* english)>;
    /// Of numbers: before the decimals, and between groups of digits. Source: CLDR, symbols "decimal" and "group"
    struct Separators {
        std::string decimal = ".", group = ",";
    };
    Tongue(Words words, Separators separators);
    Tongue(const Tongue&) = delete;
    Tongue& operator=(const Tongue&) = delete;
    ~Tongue();
    /// That of this thread; null: English.
    static const Words* here();
    /// As numbers are written in this thread.
    static const Separators& separators();

private:
    Words m_words;
    Separators m_separators;
    const Tongue* m_before;
};
/// A text of a figure in the language of this thread, with values in place of %1, %2 and %3. The window finds it by its English in
/// gui/figure_words.cpp, where each such text has to stand.
std::string said(const char* english, const std::string& first = {}, const std::string& second = {}, const std::string& third = {});
} // namespace dscope::graph
