#include "engine/symbols/calling_convention.h"
#include "engine/host/processor.h"
#include <algorithm>
#include <array>
#include <span>
namespace dscope::symbols {
namespace {
using types::Kind;
using types::Member;
using types::Type;
using In = ArgumentPlace::In;
constexpr std::uint64_t kWord = 8, kTwoWords = 16; // bytes
constexpr std::uint64_t kWidest = 64;              // bytes of a struct that may be in registers
constexpr unsigned kMostNested = 64;               // structs in structs: more than any program has

std::uint64_t roundedUp(std::uint64_t size, std::uint64_t to) { return (size + to - 1) / to * to; }
bool isRecord(const Type& t) { return t.kind == Kind::Struct || t.kind == Kind::Union; }
bool isComplex(const Type& t) { return t.kind == Kind::Float && t.name.find("omplex") != std::string::npos; }
/// A vector of 8 or 16 bytes. Compilers differ about others, and by their options.
bool isPlainVector(const Type& t) { return t.isVector && t.count > 1 && (t.size == kWord || t.size == kTwoWords); }

/// A plain value within an argument.
struct Part {
    const Type* type = nullptr; ///< resolved; arrays are vectors here
    std::uint64_t offset = 0;   ///< bytes
    bool isBitField = false;
};
/// What rules ask of types.
class Layout {
public:
    explicit Layout(const MembersOf& members) : m_members(members) { }

    /// Bytes that addresses of it are multiples of. `own`: whether what the program says of the type itself counts, beside its members.
    std::uint64_t alignment(const Type* type, bool own, unsigned depth = kMostNested) const
    {
        std::uint64_t said = 1;
        for (; type->kind == Kind::Typedef && type->target; type = type->target)
            said = std::max(said, own ? type->alignment : 1);
        if (own) said = std::max(said, type->alignment);
        if (type->kind == Kind::Array) return std::max(said, type->isVector ? type->size : alignment(type->target, own, depth));
        if (!isRecord(*type)) return std::max({said, isComplex(*type) ? type->size / 2 : type->size, std::uint64_t{1}});
        const auto* members = depth > 0 ? m_members(type) : nullptr;
        if (!members) return said;
        std::uint64_t natural = 1;
        for (const auto& member : *members)
            natural = std::max({natural, alignment(member.type, true, depth - 1), std::uint64_t{member.alignment}});
        if (type->size % natural != 0) natural = 1; // it is packed
        return std::max(said, natural);
    }

    /// The plain values of a small type; nothing where they are not known.
    std::optional<std::vector<Part>> parts(const Type& type) const
    {
        std::vector<Part> all;
        return add(&type, 0, kMostNested, all) ? std::optional(std::move(all)) : std::nullopt;
    }

private:
    bool add(const Type* type, std::uint64_t offset, unsigned depth, std::vector<Part>& all) const
    {
        type = types::resolved(type);
        if (depth == 0 || offset > kWidest || type->kind == Kind::Void || type->kind == Kind::Function) return false;
        if (type->kind == Kind::Array && !type->isVector) {
            for (std::uint64_t i = 0; i < type->count && type->target->size > 0; ++i)
                if (!add(type->target, offset + i * type->target->size, depth - 1, all)) return false;
            return true;
        }
        if (!isRecord(*type)) {
            if (type->kind == Kind::Array && !isPlainVector(*type)) return false;
            all.push_back({type, offset, false});
            return true;
        }
        const auto* members = m_members(type);
        if (!members) return false;
        for (const auto& member : *members) {
            const auto at = offset + member.bitOffset / 8;
            if (member.bitWidth != 0) { // by the words that its first and its last bit are in
                all.push_back({types::resolved(member.type), at, true});
                all.push_back({types::resolved(member.type), offset + (member.bitOffset + member.bitWidth - 1U) / 8, true});
            } else if (!add(member.type, at, depth - 1, all)) {
                return false;
            }
        }
        return true;
    }

