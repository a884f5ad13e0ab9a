#include "engine/syntax/literals.h"
#include "engine/syntax/parser.h"
namespace dscope::syntax {
using ast::Declaration;
using ast::Expr;
using ast::ExprKind;
using ast::Op;
using ast::TypeName;
namespace {
constexpr int kComma = 0, kAssign = 1, kConditional = 2, kUnary = 14, kPostfix = 15;

std::string_view spelling(Op op)
{
    switch (op) {
    case Op::Add:
    case Op::Plus: return "+";
    case Op::Sub:
    case Op::Neg: return "-";
    case Op::Mul:
    case Op::Deref: return "*";
    case Op::Div: return "/";
    case Op::Mod: return "%";
    case Op::Shl: return "<<";
    case Op::Shr: return ">>";
    case Op::BitAnd:
    case Op::AddressOf: return "&";
    case Op::BitOr: return "|";
    case Op::BitXor: return "^";
    case Op::And: return "&&";
    case Op::Or: return "||";
    case Op::LogXor: return "^^";
    case Op::Eq: return "==";
    case Op::Ne: return "!=";
    case Op::Lt: return "<";
    case Op::Le: return "<=";
    case Op::Gt: return ">";
    case Op::Ge: return ">=";
    case Op::Not: return "!";
    case Op::BitNot: return "~";
    case Op::PreInc:
    case Op::PostInc: return "++";
    case Op::PreDec:
    case Op::PostDec: return "--";
    }
    return {};
}
int precedence(const Expr& expr)
{
    switch (expr.kind) {
    case ExprKind::Comma: return kComma;
    case ExprKind::Assign: return kAssign;
    case ExprKind::Conditional: return kConditional;
    case ExprKind::Binary:
        switch (expr.op) {
        case Op::Or: return 3;
        case Op::LogXor: return 4;
        case Op::And: return 5;
        case Op::BitOr: return 6;
        case Op::BitXor: return 7;
        case Op::BitAnd: return 8;
        case Op::Eq:
        case Op::Ne: return 9;
        case Op::Lt:
        case Op::Le:
        case Op::Gt:
        case Op::Ge: return 10;
        case Op::Shl:
        case Op::Shr: return 11;
        case Op::Add:
        case Op::Sub: return 12;
        default: return 13;
        }
    case ExprKind::Unary: return expr.op == Op::PostInc || expr.op == Op::PostDec ? kPostfix : kUnary;
    case ExprKind::Cast:
    case ExprKind::SizeofExpr:
    case ExprKind::SizeofType:
    case ExprKind::Stringof: return kUnary;
    default: return kPostfix;
    }
}
std::string within(const Expr& expr, int least);
std::string list(const Expr& expr, std::size_t from)
{
    std::string out;
    for (std::size_t i = from; i < expr.kids.size(); ++i)
        out += (i > from ? ", " : "") + within(*expr.kids[i], kAssign);
    return out;
}
std::string prefixed(std::string_view op, std::string operand)
{
    // "- -x" and "& &x" must not become other operators.
    if (!operand.empty() && operand[0] == op.back()) operand.insert(0, " ");
    return std::string(op) + operand;
}
std::string binary(const Expr& expr)
{
    const int own = precedence(expr);
    return within(*expr.kids[0], own) + " " + std::string(spelling(expr.op)) + " " + within(*expr.kids[1], own + 1);
}
std::string bare(const Expr& expr)
{
    const auto kid = [&](std::size_t i, int least) { return within(*expr.kids[i], least); };
    switch (expr.kind) {
    case ExprKind::Integer: return expr.text.empty() ? std::to_string(expr.value) : expr.text;
    case ExprKind::String: return "\"" + escaped(expr.text) + "\"";
    case ExprKind::Identifier:
    case ExprKind::Macro: return expr.text;
    case ExprKind::ThisVariable: return "this->" + expr.text;
    case ExprKind::SelfVariable: return "self->" + expr.text;
    case ExprKind::Aggregation: return "@" + expr.text + (expr.kids.empty() ? "" : "[" + list(expr, 0) + "]");
    case ExprKind::Index: return kid(0, kPostfix) + "[" + list(expr, 1) + "]";
    case ExprKind::Call: return expr.text + "(" + list(expr, 0) + ")";
    case ExprKind::Member: return kid(0, kPostfix) + "." + expr.text;
    case ExprKind::Arrow: return kid(0, kPostfix) + "->" + expr.text;
    case ExprKind::Unary:
        if (expr.op == Op::PostInc || expr.op == Op::PostDec) return kid(0, kPostfix) + std::string(spelling(expr.op));
        return prefixed(spelling(expr.op), kid(0, kUnary));
    case ExprKind::Binary: return binary(expr);
    case ExprKind::Conditional: return kid(0, kConditional + 1) + " ? " + kid(1, kComma) + " : " + kid(2, kConditional);
    case ExprKind::Assign: return kid(0, kUnary) + " " + (expr.compound ? std::string(spelling(expr.op)) : "") + "= " + kid(1, kAssign);
    case ExprKind::Cast: return "(" + print(*expr.typeName) + ")" + kid(0, kUnary);
    case ExprKind::SizeofType: return "sizeof (" + print(*expr.typeName) + ")";
    case ExprKind::SizeofExpr: return "sizeof " + kid(0, kUnary);
    case ExprKind::Offsetof: return "offsetof(" + print(*expr.typeName) + ", " + expr.text + ")";
    case ExprKind::Stringof: return "stringof " + kid(0, kUnary);
    case ExprKind::Xlate: return "xlate <" + print(*expr.typeName) + "> (" + kid(0, kComma) + ")";
    case ExprKind::Comma: return kid(0, kComma) + ", " + kid(1, kAssign);
    }
    return {};
}
std::string within(const Expr& expr, int least)
{
    auto text = bare(expr);
    return expr.parenthesized || precedence(expr) < least ? "(" + text + ")" : text;
}

std::string typed(const TypeName& type, std::string declared);
std::string parameters(const TypeName::Modifier& modifier)
{
    std::string out;
    for (const auto& p : modifier.parameters)
        out += (out.empty() ? "" : ", ") + print(p);
    if (modifier.isVariadic) out += out.empty() ? "..." : ", ...";
    return out;
}
/// "int", "x" and {Pointer, Array 3} make "int *x[3]".
std::string typed(const TypeName& type, std::string declared)
{
    using Kind = TypeName::Modifier::Kind;
    for (auto m = type.modifiers.rbegin(); m != type.modifiers.rend(); ++m) {
        if (m->kind == Kind::Pointer) {
            declared.insert(0, "*");
            continue;
        }
        if (declared.starts_with("*")) declared = "(" + declared + ")";
        if (m->kind == Kind::Function)
            declared += "(" + parameters(*m) + ")";
        else if (m->isTuple)
            declared += "[" + parameters(*m) + "]";
        else
            declared += m->countExpr ? "[" + print(*m->countExpr) + "]" : m->count > 0 ? "[" + std::to_string(m->count) + "]" : "[]";
    }
    const std::string base = (type.isUser ? "userland " : "") + std::string(type.isConst ? "const " : "") + type.base;
    return declared.empty() ? base : base + " " + declared;
}

std::string indented(int depth) { return std::string(static_cast<std::size_t>(depth), '\t'); }

std::string keys(const std::vector<std::pair<std::string, TypeName>>& named)
{
    std::string out;
    for (const auto& [name, type] : named)
        out += (out.empty() ? "" : ", ") + typed(type, name);
    return out;
}
std::string fields(const Declaration& d)
{
    std::string out = (d.kind == Declaration::Kind::Struct ? "struct " : "union ") + d.name;
    if (!d.complete) return out + ";";
    out += " {\n";
    for (const auto& f : d.fields) {
        out += "\t" + typed(f.type, f.name);
        if (f.bits) out += " : " + std::to_string(*f.bits);
        if (f.bitsExpr) out += " : " + print(*f.bitsExpr);
        out += ";\n";
    }
    return out + "};";
}
std::string enumerators(const Declaration& d)
{
    if (!d.complete) return "enum " + d.name + ";";
    std::string out = "enum " + d.name + " {\n";
    for (std::size_t i = 0; i < d.items.size(); ++i) {
        out += "\t" + d.items[i].first;
        if (d.items[i].second) out += " = " + within(*d.items[i].second, kAssign);
        out += i + 1 < d.items.size() ? ",\n" : "\n";
    }
    return out + "};";
}
std::string provider(const Declaration& d)
{
    std::string out = "provider " + d.name + " {\n";
    for (const auto& p : d.probes) {
        out += "\tprobe " + p.name + "(" + keys(p.args) + ")";
        if (p.isTranslated) out += " : (" + keys(p.translated) + ")";
        out += ";\n";
    }
    return out + "};";
}
std::string printed(const Declaration& d)
{
    switch (d.kind) {
    case Declaration::Kind::Variable: {
        const std::string scope = d.isExtern ? "extern "
            : d.scope == ast::Scope::This    ? "this "
            : d.scope == ast::Scope::Self    ? "self "
                                             : "";
        return scope + typed(d.type, d.name) + ";";
    }
    case Declaration::Kind::Typedef: return "typedef " + typed(d.type, d.name) + ";";
    case Declaration::Kind::Struct:
    case Declaration::Kind::Union: return fields(d);
    case Declaration::Kind::Enum: return enumerators(d);
    case Declaration::Kind::Inline: {
        const std::string name = d.name + (d.tuple.empty() ? "" : "[" + keys(d.tuple) + "]");
        return "inline " + typed(d.type, name) + " = " + within(*d.init, kAssign) + ";";
    }
    case Declaration::Kind::Translator: {
        std::string out = "translator " + print(d.type) + " < " + typed(d.inputType, d.inputName) + " > {\n";
        for (const auto& [name, value] : d.items)
            out += "\t" + name + " = " + within(*value, kAssign) + ";\n";
        return out + "};";
    }
    case Declaration::Kind::Provider: return provider(d);
    }
    return {};
}
std::string printed(const std::vector<ast::Statement>& body, int depth);
std::string printed(const ast::Statement& s, int depth)
{
    const std::string margin = indented(depth);
    switch (s.kind) {
    case ast::Statement::Kind::Expression: return margin + print(*s.expr) + ";\n";
    case ast::Statement::Kind::Declaration: {
        std::string out;
        for (const auto& d : s.declarations)
            out += margin + printed(d) + "\n";
        return out;
    }
    case ast::Statement::Kind::If: {
        std::string out = margin + "if (" + bare(*s.expr) + ") {\n" + printed(s.then, depth + 1) + margin + "}";
        if (!s.otherwise.empty()) out += " else {\n" + printed(s.otherwise, depth + 1) + margin + "}";
        return out + "\n";
    }
    case ast::Statement::Kind::Empty: return margin + ";\n";
    }
    return {};
}
std::string printed(const std::vector<ast::Statement>& body, int depth)
{
    std::string out;
    for (const auto& s : body)
        out += printed(s, depth);
    return out;
}
std::string printed(const ast::Clause& c)
{
    std::string out;
    for (const auto& p : c.probes)
        out += (out.empty() ? "" : ",\n") + p.text;
    if (c.predicate) {
        // A predicate that begins with * must not open a comment.
        auto predicate = print(*c.predicate);
        if (predicate.starts_with("*")) predicate.insert(0, " ");
        out += "\n/" + predicate + "/";
    }
    if (c.hasBody) out += "\n{\n" + printed(c.body, 1) + "}";
    return out;
}
std::string printed(const ast::Pragma& p) { return "#pragma D " + p.text; }
} // namespace

std::string print(const ast::Program& program)
{
    std::string out;
    bool afterBlock = false;
    for (const auto& item : program.items) {
        const bool isClause = std::holds_alternative<ast::Clause>(item.is);
        if (!out.empty() && (isClause || afterBlock)) out += "\n";
        out += std::visit([](const auto& i) { return printed(i); }, item.is) + "\n";
        afterBlock = isClause;
    }
    return out;
}
std::string print(const ast::Expr& expr) { return within(expr, kComma); }
std::string print(const ast::TypeName& type) { return typed(type, {}); }
} // namespace dscope::syntax
