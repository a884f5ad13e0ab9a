#include "engine/types/btf.h"
#include "engine/base/bytes.h"
#include <bit>
#include <cstring>
namespace dscope::types {
namespace {
constexpr std::uint16_t kMagic = 0xeb9f;
constexpr std::size_t kRecord = 12;

/// What follows a record of this kind, in bytes; -1: an unknown kind, whose length cannot be known.
std::int64_t trailing(Btf::Kind kind, std::uint32_t count)
{
    using enum Btf::Kind;
    switch (kind) {
    case Int:
    case Var:
    case DeclTag: return 4;
    case Array: return 12;
    case Struct:
    case Union:
    case DataSec:
    case Enum64: return std::int64_t{12} * count;
    case Enum:
    case FuncProto: return std::int64_t{8} * count;
    case Ptr:
    case Fwd:
    case Typedef:
    case Volatile:
    case Const:
    case Restrict:
    case Func:
    case Float:
    case TypeTag: return 0;
    case Void: break;
    }
    return -1;
}
/// C has one name space for tags and one for the rest. Functions are not among the types: they have one of their own.
constexpr std::string_view kFunction = "function";
std::string_view keywordOf(const Btf::Record& r)
{
    using enum Btf::Kind;
    switch (r.kind) {
    case Struct: return "struct";
    case Union: return "union";
    case Enum:
    case Enum64: return "enum";
    case Func: return kFunction;
    default: return {};
    }
}
bool isFound(Btf::Kind kind)
{
    using enum Btf::Kind;
    return kind == Func || kind == Int || kind == Struct || kind == Union || kind == Enum || kind == Enum64 || kind == Typedef || kind == Float;
}
std::size_t hashOf(std::string_view keyword, std::string_view name)
{
    std::uint64_t h = keyword.empty() ? 0x9e3779b97f4a7c15u : 0xcbf29ce484222325u + static_cast<unsigned char>(keyword[0]);
    for (const char c : name)
        h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return static_cast<std::size_t>(h ^ (h >> 29));
}
} // namespace

Result<Btf> Btf::parse(std::string bytes) { return parse(held(std::move(bytes))); }
Result<Btf> Btf::parse(HeldText bytes)
{
    Btf btf;
    btf.m_held = std::move(bytes);
    btf.m_bytes = *btf.m_held;
    const ByteView view(reinterpret_cast<const std::byte*>(btf.m_bytes.data()), btf.m_bytes.size());
    if (readAt<std::uint16_t>(view, 0) != kMagic) return Error{0, "not BTF: wrong magic"};
    const std::uint64_t header = readAt<std::uint32_t>(view, 4);
    const std::uint64_t types = header + readAt<std::uint32_t>(view, 8), typesEnd = types + readAt<std::uint32_t>(view, 12);
    const std::uint64_t strings = header + readAt<std::uint32_t>(view, 16), stringsEnd = strings + readAt<std::uint32_t>(view, 20);
    if (typesEnd > view.size() || stringsEnd > view.size()) return Error{0, "damaged BTF: sections reach past the end"};
    btf.m_types = types;
    btf.m_strings = strings;
    btf.m_stringsEnd = stringsEnd;
    btf.m_offsets.reserve((typesEnd - types) / 24 + 1);
    btf.m_offsets.push_back(0);
    std::size_t at = types;
    while (at + kRecord <= typesEnd) {
        const auto info = btf.word(at + 4);
        const auto kind = static_cast<Kind>((info >> 24) & 0x1f);
        const auto more = kind > Kind::Enum64 ? -1 : trailing(kind, info & 0xffff);
        if (more < 0) return Error{0, "BTF has a kind of type that this version does not know"};
        if (at + kRecord + static_cast<std::size_t>(more) > typesEnd) return Error{0, "damaged BTF: a type reaches past the end"};
        btf.m_offsets.push_back(static_cast<std::uint32_t>(at));
        at += kRecord + static_cast<std::size_t>(more);
    }
    btf.index();
    return btf;
}

std::uint32_t Btf::word(std::size_t offset) const
{
    std::uint32_t value = 0;
    if (offset + sizeof value <= m_bytes.size()) std::memcpy(&value, m_bytes.data() + offset, sizeof value);
    return value;
}
std::string_view Btf::text(std::uint32_t offset) const
{
    const auto at = m_strings + offset;
    if (at >= m_stringsEnd) return {};
    return {m_bytes.data() + at, ::strnlen(m_bytes.data() + at, m_stringsEnd - at)};
}
Btf::Record Btf::at(std::uint32_t id) const
{
    Record r;
    if (id == 0 || id >= m_offsets.size()) return r;
    const std::size_t offset = m_offsets[id];
    const auto info = word(offset + 4);
    r.kind = static_cast<Kind>((info >> 24) & 0x1f);
    r.flag = (info >> 31) != 0;
    r.count = info & 0xffff;
    r.name = text(word(offset));
    r.sizeOrType = word(offset + 8);
    r.data = offset + kRecord;
    return r;
}

std::vector<Btf::Item> Btf::items(const Record& r) const
{
    std::vector<Item> all(r.count);
    for (std::uint32_t i = 0; i < r.count; ++i) {
        auto& item = all[i];
        switch (r.kind) {
        case Kind::Struct:
        case Kind::Union: {
            const auto at = r.data + 12u * i;
            const auto where = word(at + 8);
            item = {text(word(at)), word(at + 4), r.flag ? where & 0xffffff : where, r.flag ? where >> 24 : 0, 0};
            break;
        }
        case Kind::Enum: {
            const auto raw = word(r.data + 8u * i + 4);
            item.name = text(word(r.data + 8u * i));
            item.value = r.flag ? static_cast<std::int32_t>(raw) : static_cast<std::int64_t>(raw);
            break;
        }
        case Kind::Enum64: {
            const auto at = r.data + 12u * i;
            item.name = text(word(at));
            item.value = static_cast<std::int64_t>(std::uint64_t{word(at + 4)} | std::uint64_t{word(at + 8)} << 32);
            break;
        }
        case Kind::FuncProto: item = {text(word(r.data + 8u * i)), word(r.data + 8u * i + 4), 0, 0, 0}; break;
        default: return {};
        }
    }
    return all;
}

void Btf::index()
{
    m_slots.assign(std::bit_ceil(m_offsets.size() + 1), 0);
    const auto mask = m_slots.size() - 1;
    for (std::uint32_t id = 1; id < count(); ++id) {
        const auto kind = static_cast<Kind>((word(m_offsets[id] + 4) >> 24) & 0x1f);
        if (!isFound(kind)) continue;
        const auto r = at(id);
        if (r.name.empty()) continue;
        auto slot = hashOf(keywordOf(r), r.name) & mask;
        while (m_slots[slot])
            slot = (slot + 1) & mask;
        m_slots[slot] = id;
    }
}
std::uint32_t Btf::findFrom(std::uint32_t first, std::string_view keyword, std::string_view name) const
{
    const auto mask = m_slots.size() - 1;
    for (auto slot = hashOf(keyword, name) & mask; m_slots[slot]; slot = (slot + 1) & mask) {
        if (m_slots[slot] < first) continue;
        const auto r = at(m_slots[slot]);
        if (r.name == name && keywordOf(r) == keyword) return m_slots[slot];
    }
    return 0;
}
std::uint32_t Btf::find(std::string_view keyword, std::string_view name) const { return findFrom(0, keyword, name); }
std::uint32_t Btf::findFunction(std::string_view name, std::uint32_t first) const { return findFrom(first, kFunction, name); }
std::pair<std::uint32_t, std::int64_t> Btf::findEnumerator(std::string_view name) const
{
    for (std::uint32_t id = 1; id < count(); ++id) {
        const auto kind = static_cast<Kind>((word(m_offsets[id] + 4) >> 24) & 0x1f);
        if (kind != Kind::Enum && kind != Kind::Enum64) continue;
        for (const auto& item : items(at(id)))
            if (item.name == name) return {id, item.value};
    }
    return {0, 0};
}
} // namespace dscope::types
