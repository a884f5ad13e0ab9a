#include "engine/codegen/aggregation_front.h"
#include "engine/codegen/expressions.h"
#include "engine/codegen/records.h"
#include "engine/codegen/stacks.h"
#include "engine/codegen/statements.h"
#include "engine/codegen/stores.h"
#include "engine/codegen/text.h"
#include "engine/object/raw.h"
#include "engine/record/buckets.h"
/// Aggregations: a value for each key, of each CPU or of all (engine/object/aggregation_value.h), merged by the reader.
namespace dscope::codegen {
using record::Aggregator;
using sema::Statement;
namespace {
constexpr std::int32_t kNoExist = 1; // BPF_NOEXIST
constexpr std::int32_t kFull = 7;    // E2BIG: the map has as many keys as it may have

/// A subprogram's r1: the aggregation's map, r2: the key, r3: zeros, r4: the map for keys that the first has no memory for, whose elements
/// are ready. r0 = a value for the key, which the first map does not have, or null.
class Make {
public:
    explicit Make(Firing& f) : b(f.b), m_done(b.label())
    {
        b.mov(kMap, R1);
        b.mov(R7, R2);
        b.mov(R8, R3);
        b.mov(kReserve, R4);
    }

    /// Many keys, each met a few times, as stacks are.
    void inMapFirst()
    {
        add(kMap);
        const auto status = b.saved(R0);
        goIfIn(kMap, m_done); // whether it was us or a nested probe who made it
        b.load(R1, status);
        b.branch(Cond::Eq, R1, -kFull, m_done);
        goIfIn(kReserve, m_done);
        add(kReserve);
        goIfIn(kReserve, m_done);
        end();
    }

    /// To make an element for each CPU takes ten microseconds, a hundred times as long as one that is ready: only what comes again and
    /// again gets one, so that CPUs do not wait for each other.
    void inReserveFirst()
    {
        constexpr std::int32_t kOften = 128; // a power of two
        const auto known = b.label();
        goIfIn(kReserve, known);
        add(kReserve);
        goIfIn(kReserve, m_done);
        add(kMap);
        goIfIn(kMap, m_done);
        b.jump(m_done);
        b.bind(known);
        const auto value = b.saved(R0);
        b.call(Helper::GetPrandom);
        b.alu(AluOp::And, R0, kOften - 1);
        b.when({R0, Cond::Eq, 0}, [&] {
            add(kMap);
            goIfIn(kMap, m_done);
        });
        b.load(R0, value);
        end();
    }

private:
    static constexpr Reg kMap = R6, kReserve = R9;

    void add(Reg map)
    {
        b.mov(R1, map);
        b.mov(R2, R7);
        b.mov(R3, R8);
        b.mov(R4, kNoExist);
        b.call(Helper::MapUpdate);
    }

    void goIfIn(Reg map, Label to)
    {
        b.mov(R1, map);
        b.mov(R2, R7);
        b.call(Helper::MapLookup);
        b.branch(Cond::Ne, R0, 0, to);
    }

    void end()
    {
        b.bind(m_done);
        b.exit();
    }

