#include "engine/sema/analyser.h"
/// print(): describes a type for the printer.
namespace dscope::sema {
namespace {
using types::Kind;
constexpr std::uint64_t kMostBytes = 8192; ///< of an object that are recorded

/// Tells what an object of a type consists of.
class LayoutOf {
public:
    explicit LayoutOf(types::TypeTable& types) : m_types(types) { }

    /// Adds the object, or a part of it, and the parts of that. `bits`: 0 for the size of the type.
    void add(const Type* type, const std::string& name, std::uint64_t bitOffset, std::uint64_t bits, std::uint32_t depth)
    {
        if (m_parts.size() >= record::kMostLayoutParts) return;
        const auto* t = types::resolved(type);
        record::LayoutPart part{kindOf(*t), depth, bitOffset, bits != 0 ? bits : 8 * t->size, static_cast<std::uint64_t>(t->count), name,
            spelled(type, *t), {}};
        if (t->kind == Kind::Enum)
            for (const auto& tag : t->enumerators)
                part.enumerators.push_back({tag.name, tag.value});
        m_parts.push_back(std::move(part));

        if (t->kind == Kind::Array && t->count) add(t->target, {}, bitOffset, 0, depth + 1);
        if (t->kind == Kind::Struct || t->kind == Kind::Union)
            for (const auto& member : m_types.members(t))
                if (bitOffset + member.bitOffset < 8 * kMostBytes)
                    add(member.type, member.name, bitOffset + member.bitOffset, member.bitWidth, depth + 1);
    }

    record::Layout take() { return std::move(m_parts); }

private:
    static std::string spelled(const Type* type, const Type& resolved)
    {
        // The parser gives names to unnamed types.
        const bool isUnnamed = type->name.empty() || type->name.find(" __anonymous_") != std::string::npos;
        if (isUnnamed && resolved.kind == Kind::Struct) return "struct";
        if (isUnnamed && resolved.kind == Kind::Union) return "union";
        if (isUnnamed && resolved.kind == Kind::Enum) return "enum";
        return types::spelled(type);
    }

    static record::LayoutPart::Kind kindOf(const Type& t)
    {
        using Part = record::LayoutPart::Kind;
        switch (t.kind) {
        case Kind::Struct:
        case Kind::Union: return Part::Struct;
        case Kind::Array: return Part::Array;
        case Kind::Pointer: return Part::Pointer;
        case Kind::Enum: return Part::Enum;
        case Kind::Integer: return t.name == "char" ? Part::Char : t.isSigned ? Part::Signed : Part::Unsigned;
        default: return Part::Other;
        }
    }

    types::TypeTable& m_types;
    record::Layout m_parts;
};
} // namespace

bool Analyser::printAction(const ast::Expr& call, Statement& into)
{
    auto v = expression(*call.kids[0]);
    if (!v) return false;
    // illumos' print() takes the object, DTrace for Linux's a pointer to it.
    const bool isObject = !v.translator && !rules::isPointer(v.expr->type);
    if (isObject && (v.expr->kind == ExprKind::Dereference || v.expr->kind == ExprKind::Member)) {
        v = addressOf(call);
        if (!v) return false;
    }
    if (v.translator || !rules::isPointer(v.expr->type)) {
        error("D_PROTO_ARG", call.at,
            "print( ) argument #1 is incompatible with prototype:\n\tprototype: void *\n\t argument: ", typeName(v));
        if (!v.translator && rules::isDynamic(v.expr->type))
            hintIfAggregation(v.expr->type, call.kids[0]->text);
        else if (!v.translator && (rules::isString(v.expr->type) || rules::isInteger(v.expr->type)))
            m_diagnostics.hint("trace() and printf() print strings and numbers; print() is for structures");
        return false;
    }

    const auto* type = rules::targetOf(v.expr->type);
    const auto size = types::resolved(type)->size;
    if (size == 0) {
        error("D_PRINT_SIZE", call.at, "print( ) argument #1 reference has type '", types::spelled(type),
            "' with size 0; cannot print( ) it.");
        return false;
    }

    const bool user = leadsIntoProcess(*v.expr);
    const auto pointer = types::resolved(v.expr->type)->kind == types::Kind::Array ? decayed(v) : v.expr;
    record(into, *call.kids[0], converted(pointer, named("uintptr_t")));
    const auto* bytes = m_types.arrayOf(named("unsigned char"), std::min(size, kMostBytes));
    auto memory
        = make(ExprKind::Dereference, bytes, call.kids[0]->at, {converted(pointer, m_types.pointerTo(bytes, types::spaceOf(user)))});
    memory->user = user;
    record(into, *call.kids[0], memory);
    LayoutOf layout(m_types);
    layout.add(type, {}, 0, 0, 0);
    into.layout = layout.take();
    return true;
}
} // namespace dscope::sema
