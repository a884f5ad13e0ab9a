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
        const auto figure = graph::annotatedFigure(visual, options.layout);
        return rasterize(plainSvg(figure, options.palette), RasterFormat::Pdf, options.scale,
            {figure.title, figure.description, "dscope, DTrace, " + std::string(visual.facts().name)}, out);
    }
};
} // namespace

std::unique_ptr<Exporter> make_pdf() { return std::make_unique<Pdf>(); }
} // namespace dscope::exporters
