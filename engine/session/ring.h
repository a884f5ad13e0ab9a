#pragma once
#include "engine/base/bytes.h"
#include "engine/base/result.h"
#include <functional>
namespace dscope::session {
/// The reading end of a BPF ring buffer.
/// Source: kernel/bpf/ringbuf.c: one page of consumer position, one of producer position, the data mapped twice.
class Ring {
public:
    /// `size`: bytes of data, a power of two.
    static Result<Ring> map(int fd, std::size_t size);
    Ring() = default;
    Ring(Ring&& other) noexcept;
    Ring& operator=(Ring&& other) noexcept;
    ~Ring();
    /// Hands over committed records in order until there is none, `most` bytes have been read, or `each` returns false.
    /// What `each` is given is valid during the call. Returns the bytes read, with headers.
    std::size_t consume(std::size_t most, const std::function<bool(ByteView)>& each);
    /// Bytes between reader and writers.
    std::size_t pending() const;
    std::size_t size() const { return m_size; }

private:
    std::byte* m_consumer = nullptr;
    std::byte* m_producer = nullptr;
    std::size_t m_size = 0;
};
} // namespace dscope::session
