#include "gui/tongue.h"
#include <QCoreApplication>
#include <QLocale>
namespace dscope::gui {
graph::Tongue tongueOfWindow()
{
    const QLocale locale;
    constexpr auto kFigureWords = "Figures"; // the context of gui/figure_words.cpp
    return {[](const char* english) { return QCoreApplication::translate(kFigureWords, english).toStdString(); },
        {.decimal = locale.decimalPoint().toStdString(), .group = locale.groupSeparator().toStdString()}};
}
} // namespace dscope::gui
