#include "engine/types/prototype.h"
#include "engine/base/bytes.h"
#include <cstring>
namespace dscope::types {
namespace {
constexpr std::size_t kHeader = 24, kRegisters = 6;
Btf::Record unqualified(const Btf& btf, std::uint32_t& type)
{
    auto record = btf.at(type);
    while (type
        && (record.kind == Btf::Kind::Const || record.kind == Btf::Kind::Volatile || record.kind == Btf::Kind::Restrict
            || record.kind == Btf::Kind::TypeTag)) {
        type = record.sizeOrType;
        record = btf.at(type);
    }
    return record;
}
/// C declarators wrap around what they declare: `inner` is what is spelled already. Empty: a type that C cannot name.
std::string declared(const Btf& btf, std::uint32_t type, const std::string& inner, int depth)
{
    using enum Btf::Kind;
    const auto record = unqualified(btf, type);
    const auto spaced = [&](const std::string& base) { return inner.empty() ? base : base + " " + inner; };
    const auto tagged = [&](const char* keyword) {
        return record.name.empty() ? std::string() : spaced(std::string(keyword) + std::string(record.name));
    };

    if (type == 0) return spaced("void");
    if (depth > 16) return {};
    switch (record.kind) {
    case Ptr: {
        auto target = record.sizeOrType;
        const auto kind = unqualified(btf, target).kind;
        const bool wraps = target && (kind == Array || kind == FuncProto);
        return declared(btf, target, wraps ? "(*" + inner + ")" : "*" + inner, depth + 1);
    }
    case Array: return declared(btf, btf.word(record.data), inner + "[" + std::to_string(btf.word(record.data + 8)) + "]", depth + 1);
    case FuncProto: {
        std::string list;
        for (const auto& p : btf.items(record)) {
            if (!p.type) continue; // "..."
            const auto one = declared(btf, p.type, {}, depth + 1);
            if (one.empty()) return {};
            list += (list.empty() ? "" : ", ") + one;
        }
        return declared(btf, record.sizeOrType, inner + "(" + (list.empty() ? "void" : list) + ")", depth + 1);
    }
    case Int:
    case Float:
    case Typedef: return tagged("");
    case Struct: return tagged("struct ");
    case Union: return tagged("union ");
    case Enum:
    case Enum64: return tagged("enum ");
    case Fwd: return tagged(record.flag ? "union " : "struct ");
    default: return {};
    }
}
bool isPlain(const Btf& btf, std::uint32_t type)
{
    auto record = unqualified(btf, type);
    while (record.kind == Btf::Kind::Typedef) {
        type = record.sizeOrType;
        record = unqualified(btf, type);
    }
    return record.kind == Btf::Kind::Ptr || ((record.kind == Btf::Kind::Int || record.kind == Btf::Kind::Enum) && record.sizeOrType <= 8);
}
template <typename T> void put(std::string& bytes, std::size_t at, T value) { std::memcpy(bytes.data() + at, &value, sizeof value); }
} // namespace

std::string spelled(const Btf& btf, std::uint32_t type)
{
    if (auto text = declared(btf, type, {}, 0); !text.empty()) return text;
    const auto record = unqualified(btf, type);
    return record.kind == Btf::Kind::Ptr ? "void *" : "uint64_t";
}

std::optional<Prototype> prototypeOf(const Btf& btf, std::string_view name, std::uint32_t from)
{
    const auto id = btf.findFunction(name, from);
    if (!id) return std::nullopt;
    const auto function = btf.at(btf.at(id).sizeOrType);
    if (function.kind != Btf::Kind::FuncProto) return std::nullopt;
    Prototype out;
    out.id = id;
    for (const auto& p : btf.items(function)) {
        if (!p.type) {
            out.variadic = true;
            break;
        }
        out.parameters.push_back(spelled(btf, p.type));
        out.names.emplace_back(p.name);
        out.plain = out.plain && isPlain(btf, p.type);
    }
    auto result = function.sizeOrType;
    out.result = result == 0 ? "void" : spelled(btf, result);
    out.plain = out.plain && !out.variadic && out.parameters.size() <= kRegisters && (result == 0 || isPlain(btf, result));
    return out;
}

Result<Btf> withModule(std::string_view kernel, const std::string& module)
{
    struct Parts {
        std::string_view types, strings;
    };
    const auto split = [](std::string_view bytes) -> Result<Parts> {
        if (bytes.size() < kHeader) return Error{0, "not BTF: too short"};
        const ByteView view(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size());
        const std::uint64_t header = readAt<std::uint32_t>(view, 4);
        const auto part = [&](std::size_t at) -> std::string_view {
            const std::uint64_t begin = header + readAt<std::uint32_t>(view, at), size = readAt<std::uint32_t>(view, at + 4);
            return begin + size <= bytes.size() ? bytes.substr(begin, size) : std::string_view();
        };
        return Parts{part(8), part(16)};
    };

    DSCOPE_TRY(const auto base, split(kernel));
    DSCOPE_TRY(const auto more, split(module));
    std::string whole(kernel, 0, kHeader);
    whole.append(base.types).append(more.types).append(base.strings).append(more.strings);
    const auto types = static_cast<std::uint32_t>(base.types.size() + more.types.size());
    put(whole, 4, static_cast<std::uint32_t>(kHeader));
    put(whole, 8, std::uint32_t{0});
    put(whole, 12, types);
    put(whole, 16, types);
    put(whole, 20, static_cast<std::uint32_t>(base.strings.size() + more.strings.size()));
    return Btf::parse(std::move(whole));
}
const Btf* ModuleTypes::of(const host::Host& host, const std::string& module)
{
    auto [at, isNew] = m_all.try_emplace(module);
    if (isNew) {
        const auto base = host.kernelTypes();
        const auto own = host.read("/sys/kernel/btf/" + module);
        if (base && own)
            if (auto both = withModule(**base, *own)) at->second = *std::move(both);
    }
    return at->second ? &*at->second : nullptr;
}
} // namespace dscope::types
