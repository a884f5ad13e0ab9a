#pragma once
#include "cli/arguments.h"
#include "exporters/web/data.h"
#include "exporters/web/kept_run.h"
#include "graph/store.h"
#include <optional>
namespace dscope::cli {
/// What figures are made of: a run as the store has it and, where a figure is to open again, as a recording.
class FigureData final : public record::Sink {
public:
    explicit FigureData(const Arguments& arguments);
    void take(const record::Record& record) override;
    void take(record::FoldedStacks stacks) { m_store.take(std::move(stacks)); }
    const graph::Store& store() const { return m_store; }
    /// At the end of the run, once.
    exporters::Run run();

private:
    graph::Store m_store;
    std::optional<exporters::KeptRun> m_kept;
};
/// Checks every --export, and --diff, before anything runs: that a format exists, that the view can be written in it, and that
/// the file can be written.
Result<> checkExports(const Arguments& arguments);
/// The same for what the program yields, which its shape tells before it runs.
Result<> checkViews(const Arguments& arguments, const record::Program& program, const FigureData* before);
/// Writes all --export figures, compared with `before` when there is one. Error names the file and the cause; the others are
/// written all the same.
Result<> writeFigures(const Arguments& arguments, FigureData& data, FigureData* before);
/// NAME<TAB>TITLE a line. With `before` those alone that can compare.
std::string views(const graph::Store& store, const FigureData* before);
} // namespace dscope::cli
