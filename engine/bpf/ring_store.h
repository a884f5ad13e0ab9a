#pragma once
#include "engine/base/bytes.h"
#include "engine/bpf/interpreter.h"
#include <deque>
#include <memory>
namespace dscope::bpf {
/// A ring buffer in this process: records in the order they were reserved, with the kernel's accounting (8 bytes of
/// header, lengths in multiples of 8).
class RingStore {
public:
    RingStore(std::uint32_t size, Interpreter& memory) : m_size(size), m_memory(memory) { }
    /// Memory for a record, or null when there is no room.
    std::byte* reserve(std::uint64_t size);
    /// False when `record` is not reserved.
    bool submit(const std::byte* record);
    bool discard(const std::byte* record);
    /// False when there is no room.
    bool output(ByteView record);
    /// Bytes that nobody has read yet.
    std::uint64_t used() const { return m_used; }
    std::uint64_t size() const { return m_size; }
    std::uint64_t produced() const { return m_produced; } ///< bytes since the beginning
    /// Records submitted since; those behind one that is still reserved stay.
    std::vector<Bytes> take();

private:
    enum class State : std::uint8_t { Reserved, Submitted, Discarded };
    struct Record {
        Bytes bytes;
        State state;
    };
    static std::uint64_t room(std::uint64_t size) { return (size + 8 + 7) & ~std::uint64_t{7}; }
    bool settle(const std::byte* record, State state);
    std::uint32_t m_size;
    Interpreter& m_memory;
    std::deque<Record> m_records;
    std::uint64_t m_used = 0, m_produced = 0;
};
} // namespace dscope::bpf
