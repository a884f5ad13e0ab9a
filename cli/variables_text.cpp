#include "cli/variables_text.h"
#include "engine/sema/builtins.h"
#include <algorithm>
#include <cstdio>
#include <map>
namespace dscope::cli {
namespace {
using sema::Expr;
using sema::ExprKind;
struct Use {
    bool reads = false, writes = false;
    std::size_t first = 0, last = 0; ///< clause
};
class Uses {
public:
    explicit Uses(const sema::Program& program)
    {
        for (; m_clause < program.clauses.size(); ++m_clause) {
            const auto& clause = program.clauses[m_clause];
            if (clause.predicate) look(*clause.predicate);
            look(clause.body);
        }
    }

    std::map<std::uint32_t, Use> variables;   ///< by VariableId
    std::map<std::string_view, Use> builtins; ///< by name

private:
    void note(Use& use, bool writes)
    {
        if (!use.reads && !use.writes) use.first = m_clause;
        use.last = m_clause;
        (writes ? use.writes : use.reads) = true;
    }

    void look(const std::vector<sema::Statement>& statements)
    {
        const auto all = [&](const std::vector<sema::ExprPtr>& list) {
            for (const auto& e : list)
                look(*e);
        };
        for (const auto& s : statements) {
            if (s.expr) look(*s.expr);
            all(s.keys);
            all(s.values);
            all(s.args);
            look(s.then);
            look(s.otherwise);
        }
    }

    void look(const Expr& e)
    {
        const bool isVariable = e.kind == ExprKind::Variable || e.kind == ExprKind::Element;
        if (isVariable) note(variables[e.variable.value], false);
        if (e.kind == ExprKind::Builtin)
            for (const auto& row : sema::builtinRows())
                if (row.builtin == e.builtin) note(builtins[row.name], false);
        std::size_t from = 0;
        if (e.kind == ExprKind::Assign || e.kind == ExprKind::Step) {
            const auto& target = *e.kids[0];
            if (target.kind == ExprKind::Variable || target.kind == ExprKind::Element) {
                note(variables[target.variable.value], true);
                if (e.kind == ExprKind::Step) note(variables[target.variable.value], false);
                for (const auto& key : target.kids)
                    look(*key);
                from = 1;
            }
        }
        for (auto i = from; i < e.kids.size(); ++i)
            if (e.kids[i]) look(*e.kids[i]);
    }

    std::size_t m_clause = 0;
};

std::string typeText(const types::Type* type, const options::Options& options)
{
    using types::Kind;
    const auto* t = types::resolved(type);
    const auto size = std::to_string(t->size);
    switch (t->kind) {
    case Kind::String: return "string (unknown) by ref (size " + std::to_string(options.number("strsize")) + ')';
    case Kind::Pointer: return "D type (pointer) (size " + size + ')';
    case Kind::Array: return "D type (array) by ref (size " + size + ')';
    case Kind::Struct: return "D type (struct) by ref (size " + size + ')';
    case Kind::Union: return "D type (union) by ref (size " + size + ')';
    case Kind::Enum: return "D type (enum) (size " + size + ')';
    case Kind::Float: return "D type (float) (size " + size + ')';
    default: return "D type (integer) (size " + size + ')';
    }
}
std::string row(std::string_view name, std::string_view id, std::string_view offset, std::string_view kind, std::string_view scope,
    std::string_view range, std::string_view flag, const std::string& type)
{
    char text[512];
    const auto of = [](std::string_view s) { return static_cast<int>(s.size()); };
    std::snprintf(text, sizeof text, "%-16.*s %-5.*s %-6.*s %-3.*s %-3.*s %-9.*s %-4.*s %s\n", of(name), name.data(), of(id), id.data(),
        of(offset), offset.data(), of(kind), kind.data(), of(scope), scope.data(), of(range), range.data(), of(flag), flag.data(),
        type.c_str());
    return text;
}
std::string rangeOf(const Use& use) { return '[' + std::to_string(use.first) + '-' + std::to_string(use.last) + ']'; }
std::string_view flagOf(const Use& use) { return use.reads && use.writes ? "r/w" : use.writes ? "w" : "r"; }
} // namespace

std::string variablesText(const sema::Program& program, const std::vector<std::uint32_t>& offsets)
{
    const Uses uses(program);
    if (uses.variables.empty() && uses.builtins.empty()) return {};
    std::string out = '\n' + row("NAME", "ID", "OFFSET", "KND", "SCP", "RANGE", "FLAG", "TYPE");
    for (const auto& [name, use] : uses.builtins) {
        const auto* type = program.types->find(sema::findBuiltin(name)->type);
        if (type) out += row(name, "-", "", "scl", "glb", rangeOf(use), flagOf(use), typeText(type, program.options));
    }
    for (const auto& [id, use] : uses.variables) {
        const auto& v = program.variables.at(id);
        const bool isGlobal = v.scope == ast::Scope::Global;
        // What lives in a map of its own, or with its thread, begins it.
        const auto offset = v.isArray() || v.scope == ast::Scope::Self ? std::string("0") : std::to_string(offsets.at(id));
        out += row(v.name, std::to_string(id), offset, v.isArray() ? "arr" : "scl",
            isGlobal                          ? "glb"
                : v.scope == ast::Scope::This ? "loc"
                                              : "tls",
            rangeOf(use), flagOf(use), typeText(v.type, program.options));
    }
    return out;
}
} // namespace dscope::cli
