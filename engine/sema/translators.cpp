#include "engine/sema/analyser.h"
/// Translators and inlines: expanded where they are used, their input substituted.
namespace dscope::sema {
namespace {
constexpr std::uint32_t kDeepest = 64;
constexpr std::uint32_t kMostExpanded = 20'000; // each is an expression, and inlines that name another twice double with every one
/// Sets a member for as long as it lives.
template <typename T> class Within {
public:
    Within(T& place, T value) : m_place(place), m_before(std::exchange(place, std::move(value))) { }
    ~Within() { m_place = m_before; }
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;

private:
    T& m_place;
    T m_before;
};
} // namespace

const Translator* Analyser::translatorFor(const Expr& input, const Type* output)
{
    if (types::resolved(output)->kind == types::Kind::Pointer) output = rules::targetOf(output);
    for (int pass = 0; pass < 2; ++pass) {
        const Translator* fuzzy = nullptr;
        for (const auto& t : m_scope.translators) {
            if (!rules::same(t.output, output)) continue;
            const auto* from = resolve(*t.input);
            if (!from) continue;
            if (rules::same(from, input.type)) return &t;
            if (!fuzzy && rules::accepts(from, input)) fuzzy = &t;
        }
        if (fuzzy) return fuzzy;
        if (!loadAllLibraries()) break;
    }
    return nullptr;
}

Value Analyser::translated(const ExprPtr& input, const Type* output, Span at)
{
    const auto* t = translatorFor(*input, output);
    if (!t)
        return error("D_XLATE_NONE", at, "cannot translate from \"", types::spelled(input->type), "\" to \"", types::spelled(output), '"');
    const auto* from = resolve(*t->input);
    return {.expr = converted(input, from), .translator = t, .throughPointer = types::resolved(output)->kind == types::Kind::Pointer};
}

Value Analyser::xlate(const ast::Expr& e)
{
    const auto* output = resolve(*e.typeName);
    if (!output) return {};
    const auto input = rvalue(*e.kids[0]);
    if (!input) return {};
    return translated(input, output, e.at);
}

Value Analyser::translatedMember(const Value& object, const std::string& name, Span at)
{
    const auto& translator = *object.translator;
    const auto found = translator.members.find(name);
    if (found == translator.members.end()) {
        if (!m_types.member(translator.output, name)) {
            auto& d = m_diagnostics.error("D_XLATE_NOCONV", at, text("translator does not define conversion for member: ", name));
            std::vector<std::string> names;
            for (const auto& [member, expr] : translator.members)
                names.push_back(member);
            for (auto& choice : choicesOf(translator.output))
                if (translator.members.contains(choice.name)) d.choices.push_back(std::move(choice));
            if (auto hint = didYouMean(nearNames(name, names)); !hint.empty()) d.hints.push_back(std::move(hint));
            return {};
        }
        return error("D_XLATE_NOCONV", at, "translator does not define conversion for member: ", name);
    }

    const auto field = m_types.member(translator.output, name);
    if (!field)
        return error(
            "D_XLATE_MEMB", found->second->at, "translator member ", name, " is not a member of ", types::spelled(translator.output));
    if (m_depth >= kDeepest)
        return error("D_UNKNOWN", at, "translator for ", types::spelled(translator.output), " uses itself without end");
    Bindings own;
    own.names[translator.inputName] = Value{object.expr};
    Value value;
    {
        Within<const Bindings*> bindings(m_bindings, &own);
        Within<std::uint32_t> depth(m_depth, m_depth + 1);
        value = expression(*found->second);
    }

    if (!value || value.translator) return value;
    // An array stays what it is: its bounds are known, and its elements.
    if (rules::same(field->type, value.expr->type) && types::resolved(field->type)->kind == types::Kind::Array) return value;
    if (!rules::accepts(field->type, *value.expr) && !rules::isCharArray(field->type))
        return error("D_XLATE_INCOMPAT", found->second->at, "translator member ", name, " definition uses incompatible types: \"",
            types::spelled(field->type), "\" = \"", types::spelled(value.expr->type), '"');
    if (rules::isCharArray(field->type)) return {asString(value.expr)};
    return {converted(value.expr, field->type)};
}

Value Analyser::expandInline(const Inline& in, const ast::Expr& e)
{
    const auto& d = *in.declaration;
    if (m_depth >= kDeepest) return error("D_UNKNOWN", e.at, "inline ", d.name, " uses itself without end");
    if (m_depth == 0) m_expanded = 0;
    if (++m_expanded > kMostExpanded)
        return error("D_UNKNOWN", e.at, "inline ", d.name, " stands for too much: more than ", kMostExpanded, " other inlines");
    Bindings own;
    if (!d.tuple.empty()) {
        if (e.kind != ast::ExprKind::Index)
            return error("D_IDENT_BADREF", e.at, "associative array '", d.name, "' may not be referenced as scalar");
        auto keys = rvalues(e.kids, 1);
        if (keys.size() + 1 != e.kids.size()) return {};
        std::vector<const Type*> wanted;
        for (const auto& [name, type] : d.tuple) {
            wanted.push_back(resolve(type));
            if (!wanted.back()) return {};
        }
        if (!checkSignature(d.name, "key", wanted, keys, e.at)) return {};
        for (std::size_t i = 0; i < keys.size(); ++i)
            own.names[d.tuple[i].first] = Value{converted(keys[i], wanted[i])};
    }

    Value value;
    {
        Within<const Bindings*> bindings(m_bindings, &own);
        Within<std::uint32_t> depth(m_depth, m_depth + 1);
        value = expression(*d.init);
    }

    if (!value) return {};
    if (value.translator) {
        const auto* declared = in.type;
        if (types::resolved(declared)->kind == types::Kind::Pointer) declared = rules::targetOf(declared);
        if (!rules::same(declared, value.translator->output))
            return error("D_OP_INCOMPAT", d.at, "inline ", d.name, " definition uses incompatible types: \"", types::spelled(declared),
                "\" = \"", types::spelled(value.translator->output), '"');
        return value;
    }

    if (!rules::accepts(in.type, *value.expr))
        return error("D_OP_INCOMPAT", d.at, "inline ", d.name, " definition uses incompatible types: \"", types::spelled(in.type),
            "\" = \"", types::spelled(value.expr->type), '"');
    return {.expr = converted(value.expr, in.type), .lvalue = true};
}
} // namespace dscope::sema
