#include "engine/types/type_table.h"
#include "engine/types/basic_types.h"
#include "engine/types/kernel_types.h"
#include <algorithm>
#include <deque>
#include <map>
#include <unordered_map>
namespace dscope::types {
namespace {
constexpr const char* kKernelBtf = "/sys/kernel/btf/vmlinux";
const std::vector<Member> kNoMembers;
} // namespace

struct TypeTable::Impl {
    const host::Host& host;
    TypeTable& table;
    std::deque<Type> types;                             // never moves its elements
    std::map<std::string, Type*, std::less<>> declared; // by D programs and libraries
    std::map<std::string, const Type*, std::less<>> basic;
    std::map<std::pair<const Type*, Space>, const Type*> pointers;
    std::map<std::pair<const Type*, std::uint64_t>, const Type*> arrays;
    std::map<const Type*, const Type*> inWords;
    std::map<std::pair<const Type*, std::vector<const Type*>>, const Type*> functions;
    std::unordered_map<const Type*, std::vector<Member>> memberLists;
    std::map<std::string, std::pair<std::int64_t, const Type*>, std::less<>> enumerators;
    Type* voidType = nullptr;
    Type* string = nullptr;
    Type* stack = nullptr;
    Type* symbol = nullptr;
    bool kernelTried = false;
    std::string whyNoKernel;
    std::unique_ptr<KernelTypes> kernelTypes;
    TypeSources sources;
    std::map<std::string, std::pair<std::shared_ptr<TypeSource>, std::string>, std::less<>> programs; // and why there are none

    Impl(const host::Host& h, TypeTable& t) : host(h), table(t)
    {
        voidType = add({.kind = Kind::Void, .name = "void"});
        string = add({.kind = Kind::String, .name = "string", .size = 256});
        stack = add({.kind = Kind::Stack, .name = "stack"});
        symbol = add({.kind = Kind::Symbol, .name = "symaddr", .size = 8});
        basic["void"] = voidType;
        basic["string"] = string;
        for (const auto& b : basicTypes())
            basic[std::string(b.name)] = add({.kind = b.kind, .name = std::string(b.name), .size = b.size, .isSigned = b.isSigned});
        const auto alias = [&](std::string_view name, const Type* target) {
            basic[std::string(name)] = add(
                {.kind = Kind::Typedef, .name = std::string(name), .size = target->size, .isSigned = target->isSigned, .target = target});
        };
        for (const auto& d : basicTypedefs())
            alias(d.name, basic.find(d.target)->second);
        alias("bool", basic["_Bool"]);
        alias("caddr_t", pointer(basic["char"], Space::Kernel));
    }

    Type* add(Type type) { return &types.emplace_back(std::move(type)); }

    const Type* pointer(const Type* target, Space space)
    {
        auto& p = pointers[{target, space}];
        if (!p) p = add({.kind = Kind::Pointer, .name = {}, .size = 8, .isUser = space == Space::User, .target = target});
        return p;
    }

