#include "engine/sema/print.h"
#include "engine/language/subroutines.h"
#include "engine/sema/builtins.h"
#include "engine/sema/functions.h"
#include "engine/sema/rules.h"
#include <sstream>
namespace dscope::sema {
namespace {
using types::spelled;

class Printer {
public:
    explicit Printer(const Program& program) : m_program(program) { }
    std::string text() const { return m_out.str(); }

    void expr(const Expr& e)
    {
        switch (e.kind) {
        case ExprKind::Integer:
            if (types::resolved(e.type)->isSigned)
                m_out << e.integer;
            else
                m_out << static_cast<std::uint64_t>(e.integer) << 'u';
            break;
        case ExprKind::String: m_out << '"' << e.text << '"'; break;
        case ExprKind::Builtin:
            for (const auto& row : builtinRows())
                if (row.builtin == e.builtin) m_out << row.name;
            break;
        case ExprKind::ProbeArgument: argument(static_cast<std::size_t>(e.integer)); break;
        case ExprKind::Context: m_out << "raw[" << e.integer << ']'; break;
        case ExprKind::Variable: variable(e.variable); break;
        case ExprKind::Element:
            variable(e.variable);
            list(e.kids, '[', ']');
            break;
        case ExprKind::Unary:
            m_out << rules::spelled(e.op);
            expr(*e.kids[0]);
            break;
        case ExprKind::Binary: infix(e, rules::spelled(e.op)); break;
        case ExprKind::Conditional:
            m_out << '(';
            expr(*e.kids[0]);
            m_out << " ? ";
            expr(*e.kids[1]);
            m_out << " : ";
            expr(*e.kids[2]);
            m_out << ')';
            break;
        case ExprKind::Assign: infix(e, "="); break;
        case ExprKind::Step: {
            const bool before = e.op == ast::Op::PreInc || e.op == ast::Op::PreDec;
            if (before) m_out << rules::spelled(e.op);
            expr(*e.kids[0]);
            if (!before) m_out << rules::spelled(e.op);
            break;
        }
        case ExprKind::Cast:
            if (!rules::isSymbol(e.type))
                m_out << '(' << spelled(e.type) << ')';
            else if (const auto name = nameOf(e.symbol); !name.empty())
                m_out << '(' << name << ')';
            else
                m_out << "(%a)"; // which only formats name so
            expr(*e.kids[0]);
            break;
        case ExprKind::Dereference:
            m_out << (e.user ? "*user " : "*");
            expr(*e.kids[0]);
            break;
        case ExprKind::Member:
            expr(*e.kids[0]);
            m_out << '.' << e.bitOffset / 8;
            if (e.bitWidth) m_out << '.' << e.bitOffset % 8 << ':' << e.bitWidth;
            break;
        case ExprKind::AddressOf:
            m_out << '&';
            expr(*e.kids[0]);
            break;
        case ExprKind::StringFrom:
            m_out << (e.user ? "userstring" : "string");
            list(e.kids, '(', ')');
            break;
        case ExprKind::Call:
            m_out << language::kSubroutines[e.subroutine].name();
            list(e.kids, '(', ')');
            break;
        case ExprKind::Stack: m_out << "stack(" << e.integer << ')'; break;
        case ExprKind::UserStack: m_out << "ustack(" << e.integer << ')'; break;
        case ExprKind::Comma: infix(e, ","); break;
        case ExprKind::Index:
            expr(*e.kids[0]);
            m_out << " of " << e.integer;
            break;
        }
    }

