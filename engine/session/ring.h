#pragma once
#include "engine/base/bytes.h"
#include "engine/base/result.h"
#include <functional>
#include <vector>
namespace dscope::session {
/// Bytes of a page of memory.
std::size_t pageSize();

/// The reading end of a BPF ring buffer.
/// Source: kernel/bpf/ringbuf.c: one page of consumer position, one of producer position, the data. The kernel offers the
/// data a second time behind it, for records that wrap; taking that counts every page twice as this process's memory.
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
    ByteView payload(std::size_t begin, std::size_t size);

    std::byte* m_consumer = nullptr;
    std::byte* m_producer = nullptr;
    std::size_t m_size = 0;
    std::vector<std::byte> m_wrapped; ///< A copy of the record that lies at the end and the beginning of the data.
};
} // namespace dscope::session