    const MembersOf& m_members;
};

/// The stack behind what calls leave there.
class StackArea {
public:
    ArgumentPlace next(std::uint64_t size, std::uint64_t alignment, bool isAddress = false)
    {
        m_used = roundedUp(m_used, std::max(alignment, kWord));
        const ArgumentPlace place{In::Stack, static_cast<std::uint32_t>(m_used), isAddress};
        m_used += roundedUp(size, kWord);
        return place;
    }

private:
    std::uint64_t m_used = 0;
};

/// What rules make of one argument.
struct Needs {
    enum class As : std::uint8_t { Registers, Stack, Nothing, Unknown } as = As::Unknown;
    unsigned whole = 0, vector = 0; ///< Registers: of either kind
    bool isAddress = false;
    static Needs registers(std::uint64_t whole, std::uint64_t vector)
    {
        return {As::Registers, static_cast<unsigned>(whole), static_cast<unsigned>(vector), false};
    }
    static Needs address() { return {As::Registers, 1, 0, true}; }
    static Needs of(As as) { return {as, 0, 0, false}; }
    ArgumentPlace placeFrom(unsigned first) const
    {
        if (whole + vector > 1) return {In::Several, 0, false};
        return whole == 1 ? ArgumentPlace{In::Register, first, isAddress} : ArgumentPlace{In::Vector, 0, false};
    }
};

/// Source: System V ABI, AMD64 supplement, 3.2.3.
class SystemV {
public:
    explicit SystemV(const MembersOf& members) : m_layout(members) { }

    Needs needsOf(const Type* given) const
    {
        const auto* type = types::resolved(given);
        switch (type->kind) {
        case Kind::Pointer:
        case Kind::Enum: return Needs::registers(1, 0);
        case Kind::Integer:
            if (type->size > kTwoWords) return Needs::of(Needs::As::Stack);
            return Needs::registers(type->size > kWord ? 2 : 1, 0);
        case Kind::Float:
            if (isExtended(*type) || type->size > kTwoWords) return Needs::of(Needs::As::Stack);
            return Needs::registers(0, isComplex(*type) && type->size == kTwoWords ? 2 : 1);
        case Kind::Array: return isPlainVector(*type) ? Needs::registers(0, 1) : Needs();
        case Kind::Struct:
        case Kind::Union: return ofRecord(*type);
        default: return {};
        }
    }

    /// What the result takes away. False: unknown.
    bool begin(const Type* result)
    {
        const auto place = resultPlace(result);
        if (place.isAddress) m_whole = 1;
        return place.in != In::Unknown;
    }

    ArgumentPlace place(const Type* type, const Needs& needs)
    {
        constexpr unsigned kWhole = 6, kVector = 8;
        const bool fits = m_whole + needs.whole <= kWhole && m_vector + needs.vector <= kVector;
        if (needs.as == Needs::As::Registers && fits) {
            const auto first = m_whole;
            m_whole += needs.whole;
            m_vector += needs.vector;
            return needs.placeFrom(first);
        }
        if (needs.isAddress) return m_stack.next(kWord, kWord, true);
        // Clang before 18 leaves half of an __int128 in the last register.
        if (types::resolved(type)->kind == Kind::Integer && needs.whole == 2 && m_whole + 1 == kWhole) return {};
        return m_stack.next(types::resolved(type)->size, m_layout.alignment(type, true));
    }

    /// Where the caller gives the room, its address is in the register of results as well.
    ArgumentPlace resultPlace(const Type* given) const
    {
        const auto* type = types::resolved(given);
        if (type->kind == Kind::Void) return {In::Nowhere, 0, false};
        if (isOfTheFloatingPointUnit(*type)) return {In::Vector, 0, false};
        const auto needs = needsOf(type);
        if (needs.as == Needs::As::Stack || needs.isAddress) return {In::Register, 0, true};
        if (needs.as == Needs::As::Registers) return needs.placeFrom(0);
        return {needs.as == Needs::As::Nothing ? In::Nowhere : In::Unknown, 0, false};
    }

private:
    enum class Class : std::uint8_t { None, Whole, Vector, VectorUp };
    static bool isExtended(const Type& type)
    {
        return type.kind == Kind::Float && type.size == kTwoWords && (type.name == "long double" || type.name == "_Float64x");
    }

    /// A long double is an argument in memory, and a result in a register, also where it is all that a struct has.
    bool isOfTheFloatingPointUnit(const Type& type) const
    {
        const bool isQuadruple = type.name.find("128") != std::string::npos;
        if (type.kind == Kind::Float) return isExtended(type) || (isComplex(type) && type.size > kTwoWords && !isQuadruple);
        if (!isRecord(type) || type.size != kTwoWords || type.passing != types::Passing::ByValue) return false;
        const auto parts = m_layout.parts(type);
        return parts && !parts->empty()
            && std::all_of(parts->begin(), parts->end(), [](const Part& part) { return isExtended(*part.type); });
    }