    Builder& b;
    Label m_done;
};

/// r0 = the current CPU's value in `map` for the key in scratch, made there, or in `reserve`, when it is not there; goes to
/// `lost` when it can't be.
void findOrMake(Firing& f, MapId map, std::optional<MapId> reserve, std::uint32_t key, std::uint32_t valueSize, Label lost)
{
    auto& b = f.b;
    const auto lookup = [&] {
        b.loadMap(R1, map);
        b.mov(R2, Builder::kScratch);
        b.add(R2, key);
        b.call(Helper::MapLookup);
    };

    lookup();
    b.when({R0, Cond::Eq, 0}, [&] {
        b.loadMap(R1, map);
        b.mov(R2, Builder::kScratch);
        b.add(R2, key);
        b.loadMapValue(R3, f.unit.zeros(valueSize), 0);
        if (reserve) {
            b.loadMap(R4, *reserve);
            const bool forEachCpu = f.unit.map(map).kind == MapKind::PerCpuHash;
            b.call(forEachCpu ? f.subprogram("make_ready", [](Firing& made) { Make(made).inReserveFirst(); })
                              : f.subprogram("make", [](Firing& made) { Make(made).inMapFirst(); }));
        } else {
            b.mov(R4, kNoExist);
            b.call(Helper::MapUpdate);
            lookup(); // whether it was us or a nested probe who made it
        }
        b.branch(Cond::Eq, R0, 0, lost);
    });
}

/// r0 = the current CPU's value for the key in scratch, in the maps that programs are to use now; goes to `lost` when it can't
/// be made.
void lookupOrMakeInMaps(Firing& f, AggregationId aggregation, std::uint32_t key, std::uint32_t valueSize, Label lost)
{
    auto& b = f.b;
    const auto map = f.unit.object.aggregationMaps.at(aggregation.value);
    const auto reserve = f.unit.object.aggregationReserves.at(aggregation.value);
    const auto aside = f.unit.object.aggregationAsides.at(aggregation.value);
    if (!aside) return findOrMake(f, map, reserve, key, valueSize, lost);

    // Each way has calls of its own: the kernel puts a lookup's code in place of the call where it knows the map.
    // Source: kernel/bpf/verifier.c, do_misc_fixups()
    const auto usual = b.label();
    b.block([&](Label found) {
        b.loadMapValue(R1, f.unit.object.control, offsetof(Control, aside));
        b.load(Width::B4, R1, R1, 0);
        b.branch(Cond::Ne, R1, static_cast<std::int32_t>(aggregation.value + 1), usual);
        findOrMake(f, aside->map, aside->reserve, key, valueSize, lost);
        b.jump(found);
        b.bind(usual);
        findOrMake(f, map, reserve, key, valueSize, lost);
    });
}
/// The same, where the key may have a slot.
void lookupOrMake(Firing& f, AggregationId aggregation, std::uint32_t key, std::uint32_t valueSize, Label lost)
{
    const auto& front = f.unit.object.aggregationFronts.at(aggregation.value);
    if (!front) return lookupOrMakeInMaps(f, aggregation, key, valueSize, lost);
    auto& b = f.b;
    b.block([&](Label found) {
        b.block([&](Label elsewhere) {
            findInFront(f, *front, key, elsewhere);
            b.jump(found);
        });
        lookupOrMakeInMaps(f, aggregation, key, valueSize, lost);
    });
}
/// [r0 + offset] += reg; at once, for a timer's probe may interrupt another one in the middle of the same key.
void addTo(Builder& b, std::int64_t offset, Reg reg) { b.atomicAdd(R0, offset, reg); }
void increment(Builder& b, std::int64_t offset)
{
    b.mov(R2, 1);
    b.atomicAdd(R0, offset, R2);
}
enum class Extreme : std::uint8_t { Smallest, Largest };
/// r1 = value; keeps the smaller or larger one at [r0 + 8].
void extreme(Builder& b, Extreme which)
{
    b.block([&](Label skip) {
        b.load(Width::B8, R2, R0, 0);
        b.when({R2, Cond::Ne, 0}, [&] {
            b.load(Width::B8, R2, R0, 8);
            b.branch(which == Extreme::Smallest ? Cond::Sge : Cond::Sle, R1, R2, skip);
        });
        b.store(Width::B8, R0, 8, R1);
    });
}
/// [r0 + 16], [r0 + 24] += the 128-bit square of r1. Uses r1..r5.
void addSquare(Firing& f)
{
    auto& b = f.b;
    b.when({R1, Cond::Slt, 0}, [&] { b.negate(R1); });
    // (h * 2^32 + l)^2 = h*h * 2^64 + h*l * 2^33 + l*l
    b.mov(R2, R1);
    b.alu(AluOp::Rsh, R2, 32);          // h
    b.normalize(R1, 4, Sign::Unsigned); // l
    b.mov(R3, R1);
    b.alu(AluOp::Mul, R3, R2); // h*l
    b.alu(AluOp::Mul, R1, R1); // low word
    b.alu(AluOp::Mul, R2, R2); // high word
    b.mov(R4, R3);
    b.alu(AluOp::Rsh, R4, 31);
    b.alu(AluOp::Add, R2, R4);
    b.alu(AluOp::Lsh, R3, 33);
    b.alu(AluOp::Add, R1, R3);
    b.when({R1, Cond::Lt, R3}, [&] { b.alu(AluOp::Add, R2, 1); }); // a carry
    b.mov(R4, R1);
    if (f.unit.can(object::Ability::AtomicExchange)) {
        b.atomicFetchAdd(R0, 16, R4);
        b.alu(AluOp::Add, R4, R1);
    } else { // the sum may have grown once more meanwhile, which only matters at the very addition that carries
        b.atomicAdd(R0, 16, R4);
        b.load(Width::B8, R4, R0, 16);
    }
    b.when({R4, Cond::Lt, R1}, [&] { b.alu(AluOp::Add, R2, 1); });
    b.atomicAdd(R0, 24, R2);
}
/// For each product of a power of two with kDeBruijn, its upper six bits: the bits that the power takes, at most 63.
/// Source: a de Bruijn sequence, B(2, 6), with which 64 powers give 64 different products.
constexpr std::uint64_t kDeBruijn = 0x03f79d71b4cb0a89;
std::string bitsOfPowers()
{
    std::string table(64, '\0');
    for (int power = 0; power < 64; ++power)
        table[(kDeBruijn << power) >> 58] = static_cast<char>(std::min(power + 1, 63));
    return table;
}
/// r1 = bucket of quantize for the value r1. Uses r1..r4. Without branches, of which the verifier would follow every way.
void quantizeBucket(Firing& f)
{
    auto& b = f.b;
    b.block([&](Label done) {
        b.mov(R4, R1);
        b.mov(R1, record::kQuantizeZero);
        b.branch(Cond::Eq, R4, 0, done);
        b.mov(R1, R4);
        b.alu(AluOp::Arsh, R4, 63); // -1 or 0: what changes the sign
        b.alu(AluOp::Xor, R1, R4);
        b.alu(AluOp::Sub, R1, R4);
        for (const int bits : {1, 2, 4, 8, 16, 32}) {
            b.mov(R2, R1);
            b.alu(AluOp::Rsh, R2, bits);
            b.alu(AluOp::Or, R1, R2);
        }

        b.mov(R2, R1); // all ones from the highest: that one alone
        b.alu(AluOp::Rsh, R2, 1);
        b.alu(AluOp::Sub, R1, R2);
        b.mov(R2, static_cast<std::int64_t>(kDeBruijn));
        b.alu(AluOp::Mul, R1, R2);
        b.alu(AluOp::Rsh, R1, 58);
        b.loadMapValue(R2, f.unit.literals(), f.unit.literal(bitsOfPowers()));
        b.alu(AluOp::Add, R2, R1);
        b.load(Width::B1, R1, R2, 0);
        b.alu(AluOp::Xor, R1, R4);
        b.alu(AluOp::Sub, R1, R4);
        b.alu(AluOp::Add, R1, record::kQuantizeZero);
    });
}
/// r1 = bucket of lquantize: base, limit, step.
void lquantizeBucket(Builder& b, const std::array<std::int64_t, 4>& p, int buckets)
{
    b.block([&](Label done) {
        b.mov(R2, p[0]);
        b.when({R1, Cond::Sge, R2}, [&] {
            b.alu(AluOp::Sub, R1, R2); // 0 or more, whatever the signs were
            b.mov(R2, std::max<std::int64_t>(1, p[2]));
            b.alu(AluOp::Div, R1, R2);
            b.when({R1, Cond::Lt, buckets - 2}, [&] {
                b.alu(AluOp::Add, R1, 1);
                b.jump(done);
            });
            b.mov(R1, buckets - 1);
            b.jump(done);
        });
        b.mov(R1, 0);
    });
}
/// r1 = bucket of llquantize: the last whose lowest value is not above r1, found by halving.
void llquantizeBucket(Builder& b, const record::Aggregation& aggregation, int buckets)
{
    b.block([&](Label done) {
        std::function<void(int, int)> halve = [&](int first, int last) {
            if (first == last) {
                b.mov(R1, first);
                return b.jump(done);
            }
            const int middle = first + (last - first + 1) / 2;
            b.mov(R2, record::bucketRange(aggregation, middle).low.value_or(INT64_MIN));
            b.when({R1, Cond::Sge, R2}, [&] { halve(middle, last); });
            halve(first, middle - 1);
        };
        halve(0, buckets - 1);
    });
}
/// A value or a weight: computed before the keys and kept, or known when compiling; 1 where the program gives none.
class Amount {
public:
    Amount(Firing& f, const std::vector<sema::ExprPtr>& values, std::size_t index)
        : m_f(f), m_constant(index < values.size() ? values[index].get() : nullptr)
    {
        if (!m_constant || m_constant->kind == sema::ExprKind::Integer) return;
        integer(f, *std::exchange(m_constant, nullptr));
        m_kept.emplace(f.b.saved(R0));
    }

