#include "engine/record/before_1_3.h"
#include "engine/record/counted_stacks.h"
#include "engine/record/imported.h"
#include "engine/record/wire.h"
#include <algorithm>
#include <iterator>
#include <type_traits>
// parts() lists the members of each record once; reading and writing both use it, so they agree.
namespace dscope::record {
namespace {
template <typename A, typename T> void parts(A& a, Id<T>& r) { a(r.value); }
template <typename A> void parts(A& a, Field& r) { a(r.kind, r.offset, r.size, r.name, r.type); }
template <typename A> void parts(A& a, Action& r) { a(r.kind, r.format, r.fields, r.aggregations); }
template <typename A> void parts(A& a, Clause& r) { a(r.actions, r.payloadSize, r.silent, r.probes); }
template <typename A> void parts(A& a, Aggregation& r) { a(r.name, r.function, r.keys, r.keySize, r.parameters, r.value, r.valueType); }
template <typename A> void parts(A& a, ClockReading& r) { a(r.monotonic, r.wall, r.width, r.kept, r.maxError); }
template <typename A> void parts(A& a, ClockAgreement& r) { a(r.hosts, r.unknown, r.within); }
template <typename A> void parts(A& a, Program& r)
{
    a(r.source, r.name, r.matched, r.arguments, r.clauses, r.aggregations, r.options, r.host, r.kernel, r.version, r.command, r.target,
        r.wallClockOffset, r.started, r.utcOffset, r.tellsOfProcesses);
    a.added(r.isImported, r.source.starts_with(kImportedFrom));
    a.added(r.placesUnnamed, false);
    a.facts(r);
    a.added(r.clock, {});
    a.added(r.cpus, std::uint32_t{0});
    a.shownSizes(r);
    a.clauseFacts(r);
    a.bounds(r);
    a.added(r.lines, std::uint64_t{0});
    a.added(r.linesNotUnderstood, std::uint64_t{0});
}
template <typename A> void parts(A& a, LayoutPart::Enumerator& r) { a(r.name, r.value); }
template <typename A> void parts(A& a, LayoutPart& r) { a(r.kind, r.depth, r.bitOffset, r.bits, r.count, r.name, r.type, r.enumerators); }
/// What 1.3 has added to the program: facts that were options or text before.
struct ProgramFacts {
    std::string zone;
    bool timesAreLines = false;
    Dialect dialect = Dialect::Dtrace;
    std::vector<Layout> layouts; ///< one for each action of kind Print, in order
};
template <typename A> void parts(A& a, ProgramFacts& r) { a(r.zone, r.timesAreLines, r.dialect, r.layouts); }
/// What 1.7 has added to clauses.
struct ClauseFacts {
    Clause::Processes processes = Clause::Processes::NotTold;
    std::vector<AggregationId> fills;
};
template <typename A> void parts(A& a, ClauseFacts& r) { a(r.processes, r.fills); }
template <typename A> void parts(A& a, ProbeDef& r) { a(r.id, r.provider, r.module, r.function, r.name); }
template <typename A> void parts(A& a, Frame& r) { a(r.address, r.module, r.function, r.offset, r.kind); }
template <typename A> void parts(A& a, CodeFile& r) { a(r.path, r.buildId); }
/// What a frame has besides, by numbers in the lists before it, from 1; 0: none.
struct FramePlace {
    std::uint64_t linked = 0;
    std::uint32_t code = 0, file = 0, line = 0;
    bool inlined = false;
};
template <typename A> void parts(A& a, FramePlace& r) { a(r.linked, r.code, r.file, r.line, r.inlined); }
struct FramePlaces {
    std::vector<CodeFile> code;
    std::vector<std::string> files;
    std::vector<FramePlace> frames; ///< one for each of the stack's
};
template <typename A> void parts(A& a, FramePlaces& r) { a(r.code, r.files, r.frames); }
template <typename A> void parts(A& a, StackDef& r)
{
    a(r.id);
    a.frames(r.frames);
}
template <typename A> void parts(A& a, Fired& r) { a(r.clause, r.probe, r.cpu, r.pid, r.tid, r.when, r.payload); }
template <typename A> void parts(A& a, AggregationRow& r) { a(r.key, r.data); }
template <typename A> void parts(A& a, AggregationRows& r) { a(r.aggregation, r.when, r.rows); }
template <typename A> void parts(A& a, CountedStacks::Stack& r) { a(r.node, r.value); }
template <typename A> void parts(A& a, CountedStacks& r)
{
    a(r.noun, r.unit, r.exponent);
    a.stacks(r);
}
/// A table of stacks as a record has it.
struct TableParts {
    struct Frame {
        std::uint32_t name = 0, module = 0, file = 0, line = 0; ///< the first three: places in `texts`
        record::Frame::Kind kind = record::Frame::Kind::Unknown;
        bool inlined = false;
    };
    struct Node {
        std::uint32_t before = 0; ///< how many places before it its caller is
        std::uint32_t frame = 0;
    };
    std::vector<std::string> texts;
    std::vector<Frame> frames;
    std::vector<Node> nodes; ///< without the root, which is at place 0
};
template <typename A> void parts(A& a, TableParts::Frame& r) { a(r.name, r.module, r.file, r.line, r.kind, r.inlined); }
template <typename A> void parts(A& a, TableParts::Node& r) { a(r.before, r.frame); }
template <typename A> void parts(A& a, TableParts& r) { a(r.texts, r.frames, r.nodes); }
template <typename A> void parts(A& a, StackParts::Line& r) { a(r.stack, r.value); }
template <typename A> void parts(A& a, StackParts::Part& r) { a(r.from, r.to, r.keys, r.amount, r.lines); }
template <typename A> void parts(A& a, StackParts& r) { a(r.by, r.noun, r.hasLines, r.isWhole, r.parts); }
template <typename A> void parts(A& a, ProcessEvent& r)
{
    a(r.kind, r.when, r.pid, r.tid, r.parent, r.uid, r.vfork, r.argsCut, r.status, r.cpuTime, r.execname, r.path, r.cwd, r.args);
}
template <typename A> void parts(A& a, Drop& r) { a(r.kind, r.cpu, r.count); }
template <typename A> void parts(A& a, Fault& r) { a(r.clause, r.probe, r.cpu, r.action, r.enabled, r.kind, r.address, r.offset); }
template <typename A> void parts(A& a, TargetExited& r) { a(r.pid, r.status); }
template <typename A> void parts(A& a, Exit& r)
{
    a(r.status, r.interrupted, r.when);
    a.added(r.clock, {});
    a.added(r.agreement, {});
}
template <typename A> void parts(A& a, Choice& r) { a(r.name, r.type); }
template <typename A> void parts(A& a, Diagnostic& r)
{
    a(r.severity, r.tag, r.file, r.line, r.column, r.message, r.text);
    a.added(r.choices, {});
}

// The last value of each enumeration: anything beyond is malformed, or of a newer version.
constexpr auto lastOf(FieldKind) { return FieldKind::Symbol; }
constexpr auto lastOf(ActionKind) { return ActionKind::Print; }
constexpr auto lastOf(LayoutPart::Kind) { return LayoutPart::Kind::Other; }
constexpr auto lastOf(ClockReading::Kept) { return ClockReading::Kept::Yes; }
constexpr auto lastOf(Dialect) { return Dialect::DtraceForLinux; }
constexpr auto lastOf(Clause::Processes) { return Clause::Processes::Target; }
constexpr auto lastOf(Aggregator) { return Aggregator::Ranges; }
constexpr auto lastOf(Frame::Kind) { return Frame::Kind::Truncated; }
constexpr auto lastOf(ProcessEvent::Kind) { return ProcessEvent::Kind::Exit; }
constexpr auto lastOf(Drop::Kind) { return Drop::Kind::Firing; }
constexpr auto lastOf(StackUnit) { return StackUnit::Unknown; }
constexpr auto lastOf(Diagnostic::Severity) { return Diagnostic::Severity::Error; }
constexpr auto lastOf(FaultKind) { return FaultKind::BadIndex; }

template <typename T> std::uint32_t numberIn(std::vector<T>& all, const Shared<T>& one)
{
    if (!one) return 0;
    auto at = std::find(all.begin(), all.end(), *one);
    if (at == all.end()) at = all.insert(at, *one);
    return static_cast<std::uint32_t>(at - all.begin()) + 1;
}
FramePlaces placesOf(const FrameList& frames)
{
    FramePlaces places;
    for (const auto& f : frames)
        places.frames.push_back({f.linked, numberIn(places.code, f.code), numberIn(places.files, f.file), f.line, f.inlined});
    return places;
}
/// False when they are not those of these frames.
bool setPlaces(std::vector<Frame>& frames, FramePlaces& places)
{
    if (places.frames.size() != frames.size()) return false;
    const std::vector<Shared<CodeFile>> code(std::make_move_iterator(places.code.begin()), std::make_move_iterator(places.code.end()));
    const std::vector<Shared<std::string>> files(
        std::make_move_iterator(places.files.begin()), std::make_move_iterator(places.files.end()));
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const auto& place = places.frames[i];
        if (place.code > code.size() || place.file > files.size()) return false;
        auto& frame = frames[i];
        frame.linked = place.linked;
        frame.line = place.line;
        frame.inlined = place.inlined;
        if (place.code != 0) frame.code = code[place.code - 1];
        if (place.file != 0) frame.file = files[place.file - 1];
    }
    return true;
}

ProgramFacts factsOf(const Program& program)
{
    ProgramFacts facts{program.zone, program.timesAreLines, program.dialect, {}};
    for (const auto& clause : program.clauses)
        for (const auto& action : clause.actions)
            if (action.kind == ActionKind::Print) facts.layouts.push_back(action.layout);
    return facts;
}
/// False when the layouts are not those of the program's actions.
bool setFacts(Program& program, ProgramFacts& facts)
{
    program.zone = std::move(facts.zone);
    program.timesAreLines = facts.timesAreLines;
    program.dialect = facts.dialect;
    auto layout = facts.layouts.begin();
    for (auto& clause : program.clauses)
        for (auto& action : clause.actions) {
            if (action.kind != ActionKind::Print) continue;
            if (layout == facts.layouts.end()) return false;
            action.layout = std::move(*layout++);
        }
    return layout == facts.layouts.end();
}

/// Calls `visit` with each field of the program: those of its clauses' actions, then the keys of its aggregations.
template <typename P, typename V> void forEachField(P& program, const V& visit)
{
    for (auto& clause : program.clauses)
        for (auto& action : clause.actions)
            for (auto& field : action.fields)
                visit(field);
    for (auto& aggregation : program.aggregations)
        for (auto& field : aggregation.keys)
            visit(field);
}
/// What 1.7 has added to fields: Field::shownSize of each of the program's.
std::vector<std::uint8_t> shownSizesOf(const Program& program)
{
    std::vector<std::uint8_t> sizes;
    forEachField(program, [&](const Field& field) { sizes.push_back(field.shownSize); });
    return sizes;
}
/// False when they are not those of the program's fields.
bool setShownSizes(Program& program, const std::vector<std::uint8_t>& sizes)
{
    std::size_t at = 0;
    bool fits = true;
    forEachField(program, [&](Field& field) {
        fits = fits && at < sizes.size();
        if (!fits) return;
        field.shownSize = sizes[at++];
        const bool isInteger = (field.kind == FieldKind::Int || field.kind == FieldKind::Uint) && field.size == 8;
        const bool isNarrow = field.shownSize == 1 || field.shownSize == 2 || field.shownSize == 4;
        fits = field.shownSize == 0 || (isInteger && isNarrow) || (field.kind == FieldKind::Symbol && field.shownSize == 8);
    });
    return fits && at == sizes.size();
}

TableParts partsOf(const StackTable& table)
{
    TableParts parts;
    for (std::uint32_t i = 0; i < table.textCount(); ++i)
        parts.texts.emplace_back(table.text(i));
    for (const auto& row : table.rows())
        parts.frames.push_back({row.name, row.module, row.file, row.line, row.kind, row.inlined});
    const auto nodes = table.nodes();
    for (std::uint32_t i = 1; i < nodes.size(); ++i)
        parts.nodes.push_back({i - nodes[i].caller, nodes[i].frame});
    return parts;
}
/// False: they are not what a table holds.
bool setStacks(CountedStacks& stacks, const TableParts& parts, std::vector<CountedStacks::Stack> all)
{
    std::vector<NamedFrame> frames;
    for (const auto& f : parts.frames) {
        const auto count = parts.texts.size();
        if (f.name >= count || f.module >= count || f.file >= count) return false;
        frames.push_back({parts.texts[f.name], f.kind, f.inlined, parts.texts[f.module], parts.texts[f.file], f.line});
    }
    std::vector<StackTable::Node> nodes(1);
    for (const auto& [before, frame] : parts.nodes) {
        const auto number = static_cast<std::uint32_t>(nodes.size());
        if (before == 0 || before > number) return false;
        nodes.push_back({number - before, frame});
    }
    const auto isNode = [&](const CountedStacks::Stack& stack) { return stack.node > 0 && stack.node < nodes.size(); };
    const bool isMeasured = stacks.exponent >= CountedStacks::kLeastExponent && stacks.exponent <= CountedStacks::kMostExponent;
    if (!isMeasured || !std::all_of(all.begin(), all.end(), isNode)) return false;
    if (all.empty()) return true;
    stacks.table = StackTableBuilder::inOrder(frames, std::move(nodes));
    stacks.stacks = std::make_shared<const std::vector<CountedStacks::Stack>>(std::move(all));
    return stacks.table != nullptr;
}

/// A Record's kind on the wire; numbers are never given twice.
template <typename T> constexpr std::uint8_t kKind = 0;
template <> constexpr std::uint8_t kKind<Program> = 1;
template <> constexpr std::uint8_t kKind<ProbeDef> = 2;
template <> constexpr std::uint8_t kKind<StackDef> = 3;
template <> constexpr std::uint8_t kKind<Fired> = 4;
template <> constexpr std::uint8_t kKind<AggregationRows> = 5;
template <> constexpr std::uint8_t kKind<ProcessEvent> = 6;
template <> constexpr std::uint8_t kKind<Drop> = 7;
template <> constexpr std::uint8_t kKind<Fault> = 8;
template <> constexpr std::uint8_t kKind<TargetExited> = 9;
template <> constexpr std::uint8_t kKind<Exit> = 10;
constexpr std::uint8_t kFoldedBefore18 = 11; ///< stacks as folded text
template <> constexpr std::uint8_t kKind<CountedStacks> = 14;
template <> constexpr std::uint8_t kKind<Diagnostic> = 12;
template <> constexpr std::uint8_t kKind<StackParts> = 13;

class Encoder {
public:
    template <typename... T> void operator()(T&... values) { (put(values), ...); }
    /// A part that a newer minor version has added.
    template <typename T> void added(T& value, const T&) { put(value); }

