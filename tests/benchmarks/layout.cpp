// needs: engine/importers exporters graph/models graph/layouts
// CPU seconds of each stage between a foreign text and a picture of a view, told apart: what a whole run of dscope cannot.
//     build/release/bin/benchmark_layout VIEW FILE [WIDTHxHEIGHT]
#include "engine/text/importer.h"
#include "exporters/exporter.h"
#include "graph/layouts/tidy_tree.h"
#include "graph/store.h"
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <map>
#include <sstream>
using namespace dscope;
namespace {
double spent()
{
    std::timespec t{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}
/// The least of `runs`: that is disturbed least.
template <typename Work> double seconds(int runs, Work work)
{
    double least = 1e9;
    for (int i = 0; i < runs; ++i) {
        const double before = spent();
        work();
        least = std::min(least, spent() - before);
    }
    return least;
}
} // namespace

int main(int argc, char** argv)
{
    if (argc < 3) {
        std::fprintf(stderr, "usage: %s VIEW FILE [WIDTHxHEIGHT]\n", argv[0]);
        return 2;
    }
    const std::string view = argv[1];
    const auto formats = importers::all();
    graph::Store store;
    const double reading = seconds(1, [&] {
        const auto imported = text::import(formats, argv[2], {});
        if (!imported) {
            std::fprintf(stderr, "%s\n", imported.error().message.c_str());
            std::exit(1);
        }
        store.take(imported->program);
        for (const auto& r : imported->records)
            store.take(r);
    });
    const auto kinds = graph::kinds();
    const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return k.name == view; });
    if (kind == kinds.end() || !kind->fits(store)) {
        std::fprintf(stderr, "no %s of that\n", view.c_str());
        return 1;
    }
    exporters::Options options;
    if (argc > 3) std::sscanf(argv[3], "%lfx%lf", &options.layout.width, &options.layout.height);
    std::unique_ptr<graph::Visual> visual;
    const double making = seconds(3, [&] { visual = kind->make(store); });
    graph::Figure figure;
    const double layout = seconds(5, [&] { figure = visual->figure(options.layout); });
    std::size_t size = 0;
    const auto all = exporters::all();
    const auto svg = std::find_if(all.begin(), all.end(), [](const auto& e) { return e->suffix() == "svg"; });
    const double writing = seconds(5, [&] {
        std::ostringstream out;
        if (!(*svg)->write(*visual, options, out)) std::exit(1);
        size = std::move(out).str().size();
    });
    std::printf("%s: read %.3f, model %.3f, layout %.3f, layout and SVG %.3f CPU s; %zu marks, %.2f MiB\n", view.c_str(), reading, making,
        layout, writing, figure.items.size(), static_cast<double>(size) / (1 << 20));
    if (view != "process-tree") return 0;
    // What the window lays out when every fold is open: nodes of one size, every process one.
    std::vector<std::size_t> parents;
    std::map<std::string, std::size_t> places;
    const auto table = visual->table();
    for (const auto& row : table.rows) {
        places[row[0]] = parents.size();
        const auto parent = places.find(row[1]);
        parents.push_back(parent == places.end() ? graph::kNoParent : parent->second);
    }
    const std::vector<graph::NodeSize> sizes(parents.size(), graph::NodeSize{220, 58});
    const double open = seconds(5, [&] {
        if (graph::tidyTree(sizes, parents, {16, 100}).size() != parents.size()) std::exit(1);
    });
    std::printf("process-tree, nothing folded: layout %.3f CPU s of %zu nodes\n", open, parents.size());
}
