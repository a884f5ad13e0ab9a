#include "engine/codegen/firing.h"
#include "engine/codegen/stacks.h"
#include "engine/object/raw.h"
#include "engine/record/buckets.h"
/// Aggregations: a per-CPU value for each key, u64 updates and then the function's data; merged by the reader.
namespace dscope::codegen {
using record::Aggregator;
using sema::Statement;
namespace {
constexpr std::int32_t kNoExist = 1; // BPF_NOEXIST
constexpr std::int32_t kFull = 7;    // E2BIG: the map has as many keys as it may have

/// Subprogram: r0 = a value for a key that is new, or null. r1: the aggregation's map, r2: the key, r3: zeros, r4: the map
/// for keys that the first has no memory for.
void emitMake(Firing& f)
{
    auto& b = f.b;
    const auto done = b.label();
    b.mov(R6, R1);
    b.mov(R7, R2);
    b.mov(R8, R3);
    b.mov(R9, R4);
    const auto makeIn = [&](Reg map) {
        b.mov(R1, map);
        b.mov(R2, R7);
        b.mov(R3, R8);
        b.mov(R4, kNoExist);
        b.call(Helper::MapUpdate);
    };
    const auto lookupIn = [&](Reg map) {
        b.mov(R1, map);
        b.mov(R2, R7);
        b.call(Helper::MapLookup);
        b.branch(Cond::Ne, R0, 0, done);
    };
    makeIn(R6);
    const auto status = b.saved(R0);
    lookupIn(R6); // whether it was us or a nested probe who made it
    b.load(R1, status);
    b.branch(Cond::Eq, R1, -kFull, done);

    lookupIn(R9);
    makeIn(R9);
    lookupIn(R9);
    b.bind(done);
    b.exit();
}

/// r0 = the current CPU's value for the key in scratch, made when it is not there; goes to `lost` when it can't be.
void lookupOrMake(Firing& f, AggregationId aggregation, std::uint32_t key, std::uint32_t valueSize, Label lost)
{
    auto& b = f.b;
    const auto map = f.unit.object.aggregationMaps.at(aggregation.value);
    const auto reserve = f.unit.object.aggregationReserves.at(aggregation.value);
    const auto found = b.label();
    const auto lookup = [&] {
        b.loadMap(R1, map);
        b.mov(R2, Builder::kScratch);
        b.add(R2, key);
        b.call(Helper::MapLookup);
    };
    lookup();
    b.branch(Cond::Ne, R0, 0, found);
    b.loadMap(R1, map);
    b.mov(R2, Builder::kScratch);
    b.add(R2, key);
    b.loadMapValue(R3, f.unit.zeros(valueSize), 0);
    if (reserve) {
        b.loadMap(R4, *reserve);
        b.call(f.subprogram("make", emitMake));
    } else {
        b.mov(R4, kNoExist);
        b.call(Helper::MapUpdate);
        lookup(); // whether it was us or a nested probe who made it
    }
    b.branch(Cond::Eq, R0, 0, lost);
    b.bind(found);
}
/// [r0 + offset] += reg; at once, for a timer's probe may interrupt another one in the middle of the same key.
void addTo(Builder& b, std::int64_t offset, Reg reg) { b.atomicAdd(R0, offset, reg); }
void increment(Builder& b, std::int64_t offset)
{
    b.mov(R2, 1);
    b.atomicAdd(R0, offset, R2);
}
/// r1 = value; keeps the smaller (or larger) one at [r0 + 8].
void extreme(Builder& b, bool smallest)
{
    const auto put = b.label(), skip = b.label();
    b.load(Width::B8, R2, R0, 0);
    b.branch(Cond::Eq, R2, 0, put);
    b.load(Width::B8, R2, R0, 8);
    b.branch(smallest ? Cond::Sge : Cond::Sle, R1, R2, skip);
    b.bind(put);
    b.store(Width::B8, R0, 8, R1);
    b.bind(skip);
}
/// [r0 + 24], [r0 + 32] += the 128-bit square of r1. Uses r1..r5.
void addSquare(Builder& b)
{
    const auto positive = b.label();
    b.branch(Cond::Sge, R1, 0, positive);
    b.negate(R1);
    b.bind(positive);
    // (h * 2^32 + l)^2 = h*h * 2^64 + h*l * 2^33 + l*l
    b.mov(R2, R1);
    b.alu(AluOp::Rsh, R2, 32); // h
    b.normalize(R1, 4, false); // l
    b.mov(R3, R1);
    b.alu(AluOp::Mul, R3, R2); // h*l
    b.alu(AluOp::Mul, R1, R1); // low word
    b.alu(AluOp::Mul, R2, R2); // high word
    b.mov(R4, R3);
    b.alu(AluOp::Rsh, R4, 31);
    b.alu(AluOp::Add, R2, R4);
    b.alu(AluOp::Lsh, R3, 33);
    const auto carryFree = b.label(), sumFree = b.label();
    b.alu(AluOp::Add, R1, R3);
    b.branch(Cond::Ge, R1, R3, carryFree);
    b.alu(AluOp::Add, R2, 1);
    b.bind(carryFree);
    b.mov(R4, R1);
    b.atomicAdd(R0, 24, R4, true);
    b.alu(AluOp::Add, R4, R1);
    b.branch(Cond::Ge, R4, R1, sumFree);
    b.alu(AluOp::Add, R2, 1);
    b.bind(sumFree);
    b.atomicAdd(R0, 32, R2);
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
    const auto done = b.label();
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
    b.bind(done);
}
/// r1 = bucket of lquantize: base, limit, step.
void lquantizeBucket(Builder& b, const std::array<std::int64_t, 4>& p, int buckets)
{
    const auto below = b.label(), above = b.label(), done = b.label();
    b.mov(R2, p[0]);
    b.branch(Cond::Slt, R1, R2, below);
    b.alu(AluOp::Sub, R1, R2); // 0 or more, whatever the signs were
    b.mov(R2, std::max<std::int64_t>(1, p[2]));
    b.alu(AluOp::Div, R1, R2);
    b.branch(Cond::Ge, R1, buckets - 2, above);
    b.alu(AluOp::Add, R1, 1);
    b.jump(done);
    b.bind(above);
    b.mov(R1, buckets - 1);
    b.jump(done);
    b.bind(below);
    b.mov(R1, 0);
    b.bind(done);
}
/// r1 = bucket of llquantize: the last whose lowest value is not above r1, found by halving.
void llquantizeBucket(Builder& b, const record::Aggregation& aggregation, int buckets)
{
    const auto done = b.label();
    std::function<void(int, int)> halve = [&](int first, int last) {
        if (first == last) {
            b.mov(R1, first);
            b.jump(done);
            return;
        }
        const int middle = first + (last - first + 1) / 2;
        const auto low = record::bucketRange(aggregation, middle).low;
        const auto less = b.label();
        b.mov(R2, low.value_or(INT64_MIN));
        b.branch(Cond::Slt, R1, R2, less);
        halve(middle, last);
        b.bind(less);
        halve(first, middle - 1);
    };
    halve(0, buckets - 1);
    b.bind(done);
}
/// r0 = value of the key; takes the value in `value` with `weight`.
void apply(Firing& f, const record::Aggregation& schema, const Builder::Temp& value, const Builder::Temp& weight)
{
    auto& b = f.b;
    b.load(R1, value);
    switch (schema.function) {
    case Aggregator::Count: increment(b, 8); break;
    case Aggregator::Sum: addTo(b, 8, R1); break;
    case Aggregator::Min: extreme(b, true); break;
    case Aggregator::Max: extreme(b, false); break;
    case Aggregator::Avg:
        increment(b, 8);
        addTo(b, 16, R1);
        break;
    case Aggregator::Stddev:
        increment(b, 8);
        addTo(b, 16, R1);
        addSquare(b);
        break;
    case Aggregator::Quantize:
    case Aggregator::Lquantize:
    case Aggregator::Llquantize: {
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
        b.load(R1, weight);
        b.atomicAdd(R3, 8, R1);
        break;
    }
    }
    increment(b, 0);
}
} // namespace

void aggregate(Firing& f, const Statement& s)
{
    auto& b = f.b;
    const Firing::Frame frame(f);
    const auto& plan = f.unit.aggregation(s.aggregation);
    const auto& schema = f.unit.object.schema.aggregations.at(s.aggregation.value);
    const auto value = b.temp(), weight = b.temp();
    if (s.values.empty())
        b.mov(R0, 1);
    else
        integer(f, *s.values[0]);
    b.store(value, R0);
    if (s.values.size() > 1)
        integer(f, *s.values[1]);
    else
        b.mov(R0, 1);
    b.store(weight, R0);

    if (plan.inUserSpace) {
        // RawSample: header, value, weight, key, then the stacks.
        constexpr auto kHead = static_cast<std::uint32_t>(sizeof(RawHeader)) + 16;
        auto fields = plan.key.fields;
        for (std::size_t i = 0; i < fields.size(); ++i) {
            fields[i].expr = s.keys[i].get();
            storeField(f, fields[i], Firing::kRecord + kHead);
        }
        b.load(R0, value);
        b.store(Width::B8, Builder::kScratch, Firing::kRecord + sizeof(RawHeader), R0);
        b.load(R0, weight);
        b.store(Width::B8, Builder::kScratch, Firing::kRecord + sizeof(RawHeader) + 8, R0);
        fillHeader(f, Firing::kRecord, static_cast<std::uint32_t>(RawKind::Sample), s.aggregation.value);
        const auto size = kHead + plan.key.layout.rawSize;
        sendWithUserStacks(f, size, plan.key.userStacks, false, record::Drop::Kind::Aggregation);
        return;
    }
    const auto key = f.allocate(plan.mapKeySize);
    if (plan.key.fields.empty()) b.store(Width::B8, Builder::kScratch, key, 0);
    for (std::size_t i = 0; i < plan.key.fields.size(); ++i) {
        auto field = plan.key.fields[i];
        field.expr = s.keys[i].get();
        storeField(f, field, key);
    }
    const auto lost = b.label(), done = b.label();
    lookupOrMake(f, s.aggregation, key, plan.valueSize, lost);
    apply(f, schema, value, weight);
    b.jump(done);
    b.bind(lost);
    f.countDrop(record::Drop::Kind::Aggregation);
    b.bind(done);
}
} // namespace dscope::codegen
