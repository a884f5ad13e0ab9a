#include "gui/tongue.h"
#include <QCoreApplication>
#include <QLocale>
namespace dscope::gui {
graph::Tongue tongueOfWindow()
{
    const QLocale locale;
    constexpr auto kFigureWords = "Figures"; // the context of gui/figure_words.cpp
    // German nouns have capitals wherever they stand.
    const auto initials = locale.language() == QLocale::German ? graph::Tongue::Initials::Kept : graph::Tongue::Initials::Small;
    return {[](const char* english) { return QCoreApplication::translate(kFigureWords, english).toStdString(); },
        {.decimal = locale.decimalPoint().toStdString(), .group = locale.groupSeparator().toStdString()}, initials};
}
} // namespace dscope::gui
