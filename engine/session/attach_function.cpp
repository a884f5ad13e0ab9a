#include "engine/session/attach.h"
#include "engine/session/function_link.h"
#include "engine/session/refusal.h"
#include "engine/session/trace_events.h"
#include <bpf/bpf.h>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <map>
#include <unordered_map>
namespace dscope::session {
namespace {
using Clock = std::chrono::steady_clock;
/// Attaching to one function takes the kernel a millisecond or more. If a program asks for thousands, those that are attached
/// within this time are traced, and the rest is counted and reported.
constexpr auto kPatience = std::chrono::seconds(20);
constexpr std::size_t kBatch = 50;
/// Returns in flight at a time that the kernel keeps track of, in each function; more are missed. Source:
/// Documentation/trace/kprobetrace.rst, MAXACTIVE
constexpr std::string_view kReturn = "r64";

/// Where functions are: by "module`name", from /proc/kallsyms.
using Addresses = std::unordered_map<std::string, std::vector<std::uint64_t>>;
Addresses addressesOf(std::span<const probe::KernelFunction> places, std::string_view text)
{
    Addresses wanted;
    for (const auto& place : places)
        wanted.try_emplace(place.module + '`' + place.name);
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        const auto line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        std::uint64_t address = 0;
        const auto [rest, error] = std::from_chars(line.data(), line.data() + line.size(), address, 16);
        const auto at = static_cast<std::size_t>(rest - line.data());
        if (error != std::errc{} || address == 0 || line.size() < at + 4) continue;
        const char type = line[at + 1];
        if (type != 't' && type != 'T' && type != 'w' && type != 'W') continue;
        const auto named = line.substr(at + 3);
        const auto tab = std::min(named.find('\t'), named.size());
        const auto module = tab < named.size() ? named.substr(tab + 2, named.size() - tab - 3) : std::string_view("vmlinux");
        const auto found = wanted.find(std::string(module) + '`' + std::string(named.substr(0, tab)));
        if (found != wanted.end()) found->second.push_back(address);
    }
    return wanted;
}

/// One link for all functions, on kernels that have such links. A function that cannot be traced makes its whole link fail; then
/// each half is tried, down to the single function.
class Linking {
public:
    Linking(int program, bool atReturn, FunctionsLeft& left, Attachments& out)
        : m_program(program), m_atReturn(atReturn), m_left(left), m_out(out)
    {
    }

    void all(std::span<const std::uint64_t> addresses)
    {
        if (addresses.empty()) return;
        if (Clock::now() - m_begun > kPatience) {
            m_left.late += addresses.size();
            return;
        }
        if (auto link = linkFunctions(m_program, addresses, momentOf(m_atReturn))) {
            m_out.push_back(*std::move(link));
            return;
        } else if (addresses.size() == 1) {
            ++m_left.refused;
            m_left.code = link.error().code;
            return;
        }
        all(addresses.first(addresses.size() / 2));
        all(addresses.subspan(addresses.size() / 2));
    }

private:
    const int m_program;
    const bool m_atReturn;
    FunctionsLeft& m_left;
    Attachments& m_out;
    const Clock::time_point m_begun = Clock::now();
};
} // namespace

Result<> attach(const probe::KernelFunction& place, int program, Attachments& out)
{
    Fd link(bpf_raw_tracepoint_open(nullptr, program));
    if (!link) return refusal("probing kernel function " + place.name, errno);
    out.push_back(std::move(link));
    return {};
}

Result<FunctionsLeft> attach(std::span<const probe::KernelFunction> places, int program, int addresses, const host::Host& host,
    TraceEvents& events, Attachments& out)
{
    DSCOPE_TRY(const auto symbols, host.read("/proc/kallsyms"));
    const auto known = addressesOf(places, symbols);
    FunctionsLeft left;
    // By name where it is the only one; the kernel takes two addresses without names for the same place, so that each of
    // those needs an event of its own. Source: kernel/trace/trace_kprobe.c, trace_kprobe_has_same_kprobe()
    std::vector<std::string> where, addressed;
    std::vector<std::uint64_t> alone, several;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto& place = places[i];
        const auto& all = known.at(place.module + '`' + place.name);
        if (all.empty()) ++left.refused;
        if (all.size() == 1) where.push_back(place.module == "vmlinux" ? place.name : place.module + ':' + place.name);
        for (const auto address : all) {
            const std::uint64_t index = i;
            if (bpf_map_update_elem(addresses, &address, &index, BPF_ANY) != 0) return refusal("noting where functions are", errno);
            if (all.size() > 1) addressed.push_back(hexadecimal(address));
            (all.size() > 1 ? several : alone).push_back(address);
        }
    }

    left.all = places.size();
    if (linksFunctions()) {
        Linking linking(program, places.front().atReturn, left, out);
        linking.all(alone);
        linking.all(several); // of some names only one function can be traced
        return left;
    }

    const auto begun = Clock::now();
    const auto named = where.size();
    where.insert(where.end(), addressed.begin(), addressed.end());
    std::size_t at = 0;
    for (std::size_t count = 0; at < where.size() && Clock::now() - begun < kPatience; at += count) {
        count = at < named ? std::min(kBatch, named - at) : 1;
        DSCOPE_TRY(const auto added, events.add(places.front().atReturn ? kReturn : "p", std::span(where).subspan(at, count)));
        left.refused += added.failed.size();
        if (!added.failed.empty()) left.code = added.code;
        if (added.failed.size() < count) DSCOPE_CHECK(attach(added.event, program, host, out));
    }
    left.late = at < where.size() ? where.size() - at : 0;
    return left;
}
} // namespace dscope::session
