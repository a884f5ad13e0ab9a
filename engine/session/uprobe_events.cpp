#include "engine/session/uprobe_events.h"
#include "engine/object/object.h"
#include "engine/session/pmu.h"
#include "engine/symbols/process_objects.h"
#include <algorithm>
#include <bpf/bpf.h>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <iterator>
#include <map>
#include <unordered_map>
namespace dscope::session {
namespace {
/// Places in one event. More would be slow: places that cannot be probed are found by halving, and the kernel compares each new
/// place with all before it.
constexpr std::size_t kMostPlaces = 1000;
constexpr std::uint64_t kMostEvents = (std::uint64_t{1} << (64 - object::kNumberShift)) - 1;

Error failed(int code) { return Error{code, std::strerror(code)}; }

} // namespace

std::size_t UprobeEvents::note(Linked& linked, const host::Host& host)
{
    const auto objects = symbols::objectsOf(host, linked.pid);
    if (!objects) return 0;
    std::size_t found = 0;
    std::map<std::uint64_t, std::uint64_t> keys; // and their cookies
    for (std::size_t i = 0; i < linked.offsets.size(); ++i) {
        bool any = false;
        for (const auto& object : *objects) {
            if (object.file != linked.file) continue;
            for (const auto& range : object.ranges) {
                if (linked.offsets[i] < range.offset || linked.offsets[i] - range.offset >= range.end - range.start) continue;
                const auto address = range.start + (linked.offsets[i] - range.offset);
                if (address >> object::kNumberShift != 0) continue;
                keys[linked.number << object::kNumberShift | address] = linked.cookies[i];
                any = true;
            }
        }
        found += any;
    }

    for (const auto key : linked.keys)
        if (!keys.contains(key)) bpf_map_delete_elem(linked.addresses, &key);
    linked.keys.clear();
    for (const auto& [key, cookie] : keys) {
        if (bpf_map_update_elem(linked.addresses, &key, &cookie, BPF_ANY) != 0) return 0;
        linked.keys.push_back(key);
    }
    return found;
}

Result<> UprobeEvents::one(int program, const UprobeSet& set, int addresses, const host::Host& host, std::vector<Fd>& out)
{
    if (m_last >= kMostEvents) return failed(EINVAL);
    Linked linked{
        set.file, set.pid, ++m_last, addresses, {set.offsets.begin(), set.offsets.end()}, {set.cookies.begin(), set.cookies.end()}, {}};
    const auto refused = [&](int code) {
        for (const auto key : linked.keys)
            bpf_map_delete_elem(addresses, &key);
        return failed(code);
    };

    if (note(linked, host) < linked.offsets.size()) return refused(EINVAL);
    std::vector<std::string> places;
    places.reserve(set.offsets.size());
    for (std::size_t i = 0; i < set.offsets.size(); ++i) {
        auto& place = places.emplace_back(set.file + ':' + hexadecimal(set.offsets[i]));
        if (!set.counters.empty()) place += '(' + hexadecimal(set.counters[i]) + ')';
    }

    const auto added = m_events.add("p", places);
    if (!added) return refused(EINVAL);
    const auto removed = [&](int code) {
        m_events.remove(added->event);
        return refused(code);
    };

    if (!added->failed.empty()) return removed(EINVAL);
    const auto attributes = tracepointAttributes(added->event, host);
    if (!attributes) return removed(EINVAL);
    auto event = openProbe(host, *attributes, set.pid);
    if (!event) return removed(event.error().code);
    bpf_link_create_opts options{};
    options.sz = sizeof options;
    options.perf_event.bpf_cookie = object::kByAddress | linked.number;
    Fd link(bpf_link_create(program, event->get(), BPF_PERF_EVENT, &options));
    if (!link) {
        const int code = errno;
        event->reset();
        return removed(code);
    }

    m_linked.push_back(std::move(linked));
    out.push_back(std::move(link));
    out.push_back(*std::move(event));
    return {};
}

Result<> UprobeEvents::link(int program, const UprobeSet& set, int addresses, const host::Host& host, std::vector<Fd>& out)
{
    const bool canBeWritten = set.file.find_first_of(" \t\n") == std::string::npos;
    if (addresses < 0 || set.atReturn || set.cookies.empty() || !canBeWritten) return failed(EINVAL);
    // Several probes may be at one place, as an entry and the first instruction are: an event takes each place once.
    std::unordered_map<std::uint64_t, std::size_t> times;
    std::vector<std::vector<std::size_t>> rounds;
    for (std::size_t i = 0; i < set.offsets.size(); ++i) {
        const auto round = times[set.offsets[i]]++;
        if (round == rounds.size()) rounds.emplace_back();
        rounds[round].push_back(i);
    }

    std::vector<Fd> linked;
    for (const auto& round : rounds)
        for (std::size_t from = 0; from < round.size(); from += kMostPlaces) {
            const auto part = std::span(round).subspan(from, std::min(kMostPlaces, round.size() - from));
            const auto chosen = [&](std::span<const std::uint64_t> all) {
                std::vector<std::uint64_t> some;
                for (const auto i : part)
                    if (!all.empty()) some.push_back(all[i]);
                return some;
            };
            const auto offsets = chosen(set.offsets), cookies = chosen(set.cookies), counters = chosen(set.counters);
            DSCOPE_CHECK(one(program,
                {.file = set.file, .pid = set.pid, .atReturn = false, .offsets = offsets, .cookies = cookies, .counters = counters},
                addresses, host, linked));
        }
    std::move(linked.begin(), linked.end(), std::back_inserter(out));
    return {};
}

void UprobeEvents::follow(pid_t process, const host::Host& host)
{
    for (auto& linked : m_linked)
        if (linked.pid == process) note(linked, host);
}
} // namespace dscope::session
