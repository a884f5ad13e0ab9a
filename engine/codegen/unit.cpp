#include "engine/codegen/unit.h"
#include "engine/codegen/kept_pointers.h"
#include "engine/codegen/subroutine.h"
#include "engine/codegen/walk.h"
#include "engine/object/aggregation_value.h"
#include "engine/object/raw.h"
#include <algorithm>
#include <bit>
#include <functional>
namespace dscope::codegen {
using types::Kind;
namespace {
constexpr std::uint32_t kMostKeys = 65536, kFewestKeys = 1024, kMostStacks = 262144;
/// Aggregations up to this size have their memory from the beginning: each CPU's is handed out slowly, half a microsecond a key.
constexpr std::uint64_t kMostReady = 8192, kReadyBytes = 8U << 20U;
std::uint32_t roundUp(std::uint64_t n) { return static_cast<std::uint32_t>((n + 7) & ~std::uint64_t{7}); }
} // namespace

namespace {
bool takesFromArena(const sema::ExprPtr& e)
{
    if (!e) return false;
    if (e->kind == sema::ExprKind::Call && language::kSubroutines[e->subroutine].sizeArgument != language::kNoArgument) return true;
    return std::any_of(e->kids.begin(), e->kids.end(), [](const auto& kid) { return takesFromArena(kid); });
}
bool takesFromArena(const std::vector<sema::Statement>& statements)
{
    const auto any = [](const std::vector<sema::ExprPtr>& list) {
        return std::any_of(list.begin(), list.end(), [](const auto& e) { return takesFromArena(e); });
    };
    return std::any_of(statements.begin(), statements.end(), [&](const sema::Statement& s) {
        return takesFromArena(s.expr) || any(s.keys) || any(s.values) || any(s.args) || takesFromArena(s.then)
            || takesFromArena(s.otherwise);
    });
}
} // namespace

Shape shapeOf(const types::Type* type)
{
    const auto* t = type ? types::resolved(type) : nullptr;
    if (!t) return {};
    switch (t->kind) {
    case Kind::Integer: return {Shape::Kind::Integer, t->size ? t->size : 8, t->isSigned};
    case Kind::Enum: return {Shape::Kind::Integer, t->size ? t->size : 4, true};
    case Kind::Float:
    case Kind::Array:
    case Kind::Struct:
    case Kind::Union: return {Shape::Kind::Bytes, t->size, false};
    case Kind::String: return {Shape::Kind::String, 0, false};
    case Kind::Stack: return {Shape::Kind::Stack, 0, false};
    case Kind::Symbol: return {Shape::Kind::Symbol, 8, false};
    case Kind::Void:
    case Kind::Pointer:
    case Kind::Typedef:
    case Kind::Function: return {};
    }
    return {};
}

void Unit::need(object::Ability ability, Span at) const
{
    if (!can(ability)) throw Lacks{at, ability};
}

Unit::Unit(const sema::Program& p, const object::Abilities& h) : program(p), has(h)
{
    m_strsize = static_cast<std::uint32_t>(p.options.number("strsize")) + 1; // the option's values are small
    // The options' values are small enough: larger ones are refused.
    if (const auto n = p.options.number("scratchsize"); n > 0) m_arenaSize = static_cast<std::uint32_t>(n);
    m_speculationCount = static_cast<std::uint32_t>(p.options.number("nspec"));
    DSCOPE_ASSERT(m_speculationCount <= kMostSpeculations);
    Map control{.name = "control", .kind = MapKind::Array, .keySize = 4, .valueSize = sizeof(Control), .maxEntries = 1};
    object.control = add(std::move(control));
    std::uint64_t bufsize = p.options.number("bufsize");
    if (bufsize == 0) bufsize = 4 << 20;

    // Which records stay is decided where they are read: all have to get there.
    if (const auto policy = p.options.text("bufpolicy"); policy == "fill" || policy == "ring" || p.options.isSet("ringtime"))
        bufsize = std::max<std::uint64_t>(bufsize, 4 << 20);
    const auto ring = std::bit_ceil(std::clamp<std::uint64_t>(bufsize, 64 << 10, 256 << 20));
    object.ring
        = add({.name = "ring", .kind = MapKind::RingBuffer, .keySize = 0, .valueSize = 0, .maxEntries = static_cast<std::uint32_t>(ring)});
    constexpr auto kCounted = static_cast<std::uint32_t>(record::Drop::Kind::Firing) + 1;
    object.drops = add({.name = "drops", .kind = MapKind::PerCpuArray, .keySize = 4, .valueSize = 8, .maxEntries = kCounted});
    m_literals = add(
        {.name = "literals", .kind = MapKind::Array, .keySize = 4, .valueSize = 8, .maxEntries = 1, .frozen = true, .isOfCode = true});
    literal("");
    object.specSize = p.options.number("specsize");
    m_usesArena = std::any_of(
        p.clauses.begin(), p.clauses.end(), [](const auto& c) { return takesFromArena(c.predicate) || takesFromArena(c.body); });
    m_kept = keptPointers(p);
    placeVariables();
    planAggregations();
    planClauses();
}

// Reading the kernel's types takes longer than compiling a small program, which may have no stacks.
bool Unit::canWalk() const
{
    if (!m_canWalk) m_canWalk = codegen::canWalk(*this);
    return *m_canWalk;
}

bool Unit::mayWalk() const { return program.options.text("ustackwalk") != "copy" && canWalk(); }

MapId Unit::add(Map map)
{
    if (map.name.size() > 15) map.name.resize(15);
    for (auto& c : map.name)
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) c = '_';
    object.maps.push_back(std::move(map));
    return MapId{static_cast<std::uint32_t>(object.maps.size() - 1)};
}