    /// Reads and indexes the kernel's BTF the first time; null when it cannot be had.
    KernelTypes* kernel()
    {
        if (kernelTried) return kernelTypes.get();
        kernelTried = true;
        auto bytes = host.kernelTypes();
        if (!bytes) {
            whyNoKernel = bytes.error().message;
            return nullptr;
        }
        auto btf = Btf::parse(*std::move(bytes));
        if (!btf) {
            whyNoKernel = std::string(kKernelBtf) + ": " + btf.error().message;
            return nullptr;
        }
        kernelTypes = std::make_unique<KernelTypes>(table, *std::move(btf));
        return kernelTypes.get();
    }
};

TypeTable::TypeTable(const host::Host& host) : m(std::make_unique<Impl>(host, *this)) { }
TypeTable::~TypeTable() = default;

const Type* TypeTable::voidType() const { return m->voidType; }
const Type* TypeTable::string() const { return m->string; }
const Type* TypeTable::stack() const { return m->stack; }
const Type* TypeTable::symbol() const { return m->symbol; }
void TypeTable::setStringSize(std::uint64_t bytes) { m->string->size = bytes; }
const std::string& TypeTable::whyNoKernelTypes() const { return m->whyNoKernel; }
bool TypeTable::knowsKernel() { return m->kernel() != nullptr; }
std::string TypeTable::kernelTypesNeeded() const { return "this needs the kernel's types (BTF), which are not known: " + m->whyNoKernel; }

const Type* TypeTable::integer(std::uint64_t size, Sign sign) const
{
    static constexpr std::string_view kNames[2][4]
        = {{"unsigned char", "unsigned short", "unsigned int", "unsigned long"}, {"char", "short", "int", "long"}};
    const std::size_t which = size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3;
    DSCOPE_ASSERT(size == std::uint64_t{1} << which);
    return m->basic.find(kNames[sign == Sign::Signed ? 1 : 0][which])->second;
}
const Type* TypeTable::inWord(const Type* narrow) const
{
    const auto* plain = resolved(narrow);
    if (plain->kind != Kind::Integer || plain->size >= 8) return narrow;
    auto& wide = m->inWords[narrow];
    if (!wide) wide = m->add({.kind = Kind::Integer, .name = spelled(narrow), .size = 8, .isSigned = true, .shownAs = plain});
    return wide;
}
const Type* TypeTable::pointerTo(const Type* target, Space space) { return m->pointer(target, space); }
const Type* TypeTable::arrayOf(const Type* element, std::uint64_t count)
{
    auto& a = m->arrays[{element, count}];
    if (!a) a = m->add({.kind = Kind::Array, .name = {}, .size = element->size * count, .target = element, .count = count});
    return a;
}
const Type* TypeTable::function(const Type* result, std::vector<const Type*> parameters)
{
    auto& f = m->functions[{result, parameters}];
    if (!f) f = m->add({.kind = Kind::Function, .name = {}, .target = result, .parameters = std::move(parameters)});
    return f;
}

const Type* TypeTable::find(std::string_view name)
{
    if (const auto it = m->declared.find(name); it != m->declared.end()) return it->second;
    if (const auto it = m->basic.find(name); it != m->basic.end()) return it->second;
    if (const auto specifiers = canonicalSpecifiers(name); !specifiers.empty()) return m->basic.find(specifiers)->second;
    auto* kernel = m->kernel();
    return kernel ? kernel->find(name) : nullptr;
}
const Type* TypeTable::kernelFunction(std::string_view name)
{
    auto* kernel = m->kernel();
    return kernel ? kernel->function(name) : nullptr;
}

void TypeTable::setSources(TypeSources sources) { m->sources = std::move(sources); }
TypeSource* TypeTable::sourceOf(std::string_view program, std::string& why)
{
    auto at = m->programs.find(program);
    if (at == m->programs.end()) {
        at = m->programs.try_emplace(std::string(program)).first;
        auto& [source, reason] = at->second;
        if (m->sources) source = m->sources(*this, program, reason);
    }
    why = at->second.second;
    return at->second.first.get();
}

const Type* TypeTable::define(Type type, std::vector<Member> members)
{
    Type* t = nullptr;
    if (const auto it = m->declared.find(type.name);
        !type.name.empty() && it != m->declared.end() && it->second->kind == type.kind && it->second->size == 0) {
        t = it->second; // completes a forward declaration: pointers to it stay good
        *t = std::move(type);
    } else {
        t = m->add(std::move(type));
        if (!t->name.empty()) m->declared[t->name] = t;
    }
    if (t->kind == Kind::Struct || t->kind == Kind::Union) m->memberLists[t] = std::move(members);
    for (const auto& e : t->enumerators)
        m->enumerators[e.name] = {e.value, t};
    return t;
}

const std::vector<Member>& TypeTable::members(const Type* structOrUnion)
{
    const auto* t = resolved(structOrUnion);
    if (const auto it = m->memberLists.find(t); it != m->memberLists.end()) return it->second;
    if (m->kernelTypes)
        if (const auto* list = m->kernelTypes->members(t)) return *list;
    for (const auto& [name, program] : m->programs)
        if (program.first)
            if (const auto* list = program.first->members(t)) return *list;
    return kNoMembers;
}
std::optional<TypeTable::Field> TypeTable::member(const Type* structOrUnion, std::string_view name)
{
    const auto& all = members(structOrUnion);
    for (const auto& each : all)
        if (each.name == name) return Field{each.type, each.bitOffset, each.bitWidth};
    for (const auto& each : all)
        if (each.name.empty())
            if (auto inner = member(each.type, name)) {
                inner->bitOffset += each.bitOffset;
                return inner;
            }
    return std::nullopt;
}

std::uint64_t TypeTable::alignment(const Type* type)
{
    const auto* t = resolved(type);
    switch (t->kind) {
    case Kind::Integer:
    case Kind::Float:
    case Kind::Enum:
    case Kind::Pointer:
    case Kind::Symbol: return std::max<std::uint64_t>(t->size, 1);
    case Kind::Array: return alignment(t->target);
    case Kind::Struct:
    case Kind::Union: {
        std::uint64_t most = 1;
        for (const auto& each : members(t))
            most = std::max(most, alignment(each.type));
        return most;
    }
    default: return 1;
    }
}

std::optional<std::pair<std::int64_t, const Type*>> TypeTable::enumerator(std::string_view name)
{
    if (const auto it = m->enumerators.find(name); it != m->enumerators.end()) return it->second;
    auto* kernel = m->kernel();
    return kernel ? kernel->enumerator(name) : std::nullopt;
}

Result<std::uint32_t> TypeTable::offsetOf(std::string_view structName, std::string_view path)
{
    const auto* t = find(structName);
    if (!t && !structName.starts_with("struct ")) t = find("struct " + std::string(structName));
    if (!t) return Error{0, std::string(structName) + " is no known type" + (m->whyNoKernel.empty() ? "" : " (" + m->whyNoKernel + ")")};
    std::uint32_t bits = 0;
    while (!path.empty()) {
        const auto dot = path.find('.');
        const auto part = path.substr(0, dot);
        const auto field = member(t, part);
        if (!field) return Error{0, spelled(t) + " has no member " + std::string(part)};
        bits += field->bitOffset;
        t = field->type;
        path.remove_prefix(dot == std::string_view::npos ? path.size() : dot + 1);
    }
    return bits / 8;
}
} // namespace dscope::types