    void statement(const Statement& s)
    {
        switch (s.kind) {
        case Statement::Kind::Expression: expr(*s.expr); break;
        case Statement::Kind::Aggregate: {
            const auto& a = m_program.aggregations.at(s.aggregation.value);
            m_out << '@' << a.name;
            if (!s.keys.empty()) list(s.keys, '[', ']');
            m_out << " = " << nameOf(a.function);
            list(s.values, '(', ')');
            break;
        }
        case Statement::Kind::Action:
            m_out << actionName(s.action) << '(';
            if (!s.format.empty()) m_out << '"' << s.format << "\" ";
            for (std::size_t i = 0; i < s.args.size(); ++i) {
                m_out << (i ? ", " : "");
                expr(*s.args[i]);
            }
            for (std::size_t i = 0; i < s.aggregations.size(); ++i)
                m_out << (i || !s.args.empty() ? ", " : "") << '@' << m_program.aggregations.at(s.aggregations[i].value).name;
            m_out << ')';
            break;
        case Statement::Kind::If:
            m_out << "if (";
            expr(*s.expr);
            m_out << ") ";
            block(s.then);
            if (!s.otherwise.empty()) {
                m_out << " else ";
                block(s.otherwise);
            }
            break;
        }
    }

    void program()
    {
        for (const auto& c : m_program.clauses) {
            m_out << c.probes;
            if (c.predicate) {
                m_out << " /";
                expr(*c.predicate);
                m_out << '/';
            }
            m_out << ' ';
            if (c.defaultAction)
                m_out << "default";
            else
                block(c.body);
            m_out << '\n';
        }

        for (const auto& p : m_program.probes) {
            m_out << p.id.value << ' ' << p.name.spelled() << " clauses";
            for (const auto i : p.clauses)
                m_out << ' ' << i;
            for (const auto& h : p.hooks)
                if (h.when) {
                    m_out << " when ";
                    expr(*h.when);
                }
            for (std::size_t i = 0; i < p.args.size(); ++i)
                if (p.args[i]) {
                    m_out << ' ';
                    argument(i);
                    m_out << '=';
                    expr(*p.args[i]);
                }
            m_out << '\n';
        }
    }

private:
    static std::string_view actionName(record::ActionKind kind)
    {
        static constexpr std::string_view kNames[]
            = {"trace", "tracemem", "printf", "printa", "stack", "ustack", "symbol", "exit", "clear", "trunc", "normalize", "denormalize",
                "system", "freopen", "ftruncate", "setopt", "raise", "stop", "chill", "commit", "discard", "speculate"};
        const auto i = static_cast<std::size_t>(kind);
        return i < std::size(kNames) ? kNames[i] : "action";
    }

    void argument(std::size_t n)
    {
        if (n < kElsewhere)
            m_out << "arg" << n;
        else
            m_out << "args[" << n - kElsewhere << ']';
    }
    void variable(VariableId id)
    {
        if (id.value >= m_program.variables.size()) {
            m_out << 'v' << id.value;
            return;
        }
        const auto& v = m_program.variables[id.value];
        m_out << (v.scope == ast::Scope::Self ? "self->" : v.scope == ast::Scope::This ? "this->" : "") << v.name;
    }

    void list(const std::vector<ExprPtr>& all, char open, char close)
    {
        m_out << open;
        for (std::size_t i = 0; i < all.size(); ++i) {
            m_out << (i ? ", " : "");
            expr(*all[i]);
        }
        m_out << close;
    }

    void infix(const Expr& e, std::string_view op)
    {
        m_out << '(';
        expr(*e.kids[0]);
        m_out << ' ' << op << ' ';
        expr(*e.kids[1]);
        m_out << ')';
    }

    void block(const std::vector<Statement>& body)
    {
        m_out << "{ ";
        for (const auto& s : body) {
            statement(s);
            m_out << "; ";
        }
        m_out << '}';
    }

    const Program& m_program;
    std::ostringstream m_out;
};
} // namespace

std::string print(const Program& program)
{
    Printer p(program);
    p.program();
    return p.text();
}
std::string print(const Program& program, const Expr& expr)
{
    Printer p(program);
    p.expr(expr);
    return p.text();
}
std::string print(const Program& program, const Statement& statement)
{
    Printer p(program);
    p.statement(statement);
    return p.text();
}
} // namespace dscope::sema