    Needs ofRecord(const Type& type) const
    {
        if (type.passing == types::Passing::NotTold) return {};
        if (type.passing == types::Passing::ByReference) return Needs::address();
        if (type.size > kWidest) return Needs::of(Needs::As::Stack);
        const auto parts = m_layout.parts(type);
        if (!parts) return {};
        if (parts->empty()) return Needs::of(Needs::As::Nothing);
        return type.size <= kTwoWords ? ofWords(*parts) : Needs::of(Needs::As::Stack);
    }

    /// A struct of one word or two: each is of whole numbers if any part of it is.
    Needs ofWords(const std::vector<Part>& parts) const
    {
        std::array<Class, 2> classes{};
        for (const auto& part : parts) {
            const auto& type = *part.type;
            const bool isVector = !part.isBitField && (type.kind == Kind::Float || type.kind == Kind::Array);
            const bool isAligned = part.isBitField || part.offset % m_layout.alignment(&type, false) == 0;
            if (!isAligned || isExtended(type) || part.offset >= kTwoWords) return Needs::of(Needs::As::Stack);
            auto& own = classes[part.offset / kWord];
            own = isVector && own != Class::Whole ? Class::Vector : Class::Whole;
            if (part.isBitField || part.offset % kWord + type.size <= kWord) continue;
            auto& next = classes[1];
            const auto rest = isComplex(type) ? Class::Vector : Class::VectorUp;
            next = !isVector ? Class::Whole : next == Class::None ? rest : next;
        }
        if (classes[1] == Class::VectorUp && classes[0] != Class::Vector) classes[1] = Class::Vector;
        const auto count = [&](Class c) { return static_cast<std::uint64_t>(std::count(classes.begin(), classes.end(), c)); };
        return Needs::registers(count(Class::Whole), count(Class::Vector));
    }

    Layout m_layout;
    unsigned m_whole = 0, m_vector = 0;
    StackArea m_stack;
};

/// Source: Procedure Call Standard for the Arm 64-bit Architecture, 6.8.2.
class Arm64 {
public:
    explicit Arm64(const MembersOf& members) : m_layout(members) { }

    Needs needsOf(const Type* given) const
    {
        const auto* type = types::resolved(given);
        switch (type->kind) {
        case Kind::Pointer:
        case Kind::Enum: return Needs::registers(1, 0);
        case Kind::Integer:
            if (type->size > kTwoWords) return Needs::address();
            return Needs::registers(type->size > kWord ? 2 : 1, 0);
        case Kind::Float: return Needs::registers(0, isComplex(*type) ? 2 : 1);
        case Kind::Array: return isPlainVector(*type) ? Needs::registers(0, 1) : Needs();
        case Kind::Struct:
        case Kind::Union: return ofRecord(*type);
        default: return {};
        }
    }

    /// The room for a result has a register of its own.
    static bool begin(const Type*) { return true; }

    ArgumentPlace place(const Type* type, const Needs& needs)
    {
        constexpr unsigned kRegisters = 8;
        const auto alignment = needs.isAddress ? kWord : std::min(m_layout.alignment(type, false), kTwoWords);
        auto& used = needs.vector > 0 ? m_vector : m_whole;
        const auto wanted = needs.vector > 0 ? needs.vector : needs.whole;
        if (needs.whole > 0 && alignment == kTwoWords) used += used % 2;
        if (used + wanted <= kRegisters) {
            const auto first = used;
            used += wanted;
            return needs.placeFrom(first);
        }
        used = kRegisters; // once one is on the stack, all of its kind that follow are
        if (needs.isAddress) return m_stack.next(kWord, kWord, true);
        return m_stack.next(types::resolved(type)->size, alignment);
    }