std::uint32_t Unit::literal(std::string_view text)
{
    text = text.substr(0, text.find('\0'));
    if (const auto at = m_literalAt.find(text); at != m_literalAt.end()) return at->second;
    auto& m = map(m_literals);
    const auto offset = static_cast<std::uint32_t>(m.initial.size());
    m.initial.resize(offset + literalSize(text));
    std::memcpy(m.initial.data() + offset, text.data(), text.size());
    m.valueSize = static_cast<std::uint32_t>(m.initial.size());
    m_literalAt.emplace(text, offset);
    return offset;
}

const sema::EnabledProbe* Unit::errorProbe() const
{
    const auto at = std::find_if(
        program.probes.begin(), program.probes.end(), [](const sema::EnabledProbe& p) { return p.manual() == probe::Manual::When::Error; });
    return at == program.probes.end() ? nullptr : &*at;
}

MapId Unit::speculations()
{
    if (!m_speculations)
        m_speculations = add({.name = "speculations",
            .kind = MapKind::Array,
            .keySize = 4,
            .valueSize = 8 * std::max(1u, m_speculationCount),
            .maxEntries = 1});
    return *m_speculations;
}

const Unit::VirtualTime& Unit::virtualTime()
{
    if (!m_virtualTime) {
        const auto since = add({.name = "vtime_since", .kind = MapKind::PerCpuArray, .keySize = 4, .valueSize = 8, .maxEntries = 1});
        const auto spent = add({.name = "vtime_spent", .kind = MapKind::TaskStorage, .keySize = 4, .valueSize = 8, .maxEntries = 0});
        m_virtualTime = VirtualTime{since, spent};
    }
    return *m_virtualTime;
}

MapId Unit::lastErrors()
{
    if (!m_lastErrors) m_lastErrors = add({.name = "errno", .kind = MapKind::TaskStorage, .keySize = 4, .valueSize = 8, .maxEntries = 0});
    return *m_lastErrors;
}

const Object::Walks& Unit::walks()
{
    if (object.walks) return *object.walks;
    constexpr std::uint32_t kProcesses = 4096;
    const auto rows = static_cast<std::uint32_t>(program.options.number("ustacktables") / kWalkChunk);
    auto& made = object.walks.emplace(Object::Walks{});
    made.spaces
        = add({.name = "walk_spaces", .kind = MapKind::Hash, .keySize = 8, .valueSize = sizeof(WalkSpace), .maxEntries = kProcesses});
    made.epochs = add({.name = "walk_epochs", .kind = MapKind::Array, .valueSize = 8 * kWalkEpochs, .maxEntries = 1, .shared = true});
    made.files = add({.name = "walk_files",
        .kind = MapKind::Hash,
        .keySize = sizeof(object::WalkFileKey),
        .valueSize = sizeof(object::WalkFile),
        .maxEntries = object::kWalkFiles});
    made.forgotten = add({.name = "walk_forgotten", .kind = MapKind::Array, .valueSize = 8, .maxEntries = 1, .shared = true});
    made.rows = add({.name = "walk_rows", .kind = MapKind::Array, .valueSize = kWalkChunk, .maxEntries = rows, .shared = true});
    made.pages = add(
        {.name = "walk_pages", .kind = MapKind::Array, .valueSize = kWalkChunk, .maxEntries = kWalkPages / kPagesOfChunk, .shared = true});
    made.memory = add(walkMemory());
    made.kept = add(keptStacks());
    made.powers = add(keyPowers());
    made.stacks = add({.name = "walk_stacks", .kind = MapKind::Hash, .keySize = 16, .valueSize = 8, .maxEntries = 1}); // until one is sent
    return made;
}

