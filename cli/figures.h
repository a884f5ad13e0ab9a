#pragma once
#include "cli/arguments.h"
#include "engine/record/code_text.h"
#include "engine/record/redact.h"
#include "engine/text/mapped_file.h"
#include "exporters/web/data.h"
#include "exporters/web/kept_run.h"
#include "graph/metrics.h"
#include "graph/stacks.h"
#include "graph/store.h"
#include <memory>
#include <span>
#include <vector>
namespace dscope::cli {
/// What figures are made of: a run as the store has it and, where a figure is to open again, as a recording.
class FigureData final : public record::Sink {
public:
    explicit FigureData(const Arguments& arguments);
    void take(const record::Record& record) override;
    /// The same of one of the runs that are merged: graph::Store::runs() has each.
    void takeOf(std::size_t run, const record::Record& record);
    const graph::Store& store() const { return m_store; }
    /// At the end of the run: from now on the store shows the stretch that was asked for. Error: the run has no such stretch.
    Result<> cut();
    /// Then: the files of source that its stacks have lines of are there for views.
    void readSources();
    /// At the end of the run.
    exporters::Run run(bool isBefore) const;

private:
    graph::Store m_store;
    std::vector<std::shared_ptr<graph::Store>> m_runs;
    std::vector<record::Redactor> m_redactors; ///< of the runs
    const Arguments& m_arguments;
    std::shared_ptr<exporters::KeptRun> m_kept; ///< null where no figure is to open again
};
/// A run beside the one that figures are of.
struct OtherRun {
    std::string name;
    std::unique_ptr<FigureData> data;
    std::unique_ptr<FigureData> before; ///< what it is compared with, or null
    bool isCut = false;
};
/// Where the figure of the run with that number, from 1, is written: "x.svg", "x-2.svg".
std::string fileOfRun(const std::string& file, std::size_t number);
/// Checks every --export, and --diff, before anything runs: that a format exists, that the view can be written in it, and that
/// the file can be written. Error: all that is wrong.
Result<> checkExports(const Arguments& arguments);
/// Whether merged runs are each wanted on their own besides, for a figure that has them side by side.
bool drawsEachRun(const Arguments& arguments);
/// Whether it is known what of a view was in the stretch that is shown. Error: what is not known.
Result<> checkTimes(const graph::ViewFacts& view, const graph::Store& store);
/// The same for what the program yields, which its shape tells before it runs.
Result<> checkViews(
    const Arguments& arguments, const record::Program& program, std::span<const record::ProbeDef> probes, const FigureData* before);
/// FigureData::cut() of all runs, which comes before all that is written of them.
Result<> cutAll(FigureData& data, FigureData* before, std::span<OtherRun> others);
/// Whether figures are drawn for the last time, or again and again while data comes in.
enum class Drawing : std::uint8_t { Interim, Final };
/// Writes all --export figures, compared with `before` when there is one, of each of the runs. Says which files a final drawing wrote.
/// Error names each file that could not be written, and the cause; the other figures are written all the same.
Result<> writeFigures(
    const Arguments& arguments, FigureData& data, FigureData* before, std::span<OtherRun> others, Drawing drawing = Drawing::Final);
/// A run's view as the bytes of a format, and where its stacks come from.
struct Exported {
    std::string bytes;
    graph::StackSource source;
};
/// `attributes`: of who is traced, for formats that have them. Error: the run has no such view, or nothing is in it.
Result<Exported> exported(
    const Arguments& arguments, const Export& e, const FigureData& data, std::vector<std::pair<std::string, std::string>> attributes);
/// All aggregations of a run, and what was lost, as OpenMetrics. `told`: what the last answer had of buckets; the same object each time.
std::string openMetrics(const graph::Store& store, graph::ToldBuckets& told);
/// NAME<TAB>TITLE a line. With `before` those alone that can compare.
std::string views(const graph::Store& store, const FigureData* before);
/// Every view that there is, NAME<TAB>SUMMARY a line.
std::string allViews();
} // namespace dscope::cli
