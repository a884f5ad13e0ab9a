#include "cli/figures.h"
#include "cli/figure_options.h"
#include "cli/progress.h"
#include "engine/base/output_file.h"
#include "exporters/exporter.h"
#include "exporters/report/format.h"
#include "graph/annotated.h"
#include <algorithm>
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
/// Of all formats, or of those that show `visual`.
std::string suffixes(const std::vector<std::unique_ptr<Exporter>>& formats, const graph::Visual* visual = nullptr)
{
    std::string all;
    for (const auto& f : formats)
        if (!visual || f->accepts(*visual)) all += (all.empty() ? "." : ", .") + std::string(f->suffix());
    return all;
}
template <typename Filter> std::string kindNames(Filter filter)
{
    std::string all;
    for (const auto& kind : graph::kinds())
        if (filter(kind)) all += (all.empty() ? "" : ", ") + std::string(kind.name);
    return all;
}
/// The view that an export asks for, or the program's first one that the format can show.
Result<std::unique_ptr<graph::Visual>> shown(const Export& e, const Exporter& format, const graph::Store& store, const FigureData* before)
{
    std::unique_ptr<graph::Visual> visual;
    std::string yields;
    for (const auto& kind : graph::kinds()) {
        if (!kind.fits(store) || (before && (!kind.compare || !kind.fits(before->store())))) continue;
        yields += (yields.empty() ? "" : ", ") + std::string(kind.name);
        if (visual || (!e.view.empty() && kind.name != e.view)) continue;
        auto made = before ? kind.compare(before->store(), store) : kind.make(store);
        if (format.accepts(*made)) visual = std::move(made);
    }
    if (visual) return visual;
    return Error{0,
        "cannot export " + e.file + ": " + (before ? "both runs yield" : "this program yields") + " no view "
            + (e.view.empty() ? "that ." + std::string(format.suffix()) + " can show" : "\"" + e.view + "\"") + "; "
            + (before ? "they yield " : "it yields ") + (yields.empty() ? "none" : yields) + (before ? " that can be compared" : "")};
}
std::string metadata(const record::Program& p)
{
    std::string text = p.source;
    text += p.host.empty() ? "\n" : "\n\nhost " + p.host;
    text += "\nkernel " + p.kernel + "\ndscope " + p.version;
    if (!p.command.empty()) text += "\ncommand " + p.command;
    return text;
}
} // namespace

Result<> checkTimes(const graph::ViewFacts& view, const graph::Store& store)
{
    if (view.heeds.amounts == graph::Heeds::Amounts::None) return {};
    std::string names;
    for (const auto& name : store.untimed(view.heeds.amounts))
        names += (names.empty() ? "" : ", ") + name;
    if (names.empty()) return {};
    return Error{0,
        "--from and --to: when what came into " + names
            + " was not read often enough for so short a stretch: ask for a longer one, or record with -x aggrate=10ms"};
}
FigureData::FigureData(const Arguments& a) : m_stretch(a.stretch)
{
    m_store.read(a.stackRules);
    if (a.unit) m_store.measureIn(*a.unit);
    if (!m_stretch.isAll()) m_store.keepTimes();
    const auto formats = exporters::all();
    const bool holdsRuns = std::any_of(a.exports.begin(), a.exports.end(), [&](const Export& e) {
        const auto* format = formatOf(e.file, formats);
        return format && format->holdsRuns();
    });
    const auto reportFormats = reports::all();
    const bool reportHolds = std::any_of(a.reports.begin(), a.reports.end(), [&](const std::string& file) {
        return std::any_of(reportFormats.begin(), reportFormats.end(),
            [&](const auto& f) { return f->holdsRuns() && file.ends_with("." + std::string(f->suffix())); });
    });
    if ((holdsRuns || reportHolds) && holdsData(a)) m_kept = std::make_shared<exporters::KeptRun>();
}
void FigureData::take(const record::Record& r)
{
    m_store.take(r);
    if (m_kept) m_kept->take(r);
}
exporters::Run FigureData::run(bool isBefore) const
{
    if (m_kept) m_kept->finish();
    return {isBefore, {}, m_kept};
}

