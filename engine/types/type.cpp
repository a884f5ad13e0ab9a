#include "engine/types/type.h"
namespace dscope::types {
const Type* shown(const Type* t)
{
    t = resolved(t);
    return t->shownAs ? t->shownAs : t;
}
const Type* resolved(const Type* t)
{
    while (t && t->kind == Kind::Typedef)
        t = t->target;
    return t;
}

namespace {
/// C declarators wrap around what they declare: `inner` is the part already spelled, between base and suffix.
std::string declared(const Type* t, std::string inner)
{
    const auto spaced = [&](const std::string& base) { return inner.empty() ? base : base + " " + inner; };
    if (!t) return spaced("void");
    // The parser gives names to structs that have none, which are nobody's to read.
    if (const auto own = t->name.find(" __anonymous_"); own != std::string::npos) return spaced(t->name.substr(0, own + 1));
    if (!t->name.empty()) return spaced(t->name);
    switch (t->kind) {
    case Kind::Pointer: {
        const bool wraps = t->target && t->target->name.empty() && (t->target->kind == Kind::Array || t->target->kind == Kind::Function);
        return declared(t->target, wraps ? "(*" + inner + ")" : "*" + inner);
    }
    case Kind::Array: return declared(t->target, inner + "[" + (t->count ? std::to_string(t->count) : std::string()) + "]");
    case Kind::Function: {
        std::string list;
        for (const auto* p : t->parameters)
            list += (list.empty() ? "" : ", ") + spelled(p);
        return declared(t->target, inner + "(" + (list.empty() ? "void" : list) + ")");
    }
    case Kind::Struct: return spaced("struct {...}");
    case Kind::Union: return spaced("union {...}");
    case Kind::Enum: return spaced("enum {...}");
    default: return spaced("void");
    }
}
} // namespace

std::string spelled(const Type* t)
{
    const bool user = t && t->kind == Kind::Pointer && t->isUser;
    return (user ? "userland " : "") + declared(t, {});
}
} // namespace dscope::types