void Unit::walksOurOwn()
{
    walks();
    object.walks->ourOwn = true;
}

MapId Unit::cpus()
{
    if (m_cpus) return *m_cpus;
    const auto bytes = std::as_bytes(std::span(program.cpus));
    Map map{.name = "cpus", .kind = MapKind::Array, .keySize = 4, .valueSize = static_cast<std::uint32_t>(bytes.size()), .maxEntries = 1};
    map.frozen = true;
    map.initial.assign(bytes.begin(), bytes.end());
    m_cpus = add(std::move(map));
    return *m_cpus;
}

MapId Unit::zeros(std::uint32_t size)
{
    if (!m_hasZeros)
        m_zeros = add(
            {.name = "zeros", .kind = MapKind::Array, .keySize = 4, .valueSize = 8, .maxEntries = 1, .frozen = true, .isOfCode = true});
    m_hasZeros = true;
    auto& m = map(m_zeros);
    m.valueSize = std::max(m.valueSize, roundUp(size));
    return m_zeros;
}

std::uint32_t Unit::storage(const types::Type* type) const
{
    const auto shape = shapeOf(type);
    switch (shape.kind) {
    case Shape::Kind::Integer:
    case Shape::Kind::Symbol: return 8;
    case Shape::Kind::String: return stringSize();
    case Shape::Kind::Stack: return 8;
    case Shape::Kind::Bytes: return std::max(8u, roundUp(shape.size));
    }
    return 8;
}

std::uint32_t Unit::capacity(const sema::Expr& e) const
{
    using sema::ExprKind;
    switch (e.kind) {
    case ExprKind::String: return std::min(literalSize(std::string_view(e.text).substr(0, e.text.find('\0'))), stringSize());
    case ExprKind::Builtin: {
        if (e.builtin == sema::Builtin::Execname) return 16;
        const auto part = e.builtin == sema::Builtin::ProbeProv ? &probe::Name::provider
            : e.builtin == sema::Builtin::ProbeMod              ? &probe::Name::module
            : e.builtin == sema::Builtin::ProbeFunc             ? &probe::Name::function
            : e.builtin == sema::Builtin::ProbeName             ? &probe::Name::name
                                                                : nullptr;
        if (!part) return stringSize();
        // Probes that are added while the program runs may have longer names: the text has room for them.
        std::size_t most = program.mayGrow ? 127 : 0;
        for (const auto& p : program.probes)
            most = std::max(most, (p.name.*part).size());
        return std::min(roundUp(most + 1), stringSize());
    }
    case ExprKind::Conditional: return std::max(capacity(*e.kids[1]), capacity(*e.kids[2]));
    case ExprKind::Assign: return stringSize();
    case ExprKind::Comma: return capacity(*e.kids.back());
    case ExprKind::Cast: return shapeOf(e.kids[0]->type).kind == Shape::Kind::String ? capacity(*e.kids[0]) : stringSize();
    case ExprKind::StringFrom: {
        const auto* t = e.kids[0]->type ? types::resolved(e.kids[0]->type) : nullptr;
        if (t && t->kind == Kind::String) return capacity(*e.kids[0]);
        if (t && t->kind == Kind::Array && t->count > 0) return std::min(roundUp(t->count + 1), stringSize());
        return stringSize();
    }
    case ExprKind::Call: return std::min(subroutineAt(e.subroutine).capacityOf(*this, e.kids), stringSize());
    default: return stringSize();
    }
}

