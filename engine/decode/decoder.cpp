#include "engine/decode/decoder.h"
#include "engine/decode/ledger.h"
#include "engine/decode/process_record.h"
#include "engine/decode/speculations.h"
#include "engine/decode/stack_rests.h"
#include "engine/decode/translator.h"
#include "engine/object/raw.h"
#include "engine/record/aggregation_state.h"
#include "engine/record/named_stacks.h"
#include "engine/record/sort.h"
#include "engine/record/value.h"
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>
namespace dscope::decode {
namespace {
using object::RawHeader;
using object::RawKind;
using record::ActionKind;
using Deliver = record::Source::Deliver;

std::uint32_t speculationOf(const RawHeader& header)
{
    return header.speculation[0] | static_cast<std::uint32_t>(header.speculation[1]) << 8U
        | static_cast<std::uint32_t>(header.speculation[2]) << 16U;
}
record::Nanoseconds timeOf(const RawHeader& header) { return record::Nanoseconds(static_cast<std::int64_t>(header.when)); }
std::size_t userStackCount(const object::Object::RawLayout& layout)
{
    return static_cast<std::size_t>(
        std::count_if(layout.stacks.begin(), layout.stacks.end(), [](const auto& f) { return f.kind == record::FieldKind::UserStack; }));
}
bool resets(ActionKind kind) { return kind == ActionKind::Clear || kind == ActionKind::Trunc; }
bool wantsRows(ActionKind kind)
{
    return resets(kind) || kind == ActionKind::Printa || kind == ActionKind::Normalize || kind == ActionKind::Denormalize;
}
} // namespace

struct Decoder::Impl {
    Impl(const object::Object& object, StackNamer& names, MapReader r, MapTaker t)
        : schema(object.schema), folded(object.foldedInUserSpace), clauseLayouts(object.clauseLayouts), keyLayouts(object.keyLayouts),
          namer(names), translator(names), speculations(object.specSize), reader(std::move(r)), taker(std::move(t))
    {
        for (std::size_t i = 0; i < schema.aggregations.size(); ++i) {
            const bool isBounded = i < object.aggregationMaps.size() && object.aggregationMaps[i].value < object.maps.size();
            ledgers.emplace_back(schema.aggregations[i], isBounded ? object.maps[object.aggregationMaps[i].value].maxEntries : 0);
            for (auto* ledger : {&samples, &copies})
                ledger->emplace_back(schema.aggregations[i], i < object.mostSamples.size() ? object.mostSamples[i] : 0);
            auto& [maps, front] = places.emplace_back();
            if (i < object.aggregationMaps.size()) maps.push_back(object.aggregationMaps[i]);
            if (i < object.aggregationReserves.size() && object.aggregationReserves[i]) maps.push_back(*object.aggregationReserves[i]);
            if (i < object.aggregationFronts.size()) front = object.aggregationFronts[i];
        }

        for (const auto& clause : schema.clauses)
            controls.push_back(std::any_of(clause.actions.begin(), clause.actions.end(), [](const auto& a) { return wantsRows(a.kind); }));
        for (const auto& clause : schema.clauses)
            ends.push_back(std::any_of(clause.actions.begin(), clause.actions.end(),
                [](const auto& a) { return a.kind == ActionKind::Commit || a.kind == ActionKind::Discard; }));

        keepsCpus = record::flagOf(schema.options, "aggpercpu");
        // A layout without stacks is the schema's own.
        clauseLayouts.resize(schema.clauses.size());
        keyLayouts.resize(schema.aggregations.size());
        folded.resize(schema.aggregations.size());
        if (object.walks) walkedStacks = object.walks->stacks;
        for (std::size_t i = 0; i < clauseLayouts.size(); ++i)
            if (clauseLayouts[i].stacks.empty()) clauseLayouts[i].rawSize = clauseLayouts[i].size = schema.clauses[i].payloadSize;
        for (std::size_t i = 0; i < keyLayouts.size(); ++i)
            if (keyLayouts[i].stacks.empty()) keyLayouts[i].rawSize = keyLayouts[i].size = schema.aggregations[i].keySize;
    }

