#include "engine/host/cpu_list.h"
#include <charconv>
namespace dscope::host {
namespace {
/// More than any kernel is built for. Source: arch/x86/Kconfig, NR_CPUS_RANGE_END.
constexpr int kMostCpus = 1 << 16;

/// Takes a number from the beginning of `text`; -1 when there is none that a processor can have.
int takeNumber(std::string_view& text)
{
    int number = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || number < 0 || number >= kMostCpus) return -1;

    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}
bool take(std::string_view& text, char c)
{
    if (!text.starts_with(c)) return false;
    text.remove_prefix(1);
    return true;
}
} // namespace

std::vector<int> cpuList(std::string_view text)
{
    std::vector<int> cpus;
    do {
        const int first = takeNumber(text);
        const int last = first >= 0 && take(text, '-') ? takeNumber(text) : first;
        if (first < 0 || last < first) break;

        for (int cpu = first; cpu <= last; ++cpu)
            cpus.push_back(cpu);
    } while (take(text, ','));
    return cpus;
}
} // namespace dscope::host
