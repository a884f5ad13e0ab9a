#pragma once
#include "engine/base/result.h"
#include <ostream>
#include <string>
namespace dscope::exporters {
/// The formats that a picture is painted for, by librsvg and cairo in a module of its own that is loaded here: whoever
/// asks for neither does not pay for them.
enum class RasterFormat : int { Png = 0, Pdf = 1 };
/// Paints `svg`. `scale`: PNG pixels for a pixel of the figure. Error: the module or its libraries are missing, with
/// the package that has them, or the picture cannot be painted.
Result<> rasterize(const std::string& svg, RasterFormat format, double scale, std::ostream& out);
} // namespace dscope::exporters
