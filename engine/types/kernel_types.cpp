#include "engine/types/kernel_types.h"
#include "engine/types/basic_types.h"
namespace dscope::types {
const Type* KernelTypes::find(std::string_view name)
{
    std::string_view keyword;
    for (const std::string_view k : {"struct", "union", "enum"})
        if (name.size() > k.size() && name.starts_with(k) && name[k.size()] == ' ') {
            keyword = k;
            name.remove_prefix(k.size() + 1);
            break;
        }
    const auto id = m_btf.find(keyword, name);
    return id ? convert(id) : nullptr;
}
const Type* KernelTypes::function(std::string_view name)
{
    const auto id = m_btf.findFunction(name);
    return id ? convert(m_btf.at(id).sizeOrType) : nullptr;
}
std::optional<std::pair<std::int64_t, const Type*>> KernelTypes::enumerator(std::string_view name)
{
    const auto [id, value] = m_btf.findEnumerator(name);
    if (!id) return std::nullopt;
    return std::pair{value, convert(id)};
}

const std::vector<Member>* KernelTypes::members(const Type* t)
{
    if (const auto known = m_members.find(t); known != m_members.end()) return &known->second;
    const auto it = m_structs.find(t);
    if (it == m_structs.end()) return nullptr;
    std::vector<Member> list;
    for (const auto& item : m_btf.items(m_btf.at(it->second)))
        list.push_back({std::string(item.name), convert(item.type), item.bitOffset, static_cast<std::uint8_t>(item.bitWidth)});
    return &(m_members[t] = std::move(list));
}

Type* KernelTypes::add(std::uint32_t id, Type type)
{
    auto& t = m_types.emplace_back(std::move(type));
    m_byId[id] = &t;
    return &t;
}
const Type* KernelTypes::convert(std::uint32_t id)
{
    if (id == 0) return m_table.voidType();
    if (const auto it = m_byId.find(id); it != m_byId.end()) return it->second;
    const auto* t = converted(id, m_btf.at(id));
    m_byId[id] = t;
    return t;
}

const Type* KernelTypes::converted(std::uint32_t id, const Btf::Record& r)
{
    using enum Btf::Kind;
    const auto named
        = [&](std::string_view keyword) { return r.name.empty() ? std::string() : std::string(keyword) + " " + std::string(r.name); };
    switch (r.kind) {
    case Int: {
        if (const auto basic = canonicalSpecifiers(r.name); !basic.empty()) return m_table.find(basic);
        if (r.name == "_Bool") return m_table.find("_Bool");
        const bool isSigned = ((m_btf.word(r.data) >> 24) & 1) != 0;
        return add(id, {.kind = Kind::Integer, .name = std::string(r.name), .size = r.sizeOrType, .isSigned = isSigned});
    }
    case Float: return add(id, {.kind = Kind::Float, .name = std::string(r.name), .size = r.sizeOrType, .isSigned = true});
    case Ptr: {
        const auto target = m_btf.at(r.sizeOrType);
        // Recursive types pass through a struct, whose members are read later: this recursion ends.
        return m_table.pointerTo(convert(r.sizeOrType), spaceOf(target.kind == TypeTag && target.name == "user"));
    }
    case Array: return m_table.arrayOf(convert(m_btf.word(r.data)), m_btf.word(r.data + 8));
    case Struct:
    case Union: {
        auto* t = add(id,
            {.kind = r.kind == Struct ? Kind::Struct : Kind::Union,
                .name = named(r.kind == Struct ? "struct" : "union"),
                .size = r.sizeOrType});
        m_structs[t] = id;
        return t;
    }
    case Enum:
    case Enum64: {
        auto* t = add(id, {.kind = Kind::Enum, .name = named("enum"), .size = r.sizeOrType, .isSigned = r.flag});
        for (const auto& item : m_btf.items(r))
            t->enumerators.push_back({std::string(item.name), item.value});
        return t;
    }
    case Fwd: {
        const std::string_view keyword = r.flag ? "union" : "struct";
        if (const auto whole = m_btf.find(keyword, r.name)) return convert(whole);
        return add(id, {.kind = r.flag ? Kind::Union : Kind::Struct, .name = named(keyword)});
    }
    case Typedef: {
        const auto* target = convert(r.sizeOrType);
        return add(
            id, {.kind = Kind::Typedef, .name = std::string(r.name), .size = target->size, .isSigned = target->isSigned, .target = target});
    }
    case Volatile:
    case Const:
    case Restrict:
    case TypeTag: return convert(r.sizeOrType);
    case FuncProto: {
        std::vector<const Type*> parameters;
        for (const auto& item : m_btf.items(r))
            if (item.type) parameters.push_back(convert(item.type)); // type 0 stands for "..."
        return m_table.function(convert(r.sizeOrType), std::move(parameters));
    }
    case Func:
    case Var: return convert(r.sizeOrType);
    case Void:
    case DataSec:
    case DeclTag: break;
    }
    return m_table.voidType();
}
} // namespace dscope::types
