#include "exporters/raster/raster.h"
#include "engine/base/own_module.h"
#include "exporters/raster/interface.h"
#include <dlfcn.h>
#include <vector>
namespace dscope::exporters {
namespace {
Result<> paint(const std::vector<dscope_raster_page>& pages, RasterFormat format, double scale, const PdfWords& words, std::ostream& out)
{
    const auto module = ownModule("dscope-raster.so");
    if (!module)
        return Error{0, "PNG and PDF need the packages librsvg2-2 and libcairo2 (" + module.error().message + "); SVG needs neither"};
    const auto function = reinterpret_cast<dscope_raster_function>(::dlsym(*module, kRasterFunction));
    if (!function) return Error{0, "dscope-raster.so is of another version of dscope"};
    const auto write = [](void* context, const unsigned char* bytes, std::size_t size) {
        auto& to = *static_cast<std::ostream*>(context);
        to.write(reinterpret_cast<const char*>(bytes), static_cast<std::streamsize>(size));
        return static_cast<bool>(to);
    };
    const dscope_raster_words said{words.title.c_str(), words.subject.c_str(), words.keywords.c_str()};
    if (const char* failed = function(pages.data(), pages.size(), static_cast<int>(format), scale, &said, write, &out))
        return Error{0, failed};
    return {};
}
} // namespace

Result<> rasterize(const std::string& svg, RasterFormat format, double scale, const PdfWords& words, std::ostream& out)
{
    return paint({{svg.data(), svg.size(), nullptr}}, format, scale, words, out);
}
Result<> paintPdf(const std::vector<RasterPage>& pages, const PdfWords& words, std::ostream& out)
{
    std::vector<dscope_raster_page> all;
    for (const auto& page : pages)
        all.push_back({page.svg.data(), page.svg.size(), page.outline.empty() ? nullptr : page.outline.c_str()});
    return paint(all, RasterFormat::Pdf, 1, words, out);
}
} // namespace dscope::exporters
