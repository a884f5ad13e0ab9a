#include "exporters/raster/raster.h"
#include "exporters/raster/interface.h"
#include <dlfcn.h>
#include <filesystem>
#include <vector>
namespace dscope::exporters {
namespace {
/// Beside the executable or, for a test, the executables; or where it is installed.
std::vector<std::filesystem::path> places()
{
    std::error_code ignored;
    const auto here = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
    return {here / "dscope-raster.so", here.parent_path() / "bin" / "dscope-raster.so", here / DSCOPE_MODULES / "dscope-raster.so"};
}
Result<> paint(const std::vector<dscope_raster_page>& pages, RasterFormat format, double scale, const std::string& title, std::ostream& out)
{
    std::string why = "dscope-raster.so is not there";
    void* module = nullptr;
    for (const auto& place : places()) {
        std::error_code ignored;
        if (!std::filesystem::exists(place, ignored)) continue;
        module = ::dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (module) break;
        why = ::dlerror();
    }
    if (!module) return Error{0, "PNG and PDF need the packages librsvg2-2 and libcairo2 (" + why + "); SVG needs neither"};
    const auto function = reinterpret_cast<dscope_raster_function>(::dlsym(module, kRasterFunction));
    if (!function) return Error{0, "dscope-raster.so is of another version of dscope"};
    const auto write = [](void* context, const unsigned char* bytes, std::size_t size) {
        auto& to = *static_cast<std::ostream*>(context);
        to.write(reinterpret_cast<const char*>(bytes), static_cast<std::streamsize>(size));
        return static_cast<bool>(to);
    };
    if (const char* failed = function(pages.data(), pages.size(), static_cast<int>(format), scale, title.c_str(), write, &out))
        return Error{0, failed};
    return {};
}
} // namespace

Result<> rasterize(const std::string& svg, RasterFormat format, double scale, const std::string& title, std::ostream& out)
{
    return paint({{svg.data(), svg.size(), nullptr}}, format, scale, title, out);
}
Result<> paintPdf(const std::vector<RasterPage>& pages, const std::string& title, std::ostream& out)
{
    std::vector<dscope_raster_page> all;
    for (const auto& page : pages)
        all.push_back({page.svg.data(), page.svg.size(), page.outline.empty() ? nullptr : page.outline.c_str()});
    return paint(all, RasterFormat::Pdf, 1, title, out);
}
} // namespace dscope::exporters
