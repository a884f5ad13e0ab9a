#include "graph/layouts/layered.h"
#include "graph/layouts/apart.h"
#include "graph/layouts/graphviz_lock.h"
#include <dlfcn.h>
#include <graphviz/gvc.h>
#include <memory>
#include <mutex>
#include <string>
namespace dscope::graph {
namespace {
constexpr double kPointsPerInch = 72;
constexpr std::size_t kSmall = 80; ///< nodes and edges

/// dot's layout engine as a built-in of the context: no search for plug-ins, no fonts, no need of the system's
/// config6a. Falls back on what Graphviz finds by itself.
class Context {
public:
    Context()
    {
        Dl_info where{};
        if (::dladdr(reinterpret_cast<void*>(&::gvContext), &where) != 0 && where.dli_fname) {
            std::string folder(where.dli_fname);
            folder.resize(folder.rfind('/') + 1);
            for (const auto* version : {".6", ".7", ""}) {
                m_library = ::dlopen((folder + "graphviz/libgvplugin_dot_layout.so" + version).c_str(), RTLD_NOW | RTLD_LOCAL);
                if (m_library) break;
            }
        }
        if (void* table = m_library ? ::dlsym(m_library, "gvplugin_dot_layout_LTX_library") : nullptr) {
            m_builtins[0] = {m_name, table};
            m_context = ::gvContextPlugins(m_builtins, 0);
        } else {
            m_context = ::gvContext();
        }
    }

    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    ~Context()
    {
        if (m_context) ::gvFreeContext(m_context);
        if (m_library) ::dlclose(m_library);
    }
    GVC_t* get() const { return m_context; }

private:
    char m_name[40] = "gvplugin_dot_layout_LTX_library";
    lt_symlist_t m_builtins[2]{};
    void* m_library = nullptr;
    GVC_t* m_context = nullptr;
};

void set(void* object, const char* name, const std::string& value)
{
    ::agsafeset(object, const_cast<char*>(name), const_cast<char*>(value.c_str()), const_cast<char*>("")); // Graphviz 2.42 lacks const
}
std::string inches(double px) { return std::to_string(px / kPointsPerInch); }
enum class Routes : std::uint8_t { None, Drawn };
std::vector<Point> routeOf(Agedge_t* edge)
{
    const splines* all = ED_spl(edge);
    std::vector<Point> points;
    if (!all || all->size == 0) return points;
    const bezier& curve = all->list[0];
    for (std::size_t i = 0; i < static_cast<std::size_t>(curve.size); ++i)
        points.push_back({curve.list[i].x, -curve.list[i].y});
    return points;
}
/// Edges keep their order out of a node where they are not routed. For who holds graphvizLock().
std::optional<Routed> laidOutHere(std::span<const NodeSize> sizes, std::span<const std::pair<std::size_t, std::size_t>> edges,
    const LayoutGaps& gaps, RankDirection direction, Routes routes)
{
    const Context context;
    if (!context.get()) return std::nullopt;
    const std::unique_ptr<Agraph_t, int (*)(Agraph_t*)> graph(::agopen(const_cast<char*>("dscope"), Agdirected, nullptr), ::agclose);
    if (!graph) return std::nullopt;
    ::agseterr(AGMAX);
    set(graph.get(), "rankdir", direction == RankDirection::Right ? "LR" : "TB");
    if (routes == Routes::Drawn) { // dense graphs would take minutes for a little more beauty
        set(graph.get(), "nslimit", "2");
        set(graph.get(), "nslimit1", "2");
        set(graph.get(), "mclimit", "0.3");
    } else {
        set(graph.get(), "ordering", "out");
    }

    set(graph.get(), "splines", routes == Routes::Drawn ? "spline" : "line");
    set(graph.get(), "nodesep", inches(gaps.siblings));
    set(graph.get(), "ranksep", inches(gaps.ranks));
    std::vector<Agnode_t*> nodes;
    nodes.reserve(sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        std::string name = "n" + std::to_string(i);
        nodes.push_back(::agnode(graph.get(), name.data(), 1));
        set(nodes.back(), "shape", "box");
        set(nodes.back(), "label", "");
        set(nodes.back(), "fixedsize", "true");
        set(nodes.back(), "width", inches(sizes[i].width));
        set(nodes.back(), "height", inches(sizes[i].height));
    }

    std::vector<Agedge_t*> drawn;
    drawn.reserve(edges.size());
    for (const auto& [from, to] : edges) {
        drawn.push_back(::agedge(graph.get(), nodes[from], nodes[to], nullptr, 1));
        if (routes == Routes::Drawn) set(drawn.back(), "arrowhead", "none"); // the line then ends where we put ours
    }

    if (::gvLayout(context.get(), graph.get(), "dot") != 0) return std::nullopt;
    Routed out;
    out.centres.reserve(nodes.size());
    for (auto* node : nodes)
        out.centres.push_back({ND_coord(node).x, -ND_coord(node).y});
    if (routes == Routes::Drawn)
        for (auto* edge : drawn)
            out.routes.push_back(routeOf(edge));
    ::gvFreeLayout(context.get(), graph.get());
    return out;
}
std::optional<Routed> laidOut(std::span<const NodeSize> sizes, std::span<const std::pair<std::size_t, std::size_t>> edges,
    const LayoutGaps& gaps, RankDirection direction, Routes routes)
{
    // A process of its own costs more than a small graph, which is done in some ms.
    if (sizes.size() + edges.size() > kSmall)
        return apart([&] { return laidOutHere(sizes, edges, gaps, direction, routes); }, graphvizLock());
    const std::lock_guard hold(graphvizLock());
    return laidOutHere(sizes, edges, gaps, direction, routes);
}
} // namespace

std::mutex& graphvizLock()
{
    static std::mutex lock;
    return lock;
}
std::optional<std::vector<Point>> layered(
    std::span<const NodeSize> sizes, std::span<const std::pair<std::size_t, std::size_t>> edges, const LayoutGaps& gaps)
{
    auto done = laidOut(sizes, edges, gaps, RankDirection::Right, Routes::None);
    if (!done) return std::nullopt;
    return std::move(done->centres);
}
std::optional<Routed> routed(std::span<const NodeSize> sizes, std::span<const std::pair<std::size_t, std::size_t>> edges,
    const LayoutGaps& gaps, RankDirection direction)
{
    return laidOut(sizes, edges, gaps, direction, Routes::Drawn);
}
} // namespace dscope::graph
#if defined(__SANITIZE_ADDRESS__)
// Graphviz keeps what its plug-ins allocate: not a leak of ours, and nothing to print about.
// Graphviz, and fontconfig behind the module that paints PNG and PDF, keep what they have read to the end.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_options();
extern "C" const char* __lsan_default_suppressions()
{
    return "leak:libgvc.so\nleak:libcgraph.so\nleak:libgvplugin\nleak:libfontconfig.so\nleak:libpango\n";
}
extern "C" const char* __lsan_default_options() { return "print_suppressions=0"; }
#endif
