#include "gui/tongue.h"
#include <QCoreApplication>
#include <QLocale>
#include <functional>
#include <string>
#include <unordered_map>
namespace dscope::gui {
namespace {
struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};
} // namespace

graph::Tongue tongueOfWindow()
{
    const QLocale locale;
    constexpr auto kFigureWords = "Figures"; // the context of gui/figure_words.cpp
    // German nouns have capitals wherever they stand.
    const auto initials = locale.language() == QLocale::German ? graph::Tongue::Initials::Kept : graph::Tongue::Initials::Small;
    // A figure says the same of thousands of marks.
    auto words = [known = std::unordered_map<std::string, std::string, TextHash, std::equal_to<>>()](const char* english) mutable {
        const std::string_view text = english;
        auto found = known.find(text);
        if (found == known.end()) found = known.emplace(text, QCoreApplication::translate(kFigureWords, english).toStdString()).first;
        return found->second;
    };
    return {std::move(words), {.decimal = locale.decimalPoint().toStdString(), .group = locale.groupSeparator().toStdString()}, initials};
}
} // namespace dscope::gui
