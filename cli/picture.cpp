#include "cli/picture.h"
#include "cli/figures.h"
#include "cli/output.h"
#include "engine/record/merged_runs.h"
#include "engine/record/redact.h"
#include <algorithm>
#include <utility>
namespace dscope::cli {
namespace {
constexpr std::size_t kMostSaid = 3, kMostTold = 20; ///< outliers, in a figure and on standard error
/// A figure says what it lacks.
void note(Arguments& a, const remote::Collection::Summary& summary)
{
    if (summary.isPartial()) a.layout.said.push_back(summary.text());
    if (a.redact) return; // they are hosts' names
    for (auto& text : outliersOf(summary))
        a.layout.said.push_back(std::move(text));
}
Result<> draw(const Arguments& given, const remote::Collection& collection)
{
    Arguments a = given;
    FigureData data(a);
    const auto take = [&](const record::Record& r) {
        if (!std::holds_alternative<record::Diagnostic>(r)) data.take(r); // they are told at the end
    };
    DSCOPE_TRY(const auto summary, merge(collection, *a.by, Printed::No, take));
    if (summary.hosts == 0) return {};
    note(a, summary);
    DSCOPE_CHECK(cutAll(data, nullptr, {}));
    return writeFigures(a, data, nullptr, {}, Drawing::Interim);
}
} // namespace

Result<remote::Collection::Summary> merge(
    const remote::Collection& collection, record::MergedBy by, Printed printed, const record::Source::Deliver& deliver)
{
    auto set = collection.dataSet();
    if (printed == Printed::AsItCame) {
        std::erase_if(set.runs, [](const record::MergedRun& run) { return run.firings == record::Firings::Shown; });
        for (auto& run : set.runs)
            run.isPrinted = true;
    }
    if (set.runs.empty()) return std::move(set.summary);
    record::MergedRuns merged(std::move(set.runs), by);
    for (;;) {
        DSCOPE_TRY(const bool more, merged.poll({}, deliver));
        if (!more) return std::move(set.summary);
    }
}

std::vector<std::string> outliersOf(const remote::Collection::Summary& summary) { return summary.outlierTexts(kMostSaid); }

Result<> Picture::open()
{
    if (m_arguments.metrics.empty()) return {};
    DSCOPE_TRY(auto server, MetricsServer::open(m_arguments.metrics));
    m_metrics.emplace(std::move(server));
    return {};
}

/// The numbers of all hosts so far.
std::string Picture::numbers()
{
    FigureData data(m_arguments);
    record::Redactor redact;
    const auto take = [&](const record::Record& r) { data.take(m_arguments.redact ? redact(r) : r); };
    const auto summary = merge(m_collection, *m_arguments.by, Printed::AsItCame, take);
    return summary && summary->hosts > 0 ? openMetrics(data.store(), m_toldBuckets) : openMetrics({}, m_toldBuckets);
}

void Picture::keepUp()
{
    if (m_metrics) m_metrics->keepUp([this] { return numbers(); });
    const auto now = Clock::now();
    const bool draws = !m_arguments.exports.empty() && m_arguments.diff.empty() && !m_arguments.redact;
    if (!draws || !m_isNew || now < m_next) return;
    // Hosts go on: the last drawing decides.
    if (const auto drawn = draw(m_arguments, m_collection); !drawn && !std::exchange(m_hasFailed, true))
        tell("dtrace: warning: while hosts send: " + drawn.error().message + '\n');
    m_isNew = false;
    // Most of the time is for what hosts send.
    constexpr int kShare = 4;
    m_next = Clock::now() + std::max<Clock::duration>(m_every, (Clock::now() - now) * kShare);
}

Result<remote::Collection::Summary> Picture::finish(const record::Source::Deliver& deliver)
{
    DSCOPE_TRY(auto summary, merge(m_collection, *m_arguments.by, m_printed, deliver));
    for (const auto& host : summary.refused)
        tell("dtrace: " + host + '\n');
    if (summary.hosts == 0) return summary;
    note(m_arguments, summary);
    tell("dtrace: " + summary.text() + '\n');
    for (const auto& text : summary.outlierTexts(kMostTold))
        tell("dtrace: " + text + '\n');
    return summary;
}
} // namespace dscope::cli
