#pragma once
#include "engine/decode/arithmetic.h"
#include "engine/decode/decoder.h"
#include "engine/decode/kernel_rows.h"
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>
namespace dscope::decode {
/// What user space knows of one aggregation beyond the kernel's map: what to subtract since clear() or trunc(), which
/// keys those left behind, and sums kept here because they cannot be kept there.
///
/// The kernel goes on counting while we read, so clear() and trunc() of additive functions never write to the map: they
/// remember the values that were shown and subtract them from then on, and no increment is lost. The minimum since
/// clear() cannot be told from the minimum since ever, so keys of min() and max() are taken out of the map, with
/// whatever they hold at that moment, before their rows are made. Keys that trunc() removed and that were quiet ever
/// since are taken out too, before a map fills up with them: once half of it is in use, or a thousand of them are there.
class Ledger {
public:
    /// `most`: keys that may be kept here, 0: any number.
    explicit Ledger(const record::Aggregation& aggregation, std::uint64_t most = 0)
        : m_arithmetic(aggregation), m_most(most == 0 ? UINT64_MAX : most), m_seen(m_arithmetic.words())
    {
    }
    const Arithmetic& arithmetic() const { return m_arithmetic; }
    /// Aggregates in user space. False where there is no room for another key.
    [[nodiscard]] bool fold(ByteView key, std::int64_t value, std::int64_t weight);
    /// Calls `each` with the keys that fold() made.
    void eachFolded(const std::function<void(ByteView key)>& each) const;
    /// What follows a reading: a clear() or trunc() of what was read, or nothing of that kind.
    enum class Then : std::uint8_t { Nothing, Reset };
    /// Where the kernel keeps an aggregation: maps, of which several may have the same keys, and slots for some, which no key leaves.
    struct Places {
        std::vector<MapId> maps;
        std::optional<object::Object::Front> front;
    };
    /// Reads the kernel's values. What follows decides whether keys leave the maps.
    Result<> read(const Places& places, const MapReader& reader, const MapTaker& taker, Then then);
    /// Updates of keys for which there was no room here, since this was last asked.
    std::uint64_t lost() { return std::exchange(m_lost, 0); }
    /// How many keys each() may show, at most.
    std::size_t keys() const { return m_kept.size() + m_seen.size(); }
    /// Every key that is to be seen, as last read.
    void each(const std::function<void(ByteView key, const Total&)>& shown) const;
    /// Data to zero, the key stays to be seen.
    void clear(ByteView key);
    /// Not to be seen until aggregated to again.
    void remove(ByteView key);

private:
    struct Kept {
        Total base;           ///< of the kernel's value: before the last clear() or trunc()
        Total held;           ///< in user space
        bool cleared = false; ///< shown although nothing was aggregated since
    };
    Result<> take(std::span<const MapId> maps, const MapTaker& taker, std::span<const Bytes> keys);
    Total current(const Kept& kept, const Total& seen) const;

    Arithmetic m_arithmetic;
    std::uint64_t m_most, m_lost = 0;
    std::unordered_map<std::string, Kept> m_kept;
    std::unordered_set<std::string> m_inSlots; ///< keys that were read there last
    KernelRows m_seen;
};
} // namespace dscope::decode
