#include "engine/codegen/unit.h"
#include "engine/object/raw.h"
#include "engine/types/stack_value.h"
#include <algorithm>
/// Which bytes a firing records, and where.
namespace dscope::codegen {
using record::FieldKind;
using sema::ExprKind;
using sema::Statement;
namespace {
bool isAction(const Statement& s) { return s.kind == Statement::Kind::Action; }
bool isSpeculate(const Statement& s) { return isAction(s) && s.action == record::ActionKind::Speculate; }
/// Whether it records more than speculate() itself, which then shows nothing of its own.
bool recordsMore(const std::vector<Statement>& statements)
{
    return std::any_of(statements.begin(), statements.end(),
        [](const auto& s) { return (isAction(s) && !isSpeculate(s)) || recordsMore(s.then) || recordsMore(s.otherwise); });
}
/// The aggregations that statements add values to, each once, in order.
void addFilled(const std::vector<Statement>& statements, std::vector<AggregationId>& out)
{
    for (const auto& s : statements) {
        if (s.kind == Statement::Kind::Aggregate && std::find(out.begin(), out.end(), s.aggregation) == out.end())
            out.push_back(s.aggregation);
        addFilled(s.then, out);
        addFilled(s.otherwise, out);
    }
}
bool speculatesIn(const SegmentPlan& segment)
{
    return std::any_of(segment.firstField.begin(), segment.firstField.end(), [](const auto& f) { return isSpeculate(*f.first); });
}
bool isControl(record::ActionKind kind)
{
    switch (kind) {
    case record::ActionKind::Exit:
    case record::ActionKind::Clear:
    case record::ActionKind::Trunc:
    case record::ActionKind::Normalize:
    case record::ActionKind::Denormalize:
    case record::ActionKind::Printa:
    case record::ActionKind::Freopen:
    case record::ActionKind::Ftruncate:
    case record::ActionKind::Setopt:
    case record::ActionKind::Commit:
    case record::ActionKind::Discard: return true;
    default: return false;
    }
}
Object::RawField::Detail detailOf(sema::SymbolName::By by)
{
    using By = sema::SymbolName::By;
    switch (by) {
    case By::Number: return Object::RawField::Detail::AnyAddress;
    case By::Address: return Object::RawField::Detail::Address;
    case By::Function: return Object::RawField::Detail::Function;
    case By::Module: return Object::RawField::Detail::Module;
    }
    return Object::RawField::Detail::Address;
}
} // namespace

void FieldsPlan::add(const Unit& unit, const sema::Expr& expr, std::string name, Of of, std::uint32_t textSize)
{
    const bool isKey = of == Of::Key;
    const auto shape = shapeOf(expr.type);
    FieldPlan plan;
    plan.expr = &expr;
    plan.kind = shape.kind;
    plan.rawOffset = layout.rawSize;
    record::Field field;
    field.offset = layout.size;
    field.name = std::move(name);
    if (expr.type) field.type = types::spelled(expr.type);
    std::uint32_t room = 8;
    switch (shape.kind) {
    case Shape::Kind::Integer:
        field.kind = shape.isSigned ? FieldKind::Int : FieldKind::Uint;
        field.size = static_cast<std::uint32_t>(shape.size);
        if (expr.type && types::resolved(expr.type)->shownAs) {
            const auto* shown = types::shown(expr.type);
            if (!shown->isSigned) field.kind = FieldKind::Uint;
            field.shownSize = static_cast<std::uint8_t>(shown->size);
        }
        break;
    case Shape::Kind::String:
        field.kind = FieldKind::String;
        room = plan.rawSize = textSize ? textSize : unit.capacity(expr);
        // The recorded size, which a dump of the bytes shows, is at most that of a string.
        field.size = std::min(room, unit.stringLimit());
        if (expr.kind == ExprKind::String && !textSize)
            field.size = std::min(field.size, static_cast<std::uint32_t>(std::min(expr.text.find('\0'), expr.text.size()) + 1));
        break;
    case Shape::Kind::Bytes:
        field.kind = FieldKind::Bytes;
        field.size = static_cast<std::uint32_t>(shape.size);
        room = plan.rawSize = static_cast<std::uint32_t>((shape.size + 7) & ~std::uint64_t{7});
        if (!types::isStackValue(expr.type)) break;
        // Whose frames it has is known when it is recorded.
        field.kind = expr.kind == ExprKind::Stack ? FieldKind::Stack : FieldKind::UserStack;
        field.size = 4;
        room = 8;
        layout.stacks.push_back({FieldKind::Stack, plan.rawOffset, plan.rawSize, field.offset, types::framesOfStackValue(expr.type), true});
        layout.stacks.back().isValue = true;
        break;
    case Shape::Kind::Stack: {
        plan.user = expr.kind == ExprKind::UserStack;
        plan.frames = static_cast<std::uint32_t>(std::clamp<std::int64_t>(expr.integer, 1, plan.user ? kMostFrames : 127));
        if (expr.integer <= 0) plan.frames = plan.user ? 100 : 20;
        if (expr.byDefault) plan.atLimit = WalkEnd::Limit;
        plan.rawSize = !plan.user ? 8 * plan.frames : isKey && unit.mayWalk() ? kWalkKey : 8;
        field.kind = plan.user ? FieldKind::UserStack : FieldKind::Stack;
        field.size = 4;
        userStacks += plan.user;
        layout.stacks.push_back({field.kind, plan.rawOffset, plan.rawSize, field.offset, plan.frames, plan.user});
        layout.stacks.back().atLimit = plan.atLimit;
        break;
    }
    case Shape::Kind::Symbol: {
        field.kind = FieldKind::Symbol;
        field.size = 4;
        plan.user = expr.symbol.ofProcess;
        plan.ownPid = isKey && plan.user;
        plan.rawSize = plan.ownPid ? 16 : 8;
        if (expr.symbol.by == sema::SymbolName::By::Number) field.shownSize = 8;
        layout.stacks.push_back({field.kind, plan.rawOffset, plan.rawSize, field.offset, 1, plan.user, detailOf(expr.symbol.by)});
        break;
    }
    }

    layout.rawSize += plan.rawSize;
    layout.size += room;
    fields.push_back(plan);
    schema.push_back(std::move(field));
}

bool Unit::speculates(const sema::Clause& clause) const { return segments(clause).back().speculates; }
std::uint32_t Unit::speculatedSize(const sema::Clause& clause) const
{
    std::uint32_t most = 0;
    for (const auto& segment : segments(clause))
        if (segment.speculates && !segment.silent) most = std::max(most, speculatedBytes(segment.payload.layout.rawSize));
    return most;
}
void Unit::planClauses()
{
    object.schema.clauses.resize(program.clauses.size());
    object.clauseLayouts.resize(program.clauses.size());
    for (const auto& clause : program.clauses) {
        std::vector<SegmentPlan> segments;
        bool named = false;
        planStatements(clause, clause.body, segments, named);
        if (segments.empty()) segments.emplace_back();
        if (!named) segments.front().clause = clause.id;
        bool speculates = false;
        for (auto& segment : segments) {
            speculates = speculates || speculatesIn(segment);
            segment.speculates = speculates;
        }
        auto& own = object.schema.clauses.at(clause.id.value);
        own.probes = clause.probes;
        own.processes = clause.processes;
        addFilled(clause.body, own.fills);
        if (!named) own.silent = !clause.defaultAction;
        if (clause.defaultAction) segments.front().silent = false;
        m_segments.push_back(std::move(segments));
    }

    // Only now do the plans stay where they are.
    for (const auto& segments : m_segments)
        for (const auto& segment : segments)
            for (const auto& [statement, field] : segment.firstField)
                m_segmentOf.emplace(statement, &segment);
}

void Unit::planStatements(const sema::Clause& clause, const std::vector<Statement>& statements, std::vector<SegmentPlan>& out, bool& named)
{
    for (std::size_t i = 0; i < statements.size();) {
        if (statements[i].kind == Statement::Kind::If) {
            planStatements(clause, statements[i].then, out, named);
            planStatements(clause, statements[i].otherwise, out, named);
            ++i;
            continue;
        }
        SegmentPlan segment;
        record::Clause schema;
        schema.probes = clause.probes;
        for (; i < statements.size() && statements[i].kind != Statement::Kind::If; ++i) {
            const auto& s = statements[i];
            const auto first = segment.payload.fields.size();
            segment.firstField.emplace(&s, first);
            if (!isAction(s)) continue;
            segment.silent = segment.silent && isSpeculate(s) && recordsMore(clause.body);
            if (s.action == record::ActionKind::Commit || s.action == record::ActionKind::Discard) segment.frees.push_back(&s);
            segment.control = segment.control || isControl(s.action);
            for (std::size_t a = 0; a < s.args.size(); ++a)
                segment.payload.add(
                    *this, *s.args[a], a < s.argNames.size() ? s.argNames[a] : "arg" + std::to_string(a), FieldsPlan::Of::Record);
            record::Action action{s.action, s.format, {}, s.aggregations, s.layout};
            action.fields.assign(segment.payload.schema.begin() + static_cast<std::ptrdiff_t>(first), segment.payload.schema.end());
            schema.actions.push_back(std::move(action));
        }
        schema.payloadSize = segment.payload.layout.size;
        if (!segment.silent) {
            if (!named)
                segment.clause = clause.id;
            else {
                segment.clause = ClauseId{static_cast<std::uint32_t>(object.schema.clauses.size())};
                object.schema.clauses.emplace_back();
                object.clauseLayouts.emplace_back();
            }
            named = true;
            object.schema.clauses[segment.clause.value] = std::move(schema);
            object.clauseLayouts[segment.clause.value] = segment.payload.layout;
        } else {
            segment.clause = clause.id;
        }
        out.push_back(std::move(segment));
    }
}
} // namespace dscope::codegen
