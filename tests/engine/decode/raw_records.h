#pragma once
#include "engine/object/raw.h"
#include "engine/decode/decoder.h"
#include <cstring>
#include <map>
#include <string>
#include <string_view>
/// Hand-made kernel bytes: what the ring and the aggregation maps would hold.
namespace dscope::decode::test {
/// Not by insert(): optimizing, g++ 12 takes that for an overflow, and stops.
inline void putBytes(Bytes& bytes, const void* from, std::size_t size)
{
    const auto before = bytes.size();
    bytes.resize(before + size);
    if (size > 0) std::memcpy(bytes.data() + before, from, size);
}
template <typename T> void put(Bytes& bytes, const T& value) { putBytes(bytes, &value, sizeof value); }
inline void putText(Bytes& bytes, std::string_view text) { putBytes(bytes, text.data(), text.size()); }
template <typename... T> Bytes bytesOf(const T&... values)
{
    Bytes bytes;
    (put(bytes, values), ...);
    return bytes;
}
inline object::RawHeader header(object::RawKind kind, std::uint32_t clause, std::uint32_t pid = 7)
{
    return {kind, {}, clause, 42, 1, 1000, pid, pid + 1};
}
inline Bytes joined(Bytes a, const Bytes& b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}
inline Bytes firing(std::uint32_t clause, const Bytes& payload = {})
{
    return joined(bytesOf(header(object::RawKind::Fired, clause)), payload);
}

/// A per-CPU hash of a machine with two CPUs.
class FakeMap {
public:
    using Words = std::vector<std::int64_t>;
    /// What one CPU holds: updates, then the words.
    void set(const Bytes& key, std::size_t cpu, std::uint64_t updates, Words words)
    {
        auto& value = m_values[key];
        const auto size = (1 + words.size()) * sizeof(std::int64_t);
        value.resize(2 * size);
        std::memcpy(value.data() + cpu * size, &updates, sizeof updates);
        std::ranges::copy(std::as_bytes(std::span(words)), value.begin() + static_cast<std::ptrdiff_t>(cpu * size + sizeof updates));
    }
    bool has(const Bytes& key) const { return m_values.contains(key); }
    MapReader reader() const
    {
        return [this](MapId, const std::function<void(ByteView, std::span<const std::byte>)>& each) -> Result<> {
            for (const auto& [key, value] : m_values)
                each(key, value);
            return {};
        };
    }
    MapTaker taker()
    {
        return [this](std::span<const MapId>, std::span<const Bytes> keys, const EachTaken& each) -> Result<> {
            for (const auto& key : keys) {
                const auto at = m_values.find(key);
                if (at == m_values.end()) continue;
                each(key, at->second);
                m_values.erase(at);
            }
            return {};
        };
    }

private:
    std::map<Bytes, Bytes> m_values;
};

/// Addresses 0x1000.. are kernel functions of 0x100 bytes, 0x5000.. user functions; stacks "unwind" to their bytes' words.
class FakeNamer final : public StackNamer {
public:
    record::FrameList kernel(std::span<const std::uint64_t> addresses) override
    {
        ++kernelCalls;
        std::vector<record::Frame> frames;
        for (const auto address : addresses)
            frames.push_back(kernelSymbol(address));
        return frames;
    }
    record::FrameList user(std::uint32_t pid, ByteView raw, const object::Object::RawField& field) override
    {
        const auto head = readAt<object::RawUserStack>(raw, 0);
        std::vector<record::Frame> frames{userSymbol(pid, head.ip)};
        for (std::size_t at = sizeof head; at + 8 <= sizeof head + head.length && frames.size() < field.limit; at += 8)
            frames.push_back(userSymbol(pid, readAt<std::uint64_t>(raw, at)));
        return frames;
    }
    record::FrameList walked(std::uint32_t pid, std::span<const std::uint64_t> addresses, object::WalkEnd end) override
    {
        std::vector<record::Frame> frames;
        for (const auto address : addresses)
            frames.push_back(userSymbol(pid, address));
        if (end != object::WalkEnd::Outermost) frames.push_back(truncated(record::Truncation::TooDeep));
        return frames;
    }
    void unwalked(std::uint32_t pid, object::WalkEnd end, std::uint64_t) override { asked.emplace_back(pid, end); }
    record::Frame kernelSymbol(std::uint64_t address) override { return symbol(address, "vmlinux", record::Frame::Kind::Kernel); }
    record::Frame userSymbol(std::uint32_t pid, std::uint64_t address) override
    {
        lastPid = pid;
        auto frame = symbol(address, "a.out", record::Frame::Kind::User);
        if (!tellsPlaces) return frame;
        frame.linked = 0x400000 + address;
        frame.line = static_cast<std::uint32_t>(address);
        frame.file = std::string("mix.c");
        frame.code = record::CodeFile{"/bin/a.out", "0123"};
        return frame;
    }
    static constexpr std::uint64_t kUnnamed = 0x90000; ///< from here on functions have no names
    bool tellsPlaces = false;                          ///< of user symbols: where they are in their file and in its source
    int kernelCalls = 0;
    std::vector<std::pair<std::uint32_t, object::WalkEnd>> asked; ///< by unwalked()
    std::uint32_t lastPid = 0;

private:
    static record::Frame symbol(std::uint64_t address, const char* module, record::Frame::Kind kind)
    {
        const auto start = address / 0x100 * 0x100;
        if (kind == record::Frame::Kind::User && address >= kUnnamed) return {address, "a.out", "", start, record::Frame::Kind::User};
        return {address, module, "f" + std::to_string(start), address - start, kind};
    }
};
inline Bytes userStack(std::uint64_t ip, std::initializer_list<std::uint64_t> words)
{
    object::RawUserStack head{};
    head.ip = ip;
    head.length = static_cast<std::uint32_t>(words.size() * 8);
    Bytes bytes = bytesOf(head);
    for (const auto word : words)
        put(bytes, word);
    return bytes;
}

/// Runs a decoder and keeps what it delivers.
struct Bench {
    FakeMap map;
    FakeNamer namer;
    std::vector<record::Record> out;
    record::Source::Deliver deliver = [this](const record::Record& r) { out.push_back(r); };
    template <typename T> std::vector<T> all() const
    {
        std::vector<T> found;
        for (const auto& r : out)
            if (const auto* one = std::get_if<T>(&r)) found.push_back(*one);
        return found;
    }
    /// The rows last delivered, by an 8-byte key.
    std::map<std::uint64_t, std::vector<std::int64_t>> rows() const
    {
        std::map<std::uint64_t, std::vector<std::int64_t>> found;
        const auto last = all<record::AggregationRows>().back();
        for (const auto& row : last.rows)
            found[readAt<std::uint64_t>(row.key, 0)] = row.data;
        return found;
    }
};
inline record::Aggregation aggregation(record::Aggregator function, std::array<std::int64_t, 4> parameters = {})
{
    record::Aggregation a;
    a.name = "a";
    a.function = function;
    a.parameters = parameters;
    a.keys = {{record::FieldKind::Uint, 0, 8, "k", "uint64_t"}};
    a.keySize = 8;
    return a;
}
/// One aggregation; clause 0 prints it, 1 clears it, 2 truncates it, 3 truncates to the i64 in its payload.
/// `most`: keys that the aggregation's map has room for; 0: any number.
inline object::Object objectWith(record::Aggregation a, std::uint32_t most = 0)
{
    object::Object object;
    if (most != 0) object.maps = {{.name = "@", .kind = object::MapKind::PerCpuHash, .keySize = 8, .valueSize = 8, .maxEntries = most}};
    object.schema.aggregations = {std::move(a)};
    const auto clause = [](record::ActionKind kind) {
        record::Clause c;
        c.actions = {{kind, "", {}, {AggregationId{0}}}};
        return c;
    };
    object.schema.clauses = {clause(record::ActionKind::Printa), clause(record::ActionKind::Clear), clause(record::ActionKind::Trunc),
        clause(record::ActionKind::Trunc)};
    object.schema.clauses[3].actions[0].fields = {{record::FieldKind::Int, 0, 8, "n", "int64_t"}};
    object.schema.clauses[3].payloadSize = 8;
    object.aggregationMaps = {MapId{0}};
    object.foldedInUserSpace = {false};
    return object;
}
constexpr std::uint32_t kPrints = 0, kClears = 1, kTruncates = 2, kTruncatesTo = 3;
} // namespace dscope::decode::test
