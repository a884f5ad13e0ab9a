#pragma once
#include "engine/host/host.h"
#include "engine/sema/program.h"
/// Typed trees written by hand, for tests that come before the parser.
namespace trees {
using namespace dscope;
using namespace dscope::sema;
using ast::Op;

struct Maker {
    std::unique_ptr<host::Host> machine = host::local();
    Program program;
    Maker() { program.types = std::make_shared<types::TypeTable>(*machine); }
    types::TypeTable& types() { return *program.types; }
    const Type* i32() { return types().integer(4, types::Sign::Signed); }
    const Type* i64() { return types().integer(8, types::Sign::Signed); }
    const Type* u64() { return types().integer(8, types::Sign::Unsigned); }
    ExprPtr make(ExprKind kind, const Type* type, std::vector<ExprPtr> kids = {}, std::int64_t n = 0)
    {
        auto e = std::make_shared<Expr>();
        e->kind = kind;
        e->type = type;
        e->kids = std::move(kids);
        e->integer = n;
        return e;
    }
    ExprPtr number(std::int64_t n, const Type* type = nullptr) { return make(ExprKind::Integer, type ? type : i64(), {}, n); }
    ExprPtr string(std::string text)
    {
        auto e = std::make_shared<Expr>();
        e->kind = ExprKind::String;
        e->type = types().string();
        e->text = std::move(text);
        return e;
    }
    ExprPtr builtin(Builtin which)
    {
        auto e = std::make_shared<Expr>();
        e->kind = ExprKind::Builtin;
        e->builtin = which;
        const bool isText = which == Builtin::Execname || which == Builtin::ProbeProv || which == Builtin::ProbeMod
            || which == Builtin::ProbeFunc || which == Builtin::ProbeName || which == Builtin::Execargs;
        e->type = isText ? types().string() : which == Builtin::Pid || which == Builtin::Tid ? i32() : u64();
        return e;
    }
    ExprPtr unary(Op op, ExprPtr a, const Type* type = nullptr)
    {
        auto e = std::make_shared<Expr>(*make(ExprKind::Unary, type ? type : a->type, {a}));
        e->op = op;
        return e;
    }
    ExprPtr binary(Op op, ExprPtr a, ExprPtr c, const Type* type = nullptr)
    {
        const bool truth = op == Op::Eq || op == Op::Ne || op == Op::Lt || op == Op::Gt || op == Op::Le || op == Op::Ge || op == Op::And
            || op == Op::Or || op == Op::LogXor;
        auto e = std::make_shared<Expr>(*make(ExprKind::Binary, type ? type : truth ? i32() : a->type, {a, c}));
        e->op = op;
        return e;
    }
    ExprPtr cast(const Type* type, ExprPtr a) { return make(ExprKind::Cast, type, {a}); }
    ExprPtr call(std::size_t subroutine, const Type* type, std::vector<ExprPtr> args)
    {
        auto e = std::make_shared<Expr>(*make(ExprKind::Call, type, std::move(args)));
        e->subroutine = subroutine;
        return e;
    }
    VariableId variable(ast::Scope scope, std::string name, const Type* type, std::vector<const Type*> tuple = {})
    {
        const VariableId id{static_cast<std::uint32_t>(program.variables.size())};
        program.variables.push_back({id, scope, std::move(name), type, std::move(tuple)});
        return id;
    }
    ExprPtr get(VariableId id, std::vector<ExprPtr> tuple = {})
    {
        const auto& v = program.variables.at(id.value);
        auto e = std::make_shared<Expr>(*make(v.isArray() ? ExprKind::Element : ExprKind::Variable, v.type, std::move(tuple)));
        e->variable = id;
        return e;
    }
    ExprPtr assign(ExprPtr to, ExprPtr value) { return make(ExprKind::Assign, to->type, {to, value}); }
    Statement does(ExprPtr e)
    {
        Statement s;
        s.expr = std::move(e);
        return s;
    }
    Statement action(record::ActionKind kind, std::vector<ExprPtr> args, std::string format = {})
    {
        Statement s;
        s.kind = Statement::Kind::Action;
        s.action = kind;
        s.format = std::move(format);
        s.args = std::move(args);
        return s;
    }
    AggregationId aggregation(record::Aggregator function, std::string name, std::array<std::int64_t, 4> parameters = {})
    {
        const AggregationId id{static_cast<std::uint32_t>(program.aggregations.size())};
        Aggregation a;
        a.id = id;
        a.function = function;
        a.name = std::move(name);
        a.parameters = parameters;
        program.aggregations.push_back(std::move(a));
        return id;
    }
    Statement aggregate(AggregationId id, std::vector<ExprPtr> keys, std::vector<ExprPtr> values = {})
    {
        Statement s;
        s.kind = Statement::Kind::Aggregate;
        s.aggregation = id;
        s.keys = std::move(keys);
        s.values = std::move(values);
        return s;
    }
    std::uint32_t clause(ExprPtr predicate, std::vector<Statement> body)
    {
        Clause c;
        c.id = ClauseId{static_cast<std::uint32_t>(program.clauses.size())};
        c.predicate = std::move(predicate);
        c.defaultAction = body.empty();
        c.body = std::move(body);
        program.clauses.push_back(std::move(c));
        return program.clauses.back().id.value;
    }
    void probe(probe::Name name, EnabledProbe::Hook hook, std::vector<std::uint32_t> clauses, std::vector<ExprPtr> args = {})
    {
        EnabledProbe p;
        p.id = ProbeId{static_cast<std::uint32_t>(program.probes.size() + 1)};
        p.name = std::move(name);
        p.hooks = {std::move(hook)};
        p.clauses = std::move(clauses);
        p.args = std::move(args);
        program.probes.push_back(std::move(p));
    }
    void begin(std::vector<std::uint32_t> clauses)
    {
        probe({"dtrace", "", "", "BEGIN"}, {probe::Manual{}, -1, -1, 0, {}}, std::move(clauses));
    }
};
} // namespace trees
