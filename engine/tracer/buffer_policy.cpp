#include "engine/tracer/buffer_policy.h"
namespace dscope::tracer {
namespace {
/// What dtrace writes before a firing's data: its number and its time.
constexpr std::uint64_t kHead = 16;
std::uint64_t roomOf(const record::Record& record) { return kHead + std::get<record::Fired>(record).payload.size(); }
} // namespace

BufferPolicy::BufferPolicy(const options::Options& options, Deliver deliver)
    : m_room(options.number("bufsize")), m_deliver(std::move(deliver))
{
    const auto policy = options.text("bufpolicy");
    if (policy == "fill") m_policy = Policy::Fill;
    if (policy == "ring") m_policy = Policy::Ring;
}

void BufferPolicy::take(const record::Record& record)
{
    if (m_policy == Policy::Switch) return m_deliver(record);
    if (const auto* probe = std::get_if<record::ProbeDef>(&record); probe && probe->provider == "dtrace" && probe->name == "END")
        m_end = probe->id;
    const auto* fired = std::get_if<record::Fired>(&record);
    if (fired && fired->probe != m_end) {
        auto& cpu = m_cpus[fired->cpu];
        const auto room = roomOf(record);
        if (m_policy == Policy::Fill && (m_full || cpu.used + room > m_room)) {
            m_full = true;
            return;
        }
        cpu.used += room;
        cpu.kept.push_back(m_first + m_kept.size());
        while (m_policy == Policy::Ring && cpu.used > m_room && cpu.kept.size() > 1) {
            auto& oldest = m_kept[cpu.kept.front() - m_first];
            cpu.used -= roomOf(*oldest);
            oldest.reset();
            cpu.kept.pop_front();
        }
    }
    m_kept.emplace_back(record);
    while (!m_kept.front()) {
        m_kept.pop_front();
        ++m_first;
    }
}

void BufferPolicy::release()
{
    for (auto& record : m_kept)
        if (record) m_deliver(*record);
    m_first += m_kept.size();
    m_kept.clear();
    m_cpus.clear();
}
} // namespace dscope::tracer
