// needs: engine/record engine/remote
// Whatever hosts send for a run, or somebody in their name: taking it, making one data set of it and merging that neither crashes nor takes
// memory without bound.
#include "engine/record/crc.h"
#include "engine/record/merged_runs.h"
#include "engine/remote/collection.h"
#include <algorithm>
#include <cstring>
#include <zstd.h>
using namespace dscope;
using namespace dscope::remote;

namespace {
const std::string kRun = "fuzz";
/// What two of the hosts really run, so that what is said of it is looked at.
record::Program programOf(const std::string& host)
{
    using record::Aggregator;
    using record::FieldKind;
    record::Program p;
    p.source = "x";
    p.host = host;
    record::Aggregation counted, sizes;
    counted.keys = {{FieldKind::String, 0, 8, "execname", "string"}, {FieldKind::UserStack, 8, 4, "ustack()", "stack"}};
    counted.keySize = 12;
    sizes.name = "size";
    sizes.function = Aggregator::Quantize;
    p.aggregations = {counted, sizes};
    record::Clause clause;
    clause.actions = {{record::ActionKind::Clear, {}, {}, {AggregationId{0}}}};
    p.clauses = {clause};
    return p;
}
/// Bytes as the body of a message, packed as pack() would.
Bytes packedOf(ByteView raw)
{
    Bytes packed(sizeof(std::uint32_t) + ZSTD_compressBound(raw.size()));
    const auto size = static_cast<std::uint32_t>(raw.size());
    std::memcpy(packed.data(), &size, sizeof size);
    packed.resize(sizeof size + ZSTD_compress(packed.data() + sizeof size, packed.size() - sizeof size, raw.data(), raw.size(), 1));
    return packed;
}
void makeOne(const Collection& collection)
{
    auto set = collection.dataSet();
    (void)set.summary.text();
    (void)set.summary.outlierTexts(3);
    if (set.runs.empty()) return;
    record::MergedRuns merged(std::move(set.runs), record::MergedBy::Host);
    for (Result<bool> more = true; more && *more;)
        more = merged.poll({}, [](const record::Record&) {});
}
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const ByteView all(reinterpret_cast<const std::byte*>(data), size);
    // As they came from the network: a subject's line, then a payload.
    {
        Collection collection(kRun, 0);
        const auto line = std::find(all.begin(), all.end(), std::byte{'\n'});
        const auto length = static_cast<std::size_t>(line - all.begin());
        const std::string subject(reinterpret_cast<const char*>(data), length);
        collection.take({subject, 1, Bytes(all.begin() + static_cast<std::ptrdiff_t>(std::min(length + 1, size)), all.end())});
        makeOne(collection);
    }

    // With right checksums: two bytes say whose it is and what about, two how long it is.
    Collection collection(kRun, 2);
    std::uint64_t number = 0;
    for (const auto* host : {"a", "b"}) {
        const auto packed = pack({1, {}, {programOf(host)}});
        if (packed) collection.take({subjectOf(kRun, {{host, 0}, Topic::Program, 0, {}}), ++number, seal(Envelope::Kind::Whole, 1, *packed)});
    }
    for (auto rest = all; rest.size() > 4;) {
        const auto who = static_cast<std::uint8_t>(rest[0]), what = static_cast<std::uint8_t>(rest[1]);
        const auto length = std::min<std::size_t>(readAt<std::uint16_t>(rest, 2), rest.size() - 4);
        Place place{{who % 2 == 0 ? "a" : "b", 0}, static_cast<Topic>(what % 5), what / 5 % 3U, {}};
        const auto kind = static_cast<Envelope::Kind>(who / 2 % 3);
        if (kind == Envelope::Kind::Part) place.part = {who / 6 % 2U, what / 15 % 3U};
        const auto body = rest.subspan(4, length);
        const auto payload = kind == Envelope::Kind::Whole ? packedOf(body) : Bytes(body.begin(), body.end());
        ++number;
        collection.take({subjectOf(kRun, place), number, seal(kind, kind == Envelope::Kind::Whole ? number : 1, payload)});
        rest = rest.subspan(4 + length);
    }
    makeOne(collection);
    return 0;
}
