#include "engine/codegen/unit.h"
#include "engine/codegen/any_expression.h"
#include "engine/codegen/kept_pointers.h"
#include "engine/codegen/own_memory.h"
#include "engine/codegen/stack_rest.h"
#include "engine/codegen/subroutine.h"
#include "engine/codegen/walk.h"
#include "engine/codegen/weight.h"
#include "engine/object/raw.h"
#include <algorithm>
#include <bit>
namespace dscope::codegen {
namespace {
bool isGiven(const sema::Expr& e)
{
    return e.kind == sema::ExprKind::Call && language::kSubroutines[e.subroutine].sizeArgument != language::kNoArgument;
}
bool isVirtualTime(const sema::Expr& e) { return e.kind == sema::ExprKind::Builtin && e.builtin == sema::Builtin::Vtimestamp; }
} // namespace

namespace {
/// What the calls of alloca() and copyin() in a program ask for at most; nothing where one says it only when it runs.
void addAsked(const sema::ExprPtr& e, std::optional<std::uint64_t>& sum)
{
    if (!e) return;
    for (const auto& kid : e->kids)
        addAsked(kid, sum);
    if (!isGiven(*e)) return;
    const auto at = static_cast<std::size_t>(language::kSubroutines[e->subroutine].sizeArgument);
    const bool isKnown = at < e->kids.size() && e->kids[at]->kind == sema::ExprKind::Integer;
    if (!isKnown) sum.reset();
    if (sum) *sum += roundUp8(static_cast<std::uint64_t>(e->kids[at]->integer)) + 8;
}
void addAsked(const std::vector<sema::Statement>& statements, std::optional<std::uint64_t>& sum)
{
    for (const auto& s : statements) {
        for (const auto* list : {&s.keys, &s.values, &s.args})
            for (const auto& e : *list)
                addAsked(e, sum);
        addAsked(s.expr, sum);
        addAsked(s.then, sum);
        addAsked(s.otherwise, sum);
    }
}
} // namespace

std::uint32_t Unit::arenaSizeOf(const sema::Program& p)
{
    const auto chosen = std::max(1U, static_cast<std::uint32_t>(p.options.number("scratchsize"))); // larger ones than it may be are refused
    if (p.scratchByDefault == 0) return chosen;
    std::uint64_t most = 0;
    for (const auto& c : p.clauses) {
        std::optional<std::uint64_t> asked = 0;
        addAsked(c.predicate, asked);
        addAsked(c.body, asked);
        most = std::max(most, asked.value_or(p.scratchByDefault));
    }
    return std::max(chosen, static_cast<std::uint32_t>(std::min<std::uint64_t>(most, p.scratchByDefault)));
}

void Unit::need(object::Ability ability, Span at) const
{
    if (!can(ability)) throw Lacks{at, ability};
}

Unit::Unit(const sema::Program& p, const object::Abilities& h, Memory memory) : program(p), has(h), m_memory(memory)
{
    m_strsize = static_cast<std::uint32_t>(p.options.number("strsize")) + 1; // the option's values are small
    m_arenaSize = arenaSizeOf(p);
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
    object.drops = add({.name = "drops", .kind = MapKind::PerCpuArray, .keySize = 4, .valueSize = 8, .maxEntries = object::kDropKinds});
    m_literals = add(
        {.name = "literals", .kind = MapKind::Array, .keySize = 4, .valueSize = 8, .maxEntries = 1, .frozen = true, .isOfCode = true});
    literal("");
    object.specSize = p.options.number("specsize");
    constexpr std::uint32_t kFewest = 64;
    m_keptFrames = std::bit_ceil(std::max(mostUserFrames(p), kFewest));
    m_usesArena = anyOf(p, isGiven);
    m_usesVirtualTime = anyOf(p, isVirtualTime);
    m_exposesScratch = exposesOwnMemory(p);
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

std::uint32_t Unit::word()
{
    auto& m = map(m_literals);
    const auto offset = static_cast<std::uint32_t>(m.initial.size());
    m.initial.resize(offset + sizeof(std::uint64_t));
    m.valueSize = static_cast<std::uint32_t>(m.initial.size());
    return offset;
}
void Unit::setWord(std::uint32_t at, std::uint64_t value) { std::memcpy(map(m_literals).initial.data() + at, &value, sizeof value); }

MapId Unit::sharedScratch()
{
    if (!m_sharedScratch)
        m_sharedScratch = add({.name = "scratch",
            .kind = MapKind::Array,
            .keySize = 4,
            .valueSize = 0,
            .maxEntries = 1,
            .isOfCode = true,
            .forEachCpu = true});
    return *m_sharedScratch;
}
std::uint32_t Unit::sharedSizeAt()
{
    if (!m_sharedSizeAt) m_sharedSizeAt = word();
    return *m_sharedSizeAt;
}
void Unit::settleShared()
{
    if (!m_sharedScratch) return;
    auto& shared = map(*m_sharedScratch);
    shared.valueSize = std::max(shared.valueSize, 8U);
    if (m_sharedSizeAt) setWord(*m_sharedSizeAt, std::uint64_t{shared.valueSize} * shared.maxEntries);
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
        const auto since = add({.name = "vtime_since", .kind = MapKind::PerCpuArray, .keySize = 4, .valueSize = 16, .maxEntries = 1});
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
    const auto rows = std::min(static_cast<std::uint32_t>(program.options.number("ustacktables") / kWalkChunk), kWalkRows / kRowsOfChunk);
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
    made.rules = add({.name = "walk_rules", .kind = MapKind::Array, .valueSize = 8 * kWalkRules, .maxEntries = 1, .shared = true});
    made.rows = add({.name = "walk_rows", .kind = MapKind::Array, .valueSize = kWalkChunk, .maxEntries = rows, .shared = true});
    made.pages = add(
        {.name = "walk_pages", .kind = MapKind::Array, .valueSize = kWalkChunk, .maxEntries = kWalkPages / kPagesOfChunk, .shared = true});
    made.memory = add(walkMemory());
    made.kept = add(keptStacks(*this));
    made.powers = add(keyPowers());
    made.rest = add(stackRests());
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
    m.valueSize = std::max(m.valueSize, roundUp8(size));
    return m_zeros;
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
