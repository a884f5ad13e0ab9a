#include "engine/session/drops.h"
#include <algorithm>
namespace dscope::session {
Result<> Drops::report(const Maps& maps, MapId counters, const record::Source::Deliver& deliver)
{
    const auto kinds = std::min(maps.description(counters).maxEntries, object::kDropKinds); // firings are counted behind them
    for (std::uint32_t kind = 0; kind < kinds; ++kind) {
        DSCOPE_TRY(const Bytes values, maps.element(counters, kind));
        const auto cpus = values.size() / sizeof(std::uint64_t);
        m_told.resize(kinds * cpus);
        for (std::size_t cpu = 0; cpu < cpus; ++cpu) {
            const auto now = readAt<std::uint64_t>(values, cpu * sizeof(std::uint64_t));
            auto& told = m_told[kind * cpus + cpu];
            if (now == told) continue;
            deliver(record::Drop{static_cast<record::Drop::Kind>(kind), static_cast<std::uint32_t>(cpu), now - told});
            told = now;
        }
    }
    return {};
}
} // namespace dscope::session