    void frames(const FrameList& frames)
    {
        m_out.put(std::uint32_t(frames.size()));
        for (const auto& frame : frames)
            parts(*this, const_cast<Frame&>(frame)); // as encode() has it
        places(frames);
    }

    void facts(const Program& program)
    {
        auto all = factsOf(program);
        put(all);
    }

    void shownSizes(const Program& program)
    {
        auto sizes = shownSizesOf(program);
        put(sizes);
    }

    void clauseFacts(const Program& program)
    {
        std::vector<ClauseFacts> all;
        for (const auto& clause : program.clauses)
            all.push_back({clause.processes, clause.fills});
        put(all);
    }

    void stacks(CountedStacks& stacks)
    {
        TableParts table;
        if (stacks.table) table = partsOf(*stacks.table);
        put(table);
        auto all = std::vector<CountedStacks::Stack>(stacks.all().begin(), stacks.all().end());
        put(all);
    }

    /// What 1.8 has added: none where no aggregation has any, so that other programs are as they were.
    void bounds(const Program& program)
    {
        for (const auto& aggregation : program.aggregations)
            if (aggregation.function == Aggregator::Ranges) put(const_cast<std::vector<std::int64_t>&>(aggregation.bounds));
    }

    Bytes take() { return m_out.take(); }

private:
    /// What 1.2 has added to stacks; none where no frame has any of it.
    void places(const FrameList& frames)
    {
        if (std::none_of(
                frames.begin(), frames.end(), [](const Frame& f) { return f.inlined || f.line != 0 || f.linked != 0 || f.file || f.code; }))
            return;
        auto all = placesOf(frames);
        put(all);
    }

