#include "engine/symbols/map_events.h"
#include "engine/base/fd.h"
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <unistd.h>
namespace dscope::symbols {
namespace {
constexpr std::size_t kRingPages = 64;
constexpr std::size_t kSampleId = 8; // PERF_SAMPLE_TIME alone

std::optional<MapEvent> parseMapped(ByteView record)
{
    constexpr std::size_t kName = 72;
    if (record.size() < kName + kSampleId) return std::nullopt;
    Mapped event;
    event.pid = readAt<std::uint32_t>(record, 8);
    auto& m = event.mapping;
    m.start = readAt<std::uint64_t>(record, 16);
    const auto length = readAt<std::uint64_t>(record, 24);
    m.end = m.start + length;
    m.offset = readAt<std::uint64_t>(record, 32);
    m.major = readAt<std::uint32_t>(record, 40);
    m.minor = readAt<std::uint32_t>(record, 44);
    m.inode = readAt<std::uint64_t>(record, 48);
    m.generation = readAt<std::uint64_t>(record, 56);
    const auto protection = readAt<std::uint32_t>(record, 64);
    if (!(protection & PROT_EXEC) || length == 0 || m.end < m.start) return std::nullopt;
    m.path = textAt(record, kName, record.size() - kName - kSampleId);
    constexpr std::string_view kDeleted = " (deleted)";
    m.deleted = m.inode != 0 && m.path.ends_with(kDeleted);
    if (m.deleted) m.path.resize(m.path.size() - kDeleted.size());
    return event;
}

enum class TaskEvent : std::uint8_t { Begins, Exits };
std::optional<MapEvent> parseTask(ByteView record, TaskEvent what)
{
    if (record.size() < 32) return std::nullopt;
    const auto pid = readAt<std::uint32_t>(record, 8), parent = readAt<std::uint32_t>(record, 12), tid = readAt<std::uint32_t>(record, 16);
    if (what == TaskEvent::Exits) return pid == tid ? std::optional<MapEvent>(Exited{pid}) : std::nullopt;
    return pid != parent ? std::optional<MapEvent>(Forked{parent, pid}) : std::nullopt;
}
} // namespace

std::optional<TimedMapEvent> parseMapEvent(ByteView record)
{
    const auto header = readAt<perf_event_header>(record, 0);
    if (record.size() < sizeof header + kSampleId || header.size != record.size()) return std::nullopt;
    std::optional<MapEvent> event;
    switch (header.type) {
    case PERF_RECORD_MMAP2: event = parseMapped(record); break;
    case PERF_RECORD_FORK: event = parseTask(record, TaskEvent::Begins); break;
    case PERF_RECORD_EXIT: event = parseTask(record, TaskEvent::Exits); break;
    case PERF_RECORD_LOST: event = Lost{readAt<std::uint64_t>(record, 16)}; break;
    case PERF_RECORD_COMM:
        if (header.misc & PERF_RECORD_MISC_COMM_EXEC) event = Execed{readAt<std::uint32_t>(record, 8)};
        break;
    default: break;
    }
    if (!event) return std::nullopt;
    return TimedMapEvent{readAt<std::uint64_t>(record, record.size() - kSampleId), *std::move(event)};
}

struct MapEvents::Ring {
    Fd fd;
    std::byte* memory = nullptr;
    std::size_t page = 0;

    ~Ring()
    {
        if (memory) ::munmap(memory, page * (kRingPages + 1));
    }

    void read(std::vector<TimedMapEvent>& out)
    {
        auto* control = reinterpret_cast<perf_event_mmap_page*>(memory);
        const auto* data = memory + page;
        const auto size = page * kRingPages;
        const auto head = std::atomic_ref(control->data_head).load(std::memory_order_acquire);
        auto tail = control->data_tail;
        Bytes record;
        while (tail < head) {
            const auto copy = [&](std::size_t bytes) {
                record.resize(bytes);
                for (std::size_t done = 0; done < bytes;) {
                    const auto at = (tail + done) % size;
                    const auto part = std::min<std::size_t>(bytes - done, size - at);
                    std::memcpy(record.data() + done, data + at, part);
                    done += part;
                }
            };
            copy(sizeof(perf_event_header));
            const std::size_t length = readAt<perf_event_header>(record, 0).size;
            if (length < sizeof(perf_event_header) || length > head - tail) {
                tail = head;
                break;
            }
            copy(length);
            if (auto event = parseMapEvent(record)) out.push_back(*std::move(event));
            tail += length;
        }
        std::atomic_ref(control->data_tail).store(tail, std::memory_order_release);
    }
};

MapEvents::~MapEvents() = default;

Result<std::unique_ptr<MapEvents>> MapEvents::open(const host::Host& host, std::uint32_t pid)
{
    perf_event_attr attr{};
    attr.size = sizeof attr;
    attr.type = PERF_TYPE_SOFTWARE;
    attr.config = PERF_COUNT_SW_DUMMY;
    attr.sample_type = PERF_SAMPLE_TIME;
    attr.sample_id_all = 1;
    attr.mmap = 1;
    attr.mmap2 = 1;
    attr.task = 1;
    attr.comm = 1;
    attr.comm_exec = 1;
    attr.exclude_kernel = 1;
    attr.exclude_hv = 1;
    attr.inherit = pid != 0;
    attr.watermark = pid != 0;
    attr.wakeup_watermark = pid != 0;
    attr.use_clockid = 1;
    attr.clockid = CLOCK_MONOTONIC;
    std::unique_ptr<MapEvents> events(new MapEvents);
    for (const int cpu : host.onlineCpus()) {
        auto ring = std::make_unique<Ring>();
        ring->page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
        ring->fd = host.openEvent(attr, pid == 0 ? -1 : static_cast<pid_t>(pid), cpu);
        if (!ring->fd) return Error{errno, "cannot follow what processes map: " + std::string(std::strerror(errno))};
        void* memory = ::mmap(nullptr, ring->page * (kRingPages + 1), PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd.get(), 0);
        if (memory == MAP_FAILED) return Error{errno, "cannot map the buffer of process events: " + std::string(std::strerror(errno))};
        ring->memory = static_cast<std::byte*>(memory);
        events->m_rings.push_back(std::move(ring));
    }
    return events;
}

std::vector<int> MapEvents::fds() const
{
    std::vector<int> all;
    for (const auto& ring : m_rings)
        all.push_back(ring->fd.get());
    return all;
}

void MapEvents::drain(const std::function<void(const TimedMapEvent&)>& deliver)
{
    std::vector<TimedMapEvent> all;
    for (const auto& ring : m_rings)
        ring->read(all);
    std::stable_sort(all.begin(), all.end(), [](const TimedMapEvent& a, const TimedMapEvent& b) { return a.when < b.when; });
    for (const auto& event : all)
        deliver(event);
}
} // namespace dscope::symbols
