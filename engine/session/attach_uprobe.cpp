#include "engine/session/attach.h"
#include "engine/session/pmu.h"
#include "engine/session/refusal.h"
#include "engine/session/uprobe_events.h"
#include "engine/session/uprobe_link.h"
#include <algorithm>
#include <bpf/bpf.h>
#include <cerrno>
#include <linux/perf_event.h>
#include <map>
#include <tuple>
namespace dscope::session {
namespace {
struct Spot {
    std::string file;
    pid_t pid;
    bool atReturn, counted;
    bool operator<(const Spot& o) const { return std::tie(file, pid, atReturn, counted) < std::tie(o.file, o.pid, o.atReturn, o.counted); }
};
/// The places of one spot: columns, as the kernel takes them.
struct Column {
    std::vector<std::size_t> index; ///< into what attach() was given
    std::vector<std::uint64_t> offsets, cookies, counters;
};

/// ENOEXEC: an instruction that the kernel does not know.
bool isRefused(int code) { return code == ENOTSUPP || code == ENOEXEC; }

Error unprobed(const Spot& spot, int code, const host::Host& host)
{
    // A file is named by its process (/proc/PID/root/...), and is gone with it, also where its parent has yet to wait for it.
    if (code == ENOENT && !host.status("/proc/" + std::to_string(spot.pid) + "/root/")) code = ESRCH;
    if (code == ESRCH) return Error{code, "cannot probe process " + std::to_string(spot.pid) + ": it has ended"};
    if (code == ENOENT) return Error{code, "cannot probe " + spot.file + ": there is no such file"};
    return refusal("probing " + spot.file, code);
}

/// Attaches one program to all places of one file in one process, in the best way that the kernel has.
class Attaching {
public:
    Attaching(const Spot& spot, const Column& column, const UprobeProgram& program, const host::Host& host, UprobeEvents* events,
        Attachments& out)
        : m_spot(spot), m_column(column), m_program(program.program), m_addresses(program.addresses), m_host(host), m_events(events),
          m_out(out)
    {
    }

    Result<> all()
    {
        // Newer kernels first; few places are left soon as perf events too.
        constexpr std::size_t kFew = 8;
        const auto count = m_column.offsets.size(), before = m_out.size();
        const auto linked = range(&Attaching::byLink, 0, count);
        if (linked || linked.error().code != EINVAL) return linked;
        if (m_events && count > kFew) {
            const auto defined = range(&Attaching::byEvents, 0, count);
            if (defined || defined.error().code != EINVAL) return defined;
            m_out.resize(before);
            failed.clear();
        }
        return byPerf();
    }

    std::vector<std::size_t> failed; ///< indices as the caller has them

private:
    using Way = Result<> (Attaching::*)(std::size_t from, std::size_t count);

    /// An instruction that cannot be probed makes the whole range fail; then each half is tried, down to the single place.
    Result<> range(Way way, std::size_t from, std::size_t count)
    {
        const auto attached = (this->*way)(from, count);
        if (attached) return {};
        if (attached.error().code == EINVAL) return attached; // not this way
        if (!isRefused(attached.error().code)) return unprobed(m_spot, attached.error().code, m_host);
        if (count == 1) {
            failed.push_back(m_column.index[from]);
            return {};
        }
        DSCOPE_CHECK(range(way, from, count / 2));
        return range(way, from + count / 2, count - count / 2);
    }

    Result<> byLink(std::size_t from, std::size_t count)
    {
        DSCOPE_TRY(auto link, linkUprobes(m_program, part(from, count)));
        m_out.push_back(std::move(link));
        return {};
    }

    Result<> byEvents(std::size_t from, std::size_t count)
    {
        return m_events->link(m_program, part(from, count), m_addresses, m_host, m_out);
    }

    UprobeSet part(std::size_t from, std::size_t count) const
    {
        const auto cut = [&](const std::vector<std::uint64_t>& all) {
            return all.empty() ? std::span<const std::uint64_t>() : std::span(all).subspan(from, count);
        };
        return {m_spot.file, m_spot.pid, m_spot.atReturn, cut(m_column.offsets), cut(m_column.cookies), cut(m_column.counters)};
    }

    Result<> byPerf()
    {
        const auto pmu = Pmu::find(m_host, "uprobe");
        if (!pmu) return Error{ENOENT, "cannot probe " + m_spot.file + ": this kernel is built without uprobes (CONFIG_UPROBE_EVENTS)"};
        for (std::size_t i = 0; i < m_column.offsets.size(); ++i) {
            perf_event_attr attributes = pmu->attributes(momentOf(m_spot.atReturn));
            attributes.config2 = m_column.offsets[i];
            // The upper half of config. Source: kernel/events/core.c, PERF_UPROBE_REF_CTR_OFFSET_SHIFT.
            if (!m_column.counters.empty()) attributes.config |= m_column.counters[i] << 32;
            auto event = openProbe(m_host, attributes, m_spot.pid, &m_spot.file);
            if (!event && isRefused(event.error().code)) {
                failed.push_back(m_column.index[i]);
                continue;
            }
            if (!event) return unprobed(m_spot, event.error().code, m_host);
            if (m_column.cookies.empty()) {
                DSCOPE_CHECK(arm(event->get(), m_program, "probing " + m_spot.file));
            } else {
                bpf_link_create_opts options{};
                options.sz = sizeof options;
                options.perf_event.bpf_cookie = m_column.cookies[i];
                Fd link(bpf_link_create(m_program, event->get(), BPF_PERF_EVENT, &options));
                if (!link) return refusal("probing " + m_spot.file, errno);
                m_out.push_back(std::move(link));
            }
            m_out.push_back(*std::move(event));
        }
        return {};
    }

    const Spot& m_spot;
    const Column& m_column;
    int m_program, m_addresses;
    const host::Host& m_host;
    UprobeEvents* m_events;
    Attachments& m_out;
};
} // namespace

Result<std::vector<std::size_t>> attach(std::span<const probe::Uprobe> places, const UprobeProgram& program, pid_t target,
    const host::Host& host, UprobeEvents* events, Attachments& out)
{
    std::map<Spot, Column> spots;
    std::vector<std::size_t> failed;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto& place = places[i];
        if (!place.canProbe) {
            failed.push_back(i);
            continue;
        }
        const pid_t pid = place.pid > 0 ? place.pid : target;
        if (pid <= 0) return Error{0, "probes in " + place.file + " need a process: name one with -p, or start one with -c"};
        auto& column = spots[{place.file, pid, place.atReturn, place.counter != 0}];
        column.index.push_back(i);
        column.offsets.push_back(place.offset);
        if (!program.cookies.empty()) column.cookies.push_back(program.cookies[i]);
        if (place.counter) column.counters.push_back(place.counter);
    }

    std::optional<Error> gone; // of several processes some may have ended since they were found
    bool any = false;
    for (const auto& [spot, column] : spots) {
        Attaching attaching(spot, column, program, host, events, out);
        if (auto attached = attaching.all(); !attached) {
            if (attached.error().code != ESRCH) return std::move(attached).error();
            gone = std::move(attached).error();
            continue;
        }
        any = true;
        failed.insert(failed.end(), attaching.failed.begin(), attaching.failed.end());
    }
    if (gone && !any) return *std::move(gone);
    std::sort(failed.begin(), failed.end());
    return failed;
}
} // namespace dscope::session
