#include "exporters/exporter.h"
#include "exporters/raster/raster.h"
#include "exporters/svg.h"
#include "graph/annotated.h"
namespace dscope::exporters {
namespace {
class Pdf final : public Exporter {
public:
    std::string_view suffix() const override { return "pdf"; }
    std::string_view summary() const override { return "Portable Document Format"; }

    Result<> write(const graph::Visual& visual, const Options& options, std::ostream& out) const override
    {
        return rasterize(plainSvg(graph::annotatedFigure(visual, options.layout), options.palette), RasterFormat::Pdf, options.scale, out);
    }
};
} // namespace

std::unique_ptr<Exporter> make_pdf() { return std::make_unique<Pdf>(); }
} // namespace dscope::exporters
