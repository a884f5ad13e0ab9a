#include "cli/figures.h"
#include "cli/figure_options.h"
#include "cli/messages.h"
#include "cli/progress.h"
#include "cli/push.h"
#include "engine/base/output_file.h"
#include "engine/record/clock_agreement.h"
#include "engine/symbols/code_reader.h"
#include "engine/text/source_file.h"
#include "exporters/exporter.h"
#include "exporters/prom.h"
#include "exporters/report/format.h"
#include "graph/annotated.h"
#include "graph/page.h"
#include "graph/view_order.h"
#include <algorithm>
#include <cstdio>
#include <map>
#include <sstream>
namespace dscope::cli {
namespace {
using exporters::Exporter;
/// The format whose suffix the file has; the longest wins (".pb.gz" before ".gz").
const Exporter* formatOf(const Export& e, const std::vector<std::unique_ptr<Exporter>>& formats)
{
    const Exporter* best = nullptr;
    const auto end = e.format.empty() ? e.file : '.' + e.format;
    for (const auto& f : formats)
        if (end.ends_with("." + std::string(f->suffix())) && (!best || best->suffix().size() < f->suffix().size())) best = f.get();
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
    for (const auto& kind : graph::inOrderFor(store.program(), graph::kinds())) {
        if (!kind.fits(store) || (before && (!kind.compare || !kind.fits(before->store())))) continue;
        yields += (yields.empty() ? "" : ", ") + std::string(kind.name);
        if (visual || (!e.view.empty() && kind.name != e.view)) continue;
        auto made = before ? kind.compare(before->store(), store) : kind.make(store);
        if (format.accepts(*made)) visual = std::move(made);
    }
    if (visual) return visual;
    return Error{0,
        (e.format.empty() ? "cannot export " + e.file : "cannot push to " + e.file) + ": "
            + (before ? "both runs yield" : "this program yields") + " no view "
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
    if (view.heeds.amounts == graph::Heeds::Amounts::Stacks && store.hasUntimedStacks())
        return Error{0,
            "--from and --to: it is not known when these stacks came in: only perf's and Java's samples have times, and merged runs and "
            "pages "
            "of very many stacks do not keep them: give the recording or perf.data itself"};
    std::string names;
    for (const auto& name : store.untimed(view.heeds.amounts))
        names += (names.empty() ? "" : ", ") + name;
    if (names.empty()) return {};
    return Error{0,
        "--from and --to: when what came into " + names
            + " was not read often enough for so short a stretch: ask for a longer one, or record with -x aggrate=10ms"};
}
std::string openMetrics(const graph::Store& store, graph::ToldBuckets& told)
{
    auto all = graph::metricsOf(store, told);
    graph::Metric lost{graph::Metric::Kind::Counter, "drops", "records and values that were lost", {}, {}, {}};
    lost.rows.push_back({{}, store.drops(), {}});
    all.push_back(std::move(lost));
    std::ostringstream text;
    exporters::writeOpenMetrics(all, text);
    return text.str();
}
namespace {
void prepare(graph::Store& store, const Arguments& a)
{
    store.read(a.stackRules);
    store.readCodeBy(symbols::codeReader());
    if (a.unit) store.measureIn(*a.unit);
    if (!a.stretch.isAll()) store.keepTimes();
}
} // namespace
FigureData::FigureData(const Arguments& a) : m_arguments(a)
{
    prepare(m_store, a);
    const auto formats = exporters::all();
    const bool holdsRuns = std::any_of(a.exports.begin(), a.exports.end(), [&](const Export& e) {
        const auto* format = formatOf(e, formats);
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
void FigureData::takeOf(std::size_t run, const record::Record& r)
{
    while (m_runs.size() <= run) {
        prepare(*m_runs.emplace_back(std::make_shared<graph::Store>()), m_arguments);
        m_redactors.emplace_back();
    }
    m_runs[run]->take(m_arguments.redact ? m_redactors[run](r) : r);
}
Result<> FigureData::cut()
{
    if (!m_arguments.event.empty())
        if (auto shown = m_store.showEvent(m_arguments.event); !shown) return std::move(shown).error().in("--event");
    if (!m_arguments.stretch.isAll()) {
        DSCOPE_CHECK(m_store.show(m_arguments.stretch));
        for (const auto& run : m_runs)
            DSCOPE_CHECK(run->show(m_arguments.stretch));
    }
    m_store.consistsOf({m_runs.begin(), m_runs.end()});
    return {};
}
bool drawsEachRun(const Arguments& a)
{
    const auto formats = exporters::all();
    return a.by && std::any_of(a.exports.begin(), a.exports.end(), [&](const Export& e) {
        const auto* format = formatOf(e, formats);
        return format && format->takesRuns();
    });
}
void FigureData::readSources() { graph::supplySources(m_store, text::sourceLines); }
exporters::Run FigureData::run(bool isBefore) const
{
    if (m_kept) m_kept->finish();
    return {isBefore, {}, m_kept};
}

namespace {
Result<> checkExport(const Arguments& a, const Export& e, const std::vector<std::unique_ptr<Exporter>>& formats)
{
    const auto* format = formatOf(e, formats);
    if (!format) return Error{0, "cannot export " + e.file + ": the name must end in one of " + suffixes(formats)};
    const auto equals = e.file.find('=');
    if (e.view.empty() && equals != std::string::npos && e.file.find('/') > equals)
        return Error{0,
            "cannot export " + e.file + ": there is no view \"" + e.file.substr(0, equals) + "\", but "
                + kindNames([](const auto&) { return true; }) + "; a file of that name is written by ./" + e.file};
    DSCOPE_CHECK(OutputFile::check(e.file));
    if (e.view.empty()) return {};
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
    return {};
}
} // namespace

Result<> checkExports(const Arguments& a)
{
    const auto formats = exporters::all();
    if (!a.diff.empty() && a.exports.empty() && a.reports.empty() && a.budgets.empty() && !a.listViews)
        return Error{0, "--diff compares in figures: say which, as in --export flame=changes.svg, or for --budget"};
    Failures failures;
    for (const auto& e : a.exports)
        failures.note(checkExport(a, e, formats));
    return failures.all();
}

Result<> checkViews(const Arguments& a, const record::Program& program, std::span<const record::ProbeDef> probes, const FigureData* before)
{
    if (const auto option = program.options.find("view"); option != program.options.end()) {
        const auto kinds = graph::kinds();
        const auto isIt = [&](const graph::Kind& kind) { return kind.name == option->second; };
        if (std::none_of(kinds.begin(), kinds.end(), isIt))
            return Error{0, "option view: there is no view \"" + option->second + "\", but " + kindNames([](const auto&) { return true; })};
    }

    const auto formats = exporters::all();
    graph::Store store;
    store.readCodeBy(symbols::codeReader());
    store.take(program);
    for (const auto& probe : probes)
        store.take(probe);
    auto all = a.exports;
    std::transform(a.pushes.begin(), a.pushes.end(), std::back_inserter(all), [](const Push& push) { return exportOf(push); });
    for (const auto& e : all)
        if (const auto* format = formatOf(e, formats)) { DSCOPE_TRY([[maybe_unused]] const auto visual, shown(e, *format, store, before)); }
    return {};
}

std::string fileOfRun(const std::string& file, std::size_t number)
{
    if (number == 1) return file;
    const auto name = file.rfind('/') + 1, dot = file.find('.', name + 1); // ".pb.gz" is one suffix
    return file.substr(0, dot) + '-' + std::to_string(number) + (dot == std::string::npos ? std::string() : file.substr(dot));
}

namespace {
/// A run that figures are drawn of, and what it is compared with, or null.
struct Drawn {
    FigureData* data = nullptr;
    FigureData* before = nullptr;
};
Result<> checkVisual(const Arguments& a, const graph::Visual& visual, const graph::Store& store)
{
    if (!a.layout.focus.empty() && !visual.facts().hasFocus)
        return Error{
            0, "--focus is for " + kindNames([](const auto& k) { return k.hasFocus; }) + ", not for " + std::string(visual.name())};
    DSCOPE_CHECK(checkOptions(a, visual.facts()));
    return checkTimes(visual.facts(), store);
}
/// The runs of a merged one, each with the view that an export asks for.
struct EachRun {
    std::vector<std::unique_ptr<graph::Visual>> visuals;
    std::vector<exporters::RunBesideOthers> runs;
};
Result<EachRun> eachRun(const Arguments& a, const Export& e, const Exporter& format, const graph::Store& all)
{
    EachRun each;
    std::map<std::string, int> runsOf;
    for (const auto& run : all.runs())
        ++runsOf[run->program().host];
    const auto& first = all.runs().front()->program();
    for (const auto& run : all.runs()) {
        const auto& program = run->program();
        DSCOPE_TRY(auto visual, shown(e, format, *run, nullptr));
        DSCOPE_CHECK(checkVisual(a, *visual, *run));
        auto name = program.host.empty() ? "run " + std::to_string(each.runs.size() + 1) : program.host;
        if (!program.host.empty() && runsOf[program.host] > 1) name += ' ' + graph::formatUtc(program.started + program.wallClockOffset);
        const bool isOnOneClock = !program.timesAreLines && !first.timesAreLines;
        each.runs.push_back({name, visual.get(), isOnOneClock ? program.wallClockOffset - first.wallClockOffset : 0});
        each.visuals.push_back(std::move(visual));
    }
    return each;
}
/// How far the axes of all runs' figures go.
Result<std::shared_ptr<const graph::Extents>> extentsOf(const Export& e, const Exporter& format, const std::vector<Drawn>& runs)
{
    auto all = std::make_shared<graph::Extents>();
    for (const auto& run : runs) {
        DSCOPE_TRY(const auto visual, shown(e, format, run.data->store(), run.before));
        all->add(visual->extents());
    }
    return std::shared_ptr<const graph::Extents>(std::move(all));
}
Result<> writeEachRun(const Arguments& a, const Export& e, const Exporter& format, const graph::Store& all, const std::string& path)
{
    auto each = eachRun(a, e, format, all);
    if (!each) return std::move(each).error().in("cannot export " + path);
    exporters::Options options;
    options.clocks = all.clocks();
    DSCOPE_TRY(auto file, OutputFile::open(path, OutputFile::Kind::Whole));
    const auto drawn = format.writeRuns(each->runs, options, file.stream());
    file.stream().flush();
    if (auto unwritten = file.error()) return std::move(*unwritten);
    if (!drawn) return file.refused(drawn.error());
    return file.commit();
}
Result<> writeFigure(const Arguments& a, const Export& e, const Exporter& format, const Drawn& run,
    std::shared_ptr<const graph::Extents> extents, const std::string& path)
{
    const auto& store = run.data->store();
    if (format.takesRuns() && a.by && store.runs().size() > 1 && !run.before) return writeEachRun(a, e, format, store, path);
    DSCOPE_TRY(const auto visual, shown(e, format, store, run.before));
    if (auto fine = checkVisual(a, *visual, store); !fine) return std::move(fine).error().in("cannot export " + path);
    exporters::Options options;
    graph::ToldBuckets none;
    if (format.takesMetrics() && !run.before) options.metrics = graph::metricsOf(store, none);
    options.command = store.program().command;
    options.layout = a.layout;
    options.layout.higher = !a.sized; // in every format, so that they show the same
    options.layout.redact = a.redact;
    options.layout.extents = std::move(extents);
    options.palette = a.palette;
    options.scale = a.scale;
    options.interactive = a.interactive;
    options.metadata = metadata(store.program());
    if (visual->extents().time != 0) options.clocks = store.clocks();
    if (auto text = record::textOf(options.clocks); !text.empty()) options.layout.said.push_back(std::move(text));
    if (holdsData(a))
        for (auto* held : {run.before, run.data})
            if (held) options.runs.push_back(held->run(held == run.before));
    if (a.redact && !a.noData) options.inside = exporters::Inside::Shown;
    if (auto named = graph::checkNames(*visual, options.layout); !named) return std::move(named).error().in("cannot export " + path);
    for (const auto& name : graph::unplacedNotes(*visual, options.layout))
        std::fprintf(stderr, "dtrace: warning: %s: nothing that %s draws is called \"%s\", so that its note is left out\n", a.notes.c_str(),
            std::string(visual->name()).c_str(), name.c_str());
    DSCOPE_TRY(auto file, OutputFile::open(path, OutputFile::Kind::Whole));
    Progress progress("drawing " + path);
    progress.begin();
    const auto drawn = format.write(*visual, options, file.stream());
    file.stream().flush();
    if (auto unwritten = file.error()) return std::move(*unwritten);
    if (!drawn) return file.refused(drawn.error());
    if (visual->empty())
        std::fprintf(stderr, "dtrace: warning: %s is of nothing: there is no data for the view %s\n", path.c_str(),
            std::string(visual->name()).c_str());
    return file.commit();
}
} // namespace

namespace {
/// Bytes beside times, both of other tools, are drawn as if they could be compared.
void tellOtherMeasure(const graph::Store& before, const graph::Store& after)
{
    if (before.counted().empty() || after.counted().empty()) return;
    const auto &old = before.counted().front(), &now = after.counted().front();
    if (old.unit == now.unit) return;
    std::fprintf(stderr, "dtrace: warning: the stacks of the run before measure %s, those of this run %s: they can't be compared\n",
        old.noun.c_str(), now.noun.c_str());
}
} // namespace

Result<> cutAll(FigureData& data, FigureData* before, std::span<OtherRun> others)
{
    if (before) tellOtherMeasure(before->store(), data.store());
    std::vector<FigureData*> all{before, &data};
    for (auto& other : others)
        all.insert(all.end(), {other.before.get(), other.data.get()});
    for (auto* each : all)
        if (each) DSCOPE_CHECK(each->cut());
    return {};
}

Result<> writeFigures(const Arguments& a, FigureData& data, FigureData* before, std::span<OtherRun> others, Drawing drawing)
{
    const auto formats = exporters::all();
    std::vector<Drawn> runs{{&data, before}};
    for (auto& other : others)
        runs.push_back({other.data.get(), other.before.get()});
    if (!a.exports.empty())
        for (const auto& run : runs)
            run.data->readSources();
    Failures failures;
    for (const auto& e : a.exports) {
        const auto* format = formatOf(e, formats);
        if (!format) continue; // told by checkExports
        std::shared_ptr<const graph::Extents> extents;
        if (a.sameScale) {
            auto all = extentsOf(e, *format, runs);
            if (!all) {
                failures.note(std::move(all).error());
                continue;
            }
            extents = std::move(*all);
        }
        for (std::size_t i = 0; i < runs.size(); ++i) {
            const auto path = fileOfRun(e.file, i + 1);
            auto written = writeFigure(a, e, *format, runs[i], extents, path);
            if (written && drawing == Drawing::Final) tellWritten(path);
            failures.note(std::move(written));
        }
    }
    return failures.all();
}

Result<Exported> exported(
    const Arguments& a, const Export& e, const FigureData& data, std::vector<std::pair<std::string, std::string>> attributes)
{
    const auto formats = exporters::all();
    const auto* format = formatOf(e, formats);
    DSCOPE_ASSERT(format != nullptr);
    DSCOPE_TRY(const auto visual, shown(e, *format, data.store(), nullptr));
    DSCOPE_CHECK(checkVisual(a, *visual, data.store()));
    exporters::Options options;
    options.command = data.store().program().command;
    options.layout = a.layout;
    options.layout.redact = a.redact;
    options.attributes = std::move(attributes);
    std::ostringstream text;
    DSCOPE_CHECK(format->write(*visual, options, text));
    if (visual->empty()) return Error{0, "there is no stack in this run"};
    return Exported{std::move(text).str(), visual->stacks()->source()};
}

std::string views(const graph::Store& store, const FigureData* before)
{
    std::string text;
    for (const auto& kind : graph::inOrderFor(store.program(), graph::kinds())) {
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
