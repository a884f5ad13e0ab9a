#pragma once
#include "graph/page.h"
#include "graph/parts/flame_layout.h"
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>
namespace dscope::graph {
/// Draws the bars of a flame graph, and keeps which node of the figure's tree stands for a frame.
class FlamePainter {
public:
    /// `focus`: the node whose weight is 100 % for shares in focus. `rows`: the layout of the bars.
    FlamePainter(Page& page, const FlameData& data, std::size_t focus, const FlameRows& rows);
    /// Call it with callers first.
    void draw(const FlameBar& bar);
    /// What is too narrow, or too deep, to be drawn is in the figure's tree as well, so that it can be searched.
    void addHidden();

private:
    std::string tipOf(const IcicleBar& bar) const;
    std::string labelOf(const IcicleBar& bar, const Change& change, const std::string& tip, double room, double size) const;
    void addNode(const IcicleBar& bar);
    std::optional<NodeId> drawnParent(std::size_t node) const;
    void hideCallers(std::size_t node);

    Page& m_page;
    const FlameData& m_data;
    std::size_t m_focus;
    std::optional<std::size_t> m_shared;             ///< node whose bar stands for its callers as well
    std::unordered_map<std::size_t, NodeId> m_drawn; ///< by node
};
} // namespace dscope::graph
