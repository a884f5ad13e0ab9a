#include "graph/parts/code_head.h"
#include "graph/tongue.h"
#include "graph/units.h"
namespace dscope::graph {
double drawCodeHead(Page& page, const CodeHead& head, const Box& area, double y, double row, double size)
{
    const auto share = [&](std::int64_t value) {
        return value > 0 ? formatShare(static_cast<double>(value), static_cast<double>(head.all)) : std::string("0 %");
    };
    y += row;
    page.text(Role::Label, {area.x, y + row / 2 + size * 0.36},
        said("%1 \u00b7 %2 self, %3 with what it calls", head.function, share(head.self), share(head.total)),
        {.size = size, .bold = true, .maxWidth = area.width});
    return y + row;
}
} // namespace dscope::graph
