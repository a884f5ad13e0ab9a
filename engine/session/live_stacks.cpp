#include "engine/session/live_stacks.h"
#include "engine/object/raw.h"
#include "engine/session/clocks.h"
#include <algorithm>
#include <charconv>
namespace dscope::session {
namespace {
// A record gets its time when its probe fires, and is seen when it was written whole.
constexpr std::uint64_t kWriting = 5'000'000;
/// How a tracepoint gets to us differs: these lie between where several listen, or the compiler made no tail call.
/// Source: include/linux/tracepoint.h, include/trace/bpf_probe.h
bool callsListeners(const record::Frame& frame)
{
    return frame.function.starts_with("__traceiter_") || frame.function.starts_with("__bpf_trace_");
}
std::uint64_t nanoseconds(record::Nanoseconds when) { return static_cast<std::uint64_t>(when.count()); }
} // namespace

LiveStacks::LiveStacks(const host::Host& host) : m_host(host), m_symbolizer(host) { }

void LiveStacks::begin()
{
    auto events = symbols::MapEvents::open(m_host);
    if (!events) return;
    m_events = *std::move(events);
    // The processes that exist already. From now on every process is known, or is the child of a known one.
    const auto processes = m_host.entries("/proc");
    if (!processes) return;
    for (const auto& name : *processes) {
        std::uint32_t pid = 0;
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
        if (error == std::errc{} && end == name.data() + name.size()) m_symbolizer.meet(pid);
    }
}

void LiveStacks::listen()
{
    m_heard = nanoseconds(monotonicNow());
    m_events->drain([this](const symbols::TimedMapEvent& event) {
        auto heard = event;
        m_symbolizer.prepare(heard.event);
        const auto place = std::upper_bound(m_upcoming.begin(), m_upcoming.end(), heard.when,
            [](std::uint64_t when, const symbols::TimedMapEvent& other) { return when < other.when; });
        m_upcoming.insert(place, std::move(heard));
    });
}

void LiveStacks::apply(std::uint64_t until)
{
    for (; !m_upcoming.empty() && m_upcoming.front().when <= until; m_upcoming.pop_front())
        m_symbolizer.follow(m_upcoming.front().event);
}

void LiveStacks::reach(record::Nanoseconds when)
{
    if (!m_events) return;
    if (nanoseconds(when) > m_heard) listen();
    apply(nanoseconds(when));
}

void LiveStacks::settle(record::Nanoseconds when)
{
    if (!m_events) return;
    listen();
    apply(nanoseconds(when) - kWriting);
}

void LiveStacks::attend(std::uint32_t pid)
{
    // Without events /proc is read, though it may show a later state than the one asked about.
    if (!m_events && m_attended.insert(pid).second) m_symbolizer.attend(pid);
}

std::vector<record::Frame> LiveStacks::kernel(std::span<const std::uint64_t> addresses)
{
    std::vector<record::Frame> frames;
    frames.reserve(addresses.size());
    for (const auto address : addresses)
        frames.push_back(m_symbolizer.kernel(address, !frames.empty()));
    const auto first = std::find_if_not(frames.begin(), frames.end(), callsListeners);
    if (first != frames.end()) frames.erase(frames.begin(), first);
    return frames;
}

std::vector<record::Frame> LiveStacks::user(std::uint32_t pid, ByteView raw, std::uint32_t limit)
{
    const auto head = readAt<object::RawUserStack>(raw, 0);
    if ((head.flags & 1U) != 0 || limit == 0) return {};
    attend(pid);
    symbols::UserContext context{head.ip, head.sp, head.bp, head.bx, head.r12, head.r13, head.r14, head.r15, {}};
    context.stack = raw.subspan(std::min(raw.size(), sizeof head));
    context.stack = context.stack.first(std::min<std::size_t>(context.stack.size(), head.length));
    const auto addresses = m_symbolizer.unwind(pid, context, limit);
    return m_symbolizer.name(pid, addresses);
}

record::Frame LiveStacks::symbol(std::uint32_t pid, std::uint64_t address, bool user)
{
    if (!user) return m_symbolizer.kernel(address);
    attend(pid);
    return m_symbolizer.user(pid, address);
}

void LiveStacks::follow(const record::ProcessEvent& event)
{
    using Kind = record::ProcessEvent::Kind;
    if (m_events) return;
    switch (event.kind) {
    case Kind::Existing: attend(event.pid); break;
    case Kind::Fork: m_symbolizer.forked(event.parent, event.pid); break;
    case Kind::Exec:
        // Its libraries are mapped a moment later. Missing mappings are read when an address lies in none.
        m_symbolizer.execed(event.pid);
        m_symbolizer.attend(event.pid);
        m_attended.insert(event.pid);
        break;
    case Kind::Exit:
        m_symbolizer.exited(event.pid);
        m_attended.erase(event.pid);
        break;
    case Kind::ExecFailed: break;
    }
}
} // namespace dscope::session
