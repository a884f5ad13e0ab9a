#include "engine/bpf/memory.h"
namespace dscope::bpf {
void Memory::allow(std::span<std::byte> region, Access most)
{
    m_regions[reinterpret_cast<std::uint64_t>(region.data())] = {region.size(), most};
}

void Memory::forget(const std::byte* region) { m_regions.erase(reinterpret_cast<std::uint64_t>(region)); }

bool Memory::reaches(std::uint64_t address, std::size_t size, Access access) const
{
    auto above = m_regions.upper_bound(address);
    if (above == m_regions.begin()) return false;
    const auto& [start, region] = *--above;
    const auto at = address - start;
    return at <= region.size && size <= region.size - at && (region.most == Access::Write || access == Access::Read);
}
} // namespace dscope::bpf