    void load(Reg into) const
    {
        if (m_kept) return m_f.b.load(into, *m_kept);
        if (m_constant) return loadCheap(m_f, *m_constant, into);
        m_f.b.mov(into, 1);
    }

private:
    Firing& m_f;
    const sema::Expr* m_constant;
    std::optional<Builder::Temp> m_kept;
};
/// r0 = value of the key; takes the value in `value` with `weight`.
void apply(Firing& f, const record::Aggregation& schema, const Amount& value, const Amount& weight)
{
    auto& b = f.b;
    if (schema.function != Aggregator::Count) value.load(R1);
    switch (schema.function) {
    case Aggregator::Count: break; // the updates are what it counts
    case Aggregator::Sum: addTo(b, 8, R1); break;
    case Aggregator::Min: extreme(b, Extreme::Smallest); break;
    case Aggregator::Max: extreme(b, Extreme::Largest); break;
    case Aggregator::Avg: addTo(b, 8, R1); break;
    case Aggregator::Stddev:
        addTo(b, 8, R1);
        addSquare(f);
        break;
    case Aggregator::Quantize:
    case Aggregator::Lquantize:
    case Aggregator::Llquantize:
    case Aggregator::Ranges: { // no program has it
        const auto buckets = record::bucketCount(schema);
        if (schema.function == Aggregator::Quantize)
            quantizeBucket(f);
        else if (schema.function == Aggregator::Lquantize)
            lquantizeBucket(b, schema.parameters, buckets);
        else
            llquantizeBucket(b, schema, buckets);
        // Many paths lead here, each with a bucket that the verifier knows: a number from memory is the same for all, else
        // several such aggregations in a row multiply.
        asNumber(f, R1);
        b.clamp(R1, buckets - 1);
        b.alu(AluOp::Lsh, R1, 3);
        b.mov(R3, R0);
        b.alu(AluOp::Add, R3, R1);
        weight.load(R1);
        b.atomicAdd(R3, 8, R1);
        break;
    }
    }
    increment(b, 0);
}

/// RawSample: header, value, weight, key, then the stacks.
void sendSample(
    Firing& f, const Statement& s, const AggregationPlan& plan, const Amount& value, const Amount& weight, const Builder::Temp* why)
{
    auto& b = f.b;
    constexpr auto kHead = static_cast<std::uint32_t>(sizeof(RawHeader)) + 16;
    for (std::size_t i = 0; i < plan.key.fields.size(); ++i) {
        auto field = plan.key.fields[i];
        field.expr = s.keys[i].get();
        if (isUserStack(field))
            zero(f, Firing::kRecord + kHead + field.rawOffset, field.rawSize); // it comes behind
        else
            storeField(f, field, Firing::kRecord + kHead);
    }
    value.load(R0);
    b.store(Width::B8, Builder::kScratch, Firing::kRecord + sizeof(RawHeader), R0);
    weight.load(R0);
    b.store(Width::B8, Builder::kScratch, Firing::kRecord + sizeof(RawHeader) + 8, R0);
    fillHeader(f, Firing::kRecord, static_cast<std::uint32_t>(RawKind::Sample), s.aggregation.value);
    sendWithCopies(f, kHead + plan.key.layout.rawSize, plan.key, record::Drop::Kind::Aggregation, why);
}
} // namespace

void aggregate(Firing& f, const Statement& s)
{
    auto& b = f.b;
    const Firing::Frame frame(f);
    const auto& plan = f.unit.aggregation(s.aggregation);
    const auto& schema = f.unit.object.schema.aggregations.at(s.aggregation.value);
    const Amount value(f, s.values, 0), weight(f, s.values, 1);

    const auto copy = b.label(), done = b.label();
    std::optional<Builder::Temp> why;
    if (plan.sampled && !plan.inUserSpace) why.emplace(b.temp(2));
    if (!plan.inUserSpace) {
        std::optional<Firing::Maybe> maybe;
        if (plan.sampled) maybe.emplace(f);
        if (plan.mapKeySize > object::kShortKey) f.unit.need(object::Ability::LongKeys, s.at);
        const auto key = f.allocate(plan.mapKeySize);
        if (why) keyUserStacks(f, plan.key, key, copy, *why);
        if (plan.key.fields.empty()) b.store(Width::B8, Builder::kScratch, key, 0);
        for (std::size_t i = 0; i < plan.key.fields.size(); ++i) {
            auto field = plan.key.fields[i];
            field.expr = s.keys[i].get();
            if (!isUserStack(field)) storeField(f, field, key);
        }
        f.countLost(record::Drop::Kind::Aggregation, [&](Label lost) {
            lookupOrMake(f, s.aggregation, key, plan.valueSize, lost);
            apply(f, schema, value, weight);
        });
        if (plan.sampled) b.jump(done);
    }

    b.bind(copy);
    if (plan.sampled) {
        const Firing::Maybe maybe(f); // what is known behind it was not found out where the stack was walked
        sendSample(f, s, plan, value, weight, why ? &*why : nullptr);
    }
    b.bind(done);
}
} // namespace dscope::codegen
