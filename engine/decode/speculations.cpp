#include "engine/decode/speculations.h"
#include "engine/object/raw.h"
#include <algorithm>
#include <utility>
namespace dscope::decode {
namespace {
std::uint32_t numberOf(std::uint32_t use) { return use & object::kMostSpeculations; }
} // namespace

void Speculations::hold(std::uint32_t use, record::Fired fired, std::uint64_t size)
{
    auto& held = m_held[numberOf(use)];
    // The record that ended the last use may have been lost; a number is given out again only after that.
    if (held.use != use) held = {.use = use};
    if (held.ended) return;
    if (held.size + size > m_room) {
        ++m_lost[fired.cpu];
        return;
    }
    held.size += size;
    held.firings.push_back(std::move(fired));
}

std::vector<record::Fired> Speculations::end(std::uint32_t use)
{
    auto& held = m_held[numberOf(use)];
    auto firings = held.use == use ? std::move(held.firings) : std::vector<record::Fired>{};
    held = {.use = use, .ended = true};
    return firings;
}

void Speculations::each(const std::function<void(const record::Fired&)>& held) const
{
    for (const auto& [number, speculation] : m_held)
        for (const auto& firing : speculation.firings)
            held(firing);
}

void Speculations::reportDrops(const record::Source::Deliver& deliver)
{
    for (const auto& [cpu, count] : std::exchange(m_lost, {}))
        deliver(record::Drop{record::Drop::Kind::Speculation, cpu, count});
}
} // namespace dscope::decode