    template <typename T> void put(T& value)
    {
        if constexpr (std::is_same_v<T, bool>)
            m_out.put(std::uint8_t(value));
        else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>)
            m_out.put(value);
        else if constexpr (std::is_same_v<T, Nanoseconds>)
            m_out.put(std::int64_t(value.count()));
        else
            parts(*this, value);
    }

    void put(std::string& s) { m_out.text(s); }
    void put(Bytes& b) { m_out.blob(b); }

    void put(std::array<std::int64_t, 4>& values)
    {
        for (auto& v : values)
            m_out.put(v);
    }

    template <typename T> void put(std::vector<T>& values)
    {
        m_out.put(std::uint32_t(values.size()));
        for (auto& v : values)
            put(v);
    }

    void put(std::map<std::string, std::string>& values)
    {
        m_out.put(std::uint32_t(values.size()));
        for (auto& [k, v] : values) {
            m_out.text(k);
            m_out.text(v);
        }
    }

    ByteWriter m_out;
};

class Decoder {
public:
    explicit Decoder(ByteView bytes) : m_in(bytes) { }
    template <typename... T> void operator()(T&... values) { (get(values), ...); }

    /// A part that a newer minor version has added: in older records it is `unset`.
    template <typename T> void added(T& value, const T& unset)
    {
        if (m_in.left() > 0)
            get(value);
        else
            value = unset;
    }

