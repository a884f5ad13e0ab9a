#pragma once
#include "cli/arguments.h"
#include "cli/figures.h"
#include "cli/metrics_server.h"
#include "cli/output.h"
#include "cli/recording.h"
#include "cli/reports.h"
#include "engine/format/printer.h"
#include "engine/record/redact.h"
#include "engine/record/wire.h"
#include "engine/remote/publisher.h"
#include "graph/metrics.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::cli {
/// Everything that listens to a run: the text, the recording, the pipe of a front end, the store that figures are made of.
class Consumers {
public:
    /// The source of the records: a run, which executes system() and freopen(), or a replay, which only prints them.
    enum class Of : std::uint8_t { Run, Replay };
    /// `before`: what --diff names, or null.
    /// `stream`: to a front end, or null; it is not ended here.
    Consumers(const Arguments& a, Of what, FigureData* before, record::Writer* stream = nullptr)
        : m_arguments(a), m_stream(stream), m_live(what == Of::Run), m_before(before), m_figures(a)
    {
    }
    Result<> open();
    void take(const record::Record& r);
    /// What has been printed as it came: all but the text has it.
    void takeSilently(const record::Record& r);
    /// The same of one of the runs that are merged.
    void takeOf(std::size_t run, const record::Record& r)
    {
        if (m_wantsStore) m_figures.takeOf(run, r);
    }
    /// After a batch of records: what a reader at the other end should see now.
    void flush();
    /// The run has begun: what an earlier run recorded is emptied.
    Result<> begin() { return m_recording.begin(); }
    /// Why the recording can't be written any more: once, as soon as that is known.
    std::optional<Error> unrecorded() { return m_recording.takeFailure(); }
    /// Why nothing can be published any more: likewise.
    std::optional<Error> unpublished() { return m_publisher ? m_publisher->takeFailure() : std::nullopt; }
    std::uint64_t recorded() const { return m_recording.size(); }
    /// Text that is no record: not for front ends.
    void print(std::string_view text)
    {
        if (m_printer && m_prints) m_output.write(text);
    }
    /// errno if text can no longer be written (no reader, full disk). Recording and drawing go on; printing stops, and so does
    /// system(), which would run between the lines.
    int lost();
    /// `others`: of a report, beside this one. `isCut`: the recording ends before the run did. Error: each output that could not be
    /// written; the others are.
    Result<> finish(std::vector<OtherRun> others = {}, bool isCut = false);
    /// What the program asked for by exit(); else 1 where freopen() could not open a file.
    int status() const { return m_status == 0 && m_effects && m_effects->wasRefused() && !m_effects->isStatusGiven() ? 1 : m_status; }
    std::string lossText() const { return m_output.failureText(); }

private:
    Result<> draw(std::vector<OtherRun>& others, bool isCut);
    void keep(const record::Record& r);
    enum class Text : std::uint8_t { LeftOut, Printed };
    void addPrinter(Text text);
    const Arguments& m_arguments;
    Output m_output;
    Recording m_recording;
    std::unique_ptr<remote::Publisher> m_publisher;
    record::Writer* m_stream;
    bool m_live;
    std::optional<format::LiveEffects> m_effects;
    std::unique_ptr<format::Printer> m_printer;
    bool m_prints = false; ///< else m_printer's text goes nowhere
    FigureData* m_before;
    record::Redactor m_redactor;
    FigureData m_figures;
    bool m_wantsStore = false;
    std::optional<MetricsServer> m_metrics;
    graph::ToldBuckets m_toldBuckets; ///< to who scrapes
    int m_status = 0;
};
} // namespace dscope::cli