    /// What a reading of an aggregation yields: rows, and which raw key each of them came from.
    struct Reading {
        record::AggregationRows rows;
        struct Key {
            Ledger* ledger;
            std::string raw; ///< as the ledger has it
            Bytes translated;
        };
        std::vector<Key> keys;
    };
    Result<Reading> read(AggregationId id, record::Nanoseconds when, Ledger::Then then, const Deliver& deliver);
    void nameStacks(AggregationId id, const Deliver& deliver);
    void applyResets(const record::Clause& clause, ByteView payload, const std::map<AggregationId, Reading>& readings);
    Result<> fired(const RawHeader& header, ByteView body, const Deliver& deliver);
    Result<> complete(record::Fired event, const Deliver& deliver);
    Result<> endSpeculations(record::Fired& event, const Deliver& deliver);
    Result<> sample(const RawHeader& header, ByteView body, const Deliver& deliver);
    Result<> fault(ByteView raw, const Deliver& deliver) const;
    Result<> unwalked(ByteView raw) const;

    record::Program schema;
    void forgetStacks(const Deliver& deliver);
    Result<> releaseStacks();

    std::vector<Ledger::Places> places; ///< by AggregationId
    std::vector<bool> folded;
    std::vector<object::Object::RawLayout> clauseLayouts, keyLayouts;
    StackNamer& namer;
    Translator translator;
    StackRests rests;
    Speculations speculations;
    MapReader reader;
    MapTaker taker;
    std::vector<Ledger> ledgers;                        ///< by AggregationId: of what the kernel keeps
    std::vector<Ledger> samples;                        ///< by AggregationId: of what arrives as RawSamples, by translated keys ...
    std::vector<Ledger> copies;                         ///< ... or by keys as the kernel has them, where their stacks are named later
    std::optional<MapId> walkedStacks;                  ///< of which keys the kernel has sent the frames
    std::vector<bool> controls;                         ///< by ClauseId: prints or resets an aggregation
    std::vector<bool> ends;                             ///< by ClauseId: ends a speculation
    std::map<std::uint32_t, std::uint64_t> lostSamples; ///< by CPU: for which there was no room
    bool printsFromReadings = false, wasRead = false, forgets = false;
    bool keepsCpus = false; ///< behind each aggregation is that of its values by CPU
};

namespace {
/// Rows in the order of their keys, equal keys as one. Thousands of them are made each second: what is sorted are numbers, the first bytes
/// of the keys, which most keys differ by.
std::vector<record::AggregationRow> rowsOf(std::vector<std::pair<Bytes, Total>>& totals, const Arithmetic& arithmetic)
{
    struct Place {
        std::uint64_t begin = 0; ///< the first eight bytes, so that a smaller number comes first
        std::size_t at = 0;
    };
    std::vector<Place> places;
    places.reserve(totals.size());
    for (const auto& [key, total] : totals) {
        Place place{0, places.size()};
        for (std::size_t i = 0; i < sizeof place.begin; ++i)
            place.begin = place.begin << 8U | (i < key.size() ? static_cast<std::uint64_t>(key[i]) : 0);
        places.push_back(place);
    }
    std::sort(places.begin(), places.end(),
        [&](const Place& a, const Place& b) { return a.begin != b.begin ? a.begin < b.begin : totals[a.at].first < totals[b.at].first; });

    std::vector<record::AggregationRow> rows;
    rows.reserve(totals.size());
    for (std::size_t i = 0; i < places.size();) {
        auto& [key, total] = totals[places[i].at];
        for (++i; i < places.size() && totals[places[i].at].first == key; ++i)
            arithmetic.add(total, totals[places[i].at].second);
        rows.push_back({std::move(key), arithmetic.data(std::move(total))}); // they are never all there twice
    }
    return rows;
}
} // namespace

Result<Decoder::Impl::Reading> Decoder::Impl::read(AggregationId id, record::Nanoseconds when, Ledger::Then then, const Deliver& deliver)
{
    auto& ledger = ledgers.at(id.value);
    const auto& layout = keyLayouts[id.value];
    if (!folded[id.value]) DSCOPE_CHECK(ledger.read(places.at(id.value), reader, taker, then));
    // Different addresses may be one function: func() as a key joins them. The kernel's keys do not say whose user
    // addresses they are; with a target they are most likely its own.
    std::vector<std::pair<Bytes, Total>> totals;
    totals.reserve(ledger.keys());
    Reading reading;
    Result<> trouble;
    const auto add = [&](Ledger& from, ByteView raw, Bytes key, const Total& total) {
        if (then == Ledger::Then::Reset)
            reading.keys.push_back({&from, std::string(reinterpret_cast<const char*>(raw.data()), raw.size()), key});
        totals.emplace_back(std::move(key), total);
    };

    nameStacks(id, deliver);
    for (auto* raws : {&ledger, &copies.at(id.value)})
        raws->each([&](ByteView raw, const Total& total) {
            auto translated = translator.translate(layout, raw, {}, static_cast<std::uint32_t>(schema.target), deliver);
            auto readable = translator.unreadable();
            if (!translated)
                trouble = std::move(translated).error();
            else if (!readable)
                trouble = std::move(readable);
            else if (*translated)
                add(*raws, raw, **std::move(translated), total);
            // Else the frames of its stack are still in the ring, and what it counted is yet to come.
        });

    auto& sampled = samples.at(id.value);
    sampled.each([&](ByteView key, const Total& total) { add(sampled, key, Bytes(key.begin(), key.end()), total); });
    if (!trouble) return std::move(trouble).error();
    reading.rows.aggregation = id;
    reading.rows.when = when;
    reading.rows.rows = rowsOf(totals, ledger.arithmetic());
    return reading;
}

/// Those of an aggregation's keys.
void Decoder::Impl::nameStacks(AggregationId id, const Deliver& deliver)
{
    const auto& layout = keyLayouts[id.value];
    if (layout.stacks.empty()) return;
    std::vector<ByteView> keys;
    for (const auto* ledger : {&ledgers[id.value], &copies[id.value]})
        ledger->each([&](ByteView raw, const Total&) { keys.push_back(raw); });
    translator.name(layout, keys, deliver);
}

/// Does to the ledgers what a consumer of the rows will do to them.
void Decoder::Impl::applyResets(const record::Clause& clause, ByteView payload, const std::map<AggregationId, Reading>& readings)
{
    record::AggregationState state(schema.aggregations);
    for (const auto& [id, reading] : readings)
        state.take(reading.rows);
    std::set<AggregationId> cleared, touched;
    for (const auto& action : clause.actions) {
        if (!resets(action.kind)) continue;
        state.apply(action, payload);
        for (const auto id : action.aggregations) {
            touched.insert(id);
            if (action.kind == ActionKind::Clear) cleared.insert(id);
        }
    }

    for (const auto id : touched) {
        std::set<Bytes> left;
        for (const auto& row : state.entry(id).rows)
            left.insert(row.key);
        for (const auto& key : readings.at(id).keys) {
            const auto raw = std::as_bytes(std::span(key.raw));
            if (!left.contains(key.translated))
                key.ledger->remove(raw);
            else if (cleared.contains(id))
                key.ledger->clear(raw);
        }
    }
}

Result<> Decoder::Impl::fired(const RawHeader& header, ByteView body, const Deliver& deliver)
{
    if (header.clause >= schema.clauses.size()) return Error{0, "a record of a clause that does not exist"};
    const auto& layout = clauseLayouts[header.clause];
    if (body.size() < layout.rawSize) return Error{0, "a record is shorter than its layout says"};
    DSCOPE_TRY(auto userStacks, userStacksIn(body.subspan(layout.rawSize), userStackCount(layout)));
    const auto whole = rests.join(header.tid, userStacks);
    record::Fired event{ClauseId{header.clause}, ProbeId{header.probe}, header.cpu, header.pid, header.tid, timeOf(header), {}};
    DSCOPE_TRY(auto payload, translator.translate(layout, body.first(layout.rawSize), userStacks, header.pid, deliver));
    if (!payload) return Error{0, "a record of a stack that was not told of"};
    event.payload = *std::move(payload);
    if (auto readable = translator.unreadable(); !readable) {
        if (!speculationOf(header)) deliver(event); // what comes before the stack is shown
        return readable;
    }
    if (const auto speculation = speculationOf(header)) {
        const auto size = object::speculatedBytes(layout.rawSize);
        speculations.hold(speculation, std::move(event), size);
        return {};
    }
    return complete(std::move(event), deliver);
}

/// Delivers what the commit()s of a clause let through, before its own record; discard()s let nothing through.
Result<> Decoder::Impl::endSpeculations(record::Fired& event, const Deliver& deliver)
{
    for (const auto& action : schema.clauses[event.clause.value].actions) {
        if (action.kind != ActionKind::Commit && action.kind != ActionKind::Discard) continue;
        const auto useAt = action.fields.at(0).offset + sizeof(std::int32_t);
        const auto use = readAt<std::uint32_t>(event.payload, useAt);
        std::memset(event.payload.data() + useAt, 0, sizeof use); // ours, not the program's
        if (use == 0) continue;
        auto firings = speculations.end(use);
        if (action.kind == ActionKind::Discard) continue;
        for (auto& firing : firings)
            DSCOPE_CHECK(complete(std::move(firing), deliver));
    }
    return {};
}

Result<> Decoder::Impl::complete(record::Fired event, const Deliver& deliver)
{
    const auto& clause = schema.clauses[event.clause.value];
    if (ends.at(event.clause.value)) DSCOPE_CHECK(endSpeculations(event, deliver));
    if (!controls.at(event.clause.value)) {
        deliver(std::move(event));
        return {};
    }
    std::map<AggregationId, bool> wanted; // and whether it is reset
    for (const auto& action : clause.actions)
        if (wantsRows(action.kind))
            for (const auto id : action.aggregations) {
                wanted[id] |= resets(action.kind);
                if (keepsCpus && action.kind == ActionKind::Printa) wanted[{id.value + 1}]; // is shown below
            }
    std::map<AggregationId, Reading> readings;
    for (const auto& [id, thenResets] : wanted) {
        if (printsFromReadings && wasRead && !thenResets) continue;
        DSCOPE_TRY(Reading reading, read(id, event.when, thenResets ? Ledger::Then::Reset : Ledger::Then::Nothing, deliver));
        if (!thenResets) {
            deliver(std::move(reading.rows));
            continue;
        }
        deliver(reading.rows);
        readings.emplace(id, std::move(reading));
    }
    deliver(event);
    if (!readings.empty()) applyResets(clause, event.payload, readings);
    return {};
}

Result<> Decoder::Impl::sample(const RawHeader& header, ByteView body, const Deliver& deliver)
{
    if (header.clause >= ledgers.size()) return Error{0, "a sample of an aggregation that does not exist"};
    const auto& layout = keyLayouts[header.clause];
    constexpr std::size_t kKeyAt = 2 * sizeof(std::int64_t);
    if (body.size() < kKeyAt + layout.rawSize) return Error{0, "a sample is shorter than its layout says"};
    DSCOPE_TRY(auto userStacks, userStacksIn(body.subspan(kKeyAt + layout.rawSize), userStackCount(layout) == 0 ? 0 : 1));
    const auto whole = rests.join(header.tid, userStacks);
    const auto fold = [&](Ledger& ledger, ByteView key) {
        const auto at = [&](std::size_t word) { return readAt<std::int64_t>(body, word * sizeof(std::int64_t)); };
        if (!ledger.fold(key, at(0), at(1))) ++lostSamples[header.cpu];
    };
    if (!userStacks.empty()) {
        const auto raw = body.subspan(kKeyAt, layout.rawSize);
        DSCOPE_TRY(const auto key, translator.keyOfCopies(layout, raw, userStacks.front(), header.pid, deliver));
        if (key) {
            fold(copies[header.clause], *key);
            return {};
        }
    }
    DSCOPE_TRY(const auto key, translator.translate(layout, body.subspan(kKeyAt, layout.rawSize), userStacks, header.pid, deliver));
    DSCOPE_CHECK(translator.unreadable());
    if (!key) return Error{0, "a sample of a stack that was not told of"};
    fold(samples[header.clause], *key);
    return {};
}

/// Once many stacks are known, those that are in no aggregation and were not seen for a while are let go.
void Decoder::Impl::forgetStacks(const Deliver& deliver)
{
    if (!forgets || !translator.isFull()) return;
    std::unordered_set<std::uint32_t> held;
    const auto hold = [&held](StackId id) { held.insert(id.value); };
    for (std::size_t i = 0; i < ledgers.size(); ++i)
        samples[i].eachFolded([&](ByteView key) { record::eachStack(schema.aggregations[i].keys, key, hold); });
    speculations.each([&](const record::Fired& fired) {
        for (const auto& action : schema.clauses[fired.clause.value].actions)
            record::eachStack(action.fields, fired.payload, hold);
    });
    translator.forget([&held](StackId id) { return held.contains(id.value); }, deliver);
}

/// Where many walked stacks are known, those that no aggregation has as a key are let go, here and in the kernel.
Result<> Decoder::Impl::releaseStacks()
{
    if (!walkedStacks || !taker || !translator.knowsMany()) return {};
    for (std::size_t i = 0; i < ledgers.size(); ++i) {
        const auto use = [&](ByteView key) {
            for (const auto& field : keyLayouts[i].stacks)
                if (field.kind == record::FieldKind::UserStack) translator.use(readAt<Translator::WalkKey>(key, field.rawOffset));
        };
        copies[i].eachFolded(use);
        if (folded[i]) continue;
        for (const auto map : places[i].maps) // no slot has a user stack
            DSCOPE_CHECK(reader(map, [&](ByteView key, std::span<const std::byte>) { use(key); }));
    }
    return translator.release([this](const Translator::WalkKey& key) -> Result<> {
        const auto bytes = std::as_bytes(std::span(key));
        const std::array keys{Bytes(bytes.begin(), bytes.end())};
        return taker({&*walkedStacks, 1}, keys, [](ByteView, std::span<const std::byte>) {});
    });
}

Result<> Decoder::Impl::fault(ByteView raw, const Deliver& deliver) const
{
    if (raw.size() < sizeof(object::RawFault)) return Error{0, "a fault record is cut"};
    const auto head = readAt<object::RawFault>(raw, 0);
    record::Fault fault;
    fault.clause = ClauseId{head.header.clause};
    fault.probe = ProbeId{head.header.probe};
    fault.cpu = head.header.cpu;
    fault.action = head.action;
    fault.enabled = head.header.clause + 1;
    if (raw.size() >= sizeof(object::RawFaultAt)) fault.offset = readAt<object::RawFaultAt>(raw, 0).slot;
    fault.kind = head.kind <= static_cast<std::uint32_t>(record::FaultKind::BadIndex) ? static_cast<record::FaultKind>(head.kind)
                                                                                      : record::FaultKind::Unknown;
    fault.address = head.address;
    deliver(fault);
    return {};
}

Result<> Decoder::Impl::unwalked(ByteView raw) const
{
    if (raw.size() < sizeof(object::RawUnwalked)) return Error{0, "a record of a stack that was not walked is cut"};
    const auto head = readAt<object::RawUnwalked>(raw, 0);
    namer.unwalked(head.header.pid, static_cast<object::WalkEnd>(head.end), head.stopped);
    return {};
}

Decoder::Decoder(const object::Object& object, StackNamer& namer, MapReader reader, MapTaker taker)
    : m(std::make_shared<Impl>(object, namer, std::move(reader), std::move(taker)))
{
}

Result<> Decoder::ring(ByteView raw, const Deliver& deliver)
{
    m->forgetStacks(deliver);
    DSCOPE_CHECK(m->releaseStacks());
    if (raw.size() < sizeof(RawHeader)) return Error{0, "a record without a header"};
    const auto header = readAt<RawHeader>(raw, 0);
    const auto body = raw.subspan(sizeof(RawHeader));
    switch (header.kind) {
    case RawKind::Fired: return m->fired(header, body, deliver);
    case RawKind::Fault: return m->fault(raw, deliver);
    case RawKind::Process: {
        DSCOPE_TRY(const auto event, processEvent(raw));
        deliver(event);
        return {};
    }
    case RawKind::Sample: return m->sample(header, body, deliver);
    case RawKind::Stack: return m->translator.walked(raw, deliver);
    case RawKind::Unwalked: return m->unwalked(raw);
    case RawKind::StackRest: return m->rests.add(raw);
    }
    return Error{0, "a record of no known kind"};
}

void Decoder::drops(const Deliver& deliver)
{
    m->speculations.reportDrops(deliver);
    for (auto& ledger : m->ledgers)
        if (const auto count = ledger.lost()) m->lostSamples[0] += count; // of no one CPU
    for (const auto& [cpu, count] : std::exchange(m->lostSamples, {}))
        deliver(record::Drop{record::Drop::Kind::Aggregation, cpu, count});
}

void Decoder::forgetStacks() { m->forgets = true; }

void Decoder::printFromReadings() { m->printsFromReadings = true; }

Result<> Decoder::aggregations(record::Nanoseconds when, const Deliver& deliver)
{
    m->wasRead = true;
    m->forgetStacks(deliver);
    DSCOPE_CHECK(m->releaseStacks());
    for (std::uint32_t i = 0; i < m->ledgers.size(); ++i) {
        DSCOPE_TRY(auto reading, m->read(AggregationId{i}, when, Ledger::Then::Nothing, deliver));
        deliver(std::move(reading.rows));
    }
    return {};
}
} // namespace dscope::decode