    void frames(FrameList& frames)
    {
        std::vector<Frame> all;
        get(all);
        places(all);
        frames = FrameList(std::move(all));
    }

    void facts(Program& program)
    {
        if (m_in.left() == 0) return readFactsOfBefore13(program);
        ProgramFacts all;
        get(all);
        m_ok = ok() && setFacts(program, all);
    }

    void shownSizes(Program& program)
    {
        if (m_in.left() == 0) return;
        std::vector<std::uint8_t> sizes;
        get(sizes);
        m_ok = ok() && setShownSizes(program, sizes);
    }

    /// One for each clause.
    void clauseFacts(Program& program)
    {
        if (m_in.left() == 0) return;
        std::vector<ClauseFacts> all;
        get(all);
        m_ok = ok() && all.size() == program.clauses.size();
        for (std::size_t i = 0; m_ok && i < all.size(); ++i) {
            program.clauses[i].processes = all[i].processes;
            program.clauses[i].fills = std::move(all[i].fills);
        }
    }

    void stacks(CountedStacks& stacks)
    {
        TableParts table;
        std::vector<CountedStacks::Stack> all;
        get(table);
        get(all);
        m_ok = ok() && setStacks(stacks, table, std::move(all));
    }

    /// Of a recording before 1.8: noun, unit, then lines of folded text and their values.
    CountedStacks folded()
    {
        const auto noun = m_in.text();
        auto unit = StackUnit::Count;
        get(unit);
        FoldedReader lines;
        for (auto n = m_in.get<std::uint32_t>(); n > 0 && ok(); --n) {
            const auto stack = m_in.blobView();
            const auto value = m_in.get<std::int64_t>();
            m_ok = ok() && !stack.empty() && value > 0;
            if (m_ok) lines.add({reinterpret_cast<const char*>(stack.data()), stack.size()}, value);
        }
        return lines.take(noun, unit);
    }

