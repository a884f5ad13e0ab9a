#pragma once
#include <QString>
#include <string_view>
namespace dscope::gui {
inline QString fromView(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }
/// A name that is written in the source: of a setting, or in a document.
inline QString key(const char* name) { return QLatin1String(name); }
} // namespace dscope::gui
