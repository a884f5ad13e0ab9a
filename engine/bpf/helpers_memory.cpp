#include "engine/bpf/helpers.h"
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
/// Reading memory, comparing it, looping.
namespace dscope::bpf {
namespace {
/// Kernel memory is what the simulated kernel has, and the program's own.
ByteView kernelBytes(const World& world, const Interpreter& own, std::uint64_t address, std::uint64_t wanted)
{
    if (!own.reaches(address, 1)) {
        const auto typed = world.typed.from(address);
        return typed.empty() ? world.kernel.from(address) : typed;
    }
    while (wanted > 1 && !own.reaches(address, wanted))
        --wanted;
    return {reinterpret_cast<const std::byte*>(address), wanted};
}
} // namespace

std::span<const Machine::Row> Machine::Helpers::ofMemory()
{
    // Source: kernel/trace/bpf_trace.c: what cannot be read leaves zeros.
    static constexpr auto copy = [](Machine& m, Args a, ByteView from) -> Answer {
        DSCOPE_TRY(const auto into, m.memory(a[0], a[1], Access::Write));
        if (from.size() < into.size()) {
            std::fill(into.begin(), into.end(), std::byte{0});
            return failure(EFAULT);
        }
        if (!into.empty()) std::memmove(into.data(), from.data(), into.size());
        return 0;
    };

    // Source: mm/maccess.c, strncpy_from_kernel_nofault(): the length with the NUL, which is there whatever the size.
    static constexpr auto copyText = [](Machine& m, Args a, ByteView from) -> Answer {
        DSCOPE_TRY(const auto into, m.memory(a[0], a[1], Access::Write));
        if (into.empty()) return 0;
        const auto most = std::min(from.size(), into.size());
        const auto nul = std::find(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(most), std::byte{0});
        const auto length = static_cast<std::size_t>(nul - from.begin());
        if (length == most && most < into.size()) {
            std::fill(into.begin(), into.end(), std::byte{0});
            return failure(EFAULT);
        }
        std::memmove(into.data(), from.data(), std::min(length + 1, into.size()));
        const auto end = std::min(length, into.size() - 1);
        into[end] = std::byte{0};
        return end + 1;
    };

    static constexpr auto readKernel
        = [](Machine& m, Args a) -> Answer { return copy(m, a, kernelBytes(m.world, m.m_interpreter, a[2], a[1])); };
    static constexpr auto readUser = [](Machine& m, Args a) -> Answer { return copy(m, a, m.world.user.from(a[2])); };
    static constexpr auto readKernelText
        = [](Machine& m, Args a) -> Answer { return copyText(m, a, kernelBytes(m.world, m.m_interpreter, a[2], a[1])); };
    static constexpr auto readUserText = [](Machine& m, Args a) -> Answer { return copyText(m, a, m.world.user.from(a[2])); };
    /// bpf_probe_read() of old: user memory below the kernel's half.
    static constexpr auto readEither = [](Machine& m, Args a) -> Answer {
        const auto user = m.world.user.from(a[2]);
        return user.empty() ? readKernel(m, a) : copy(m, a, user);
    };

    static constexpr auto compareText = [](Machine& m, Args a) -> Answer {
        DSCOPE_TRY(const auto one, m.memory(a[0], a[1], Access::Read));
        for (std::uint64_t i = 0; i < one.size(); ++i) {
            DSCOPE_TRY(const auto other, m.memory(a[2] + i, 1, Access::Read));
            const int difference = std::to_integer<int>(one[i]) - std::to_integer<int>(other[0]);
            if (difference) return static_cast<std::uint64_t>(std::int64_t{difference});
            if (one[i] == std::byte{0}) return 0;
        }
        return 0;
    };

    // bpf_loop(rounds, callback, context, flags). Source: kernel/bpf/bpf_iter.c: BPF_MAX_LOOPS is 8M.
    static constexpr auto loop = [](Machine& m, Args a) -> Answer {
        const auto rounds = a[0], callback = a[1], context = a[2];
        if (a[3]) return failure(EINVAL);
        if (rounds > 8 * 1024 * 1024) return failure(E2BIG);
        for (std::uint64_t i = 0; i < rounds; ++i) {
            DSCOPE_TRY(const auto stop, m.m_interpreter.callBack(callback, i, context));
            if (stop) return i + 1;
        }
        return rounds;
    };
    static constexpr std::array<Row, 7> kRows{
        {{4, readEither}, {112, readUser}, {113, readKernel}, {114, readUserText}, {115, readKernelText}, {181, loop}, {182, compareText}}};
    return kRows;
}
} // namespace dscope::bpf
