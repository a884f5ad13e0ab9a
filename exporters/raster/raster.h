#pragma once
#include "engine/base/result.h"
#include <ostream>
#include <string>
#include <vector>
namespace dscope::exporters {
/// Formats painted by librsvg and cairo. Both live in a module that is loaded at the first use, so other formats do not
/// load them.
enum class RasterFormat : int { Png = 0, Pdf = 1 };
/// What a PDF says of itself, UTF-8: its title, in a sentence what it shows, and keywords with commas between them, by which desktops and
/// collections of documents find it.
struct PdfWords {
    std::string title, subject, keywords;
};
/// Paints `svg`. `words`: of a PDF. `scale`: PNG pixels for a pixel of the figure. Error: the module or its libraries are missing,
/// with the package that has them, or the picture cannot be painted.
Result<> rasterize(const std::string& svg, RasterFormat format, double scale, const PdfWords& words, std::ostream& out);
/// A page of a PDF.
struct RasterPage {
    std::string svg;
    std::string outline; ///< its entry in the contents; empty: none
};
/// Paints all of them into one PDF. Errors as of rasterize().
Result<> paintPdf(const std::vector<RasterPage>& pages, const PdfWords& words, std::ostream& out);
} // namespace dscope::exporters
