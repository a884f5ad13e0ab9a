#pragma once
#include "engine/demangle/demangle.h"
#include <optional>
#include <string>
#include <string_view>
namespace dscope::demangle {
/// A symbol of the D language (_D...) as its author wrote it; none for anything else or what is malformed, too deep or too long.
/// Without its signature a function has neither its parameters nor their qualifiers ("geom.Point!(float).norm"); those of functions around
/// it stay. Source: the D language's specification, "Application Binary Interface", name mangling; its spelling is that of GNU binutils.
std::optional<std::string> demangledD(std::string_view symbol, Signature signature);
} // namespace dscope::demangle
