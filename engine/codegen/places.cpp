#include "engine/codegen/subroutine.h"
#include "engine/codegen/unit.h"
#include <algorithm>
/// How much room values take, and where variables are kept.
namespace dscope::codegen {
using types::Kind;
Shape shapeOf(const types::Type* type)
{
    const auto* t = type ? types::resolved(type) : nullptr;
    if (!t) return {};
    switch (t->kind) {
    case Kind::Integer: return {Shape::Kind::Integer, t->size ? t->size : 8, t->isSigned};
    case Kind::Enum:
        return {Shape::Kind::Integer, t->size ? t->size : 4, t->isSigned || t->size == 0 || t->size >= 4}; // an int, if as wide
    case Kind::Float:
    case Kind::Array:
    case Kind::Struct:
    case Kind::Union: return {Shape::Kind::Bytes, t->size, false};
    case Kind::String: return {Shape::Kind::String, 0, false};
    case Kind::Stack: return {Shape::Kind::Stack, 0, false};
    case Kind::Symbol: return {Shape::Kind::Symbol, 8, false};
    case Kind::Void:
    case Kind::Pointer:
    case Kind::Typedef:
    case Kind::Function: return {};
    }
    return {};
}

std::uint32_t Unit::storage(const types::Type* type) const
{
    const auto shape = shapeOf(type);
    switch (shape.kind) {
    case Shape::Kind::Integer:
    case Shape::Kind::Symbol: return 8;
    case Shape::Kind::String: return stringSize();
    case Shape::Kind::Stack: return 8;
    case Shape::Kind::Bytes: return std::max(8u, roundUp8(shape.size));
    }
    return 8;
}

std::uint32_t Unit::capacity(const sema::Expr& e) const
{
    using sema::ExprKind;
    switch (e.kind) {
    case ExprKind::String: return std::min(literalSize(std::string_view(e.text).substr(0, e.text.find('\0'))), stringSize());
    case ExprKind::Builtin: {
        if (e.builtin == sema::Builtin::Execname) return 16;
        const auto part = e.builtin == sema::Builtin::ProbeProv ? &probe::Name::provider
            : e.builtin == sema::Builtin::ProbeMod              ? &probe::Name::module
            : e.builtin == sema::Builtin::ProbeFunc             ? &probe::Name::function
            : e.builtin == sema::Builtin::ProbeName             ? &probe::Name::name
                                                                : nullptr;
        if (!part) return stringSize();
        // Probes that are added while the program runs may have longer names: the text has room for them.
        std::size_t most = program.mayGrow ? 127 : 0;
        for (const auto& p : program.probes)
            most = std::max(most, (p.name.*part).size());
        return std::min(roundUp8(most + 1), stringSize());
    }
    case ExprKind::Conditional: return std::max(capacity(*e.kids[1]), capacity(*e.kids[2]));
    case ExprKind::Assign: return stringSize();
    case ExprKind::Comma: return capacity(*e.kids.back());
    case ExprKind::Cast: return shapeOf(e.kids[0]->type).kind == Shape::Kind::String ? capacity(*e.kids[0]) : stringSize();
    case ExprKind::StringFrom: {
        const auto* t = e.kids[0]->type ? types::resolved(e.kids[0]->type) : nullptr;
        if (t && t->kind == Kind::String) return capacity(*e.kids[0]);
        if (t && t->kind == Kind::Array && t->count > 0) return std::min(roundUp8(t->count + 1), stringSize());
        return stringSize();
    }
    case ExprKind::Call: return std::min(subroutineAt(e.subroutine).capacityOf(*this, e.kids), stringSize());
    default: return stringSize();
    }
}

void Unit::placeVariables()
{
    std::uint32_t globals = 0, self = 0, ofProviders = 0;
    // What a provider's expressions keep in a firing: the rounds of a hook go on from it. Programs have no such names.
    const auto isProviders = [](const sema::Variable& v) { return v.name.starts_with("dscope_"); };
    for (const auto& v : program.variables) {
        Home home;
        home.size = storage(v.type) + (shapeOf(v.type).kind == Shape::Kind::String ? 8 : 0); // and whether it is NULL
        const auto shape = shapeOf(v.type);
        const auto* plain = v.type ? types::resolved(v.type) : nullptr;
        enum class Packing : std::uint8_t { Packed, Words };
        auto place = [&](std::uint32_t& top, Packing packing) {
            // Integers and arrays stand where C would put them, all else at a multiple of 8.
            std::uint64_t alignment = 8;
            if (packing == Packing::Packed && shape.kind == Shape::Kind::Integer) {
                home.width = static_cast<std::uint32_t>(shape.size);
                home.isSigned = shape.isSigned;
                alignment = home.width;
            } else if (packing == Packing::Packed && plain && plain->kind == Kind::Array)
                alignment = program.types->alignment(plain);
            const auto boundary = static_cast<std::uint32_t>(std::max<std::uint64_t>(alignment, 1));
            home.offset = (top + boundary - 1) / boundary * boundary;
            top = home.offset + (home.width < 8 ? home.width : home.size);
        };
        if (v.isArray()) {
            home.kind = Home::Kind::Array;
            home.perThread = v.scope != ast::Scope::Global;
            home.keySize = home.perThread ? 16 : 0;
            for (const auto* t : v.tuple)
                home.keySize += storage(t);
            const auto room = program.options.number("dynvarsize");
            const auto entries = (room ? room : 1 << 20) / (home.keySize + home.size);
            object.fits = object.fits && entries > 0;
            home.map = add({.name = "v_" + v.name,
                .kind = MapKind::Hash,
                .keySize = home.keySize,
                .valueSize = home.size,
                .maxEntries = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(entries, 1, 1 << 20))});
        } else if (v.scope == ast::Scope::Global) {
            home.kind = Home::Kind::Global;
            place(globals, Packing::Packed);
        } else if (v.scope == ast::Scope::This) {
            home.kind = Home::Kind::This;
            place(isProviders(v) ? ofProviders : m_programsThisSize, Packing::Packed);
        } else {
            home.kind = Home::Kind::Self;
            place(self, Packing::Words);
        }
        DSCOPE_ASSERT(v.id.value == m_homes.size());
        m_homes.push_back(home);
        object.variableOffsets.push_back(home.offset);
    }

