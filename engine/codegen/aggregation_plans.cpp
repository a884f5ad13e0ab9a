#include "engine/codegen/unit.h"
#include "engine/object/aggregation_value.h"
#include <algorithm>
#include <bit>
#include <functional>
/// Where aggregations are kept: their keys' layouts, and the maps of the kernel's with room for them.
namespace dscope::codegen {
namespace {
constexpr std::uint32_t kMostKeys = 65536, kFewestKeys = 1024, kMostStacks = 262144;
/// Aggregations up to this size have their memory from the beginning: each CPU's is handed out slowly, half a microsecond a key.
constexpr std::uint64_t kMostReady = 8192, kReadyBytes = 8U << 20U;

/// How long texts may be that a key of `size` bytes fits into kShortKey; 0: it does, or cannot.
std::uint32_t roomOfEach(const std::vector<std::uint32_t>& texts, std::uint32_t size)
{
    if (size <= object::kShortKey) return 0;
    for (std::uint32_t most = object::kShortKey; most >= 16; most -= 8) {
        std::uint32_t cut = 0;
        for (const auto text : texts)
            cut += text - std::min(text, most);
        if (size - cut <= object::kShortKey) return most;
    }
    return 0;
}
bool isExtreme(record::Aggregator function) { return function == record::Aggregator::Min || function == record::Aggregator::Max; }
} // namespace

void Unit::planAggregations()
{
    // The keys' layout comes from the first statement that names the aggregation (sema holds the others to its types),
    // with room for the longest text that any of them gives.
    std::map<std::uint32_t, std::vector<const sema::Statement*>> uses;
    std::set<std::uint32_t> areReset; // what is cleared or truncated
    std::function<void(const std::vector<sema::Statement>&)> look = [&](const std::vector<sema::Statement>& statements) {
        for (const auto& s : statements) {
            if (s.kind == sema::Statement::Kind::Aggregate) uses[s.aggregation.value].push_back(&s);
            if (s.kind == sema::Statement::Kind::Action && (s.action == record::ActionKind::Clear || s.action == record::ActionKind::Trunc))
                for (const auto id : s.aggregations)
                    areReset.insert(id.value);
            look(s.then);
            look(s.otherwise);
        }
    };

    for (const auto& c : program.clauses)
        look(c.body);
    for (const auto& a : program.aggregations) {
        AggregationPlan plan;
        record::Aggregation schema{.name = a.name,
            .function = a.function,
            .keys = {},
            .keySize = 0,
            .parameters = a.parameters,
            .value = a.value,
            .valueType = a.valueType ? types::spelled(a.valueType) : std::string("int64_t")};
        if (const auto at = uses.find(a.id.value); at != uses.end()) {
            const auto& keys = at->second.front()->keys;
            std::vector<std::uint32_t> rooms(keys.size()); // of texts; 0: another kind of key
            const auto layOut = [&] {
                plan.key = {};
                for (std::size_t i = 0; i < keys.size(); ++i)
                    plan.key.add(
                        *this, *keys[i], i < a.keyNames.size() ? a.keyNames[i] : "key" + std::to_string(i), FieldsPlan::Of::Key, rooms[i]);
            };
            for (std::size_t i = 0; i < keys.size(); ++i)
                if (shapeOf(keys[i]->type).kind == Shape::Kind::String)
                    for (const auto* use : at->second)
                        rooms[i] = std::max(rooms[i], capacity(*use->keys[i]));
            layOut();
            if (const auto most = can(Ability::LongKeys) ? 0 : roomOfEach(rooms, plan.key.layout.rawSize)) {
                for (auto& room : rooms)
                    room = std::min(room, most);
                layOut();
                remarks.push_back({at->second.front()->at,
                    "strings in the key of @" + a.name + " are cut to " + std::to_string(most) + " bytes: keys of more than "
                        + std::to_string(object::kShortKey) + " bytes need Linux "
                        + std::string(object::factsOf(Ability::LongKeys).since)});
            }
        }
        plan.sampled = plan.key.userStacks > 0;
        plan.inUserSpace = plan.sampled && !mayWalk();
        plan.mapKeySize = std::max(8u, plan.key.layout.rawSize);
        schema.keys = plan.key.schema;
        schema.keySize = plan.key.layout.size;
        plan.valueSize = static_cast<std::uint32_t>(std::min<std::size_t>(valueBytes(schema), 32768));
        plan.rowSize = static_cast<std::uint32_t>(8 + 8 * dataWords(schema));
        makeAggregationMaps(a, plan);
        object.aggregationAsides.emplace_back();
        object.aggregationFronts.emplace_back();
        const bool isReset = areReset.contains(a.id.value);
        if (!plan.sampled && !(isReset && isExtreme(a.function))) makeFront(a, plan);
        if (!plan.inUserSpace && isReset) makeAside(a.id);
        object.foldedInUserSpace.push_back(plan.inUserSpace);
        object.keyLayouts.push_back(plan.key.layout);
        object.schema.aggregations.push_back(std::move(schema));
        m_aggregations.push_back(std::move(plan));
    }
}

/// How many rows there may be follows from option aggsize. Where it is not set rows of little size are no more than
/// kMostKeys, and there are always kFewestKeys.
void Unit::makeAggregationMaps(const sema::Aggregation& aggregation, const AggregationPlan& plan)
{
    constexpr std::uint64_t kRoom = 4U << 20U, kMostAsked = 1U << 22U;
    const bool asked = program.options.isSet("aggsize");
    const auto room = asked ? program.options.number("aggsize") : kRoom;
    // A set size is a limit, and D's strings count as long as strsize lets them be.
    std::uint64_t row = plan.rowSize;
    if (asked) {
        for (const auto* type : aggregation.keys)
            row += storage(type);
        for (const auto& field : plan.key.fields)
            row += 8ULL * field.frames;
        if (room < row) object.fits = false;
    }

    // What the kernel takes for an element: its head, a list of them, and each CPU's value. Source: kernel/bpf/hashtab.c
    constexpr std::uint64_t kHead = 64, kBucket = 16;
    const auto cpus = std::max<std::uint64_t>(program.cpus.size(), 1);
    const auto element = kHead + plan.mapKeySize + plan.valueSize * cpus;
    auto entries = std::clamp<std::uint64_t>(room / row, asked ? 1 : kFewestKeys, kMostKeys);

    // A compiler has a hundred thousand different stacks. Where the memory comes with the keys it costs nothing to allow for them.
    if (plan.sampled && !plan.inUserSpace && !asked) entries = kMostStacks;
    if (asked && room / row > kMostKeys)
        entries = std::clamp<std::uint64_t>(room / std::max(row, element + kBucket), kMostKeys, kMostAsked);

    object.mostSamples.push_back(plan.sampled ? std::max<std::uint64_t>(room / row, asked ? 1 : kMostKeys) : 0);
    const bool isSmall = entries <= kMostReady && entries * element <= kReadyBytes;
    const bool ofOneCpu = isExtreme(aggregation.function);
    // Many different stacks, each met a few times: an element for each CPU is made far more slowly than one for all, which all
    // functions but an extreme add to at once.
    const bool isShared = plan.sampled && !plan.inUserSpace && !isSmall && !ofOneCpu;
    Map map{.name = "@" + aggregation.name,
        .kind = isShared ? MapKind::Hash : MapKind::PerCpuHash,
        .keySize = plan.mapKeySize,
        .valueSize = plan.valueSize,
        .maxEntries = plan.inUserSpace ? 1 : static_cast<std::uint32_t>(entries),
        .preallocate = isSmall || plan.inUserSpace};
    Map reserve = map;
    object.aggregationMaps.push_back(add(std::move(map)));
    object.aggregationReserves.emplace_back();
    if (isSmall || plan.inUserSpace) return;

    // The kernel's allocator, which may not wait, has no memory for a burst of new keys. Memory that is not each CPU's own
    // costs little to have ready; an extreme cannot be kept for several CPUs at once.
    constexpr std::uint64_t kReserve = 4U << 20U, kExtremes = 2048;
    reserve.kind = ofOneCpu ? MapKind::PerCpuHash : MapKind::Hash;
    const auto most = ofOneCpu ? kExtremes : kReserve / (kHead + plan.mapKeySize + plan.valueSize);
    reserve.maxEntries = static_cast<std::uint32_t>(std::min(entries, most));
    reserve.preallocate = true;
    object.aggregationReserves.back() = add(std::move(reserve));
}

/// Small keys, and few maps: a program of the kernel's names at most 64.
void Unit::makeFront(const sema::Aggregation& aggregation, const AggregationPlan& plan)
{
    constexpr std::uint32_t kMostBytes = 8192, kMostSlots = 64, kMostKeyBytes = 64;
    constexpr std::ptrdiff_t kMostFronts = 8;
    const auto made = std::ranges::count_if(object.aggregationFronts, [](const auto& front) { return front.has_value(); });
    // What the user allows is a limit of the maps, and the first CPU to write a key into a slot needs to know that it is the first.
    if (program.options.isSet("aggsize") || !can(Ability::AtomicExchange) || made >= kMostFronts) return;

    Object::Front front{.map = {}, .slots = 1, .keySize = plan.mapKeySize, .valueSize = plan.valueSize};
    if (front.keySize > kMostKeyBytes || front.slotSize() > kMostBytes) return;
    if (!plan.key.fields.empty()) front.slots = std::bit_floor(std::min(kMostSlots, kMostBytes / front.slotSize()));
    front.map = add({.name = "^" + aggregation.name,
        .kind = MapKind::PerCpuArray,
        .keySize = 4,
        .valueSize = front.slots * front.slotSize(),
        .maxEntries = 1});
    object.aggregationFronts.back() = front;
}

/// Maps like those that the aggregation has.
void Unit::makeAside(AggregationId id)
{
    const auto like = [this](MapId wanted) {
        Map map = object.maps.at(wanted.value);
        map.name = "~" + map.name;
        return add(std::move(map));
    };
    Object::Aside aside{like(object.aggregationMaps.at(id.value)), {}};
    if (const auto reserve = object.aggregationReserves.at(id.value)) aside.reserve = like(*reserve);
    object.aggregationAsides.at(id.value) = aside;
}
} // namespace dscope::codegen
