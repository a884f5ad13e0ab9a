#include "engine/session/ring.h"
#include "engine/session/refusal.h"
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <linux/bpf.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
namespace dscope::session {
namespace {
std::atomic_ref<unsigned long> position(std::byte* page) { return std::atomic_ref(*reinterpret_cast<unsigned long*>(page)); }
} // namespace

std::size_t pageSize() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

Result<Ring> Ring::map(int fd, std::size_t size)
{
    const auto page = pageSize();
    Ring ring;
    void* consumer = ::mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (consumer == MAP_FAILED) return refusal("mapping the ring buffer", errno);
    ring.m_consumer = static_cast<std::byte*>(consumer);
    ring.m_size = size;
    void* producer = ::mmap(nullptr, page + size, PROT_READ, MAP_SHARED, fd, static_cast<off_t>(page));
    if (producer == MAP_FAILED) return refusal("mapping the ring buffer", errno);
    ring.m_producer = static_cast<std::byte*>(producer);
    return ring;
}
Ring::Ring(Ring&& other) noexcept { *this = std::move(other); }
Ring& Ring::operator=(Ring&& other) noexcept
{
    std::swap(m_consumer, other.m_consumer);
    std::swap(m_producer, other.m_producer);
    std::swap(m_size, other.m_size);
    std::swap(m_wrapped, other.m_wrapped);
    return *this;
}
Ring::~Ring()
{
    if (m_producer) ::munmap(m_producer, pageSize() + m_size);
    if (m_consumer) ::munmap(m_consumer, pageSize());
}

std::size_t Ring::pending() const
{
    return position(m_producer).load(std::memory_order_acquire) - position(m_consumer).load(std::memory_order_relaxed);
}

ByteView Ring::payload(std::size_t begin, std::size_t size)
{
    const std::byte* data = m_producer + pageSize();
    const auto unwrapped = std::min(size, m_size - begin);
    if (unwrapped == size) return {data + begin, size};
    m_wrapped.assign(data + begin, data + m_size);
    m_wrapped.insert(m_wrapped.end(), data, data + (size - unwrapped));
    return m_wrapped;
}

std::size_t Ring::consume(std::size_t most, const std::function<bool(ByteView)>& each)
{
    const std::byte* data = m_producer + pageSize();
    auto consumer = position(m_consumer);
    auto at = consumer.load(std::memory_order_relaxed);
    const auto begun = at;
    // Each record read is given back at once, so that a writer waiting for room finds it and a wake-up is asked for.
    bool more = true;
    while (more && at - begun < most && at < position(m_producer).load(std::memory_order_acquire)) {
        const auto place = at & (m_size - 1);
        auto* header = const_cast<std::uint32_t*>(reinterpret_cast<const std::uint32_t*>(data + place));
        const auto length = std::atomic_ref(*header).load(std::memory_order_acquire);
        if ((length & BPF_RINGBUF_BUSY_BIT) != 0) break;
        const std::size_t size = length & ~BPF_RINGBUF_DISCARD_BIT;
        if ((length & BPF_RINGBUF_DISCARD_BIT) == 0) more = each(payload((place + BPF_RINGBUF_HDR_SZ) & (m_size - 1), size));
        at += (size + BPF_RINGBUF_HDR_SZ + 7) / 8 * 8;
        consumer.store(at, std::memory_order_release);
    }
    return at - begun;
}
} // namespace dscope::session
