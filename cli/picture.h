#pragma once
#include "cli/arguments.h"
#include "cli/metrics_server.h"
#include "engine/remote/collection.h"
#include "graph/metrics.h"
#include <chrono>
#include <optional>
namespace dscope::cli {
enum class Printed : std::uint8_t { No, AsItCame };
/// What is known now, as one stream. `printed`: what became of what clauses print: what was printed as it came is no part of it.
Result<remote::Collection::Summary> merge(
    const remote::Collection& collection, record::MergedBy by, Printed printed, const record::Source::Deliver& deliver);
/// What a figure says of the hosts that are unlike the others.
std::vector<std::string> outliersOf(const remote::Collection::Summary& summary);
/// What many hosts have told so far, as figures that are drawn again and again, and in the end as one stream.
class Picture {
public:
    /// `every`: between two drawings. `printed`: as merge() has it.
    Picture(Arguments& arguments, const remote::Collection& collection, std::chrono::nanoseconds every, Printed printed = Printed::No)
        : m_arguments(arguments), m_collection(collection), m_every(every), m_printed(printed), m_next(Clock::now() + every)
    {
    }
    /// Opens Arguments::metrics. Error: why nothing can listen there.
    Result<> open();
    /// Something came in.
    void touch() { m_isNew = true; }
    /// Draws where figures are asked for, something is new and it is time; answers who scrapes the numbers. A figure that could not be
    /// written is reported once.
    void keepUp();
    /// All of it to `deliver`; a figure that is drawn then says what it lacks. Tells that, too.
    Result<remote::Collection::Summary> finish(const record::Source::Deliver& deliver);

private:
    std::string numbers();
    using Clock = std::chrono::steady_clock;
    Arguments& m_arguments;
    const remote::Collection& m_collection;
    const std::chrono::nanoseconds m_every;
    const Printed m_printed;
    Clock::time_point m_next;
    bool m_isNew = false;
    bool m_hasFailed = false; ///< to draw meanwhile, which is reported once
    std::optional<MetricsServer> m_metrics;
    graph::ToldBuckets m_toldBuckets; ///< to who scrapes
};
} // namespace dscope::cli
