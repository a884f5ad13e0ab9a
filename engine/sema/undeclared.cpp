#include "engine/sema/analyser.h"
/// Integers whose type no declaration says. Variables hold them in 8 bytes, so that none is cut; their type is the widest that the
/// program gives them.
namespace dscope::sema {
Width Analyser::widthOf(const Type* type) const
{
    if (!rules::isInteger(type)) return {};
    const auto* shown = types::shown(type);
    return {shown->size, shown->isSigned, rules::isInWord(type), types::spelled(type)};
}

/// The type that `width` means; `first` itself where it is that.
const Type* Analyser::typeOf(const Width& width, const Type* first)
{
    const auto own = widthOf(first);
    if (width.size == own.size && width.isSigned == own.isSigned && width.name == own.name) return first;
    const auto* named = m_types.find(width.name);
    const bool isIt
        = named && rules::isInteger(named) && types::shown(named)->size == width.size && types::shown(named)->isSigned == width.isSigned;
    return isIt ? named : m_types.integer(width.size, types::signOf(width.isSigned));
}

/// The type of a place that the program first gives a value of type `first`: in a word if it is a variable's, or made of one.
const Type* Analyser::undeclaredType(const Undeclared& place, const Type* first)
{
    if (!rules::isInteger(first)) return first;
    const auto& width = m_widths.begin(place, widthOf(first));
    const auto* type = typeOf(width, first);
    return width.inWord ? m_types.inWord(type) : type;
}

void Analyser::give(const Undeclared& place, const Type* type)
{
    if (rules::isInteger(type)) m_widths.give(place, widthOf(type));
}

/// A variable that the program first gives a value of `type`, under a key of types `tuple`.
Variable& Analyser::addUndeclared(ast::Scope scope, const std::string& name, const Type* type, std::vector<const Type*> tuple)
{
    if (m_declared.contains({scope, name})) return m_scope.add(scope, name, type, std::move(tuple)); // the declaration comes later
    for (std::size_t i = 0; i < tuple.size(); ++i)
        tuple[i] = undeclaredType({scope, name, i}, tuple[i]);
    auto& variable = m_scope.add(scope, name, undeclaredType({scope, name}, type), std::move(tuple));
    m_undeclared.insert(variable.id.value);
    return variable;
}

void Analyser::giveVariable(const Expr& target, const Type* type)
{
    if (target.kind != ExprKind::Variable && target.kind != ExprKind::Element) return;
    const auto& variable = m_scope.variables[target.variable.value];
    if (m_undeclared.contains(variable.id.value) && rules::isInteger(variable.type)) give({variable.scope, variable.name}, type);
}

void Analyser::giveKeys(const Variable& variable, const std::vector<ExprPtr>& keys)
{
    if (!m_undeclared.contains(variable.id.value)) return;
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (rules::isInteger(variable.tuple[i])) give({variable.scope, variable.name, i}, keys[i]->type);
}

/// `value` where `type` is kept: C's -1 is 4294967295 in an unsigned int, also in one that is in a word.
ExprPtr Analyser::asIn(const ExprPtr& value, const Type* type)
{
    const auto* shown = types::shown(type);
    const auto* own = types::shown(value->type);
    const bool wraps = rules::isInWord(type) && !shown->isSigned && rules::isInteger(value->type) && !rules::isInWord(value->type)
        && own->isSigned && own->size < 8;
    return converted(wraps ? converted(value, shown) : value, type);
}
} // namespace dscope::sema