    /// One list for each aggregation of ranges.
    void bounds(Program& program)
    {
        for (auto& aggregation : program.aggregations)
            if (aggregation.function == Aggregator::Ranges) get(aggregation.bounds);
    }

    bool ok() const { return m_ok && m_in.ok(); }

private:
    void places(std::vector<Frame>& frames)
    {
        if (m_in.left() == 0) return;
        FramePlaces all;
        get(all);
        m_ok = ok() && setPlaces(frames, all);
    }

    template <typename T> void get(T& value)
    {
        if constexpr (std::is_same_v<T, bool>) {
            const auto b = m_in.get<std::uint8_t>();
            m_ok = m_ok && b <= 1;
            value = b == 1;
        } else if constexpr (std::is_enum_v<T>) {
            const auto n = m_in.get<std::underlying_type_t<T>>();
            m_ok = m_ok && n <= static_cast<std::underlying_type_t<T>>(lastOf(T{}));
            value = m_ok ? T{n} : T{};
        } else if constexpr (std::is_integral_v<T>)
            value = m_in.get<T>();
        else if constexpr (std::is_same_v<T, Nanoseconds>)
            value = Nanoseconds(m_in.get<std::int64_t>());
        else
            parts(*this, value);
    }

    void get(std::string& s) { s = m_in.text(); }
    void get(Bytes& b) { b = m_in.blob(); }

