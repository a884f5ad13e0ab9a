#include "engine/sema/analyser.h"
/// Building typed expressions, and conversions between types.
namespace dscope::sema {
std::shared_ptr<Expr> Analyser::make(ExprKind kind, const Type* type, Span at, std::vector<ExprPtr> kids) const
{
    auto e = std::make_shared<Expr>();
    e->kind = kind;
    e->type = type;
    e->at = at;
    e->kids = std::move(kids);
    return e;
}

const Type* Analyser::named(std::string_view name)
{
    const auto* t = m_types.find(name);
    DSCOPE_ASSERT(t);
    return t;
}

ExprPtr Analyser::asString(const ExprPtr& value)
{
    if (rules::isString(value->type)) return value;
    auto e = make(ExprKind::StringFrom, m_types.string(), value->at, {value});
    e->user = leadsIntoProcess(*value) || (rules::isCharArray(value->type) && value->user);
    return e;
}

ExprPtr Analyser::converted(ExprPtr value, const Type* type)
{
    if (value->type == type) return value;
    if (rules::isString(type)) return asString(value);
    if (!rules::isScalar(type)) return value; // structs are copied as they are; void takes anything
    if (types::resolved(value->type)->kind == types::Kind::Array) value = decayed({.expr = value, .lvalue = true});
    auto e = make(ExprKind::Cast, type, value->at, {value});
    return folded(std::move(e));
}

const Type* Analyser::typeOf(const Value& value)
{
    if (!value.translator) return value.expr->type;
    return value.throughPointer ? m_types.pointerTo(value.translator->output) : value.translator->output;
}
std::string Analyser::typeName(const Value& value)
{
    if (value.translator) return value.throughPointer ? "pointer to translated data" : "translated data";
    return types::spelled(value.expr->type);
}

std::string Analyser::written(Span span) const
{
    // One line, single blanks: it becomes a column's name.
    std::string out;
    for (const char c : m_sources.text(span)) {
        const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
        if (!blank)
            out += c;
        else if (!out.empty() && out.back() != ' ')
            out += ' ';
    }
    while (!out.empty() && out.back() == ' ')
        out.pop_back();
    return out;
}
std::string Analyser::written(const ast::Expr& e) const { return written(e.at); }
} // namespace dscope::sema
