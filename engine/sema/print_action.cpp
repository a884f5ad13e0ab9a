#include "engine/sema/analyser.h"
/// print(): describes a type for the printer.
namespace dscope::sema {
namespace {
using types::Kind;
constexpr std::uint64_t kMostBytes = 8192; ///< of an object that are recorded
constexpr std::size_t kMostParts = 4096;

/// Writes a type as engine/format/layout.h tells it.
class Layout {
public:
    explicit Layout(types::TypeTable& types) : m_types(types) { }
    void add(const Type* type, const std::string& name, std::uint64_t bitOffset, std::uint64_t bits, unsigned depth)
    {
        if (++m_parts > kMostParts) return;
        const auto* t = types::resolved(type);
        // The parser gives names to unnamed types.
        const bool unnamed = type->name.empty() || type->name.find(" __anonymous_") != std::string::npos;
        const auto spelled = unnamed && t->kind == Kind::Struct ? std::string("struct")
            : unnamed && t->kind == Kind::Union                 ? std::string("union")
            : unnamed && t->kind == Kind::Enum                  ? std::string("enum")
                                                                : types::spelled(type);
        m_text += std::to_string(depth) + ' ' + kindOf(*t) + ' ' + std::to_string(bitOffset) + ' '
            + std::to_string(bits ? bits : 8 * t->size) + ' ' + std::to_string(t->count) + '\t' + name + '\t' + spelled;
        if (t->kind == Kind::Enum)
            for (const auto& tag : t->enumerators)
                m_text += '\t' + tag.name + '=' + std::to_string(tag.value);
        m_text += '\n';
        if (t->kind == Kind::Array && t->count) add(t->target, {}, bitOffset, 0, depth + 1);
        if (t->kind == Kind::Struct || t->kind == Kind::Union)
            for (const auto& member : m_types.members(t))
                if (bitOffset + member.bitOffset < 8 * kMostBytes)
                    add(member.type, member.name, bitOffset + member.bitOffset, member.bitWidth, depth + 1);
    }
    std::string text() { return std::move(m_text); }

private:
    static char kindOf(const Type& t)
    {
        switch (t.kind) {
        case Kind::Struct:
        case Kind::Union: return 's';
        case Kind::Array: return 'a';
        case Kind::Pointer: return 'p';
        case Kind::Enum: return 'e';
        case Kind::Integer: return t.name == "char" ? 'c' : t.isSigned ? 'i' : 'u';
        default: return 'x';
        }
    }
    types::TypeTable& m_types;
    std::string m_text;
    std::size_t m_parts = 0;
};
} // namespace

bool Analyser::printAction(const ast::Expr& call, Statement& into)
{
    const auto v = expression(*call.kids[0]);
    if (!v) return false;
    if (v.translator || !rules::isPointer(v.expr->type)) {
        error("D_PROTO_ARG", call.at,
            "print( ) argument #1 is incompatible with prototype:\n\tprototype: void *\n\t argument: ", typeName(v));
        return false;
    }
    const auto* type = rules::targetOf(v.expr->type);
    const auto size = types::resolved(type)->size;
    if (size == 0) {
        error("D_PRINT_SIZE", call.at, "print( ) argument #1 reference has type '", types::spelled(type),
            "' with size 0; cannot print( ) it.");
        return false;
    }
    const bool user = rules::isUserPointer(v.expr->type);
    const auto pointer = types::resolved(v.expr->type)->kind == types::Kind::Array ? decayed(v) : v.expr;
    record(into, *call.kids[0], converted(pointer, named("uintptr_t")));
    const auto* bytes = m_types.arrayOf(named("unsigned char"), std::min(size, kMostBytes));
    auto memory = make(ExprKind::Dereference, bytes, call.kids[0]->at, {converted(pointer, m_types.pointerTo(bytes, user))});
    memory->user = user;
    record(into, *call.kids[0], memory);
    Layout layout(m_types);
    layout.add(type, {}, 0, 0, 0);
    into.format = layout.text();
    return true;
}
} // namespace dscope::sema
