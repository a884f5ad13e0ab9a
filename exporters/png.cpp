#include "exporters/exporter.h"
#include "exporters/raster/raster.h"
#include <sstream>
namespace dscope::exporters {
std::unique_ptr<Exporter> make_svg();
namespace {
class Png final : public Exporter {
public:
    std::string_view suffix() const override { return "png"; }
    std::string_view summary() const override { return "Portable Network Graphics"; }
    Result<> write(const graph::Visual& visual, const Options& options, std::ostream& out) const override
    {
        std::ostringstream svg;
        DSCOPE_CHECK(make_svg()->write(visual, options, svg));
        return rasterize(svg.str(), RasterFormat::Png, options.scale, out);
    }
};
} // namespace

std::unique_ptr<Exporter> make_png() { return std::make_unique<Png>(); }
} // namespace dscope::exporters