Result<> checkExports(const Arguments& a)
{
    const auto formats = exporters::all();
    if (!a.diff.empty() && a.exports.empty() && a.reports.empty() && !a.listViews)
        return Error{0, "--diff compares in figures: say which, as in --export flame=changes.svg"};
    for (const auto& e : a.exports) {
        const auto* format = formatOf(e.file, formats);
        if (!format) return Error{0, "cannot export " + e.file + ": the name must end in one of " + suffixes(formats)};
        const auto equals = e.file.find('=');
        if (e.view.empty() && equals != std::string::npos && e.file.find('/') > equals)
            return Error{0,
                "cannot export " + e.file + ": there is no view \"" + e.file.substr(0, equals) + "\", but "
                    + kindNames([](const auto&) { return true; }) + "; a file of that name is written by ./" + e.file};
        DSCOPE_CHECK(OutputFile::check(e.file));
        if (e.view.empty()) continue;
        for (const auto& kind : graph::kinds()) {
            if (kind.name != e.view) continue;
            if (!a.diff.empty() && !kind.compare)
                return Error{0, "cannot export " + e.file + ": --diff has no " + e.view + ", but " + kindNames([](const auto& k) {
                                 return k.compare != nullptr;
                             })};
            if (auto fine = checkOptions(a, kind); !fine) return std::move(fine).error().in("cannot export " + e.file);
            const graph::Store nothing;
            const auto visual = a.diff.empty() ? kind.make(nothing) : kind.compare(nothing, nothing);
            if (!format->accepts(*visual))
                return Error{0,
                    "cannot export " + e.file + ": " + e.view + (a.diff.empty() ? "" : " of two runs") + " cannot be written as ."
                        + std::string(format->suffix()) + ", but as " + suffixes(formats, visual.get())};
        }
    }
    return {};
}

Result<> checkViews(const Arguments& a, const record::Program& program, const FigureData* before)
{
    const auto formats = exporters::all();
    graph::Store store;
    store.take(program);
    for (const auto& e : a.exports)
        if (const auto* format = formatOf(e.file, formats)) {
            DSCOPE_TRY([[maybe_unused]] const auto visual, shown(e, *format, store, before));
        }
    return {};
}

Result<> writeFigures(const Arguments& a, FigureData& data, FigureData* before)
{
    const auto formats = exporters::all();
    const auto& store = data.store();
    std::optional<Error> failed;
    auto fail = [&](Error error) {
        if (!failed) failed = std::move(error);
    };
    for (auto* run : {before, &data})
        if (run) DSCOPE_CHECK(run->cut());
    std::vector<exporters::Run> runs;
    for (auto* run : {before, &data})
        if (run && !a.exports.empty() && holdsData(a)) runs.push_back(run->run(run == before));
    for (const auto& e : a.exports) {
        const auto* format = formatOf(e.file, formats);
        if (!format) continue; // told by checkExports
        auto visual = shown(e, *format, store, before);
        if (!visual) {
            fail(std::move(visual).error());
            continue;
        }
        if (!a.layout.focus.empty() && !(*visual)->facts().hasFocus) {
            fail({0,
                "cannot export " + e.file + ": --focus is for " + kindNames([](const auto& k) { return k.hasFocus; }) + ", not for "
                    + std::string((*visual)->name())});
            continue;
        }
        if (auto fine = checkOptions(a, (*visual)->facts()); !fine) {
            fail(std::move(fine).error().in("cannot export " + e.file));
            continue;
        }
        if (auto timed = checkTimes((*visual)->facts(), store); !timed) {
            fail(std::move(timed).error().in("cannot export " + e.file));
            continue;
        }
        exporters::Options options;
        options.layout = a.layout;
        options.layout.higher = !a.sized; // in every format, so that they show the same
        options.layout.redact = a.redact;
        options.theme = a.theme;
        options.scale = a.scale;
        options.interactive = a.interactive;
        options.metadata = metadata(store.program());
        options.runs = runs;
        if (a.redact && !a.noData) options.inside = exporters::Inside::Shown;
        if (auto named = graph::checkNames(**visual, options.layout); !named) {
            fail(std::move(named).error().in("cannot export " + e.file));
            continue;
        }
        auto file = OutputFile::open(e.file, OutputFile::Kind::Whole);
        if (!file) {
            fail(std::move(file).error());
            continue;
        }
        Progress progress("drawing " + e.file);
        progress.begin();
        const auto drawn = format->write(**visual, options, file->stream());
        file->stream().flush();
        if (auto unwritten = file->error())
            fail(std::move(*unwritten));
        else if (!drawn)
            fail(file->refused(drawn.error()));
        else if (auto whole = before ? before->check() : Result<>(); !whole)
            fail(file->refused(whole.error()));
        else if (whole = data.check(); !whole)
            fail(file->refused(whole.error()));
        else if (auto done = file->commit(); !done)
            fail(std::move(done).error());
    }
    if (failed) return std::move(*failed);
    return {};
}

std::string views(const graph::Store& store, const FigureData* before)
{
    std::string text;
    for (const auto& kind : graph::kinds()) {
        if (!kind.fits(store) || (before && (!kind.compare || !kind.fits(before->store())))) continue;
        text += std::string(kind.name) + "\t" + (before ? kind.compare(before->store(), store) : kind.make(store))->title() + "\n";
    }
    return text;
}

std::string allViews()
{
    std::string text;
    for (const auto& kind : graph::kinds())
        text += std::string(kind.name) + "\t" + std::string(kind.summary) + "\n";
    return text;
}
} // namespace dscope::cli
