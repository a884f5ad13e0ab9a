#include "cli/figures.h"
#include "exporters/exporter.h"
#include <cstring>
#include <fstream>
namespace dscope::cli {
namespace {
using exporters::Exporter;
/// The format whose suffix the file has; the longest wins (".pb.gz" before ".gz").
const Exporter* formatOf(const std::string& file, const std::vector<std::unique_ptr<Exporter>>& formats)
{
    const Exporter* best = nullptr;
    for (const auto& f : formats)
        if (file.ends_with("." + std::string(f->suffix())) && (!best || best->suffix().size() < f->suffix().size())) best = f.get();
    return best;
}
std::string suffixes(const std::vector<std::unique_ptr<Exporter>>& formats)
{
    std::string all;
    for (const auto& f : formats)
        all += (all.empty() ? "." : ", .") + std::string(f->suffix());
    return all;
}
std::string metadata(const record::Program& p)
{
    std::string text = p.source;
    text += "\n\nhost " + p.host + "\nkernel " + p.kernel + "\ndscope " + p.version;
    if (!p.command.empty()) text += "\ncommand " + p.command;
    return text;
}
} // namespace

Result<> checkExports(const Arguments& a)
{
    const auto formats = exporters::all();
    for (const auto& e : a.exports)
        if (!formatOf(e.file, formats)) return Error{0, "cannot export " + e.file + ": the name must end in one of " + suffixes(formats)};
    return {};
}

Result<> writeFigures(const Arguments& a, const graph::Store& store)
{
    const auto formats = exporters::all();
    const auto kinds = graph::kinds();
    std::optional<Error> failed;
    auto fail = [&](Error error) {
        if (!failed) failed = std::move(error);
    };
    for (const auto& e : a.exports) {
        const auto* format = formatOf(e.file, formats);
        if (!format) continue; // told by checkExports
        std::unique_ptr<graph::Visual> visual;
        std::string yields;
        for (const auto& kind : kinds) {
            if (!kind.fits(store)) continue;
            yields += (yields.empty() ? "" : ", ") + std::string(kind.name);
            if (visual || (!e.view.empty() && kind.name != e.view)) continue;
            auto made = kind.make(store);
            if (format->accepts(*made)) visual = std::move(made);
        }
        if (!visual) {
            fail({0,
                "cannot export " + e.file + ": this program yields no view "
                    + (e.view.empty() ? "that ." + std::string(format->suffix()) + " can show" : "\"" + e.view + "\" for this format")
                    + "; it yields " + (yields.empty() ? "none" : yields)});
            continue;
        }
        exporters::Options options;
        options.layout.width = a.width;
        options.layout.height = a.height;
        options.layout.title = a.title;
        options.layout.subtitle = a.subtitle;
        options.theme = a.theme;
        options.metadata = metadata(store.program());
        std::ofstream out(e.file, std::ios::binary | std::ios::trunc);
        if (!out) {
            fail({errno, "cannot write " + e.file + ": " + std::strerror(errno)});
            continue;
        }
        if (auto done = format->write(*visual, options, out); !done) fail(std::move(done).error());
        out.flush();
        if (!out) fail({errno, "cannot write " + e.file + ": " + std::strerror(errno)});
    }
    if (failed) return std::move(*failed);
    return {};
}

std::string views(const graph::Store& store)
{
    std::string text;
    for (const auto& kind : graph::kinds())
        if (kind.fits(store)) text += std::string(kind.name) + "\t" + kind.make(store)->title() + "\n";
    return text;
}
} // namespace dscope::cli
