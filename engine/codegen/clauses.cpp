#include "engine/codegen/expressions.h"
#include "engine/codegen/records.h"
#include "engine/codegen/speculations.h"
#include "engine/codegen/stacks.h"
#include "engine/codegen/statements.h"
#include "engine/codegen/text.h"
#include "engine/object/raw.h"
#include <algorithm>
#include <csignal>
/// Clauses: the predicate, the statements in order, what they record.
namespace dscope::codegen {
using record::ActionKind;
using sema::Statement;
namespace {
/// Where in scratch memory the first field of an action is recorded.
std::uint32_t firstFieldAt(const SegmentPlan& segment, const Statement& s)
{
    const auto& field = segment.payload.fields.at(segment.firstField.at(&s));
    return Firing::kRecord + static_cast<std::uint32_t>(sizeof(RawHeader)) + field.rawOffset;
}
void sendRecord(Firing& f, const SegmentPlan& segment, record::Drop::Kind drop)
{
    auto& b = f.b;
    fillHeader(f, Firing::kRecord, static_cast<std::uint32_t>(RawKind::Fired), segment.clause.value);
    if (segment.speculates) {
        b.load(Width::B8, R1, Builder::kScratch, f.speculatesAt());
        b.alu(AluOp::Lsh, R1, 8);
        b.alu(AluOp::Or, R1, static_cast<std::int32_t>(RawKind::Fired));
        b.store(Width::B4, Builder::kScratch, Firing::kRecord + offsetof(RawHeader, kind), R1);
    }
    const auto size = static_cast<std::uint32_t>(sizeof(RawHeader)) + segment.payload.layout.rawSize;
    const auto share = segment.control ? Share::Control : Share::Data;
    if (segment.payload.userStacks == 0) return send(f, Firing::kRecord, size, share, drop);
    sendWithUserStacks(f, size, segment.payload, share, drop);
}
void sendSegment(Firing& f, const SegmentPlan& segment)
{
    sendRecord(f, segment, segment.speculates ? record::Drop::Kind::Speculation : record::Drop::Kind::Principal);
    for (const auto* s : segment.frees)
        freeSpeculation(f, firstFieldAt(segment, *s));
}
/// A clause whose code may continue in another part (parts.cpp): the label of its end, and the code that handles a fault.
struct Cut {
    Label end;
    std::function<void()> afterFault;
    void here(Firing& f)
    {
        if (f.isFull()) end = f.nextPart(end, afterFault);
    }
};
/// Whose list of statements it is: only the clause's own may continue in another part, not the branch of an if.
enum class Level : std::uint8_t { Clause, Branch };
/// Emits the statements of `list`. `next` is the index of the segment that comes next.
void statements(Firing& f, const sema::Clause& c, const std::vector<Statement>& list, std::size_t& next, Cut& cut, Level level)
{
    const auto& segments = f.unit.segments(c);
    auto& b = f.b;
    for (std::size_t i = 0; i < list.size();) {
        if (list[i].kind == Statement::Kind::If) {
            const auto& s = list[i++];
            b.from(s.at);
            f.beginStatement();
            either(
                f, *s.expr, [&] { statements(f, c, s.then, next, cut, Level::Branch); },
                [&] { statements(f, c, s.otherwise, next, cut, Level::Branch); });
            if (level == Level::Clause) cut.here(f);
            continue;
        }
        const auto& segment = segments.at(next++);
        for (; i < list.size() && list[i].kind != Statement::Kind::If; ++i) {
            const auto& s = list[i];
            b.from(s.at);
            if (level == Level::Clause) cut.here(f);
            const Firing::Frame frame(f);
            f.beginStatement();
            switch (s.kind) {
            case Statement::Kind::Expression:
                if (shapeOf(s.expr->type).kind == Shape::Kind::String)
                    maybeText(f, *s.expr);
                else
                    integer(f, *s.expr);
                break;
            case Statement::Kind::Aggregate: aggregate(f, s); break;
            case Statement::Kind::Action:
                act(f, s, segment);
                if (s.action == ActionKind::Speculate) speculate(f, firstFieldAt(segment, s), f.unit.speculatedSize(c), cut.end);
                break;
            case Statement::Kind::If: break;
            }
        }
        if (!segment.silent) sendSegment(f, segment);
    }
}
bool exits(const std::vector<Statement>& body)
{
    return std::any_of(body.begin(), body.end(), [](const Statement& s) {
        return (s.kind == Statement::Kind::Action && s.action == ActionKind::Exit) || exits(s.then) || exits(s.otherwise);
    });
}
/// Keeps this CPU where it is for r0 nanoseconds, half a second at most; then `timestamp` is another one.
/// Source: dtrace_action_chill(), whose limit is half a second in each second.
void chill(Firing& f)
{
    auto& b = f.b;
    constexpr std::int32_t kMost = 500'000'000;
    constexpr std::uint32_t kMostRounds = 8 << 20; // BPF_MAX_LOOPS, kernel/bpf/bpf_iter.c: a fifth of a second or more
    const auto until = f.allocate(8);
    b.mov(R1, 0);
    b.branch(Cond::Gt, R0, kMost, f.fault(record::FaultKind::IllegalOperation));
    b.store(Width::B8, Builder::kScratch, until, R0);
    b.call(Helper::KtimeGetNs);
    b.load(Width::B8, R1, Builder::kScratch, until);
    b.alu(AluOp::Add, R1, R0);
    b.store(Width::B8, Builder::kScratch, until, R1);
    for (int i = 0; i < 4; ++i)
        f.rounds(kMostRounds, [&](Label done) {
            b.call(Helper::KtimeGetNs);
            b.load(Width::B8, R1, Builder::kScratch, until);
            b.branch(Cond::Ge, R0, R1, done);
        });
    f.noLonger(Firing::kTimestamp);
}
} // namespace

void act(Firing& f, const Statement& s, const SegmentPlan& segment)
{
    auto& b = f.b;
    const auto first = segment.firstField.at(&s);
    for (std::size_t i = 0; i < s.args.size(); ++i)
        storeField(f, segment.payload.fields.at(first + i), Firing::kRecord + sizeof(RawHeader));
    switch (s.action) {
    case ActionKind::Exit:
        b.loadMapValue(R1, f.unit.object.control, offsetof(Control, state));
        b.store(Width::B4, R1, 0, static_cast<std::int32_t>(State::Draining));
        break;
    case ActionKind::Commit:
    case ActionKind::Discard: endSpeculation(f, firstFieldAt(segment, s)); break;
    case ActionKind::Chill:
        integer(f, *s.args.at(0));
        chill(f);
        break;
    case ActionKind::Raise:
        integer(f, *s.args.at(0));
        b.mov(R1, R0);
        b.call(Helper::SendSignal);
        break;
    case ActionKind::Stop:
        if (s.givesResult) {
            integer(f, *s.args.at(0));
            b.mov(R2, R0);
            b.mov(R1, Builder::kContext);
            b.call(Helper::OverrideReturn);
            break;
        }
        b.mov(R1, SIGSTOP);
        b.call(Helper::SendSignal);
        break;
    default: break;
    }
}

void clause(Firing& f, const sema::Clause& c)
{
    auto& b = f.b;
    const auto& segments = f.unit.segments(c);
    Cut cut{b.label(), [&f] {
                const auto* error = f.unit.errorProbe();
                if (!error) return;
                const Firing::Maybe maybe(f);
                const Firing::Error scope(f);
                clauses(f, *error);
            }};
    {
        const Firing::Maybe maybe(f);
        const Firing::Frame frame(f);
        b.from(c.at);
        f.beginClause(c.id);
        if (f.unit.keepsPointers()) {
            b.load(Width::B8, R1, Builder::kScratch, f.arenaKeptAt());
            b.store(Width::B8, Builder::kScratch, f.arenaUsedAt(), R1);
        } else if (f.unit.usesArena())
            b.store(Width::B8, Builder::kScratch, f.arenaUsedAt(), 0);
        if (f.unit.speculates(c)) b.store(Width::B8, Builder::kScratch, f.speculatesAt(), 0);
        if (c.predicate) {
            b.from(c.predicate->at);
            branchUnless(f, *c.predicate, cut.end);
        }
        b.from(c.at);
        std::size_t at = 0;
        if (c.body.empty()) {
            if (!segments.front().silent) sendSegment(f, segments.front());
        } else {
            statements(f, c, c.body, at, cut, Level::Clause);
        }
    }
    b.from(c.at);
    f.endClause(cut.end, cut.afterFault);
}

void clauses(Firing& f, const sema::EnabledProbe& probe)
{
    auto& b = f.b;
    // After exit() only clauses of END and ERROR run: faults are still reported.
    const auto manual = probe.manual();
    const bool goesOn = manual == probe::Manual::When::End || manual == probe::Manual::When::Error;

    // Where the clauses end. ERROR: the end of the clause that had the fault; otherwise the place where a firing leaves the part.
    const auto afterError = b.label();
    const auto over = [&] { return f.inError() ? afterError : f.away; };
    const auto* error = f.unit.errorProbe();
    const auto anyExits = [&](const std::vector<std::uint32_t>& list) {
        return std::any_of(list.begin(), list.end(), [&](std::uint32_t i) { return exits(f.unit.program.clauses.at(i).body); });
    };

    bool mayBeOver = error && !goesOn && anyExits(error->clauses);
    for (std::size_t i = 0; i < probe.clauses.size(); ++i) {
        const auto& c = f.unit.program.clauses.at(probe.clauses[i]);
        if (i > 0 && f.isFull()) f.nextPart();
        if (mayBeOver && i > 0) {
            b.from(c.at);
            b.loadMapValue(R1, f.unit.object.control, offsetof(Control, state));
            b.load(Width::B4, R1, R1, 0);
            b.branch(Cond::Eq, R1, static_cast<std::int32_t>(State::Draining), over());
        }
        clause(f, c);
        mayBeOver = mayBeOver || (!goesOn && exits(c.body));
    }
    b.bind(afterError);
}
} // namespace dscope::codegen
