#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
/// The memory an interpreted program may touch: regions of this process, at their own addresses.
namespace dscope::bpf {
/// What a program wants of an address.
enum class Access : std::uint8_t { Read, Write };
/// Knows which addresses may be read and written. The interpreter asks it before each access.
class Memory {
public:
    /// A region that begins where another does replaces it; regions do not overlap otherwise.
    void allow(std::span<std::byte> region, Access most);
    void forget(const std::byte* region);
    /// True when [address, address + size) lies within one region that allows this.
    bool reaches(std::uint64_t address, std::size_t size, Access access) const;

private:
    struct Region {
        std::size_t size;
        Access most;
    };
    std::map<std::uint64_t, Region> m_regions; ///< by address
};
} // namespace dscope::bpf
