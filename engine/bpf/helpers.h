#pragma once
#include "engine/bpf/machine.h"
/// The kernel's helper functions on a Machine. Numbers and semantics: include/uapi/linux/bpf.h, kernel/bpf/helpers.c,
/// kernel/trace/bpf_trace.c.
namespace dscope::bpf {
// What programs hold as a map: no memory of theirs.
constexpr std::uint64_t kHandles = 0xffff'c900'0000'0000, kHandleStep = 0x100;
/// A helper: its number, and the function that does what it does.
struct Machine::Row {
    std::int32_t number;
    Answer (*answer)(Machine&, Args);
};
/// A file for each family; every row is looked up by number.
struct Machine::Helpers {
    static std::span<const Row> ofMaps();
    static std::span<const Row> ofMemory();
    static std::span<const Row> ofTask();
    /// A helper's negative errno as r0 has it.
    static std::uint64_t failure(int error) { return static_cast<std::uint64_t>(std::int64_t{-error}); }
};
} // namespace dscope::bpf
