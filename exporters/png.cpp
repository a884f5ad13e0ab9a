#include "exporters/exporter.h"
#include "exporters/raster/raster.h"
#include "exporters/svg.h"
#include "graph/annotated.h"
namespace dscope::exporters {
namespace {
class Png final : public Exporter {
public:
    std::string_view suffix() const override { return "png"; }
    std::string_view summary() const override { return "Portable Network Graphics"; }

    Result<> write(const graph::Visual& visual, const Options& options, std::ostream& out) const override
    {
        return rasterize(
            plainSvg(graph::annotatedFigure(visual, options.layout), options.palette), RasterFormat::Png, options.scale, {}, out);
    }
};
} // namespace

std::unique_ptr<Exporter> make_png() { return std::make_unique<Png>(); }
} // namespace dscope::exporters
