#include "engine/codegen/firing.h"
#include "engine/codegen/raw.h"
#include "engine/codegen/stacks.h"
#include <algorithm>
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
    const auto size = static_cast<std::uint32_t>(sizeof(RawHeader)) + segment.payload.layout.rawSize;
    if (segment.payload.userStacks == 0) return send(f, Firing::kRecord, size, segment.control, drop);
    const auto most = userStackRoom(size, segment.payload.userStacks);
    const auto length = b.temp();
    b.mov(R0, size);
    b.store(length, R0);
    for (std::uint32_t i = 0; i < segment.payload.userStacks; ++i)
        appendUserStack(f, length, size, most);
    sendSized(
        f, Firing::kRecord,
        [&] {
            b.load(R3, length);
            b.clamp(R3, static_cast<std::int32_t>(f.recordRoom()));
        },
        segment.control, drop);
}
void sendSegment(Firing& f, const SegmentPlan& segment)
{
    auto& b = f.b;
    if (segment.speculates) {
        const auto nowhere = b.label(), full = b.label();
        if (takeSpeculationRoom(f, static_cast<std::uint32_t>(sizeof(RawHeader)) + segment.payload.layout.rawSize, nowhere, full)) {
            sendRecord(f, segment, record::Drop::Kind::Speculation);
            b.jump(nowhere);
        }
        b.bind(full);
        f.countDrop(record::Drop::Kind::Speculation);
        b.bind(nowhere);
    } else
        sendRecord(f, segment, record::Drop::Kind::Principal);
    for (const auto* s : segment.frees)
        freeSpeculation(f, firstFieldAt(segment, *s));
}
/// A clause that may be cut into parts: where it ends, and what it does with a fault.
struct Cut {
    Label end;
    std::function<void()> afterFault;
    void here(Firing& f)
    {
        if (f.isFull()) end = f.nextPart(end, afterFault);
    }
};
/// `cut`: where this is the clause's own list; null for those within it.
void statements(Firing& f, const std::vector<Statement>& list, const std::vector<SegmentPlan>& segments, std::size_t& next, Cut* cut)
{
    auto& b = f.b;
    for (std::size_t i = 0; i < list.size();) {
        if (list[i].kind == Statement::Kind::If) {
            const auto& s = list[i++];
            b.from(s.at);
            f.beginStatement();
            const auto no = b.label(), done = b.label();
            {
                const Firing::Maybe maybe(f);
                branchUnless(f, *s.expr, no);
                statements(f, s.then, segments, next, nullptr);
            }
            b.jump(done);
            b.bind(no);
            {
                const Firing::Maybe maybe(f);
                statements(f, s.otherwise, segments, next, nullptr);
            }
            b.bind(done);
            if (cut) cut->here(f);
            continue;
        }
        const auto& segment = segments.at(next++);
        for (; i < list.size() && list[i].kind != Statement::Kind::If; ++i) {
            const auto& s = list[i];
            b.from(s.at);
            if (cut) cut->here(f);
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
            case Statement::Kind::Action: act(f, s, segment); break;
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
    case ActionKind::Speculate: speculate(f, firstFieldAt(segment, s)); break;
    case ActionKind::Raise:
        integer(f, *s.args.at(0));
        b.mov(R1, R0);
        b.call(Helper::SendSignal);
        break;
    case ActionKind::Stop:
        b.mov(R1, 19); // SIGSTOP
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
        if (c.predicate) {
            b.from(c.predicate->at);
            branchUnless(f, *c.predicate, cut.end);
        }
        b.from(c.at);
        std::size_t at = 0;
        if (c.body.empty()) {
            if (!segments.front().silent) sendSegment(f, segments.front());
        } else {
            statements(f, c.body, segments, at, &cut);
        }
    }
    b.from(c.at);
    f.endClause(cut.end, cut.afterFault);
}

void clauses(Firing& f, const sema::EnabledProbe& probe)
{
    auto& b = f.b;
    // After exit() no clause runs but those of END, and of ERROR, whose faults are still told.
    const bool goesOn = probe.name.provider == "dtrace" && probe.name.name != "BEGIN";
    // Of ERROR, where the clause ends that it fired in; else where a firing leaves the part.
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