    m_programsThisSize = roundUp8(m_programsThisSize);
    m_thisSize = m_programsThisSize + roundUp8(ofProviders);
    for (const auto& v : program.variables)
        if (auto& home = m_homes[v.id.value]; home.kind == Home::Kind::This && isProviders(v)) {
            home.offset += m_programsThisSize;
            object.variableOffsets[v.id.value] = home.offset;
        }
    globals = roundUp8(globals);
    if (globals) m_globals = add({.name = "globals", .kind = MapKind::Array, .keySize = 4, .valueSize = globals, .maxEntries = 1});
    m_selfSize = self;
    if (self) m_self = add({.name = "self", .kind = MapKind::TaskStorage, .keySize = 4, .valueSize = self, .maxEntries = 0});
    for (auto& home : m_homes) {
        if (home.kind == Home::Kind::Global) home.map = m_globals;
        if (home.kind == Home::Kind::Self) home.map = m_self;
    }
}

void Unit::requireRoom() const
{
    // Source: include/linux/bpf_local_storage.h, BPF_LOCAL_STORAGE_MAX_VALUE_SIZE: 65535 without the element's own words.
    constexpr std::uint32_t kMostOfThread = 65376;
    if (m_selfSize <= kMostOfThread) return;
    const auto isText = [](const sema::Variable& v) {
        return v.scope == ast::Scope::Self && !v.isArray() && shapeOf(v.type).kind == Shape::Kind::String;
    };
    const auto texts = static_cast<std::uint32_t>(std::count_if(program.variables.begin(), program.variables.end(), isText));
    const auto most = std::to_string(kMostOfThread);
    TooLarge limit{{},
        "the thread-local (self->) variables take " + std::to_string(m_selfSize) + " bytes, and the kernel keeps " + most
            + " for a thread"};
    const auto others = m_selfSize - texts * (stringSize() + 8);
    if (texts && others + texts * 16 < kMostOfThread) {
        const auto size = ((kMostOfThread - others) / texts - 8) / 8 * 8 - 1; // and a NUL
        limit.wayOut = "-x strsize=" + std::to_string(size) + " is the largest that leaves room for "
            + (texts == 1 ? "the string among them" : "the " + std::to_string(texts) + " strings among them");
    }
    throw limit;
}
} // namespace dscope::codegen