    /// Of a result that the caller gives the room for nothing tells the address when the function returns.
    ArgumentPlace resultPlace(const Type* given) const
    {
        if (types::resolved(given)->kind == Kind::Void) return {In::Nowhere, 0, false};
        const auto needs = needsOf(given);
        if (needs.as == Needs::As::Nothing) return {In::Nowhere, 0, false};
        return needs.as == Needs::As::Registers && !needs.isAddress ? needs.placeFrom(0) : ArgumentPlace{};
    }

private:
    Needs ofRecord(const Type& type) const
    {
        if (type.passing == types::Passing::NotTold) return {};
        if (type.passing == types::Passing::ByReference) return Needs::address();
        if (type.size == 0) return Needs::of(Needs::As::Nothing);
        if (type.size > kWidest) return Needs::address();
        const auto parts = m_layout.parts(type);
        if (!parts) return {};
        if (const auto vectors = equalVectors(type, *parts); vectors > 0) return Needs::registers(0, vectors);
        return type.size > kTwoWords ? Needs::address() : Needs::registers((type.size + kWord - 1) / kWord, 0);
    }

    /// Up to four equal ones that a struct consists of have a register each; 0: it is not such.
    static std::uint64_t equalVectors(const Type& type, const std::vector<Part>& parts)
    {
        constexpr std::uint64_t kMost = 4;
        const auto unitOf = [](const Part& part) -> std::uint64_t {
            if (part.isBitField || (part.type->kind != Kind::Float && part.type->kind != Kind::Array)) return 0;
            return isComplex(*part.type) ? part.type->size / 2 : part.type->size;
        };
        const auto unit = parts.empty() ? 0 : unitOf(parts.front());
        if (unit == 0 || type.size % unit != 0 || type.size / unit > kMost) return 0;
        const bool areEqual = std::all_of(parts.begin(), parts.end(),
            [&](const Part& part) { return unitOf(part) == unit && part.type->kind == parts.front().type->kind; });
        return areEqual ? type.size / unit : 0;
    }

    Layout m_layout;
    unsigned m_whole = 0, m_vector = 0;
    StackArea m_stack;
};

template <typename Rules> std::vector<ArgumentPlace> placesBy(Rules rules, const Type& function)
{
    std::vector<ArgumentPlace> places(function.parameters.size());
    if (function.passing == types::Passing::NotTold || !rules.begin(function.target)) return places;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto needs = rules.needsOf(function.parameters[i]);
        if (needs.as == Needs::As::Unknown) break;
        places[i] = needs.as == Needs::As::Nothing ? ArgumentPlace{In::Nowhere, 0, false} : rules.place(function.parameters[i], needs);
        if (places[i].in == In::Unknown) break;
    }
    return places;
}
} // namespace

CallingConvention nativeConvention() { return host::isX86() ? CallingConvention::SystemVAmd64 : CallingConvention::Aapcs64; }

std::vector<ArgumentPlace> argumentPlaces(const Type& function, const MembersOf& members, CallingConvention convention)
{
    return convention == CallingConvention::SystemVAmd64 ? placesBy(SystemV(members), function) : placesBy(Arm64(members), function);
}

/// Source: System V ABI, AMD64 supplement, 3.6.2; DWARF for the Arm 64-bit Architecture, 4.1.
std::optional<ArgumentPlace> placeInRegister(unsigned dwarf, CallingConvention convention)
{
    const bool isAmd = convention == CallingConvention::SystemVAmd64;
    constexpr std::array<unsigned, 6> kAmd{5, 4, 1, 2, 8, 9};
    constexpr std::array<unsigned, 8> kArm{0, 1, 2, 3, 4, 5, 6, 7};
    const std::span<const unsigned> whole = isAmd ? std::span<const unsigned>(kAmd) : kArm;
    const unsigned vectors = isAmd ? 17 : 64; // the first of 8
    if (dwarf >= vectors && dwarf < vectors + 8) return ArgumentPlace{In::Vector, 0, false};
    const auto at = std::find(whole.begin(), whole.end(), dwarf);
    if (at == whole.end()) return std::nullopt;
    return ArgumentPlace{In::Register, static_cast<std::uint32_t>(at - whole.begin()), false};
}

ArgumentPlace resultPlace(const Type& function, const MembersOf& members, CallingConvention convention)
{
    if (function.passing == types::Passing::NotTold) return {};
    if (convention == CallingConvention::SystemVAmd64) return SystemV(members).resultPlace(function.target);
    return Arm64(members).resultPlace(function.target);
}
} // namespace dscope::symbols