void Unit::placeVariables()
{
    std::uint32_t globals = 0, self = 0;
    for (const auto& v : program.variables) {
        Home home;
        home.size = storage(v.type) + (shapeOf(v.type).kind == Shape::Kind::String ? 8 : 0); // and whether it is NULL
        const auto shape = shapeOf(v.type);
        const auto* plain = v.type ? types::resolved(v.type) : nullptr;
        enum class Packing : std::uint8_t { Packed, Words };
        auto place = [&](std::uint32_t& top, Packing packing) {
            // Integers and arrays stand where C would put them, all else at a multiple of 8.
            std::uint64_t alignment = 8;
            if (packing == Packing::Packed && shape.kind == Shape::Kind::Integer) {
                home.width = static_cast<std::uint32_t>(shape.size);
                home.isSigned = shape.isSigned;
                alignment = home.width;
            } else if (packing == Packing::Packed && plain && plain->kind == Kind::Array)
                alignment = program.types->alignment(plain);
            const auto boundary = static_cast<std::uint32_t>(std::max<std::uint64_t>(alignment, 1));
            home.offset = (top + boundary - 1) / boundary * boundary;
            top = home.offset + (home.width < 8 ? home.width : home.size);
        };
        if (v.isArray()) {
            home.kind = Home::Kind::Array;
            home.perThread = v.scope != ast::Scope::Global;
            home.keySize = home.perThread ? 16 : 0;
            for (const auto* t : v.tuple)
                home.keySize += storage(t);
            const auto room = program.options.number("dynvarsize");
            const auto entries = (room ? room : 1 << 20) / (home.keySize + home.size);
            object.fits = object.fits && entries > 0;
            home.map = add({.name = "v_" + v.name,
                .kind = MapKind::Hash,
                .keySize = home.keySize,
                .valueSize = home.size,
                .maxEntries = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(entries, 1, 1 << 20))});
        } else if (v.scope == ast::Scope::Global) {
            home.kind = Home::Kind::Global;
            place(globals, Packing::Packed);
        } else if (v.scope == ast::Scope::This) {
            home.kind = Home::Kind::This;
            place(m_thisSize, Packing::Packed);
        } else {
            home.kind = Home::Kind::Self;
            place(self, Packing::Words);
        }
        DSCOPE_ASSERT(v.id.value == m_homes.size());
        m_homes.push_back(home);
        object.variableOffsets.push_back(home.offset);
    }

    m_thisSize = roundUp(m_thisSize);
    globals = roundUp(globals);
    if (globals) m_globals = add({.name = "globals", .kind = MapKind::Array, .keySize = 4, .valueSize = globals, .maxEntries = 1});
    if (self) m_self = add({.name = "self", .kind = MapKind::TaskStorage, .keySize = 4, .valueSize = self, .maxEntries = 0});
    for (auto& home : m_homes) {
        if (home.kind == Home::Kind::Global) home.map = m_globals;
        if (home.kind == Home::Kind::Self) home.map = m_self;
    }
}

namespace {
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
        if (!plan.inUserSpace && areReset.contains(a.id.value)) makeAside(a.id);
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
    const bool isExtreme = aggregation.function == record::Aggregator::Min || aggregation.function == record::Aggregator::Max;
    // Many different stacks, each met a few times: an element for each CPU is made far more slowly than one for all, which all
    // functions but an extreme add to at once.
    const bool isShared = plan.sampled && !plan.inUserSpace && !isSmall && !isExtreme;
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
    reserve.kind = isExtreme ? MapKind::PerCpuHash : MapKind::Hash;
    const auto most = isExtreme ? kExtremes : kReserve / (kHead + plan.mapKeySize + plan.valueSize);
    reserve.maxEntries = static_cast<std::uint32_t>(std::min(entries, most));
    reserve.preallocate = true;
    object.aggregationReserves.back() = add(std::move(reserve));
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

std::int64_t Unit::kernelOffset(std::string_view structName, std::string_view path) const
{
    const auto offset = offsetIfKnown(structName, path);
    if (offset < 0 && !program.types->whyNoKernelTypes().empty()) throw NoKernelTypes{};
    return offset;
}
std::int64_t Unit::offsetIfKnown(std::string_view structName, std::string_view path) const
{
    const auto offset = program.types->offsetOf(structName, path);
    return offset ? static_cast<std::int64_t>(*offset) : -1;
}
} // namespace dscope::codegen
