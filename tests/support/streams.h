#pragma once
#include "engine/base/bytes.h"
#include "engine/record/record.h"
#include <cstdint>
#include <string>
#include <vector>
/// Record streams made by hand: what models and exporters are tested on, without a kernel and without the engine.
namespace dscope::test {
using record::Aggregation;
using record::Aggregator;
using record::Field;
using record::FieldKind;
using record::ProcessEvent;
using record::Record;
using Stream = std::vector<Record>;

constexpr std::int64_t kSecond = 1'000'000'000, kMillisecond = 1'000'000, kStart = 1000 * kSecond;
constexpr std::uint32_t kKeyText = 64;

record::Program program(std::string source, std::vector<std::string> probes);
/// A stream begins with its program and the probes that it has enabled: those that its clauses name in full.
void begin(Stream& stream, const record::Program& p);
record::Exit end(std::int64_t afterNs);

// -- aggregations ---------------------------------------------------------------------------------------------------
Aggregation aggregation(std::string name, Aggregator function, std::string value, std::vector<Field> keys);
Field textKey(std::string name);
Field numberKey(std::string name);
Field stackKey(FieldKind kind);
/// A key of texts, numbers and stack ids in turn, laid out as aggregation() does.
class Key {
public:
    Key& text(std::string_view s)
    {
        Bytes b(kKeyText);
        std::memcpy(b.data(), s.data(), std::min<std::size_t>(s.size(), kKeyText - 1));
        m_writer.raw(b);
        return *this;
    }
    Key& number(std::int64_t n)
    {
        m_writer.put(n);
        return *this;
    }
    Key& stack(std::uint32_t id)
    {
        m_writer.put(id);
        return *this;
    }
    Bytes bytes() { return m_writer.take(); }

private:
    ByteWriter m_writer;
};
record::AggregationRows rows(std::uint32_t id, std::vector<record::AggregationRow> all);

// -- stacks ---------------------------------------------------------------------------------------------------------
record::Frame frame(std::string module, std::string function, record::Frame::Kind kind);
/// `outermost` first, as people write them.
record::StackDef stack(std::uint32_t id, std::vector<record::Frame> outermost);
/// A random program of `functions` functions sampled as `stacks` different stacks, the same for the same seed.
Stream profile(std::size_t stacks, std::size_t functions, std::size_t depth, unsigned seed = 7);
/// The bucket index of quantize for a value of 2^k (k from 0).
constexpr std::int64_t power(int k) { return 64 + k; }
/// The histogram of the design's drawing: how long write(2) takes, for each of `programs`.
Stream writeTimes(const std::vector<std::string>& programs);

/// One aggregation read every second: rows as the kernel holds them then. `resets`: by a clause that prints and clears it;
/// else by a front end that looks on.
Stream ticking(Aggregation shape, const std::vector<std::vector<record::AggregationRow>>& seconds, bool resets);
/// Who writes how much: sums and counts by program and file, names that would break a careless printer among them.
Stream written(const std::vector<std::string>& programs, bool second = false);
/// Six aggregations with three kinds of keys: more panels than a page has room for.
Stream severalKinds(const std::vector<std::string>& programs);
/// Names that end elements, quotes, records, attributes and formulas of a careless writer.
std::vector<std::string> hostileNames();
/// open() as printf tells it: records, not aggregations.
Stream opened(const std::vector<std::string>& files);
// -- processes ------------------------------------------------------------------------------------------------------
/// Tells a story of processes, event by event, in milliseconds from the start.
class Processes {
public:
    explicit Processes(std::int32_t target = 0);
    Processes& existing(double ms, std::uint32_t pid, std::string name);
    Processes& fork(double ms, std::uint32_t parent, std::uint32_t pid, bool vfork = false);
    Processes& exec(double ms, std::uint32_t pid, std::string path, std::vector<std::string> args);
    Processes& execFailed(double ms, std::uint32_t pid, std::string path, std::int32_t error);
    Processes& exit(double ms, std::uint32_t pid, std::int32_t status = 0);
    Stream stream();

private:
    ProcessEvent event(ProcessEvent::Kind kind, double ms, std::uint32_t pid, std::uint32_t parent);
    Processes& add(ProcessEvent e);
    Stream m_stream;
    record::Nanoseconds m_last{};
};
/// make -j4 of a small project, 40 processes: a configure step with many seds, compilers with two execs, a failing
/// test, a crash, and one command that isn't there. The shell outside of the target starts something of its own.
Stream build();
/// A random tree of `count` processes, among them failures, crashes and reused pids.
Stream forest(std::size_t count, unsigned seed = 3);
} // namespace dscope::test
