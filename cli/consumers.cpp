#include "cli/consumers.h"
#include "cli/budgets.h"
#include "cli/messages.h"
#include "cli/push.h"
#include <utility>
namespace dscope::cli {
Result<> Consumers::open()
{
    Failures failures;
    failures.note(m_output.open(m_arguments.output));
    if (!m_arguments.record.empty())
        failures.note(m_recording.open(m_arguments.record, m_live ? OutputFile::Kind::Growing : OutputFile::Kind::Whole));
    DSCOPE_CHECK(failures.all());
    if (m_arguments.publish) {
        DSCOPE_TRY(auto broker, remote::natsBroker(*m_arguments.publish));
        const auto what = m_live ? remote::Publisher::Of::Run : remote::Publisher::Of::Replay;
        m_publisher = std::make_unique<remote::Publisher>(
            std::move(broker), *m_arguments.publish, what, [](const std::string& text) { tell("dtrace: " + text + '\n'); });
    }
    if (!m_arguments.metrics.empty() && m_live) {
        DSCOPE_TRY(auto server, MetricsServer::open(m_arguments.metrics));
        m_metrics.emplace(std::move(server));
    }
    const bool prints = m_live ? printsLiveText(m_arguments) : printsText(m_arguments);
    // A live run without text still runs system() and freopen(), and prints its messages.
    if (!m_stream && (prints || (m_live && !m_arguments.listViews))) addPrinter(prints ? Text::Printed : Text::LeftOut);
    m_wantsStore = m_metrics || !m_arguments.exports.empty() || !m_arguments.reports.empty() || !m_arguments.budgets.empty()
        || !m_arguments.pushes.empty() || m_arguments.listViews;
    return {};
}

void Consumers::take(const record::Record& r)
{
    takeSilently(r);
    if (m_stream) m_stream->take(r);
    if (m_printer) m_printer->take(r);
    if (const auto* exit = std::get_if<record::Exit>(&r)) m_status = exit->status;
}

void Consumers::takeSilently(const record::Record& r)
{
    if (m_arguments.redact && (m_recording.isOpen() || m_wantsStore || m_publisher))
        keep(m_redactor(r));
    else
        keep(r);
}

void Consumers::flush()
{
    m_output.flush();
    if (m_stream) m_stream->flush();
    m_recording.keepUp();
    if (m_publisher) m_publisher->keepUp();
    if (m_metrics) m_metrics->keepUp([this] { return openMetrics(m_figures.store(), m_toldBuckets); });
}

int Consumers::lost()
{
    if (m_output.failure() != 0) m_printer.reset();
    return m_output.failure();
}

Result<> Consumers::finish(std::vector<OtherRun> others, bool isCut)
{
    if (m_printer) m_printer->finish();
    flush();
    Failures failures;
    failures.note(m_output.checkKept());
    failures.note(m_recording.finish());
    if (m_recording.isWritten()) tellWritten(m_arguments.record);
    if (m_publisher) failures.note(m_publisher->finish());
    if (m_arguments.listViews) m_output.write(views(m_figures.store(), m_before));
    failures.note(draw(others, isCut));
    return failures.all();
}

/// All that is made of the figures' data.
Result<> Consumers::draw(std::vector<OtherRun>& others, bool isCut)
{
    DSCOPE_CHECK(cutAll(m_figures, m_before, others));
    Failures failures;
    failures.note(writeFigures(m_arguments, m_figures, m_before, others));
    failures.note(writeReports(m_arguments, runName(m_arguments), m_figures, m_before, isCut, others));
    failures.note(push(m_arguments, m_figures));
    if (m_arguments.budgets.empty()) return failures.all();
    auto kept = judgeBudgets(m_arguments, runName(m_arguments), m_figures, m_before);
    if (kept)
        m_status = *kept == Kept::All ? 0 : kOverBudget;
    else
        failures.note(std::move(kept).error());
    return failures.all();
}

void Consumers::keep(const record::Record& r)
{
    m_recording.take(r);
    if (m_publisher) m_publisher->take(r);
    if (m_wantsStore) m_figures.take(r);
}

void Consumers::addPrinter(Text text)
{
    m_prints = text == Text::Printed;
    if (m_live) m_effects.emplace(m_prints ? m_output.descriptor() : -1, [this] { m_output.flush(); });
    m_printer = std::make_unique<format::Printer>(
        [this](std::string_view s) {
            if (m_prints) m_output.write(s);
        },
        [this](std::string_view s) {
            m_output.flush();
            tell(s);
        },
        m_effects ? &*m_effects : nullptr);
    if (m_arguments.options.isSet("oformat")) m_printer->setFormat(m_arguments.options.text("oformat"));
    m_printer->toTerminal(m_output.isTerminal());
    m_printer->groupDigits(format::environmentGrouping());
    m_printer->checkOptions([options = m_arguments.options](const std::string& name, const std::string& value) mutable -> Result<> {
        DSCOPE_CHECK(options.set(name, value));
        if (const auto* row = options::find(name); row && !row->atRunTime) return Error{0, "Operation illegal when tracing is active"};
        return {};
    });
}
} // namespace dscope::cli
