// needs: engine/bpf
// libFuzzer: whatever the text is, the assembler returns; what it accepts comes back from its disassembly, and running it
// ends within its budget without touching memory that is not its own.
// Build with -DDSCOPE_FUZZ=ON (clang, -fsanitize=fuzzer,address,undefined); links engine/bpf.
#include "engine/bpf/encode.h"
#include "engine/bpf/interpreter.h"
#include <cstdlib>
#include <cstring>
using namespace dscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto slots = bpf::assemble({reinterpret_cast<const char*>(data), size});
    if (!slots) return 0;
    const auto again = bpf::assemble(bpf::disassemble(*slots));
    if (!again || again->size() != slots->size()) std::abort();
    if (!slots->empty() && std::memcmp(again->data(), slots->data(), slots->size() * sizeof(bpf::Slot)) != 0) std::abort();
    std::array<std::byte, 64> memory{};
    bpf::Interpreter machine;
    machine.allow(memory);
    machine.setHelper([&](std::int32_t, std::span<std::uint64_t, 5> a) -> Result<std::uint64_t> {
        return machine.callBack(static_cast<std::size_t>(a[1]), a[0], a[2]);
    });
    (void)machine.run(*slots, reinterpret_cast<std::uint64_t>(memory.data()), memory.size(), 10'000);
    return 0;
}
