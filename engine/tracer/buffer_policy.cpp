#include "engine/tracer/buffer_policy.h"
#include <cstdio>
#include <string>
#include <utility>
#include <variant>
namespace dscope::tracer {
namespace {
/// What dtrace writes before a firing's data: its number and its time.
constexpr std::uint64_t kHead = 16;
constexpr std::chrono::seconds kRowsBefore{1};
std::uint64_t roomOf(const record::Record& record) { return kHead + std::get<record::Fired>(record).payload.size(); }
/// Of a firing that is kept here.
std::uint64_t memoryOf(const record::Fired& fired) { return sizeof(std::pair<std::uint64_t, record::Record>) + fired.payload.size(); }
/// What comes before all that is traced: it is neither old nor new.
bool isIntroduction(const record::Record& record)
{
    return std::holds_alternative<record::Program>(record) || std::holds_alternative<record::ProbeDef>(record)
        || std::holds_alternative<record::Diagnostic>(record);
}
std::string secondsText(record::Nanoseconds time)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", static_cast<double>(time.count()) / 1e9);
    return text;
}
} // namespace

BufferPolicy::BufferPolicy(const options::Options& options, Deliver deliver)
    : m_room(options.number("bufsize")), m_span(static_cast<std::int64_t>(options.number("ringtime"))), m_deliver(std::move(deliver))
{
    const auto policy = options.text("bufpolicy");
    if (policy == "fill") m_policy = Policy::Fill;
    if (policy == "ring") m_policy = Policy::Ring;
    if (options.isSet("ringtime")) m_policy = Policy::RingOfTime;
}

void BufferPolicy::take(const record::Record& record)
{
    if (m_policy == Policy::Switch) return m_deliver(record);
    if (const auto* probe = std::get_if<record::ProbeDef>(&record); probe && probe->provider == "dtrace" && probe->name == "END")
        m_end = probe->id;
    if (m_next == 0 && isIntroduction(record)) return m_deliver(record); // who looks on sees that it runs

    const auto number = m_next++;
    const auto* fired = std::get_if<record::Fired>(&record);
    if (fired && fired->probe != m_end && !makeRoomOnCpu(number, *fired)) return;
    const auto* rows = std::get_if<record::AggregationRows>(&record);
    if (rows && m_policy == Policy::RingOfTime) m_rows[rows->aggregation].push_back(number);
    m_kept.emplace_hint(m_kept.end(), number, record);
    if (m_policy != Policy::RingOfTime || (!fired && !rows)) return;
    dropBefore((fired ? fired->when : rows->when) - m_span);
    while (m_used > kMost && m_fired.size() > 1)
        dropOldest();
}

// False where a firing is not kept at all.
bool BufferPolicy::makeRoomOnCpu(Number number, const record::Fired& fired)
{
    if (m_policy == Policy::RingOfTime) {
        m_fired.push_back(number);
        m_used += memoryOf(fired);
        return true;
    }
    auto& cpu = m_cpus[fired.cpu];
    const auto room = kHead + fired.payload.size();
    if (m_policy == Policy::Fill && (m_full || cpu.used + room > m_room)) {
        m_full = true;
        return false;
    }
    cpu.used += room;
    cpu.kept.push_back(number);
    while (m_policy == Policy::Ring && cpu.used > m_room && cpu.kept.size() > 1) {
        const auto oldest = m_kept.find(cpu.kept.front());
        cpu.used -= roomOf(oldest->second);
        m_kept.erase(oldest);
        cpu.kept.pop_front();
    }
    return true;
}

void BufferPolicy::dropBefore(record::Nanoseconds time)
{
    const auto whenFired = [this](Number number) { return std::get<record::Fired>(m_kept.at(number)).when; };
    while (!m_fired.empty() && whenFired(m_fired.front()) < time) {
        const auto oldest = m_kept.find(m_fired.front());
        m_used -= memoryOf(std::get<record::Fired>(oldest->second));
        m_kept.erase(oldest);
        m_fired.pop_front();
    }
    // A stretch of that length is asked for from the last record back, which is somewhat older than the end.
    const auto rowsFrom = time - kRowsBefore;
    for (auto& [aggregation, numbers] : m_rows)
        while (numbers.size() > 1 && std::get<record::AggregationRows>(m_kept.at(numbers[1])).when <= rowsFrom) {
            m_kept.erase(numbers.front());
            numbers.pop_front();
        }
}

void BufferPolicy::dropOldest()
{
    const auto oldest = m_kept.find(m_fired.front());
    const auto& fired = std::get<record::Fired>(oldest->second);
    m_lost = fired.when;
    m_used -= memoryOf(fired);
    m_kept.erase(oldest);
    m_fired.pop_front();
}

void BufferPolicy::release(record::Nanoseconds now)
{
    if (m_policy == Policy::RingOfTime) dropBefore(now - m_span);
    if (m_lost && *m_lost >= now - m_span) {
        const auto text = "option ringtime: of the last " + secondsText(m_span) + " s only " + secondsText(now - *m_lost)
            + " s are there: more had no room in " + std::to_string(kMost >> 20) + " MiB of memory";
        m_deliver(record::Diagnostic{record::Diagnostic::Severity::Warning, {}, {}, 0, 0, text, text});
    }
    for (const auto& [number, record] : m_kept)
        m_deliver(record);
    m_kept.clear();
    m_cpus.clear();
    m_fired.clear();
    m_rows.clear();
    m_used = 0;
}
} // namespace dscope::tracer
