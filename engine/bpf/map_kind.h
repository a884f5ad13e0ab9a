#pragma once
#include <cstdint>
namespace dscope::bpf {
/// What a BPF map does, as the kernel or the simulated machine has it.
enum class MapKind : std::uint8_t { Array, PerCpuArray, Hash, PerCpuHash, TaskStorage, RingBuffer, Programs };
} // namespace dscope::bpf