    void get(std::array<std::int64_t, 4>& values)
    {
        for (auto& v : values)
            get(v);
    }

    // Counts are not believed: elements are made as their bytes turn up.
    template <typename T> void get(std::vector<T>& values)
    {
        for (auto n = m_in.get<std::uint32_t>(); n > 0 && ok(); --n) {
            T value{};
            get(value);
            if (ok()) values.push_back(std::move(value));
        }
    }

    void get(std::map<std::string, std::string>& values)
    {
        for (auto n = m_in.get<std::uint32_t>(); n > 0 && ok(); --n) {
            auto key = m_in.text();
            auto value = m_in.text();
            values.insert_or_assign(std::move(key), std::move(value));
        }
    }

    ByteReader m_in;
    bool m_ok = true;
};

template <std::size_t I = 0> Result<std::optional<Record>> decodeKind(std::uint8_t kind, ByteView rest)
{
    if constexpr (I == std::variant_size_v<Record>)
        return std::optional<Record>{};
    else {
        using T = std::variant_alternative_t<I, Record>;
        static_assert(kKind<T> != 0);
        if (kind != kKind<T>) return decodeKind<I + 1>(kind, rest);
        Decoder in(rest);
        T value{};
        parts(in, value);
        if (!in.ok()) return Error{0, "malformed record of kind " + std::to_string(kind)};
        return std::optional<Record>{std::move(value)};
    }
}
} // namespace

Bytes encode(const Record& record)
{
    return std::visit(
        [](const auto& r) {
            using T = std::decay_t<decltype(r)>;
            Encoder out;
            auto kind = kKind<T>;
            out(kind);
            // parts() serves both directions and so takes what it could change; the encoder does not.
            parts(out, const_cast<T&>(r));
            return out.take();
        },
        record);
}

Result<std::optional<Record>> decode(ByteView payload)
{
    if (payload.empty()) return Error{0, "empty record"};
    if (std::uint8_t(payload[0]) == kFoldedBefore18) {
        Decoder in(payload.subspan(1));
        auto stacks = in.folded();
        if (!in.ok()) return Error{0, "malformed record of kind " + std::to_string(kFoldedBefore18)};
        return std::optional<Record>{std::move(stacks)};
    }
    return decodeKind(std::uint8_t(payload[0]), payload.subspan(1));
}
} // namespace dscope::record
