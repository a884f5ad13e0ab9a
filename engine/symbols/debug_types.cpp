#include "engine/symbols/debug_types.h"
#include "engine/demangle/demangle.h"
#include "engine/symbols/calling_convention.h"
#include "engine/symbols/class_passing.h"
#include "engine/types/type_table.h"
#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
namespace dscope::symbols {
#ifdef DSCOPE_HAS_LIBDW
namespace {
using types::Kind;
using types::Member;
using types::Type;
/// How many parameters a mangled name has; 0: it tells none.
std::size_t parametersByName(const std::string& linkage)
{
    if (!linkage.starts_with("_Z")) return 0;
    const auto whole = demangle::demangled(linkage, demangle::Signature::Kept);
    const auto end = whole.rfind(')');
    if (end == std::string::npos) return 0;
    auto begin = end;
    for (int depth = 1; depth > 0 && begin > 0;) {
        --begin;
        depth += whole[begin] == ')' ? 1 : whole[begin] == '(' ? -1 : 0;
    }
    auto list = std::string_view(whole).substr(begin + 1, end - begin - 1);
    if (list.ends_with("...")) list.remove_suffix(list.ends_with(", ...") ? 5 : 3);
    std::size_t count = list.empty() ? 0 : 1;
    int depth = 0;
    for (const char c : list) {
        depth += std::string_view("(<[{").find(c) != std::string_view::npos ? 1
            : std::string_view(")>]}").find(c) != std::string_view::npos    ? -1
                                                                            : 0;
        if (c == ',' && depth == 0) ++count;
    }
    return count;
}

/// Source: DWARF 5, 5 (types) and 3.3 (functions).
class LibdwTypes final : public types::TypeSource {
public:
    LibdwTypes(std::unique_ptr<DwarfFile> file, types::TypeTable& table)
        : m_file(std::move(file)), m_dw(m_file->library()), m_entries(*m_file), m_passing(m_entries), m_table(table),
          m_units(m_file->units())
    {
    }
    bool hasUnits() const { return !m_units.empty(); }

    const Type* find(std::string_view name) override
    {
        indexUnits();
        if (!m_named.contains(name)) indexNamespaces();
        const auto at = m_named.find(name);
        if (at == m_named.end()) return nullptr;
        auto die = at->second.die;
        return convert(die, kMostTypesNested);
    }

    const std::vector<Member>* members(const Type* t) override
    {
        if (const auto known = m_members.find(t); known != m_members.end()) return &known->second;
        const auto at = m_structs.find(t);
        if (at == m_structs.end()) return nullptr;
        auto list = membersOf(at->second);
        return &(m_members[t] = std::move(list));
    }

    const Type* function(std::uint64_t address) override
    {
        auto die = functionAt(address);
        if (!die) return nullptr;
        const auto language = m_entries.language(*die);
        if (language == Language::Go) return nullptr; // which has rules of its own
        // As clang 19 says it of what it has changed for its only callers.
        const bool isOwn = number(*die, DW_AT_calling_convention).value_or(DW_CC_normal) != DW_CC_normal;
        const auto* type = prototype(*die, kMostTypesNested);
        if (language == Language::Other) type = withoutPassing(*type);
        if (!isOwn && isPassedByRules(*die, *type, address)) return type;
        auto elsewhere = *type;
        elsewhere.passing = types::Passing::NotTold;
        return add(std::move(elsewhere));
    }

    std::vector<std::string> parameterNames(std::uint64_t address) override
    {
        std::vector<std::string> names;
        if (auto die = functionAt(address)) eachParameter(*die, [&](Dwarf_Die& parameter) { names.push_back(nameOf(parameter)); });
        return names;
    }

private:
    std::optional<Dwarf_Die> functionAt(std::uint64_t address)
    {
        for (auto& unit : m_units) {
            if (m_dw.hasPc(&unit.places, address) <= 0) continue;
            m_entries.begin();
            if (auto die = functionIn(unit.tree, address, kMostTypesNested)) return die;
        }
        return std::nullopt;
    }

    template <typename Each> void eachChild(Dwarf_Die& parent, const Each& each) { m_entries.eachChild(parent, each); }
    std::optional<std::uint64_t> number(Dwarf_Die& die, unsigned attribute) const { return m_entries.number(die, attribute); }
    std::string nameOf(Dwarf_Die& die) const { return m_entries.nameOf(die); }
    bool has(Dwarf_Die& die, unsigned attribute) const { return m_entries.has(die, attribute); }

    /// An entry that says that there is a type.
    struct Declared {
        const void* place;
        std::string name, scope;
    };
    /// Whole types by their last names: of equal ones that of a unit's own scope, or else the first of a namespace.
    void indexUnits()
    {
        if (m_indexed != Indexed::Nothing) return;
        m_indexed = Indexed::Units;
        m_entries.begin();
        std::vector<Declared> declared;
        for (auto& unit : m_units)
            eachChild(unit.tree, [&](Dwarf_Die& die) { take(die, {}, declared); });
        resolve(declared);
    }
    /// Those of namespaces are most of what C++ has: looked for when one is asked for.
    void indexNamespaces()
    {
        indexUnits();
        if (m_indexed == Indexed::Namespaces) return;
        m_indexed = Indexed::Namespaces;
        m_entries.begin();
        std::vector<Declared> declared;
        for (auto& unit : m_units)
            eachChild(unit.tree, [&](Dwarf_Die& die) { takeNamespace(die, {}, declared, kMostTypesNested); });
        resolve(declared);
    }
    void resolve(const std::vector<Declared>& declared)
    {
        for (const auto& one : declared)
            if (const auto at = m_named.find(one.name); at != m_named.end() && at->second.scope == one.scope) m_reachable.insert(one.place);
    }
    void takeNamespace(Dwarf_Die& die, const std::string& outer, std::vector<Declared>& declared, unsigned depth)
    {
        if (depth == 0 || m_entries.tag(die) != DW_TAG_namespace) return;
        const auto scope = outer + nameOf(die) + "::";
        eachChild(die, [&](Dwarf_Die& child) {
            takeNamespace(child, scope, declared, depth - 1);
            take(child, scope, declared);
        });
    }
    void take(Dwarf_Die& die, const std::string& scope, std::vector<Declared>& declared)
    {
        const int tag = m_entries.tag(die);
        const auto keyword = DwarfEntries::keywordOf(tag);
        if (keyword.empty() && tag != DW_TAG_typedef && tag != DW_TAG_base_type) return;
        auto name = nameOf(die);
        if (name.empty()) return;
        name.insert(0, keyword);
        if (has(die, DW_AT_declaration)) {
            declared.push_back({die.addr, std::move(name), scope});
            return;
        }
        const auto [at, isNew] = m_named.try_emplace(std::move(name), Named{die, scope});
        if (isNew || at->second.scope == scope) m_reachable.insert(die.addr);
    }
    /// Whether it, or one of the same whole name, is what its last name finds.
    bool isReachable(Dwarf_Die& die)
    {
        indexUnits();
        if (!m_reachable.contains(die.addr)) indexNamespaces();
        return m_reachable.contains(die.addr);
    }

    std::optional<Dwarf_Die> functionIn(Dwarf_Die& parent, std::uint64_t address, unsigned depth)
    {
        std::optional<Dwarf_Die> found;
        if (depth == 0) return found;
        eachChild(parent, [&](Dwarf_Die& die) {
            if (found) return;
            const int tag = m_dw.tag(&die);
            if (tag == DW_TAG_namespace) found = functionIn(die, address, depth - 1);
            if (tag != DW_TAG_subprogram || m_dw.hasPc(&die, address) <= 0) return;
            Dwarf_Addr base = 0, begin = 0, end = 0;
            if (m_dw.ranges(&die, 0, &base, &begin, &end) > 0 && begin == address) found = die;
        });
        return found;
    }

    const Type* typeOf(Dwarf_Die& die, unsigned depth)
    {
        auto target = m_entries.target(die, DW_AT_type);
        return target ? convert(*target, depth) : m_table.voidType();
    }

    const Type* prototype(Dwarf_Die& die, unsigned depth)
    {
        std::vector<const Type*> parameters;
        // A copy of a function that was inlined elsewhere has its parameters' types there.
        eachParameter(die, [&](Dwarf_Die& parameter) { parameters.push_back(typeOf(parameter, depth - 1)); });
        return m_table.function(typeOf(die, depth - 1), std::move(parameters));
    }

    /// Parameters, those of packs too.
    template <typename Each> void eachParameter(Dwarf_Die& function, const Each& each)
    {
        eachChild(function, [&](Dwarf_Die& child) {
            const int tag = m_entries.tag(child);
            if (tag == DW_TAG_formal_parameter) each(child);
            if (tag == DW_TAG_GNU_formal_parameter_pack)
                eachChild(child, [&](Dwarf_Die& one) {
                    if (m_entries.tag(one) == DW_TAG_formal_parameter) each(one);
                });
        });
    }

    /// What a compiler knows of a static function's arguments it leaves out, and moves up what follows: GCC gives the function another
    /// name then, Clang does not. But where they are is told truly. And Clang's -O0 tells nothing of some that are not used: objects
    /// passed by their addresses, where not all arguments fit into registers. A name of C++ tells how many there are, and the place of
    /// what comes on the stack.
    bool isPassedByRules(Dwarf_Die& function, const Type& type, std::uint64_t address)
    {
        using In = DwarfEntries::Held::In;
        const auto places = argumentPlaces(
            type, [this](const Type* t) { return members(t); }, nativeConvention());
        const bool isLocal = !m_entries.hasOrDeclares(function, DW_AT_external);
        const auto toArguments = m_entries.argumentsFromFrame(function, address);
        std::size_t n = 0, own = 0;
        bool isSame = true;
        eachParameter(function, [&](Dwarf_Die& parameter) {
            if (n == places.size()) return;
            const auto& place = places[n++];
            if (!m_entries.hasOrDeclares(parameter, DW_AT_artificial)) ++own;
            const auto held = m_entries.heldAt(parameter, address);
            const auto there = held.in == In::Register ? placeInRegister(held.number, nativeConvention()) : std::nullopt;
            const bool isOnStack = held.in == In::Frame && toArguments && held.offset >= *toArguments;
            if (isOnStack && place.in != ArgumentPlace::In::Unknown && place.in != ArgumentPlace::In::Nowhere)
                isSame = isSame && place.in == ArgumentPlace::In::Stack
                    && place.number == static_cast<std::uint64_t>(held.offset - *toArguments);
            const bool isElsewhere = there && place.in != ArgumentPlace::In::Unknown && !place.isAddress && *there != place;
            const bool isLeftOut = held.in == In::Constant || (held.in == In::Nowhere && isLocal && place.in != ArgumentPlace::In::Nowhere);
            isSame = isSame && !isElsewhere && !isLeftOut;
        });
        return isSame && own >= parametersByName(m_entries.textOf(function, DW_AT_linkage_name));
    }

    /// Other languages than C and C++ pass structs as they please.
    const Type* withoutPassing(const Type& function)
    {
        const auto without = [this](const Type* type) {
            const auto* plain = types::resolved(type);
            if (plain->kind != Kind::Struct && plain->kind != Kind::Union) return type;
            auto copy = *plain;
            copy.passing = types::Passing::NotTold;
            return static_cast<const Type*>(add(std::move(copy)));
        };
        auto parameters = function.parameters;
        for (auto& parameter : parameters)
            parameter = without(parameter);
        return m_table.function(without(function.target), std::move(parameters));
    }

    Type* add(Type type) { return &m_types.emplace_back(std::move(type)); }

    const Type* convert(Dwarf_Die& die, unsigned depth)
    {
        if (depth == 0) return m_table.voidType();
        const auto id = die.addr;
        if (const auto known = m_byPlace.find(id); known != m_byPlace.end()) return known->second;
        const auto* type = converted(die, depth);
        return m_byPlace[id] = type;
    }

    const Type* converted(Dwarf_Die& die, unsigned depth)
    {
        const auto size = number(die, DW_AT_byte_size).value_or(0);
        const int tag = m_dw.tag(&die);
        switch (tag) {
        case DW_TAG_base_type: return base(die, size);
        case DW_TAG_pointer_type:
        case DW_TAG_reference_type:
        case DW_TAG_rvalue_reference_type: return m_table.pointerTo(typeOf(die, depth - 1), types::Space::User);
        case DW_TAG_structure_type:
        case DW_TAG_class_type:
        case DW_TAG_union_type: {
            const auto tagged = std::string(DwarfEntries::keywordOf(tag)) + nameOf(die);
            if (has(die, DW_AT_declaration) && isReachable(die)) { // another unit has it whole
                auto other = m_named.find(tagged)->second.die;
                return convert(other, depth - 1);
            }
            auto* t = add({.kind = tag == DW_TAG_union_type ? Kind::Union : Kind::Struct,
                .name = tagged,
                .size = size,
                .alignment = number(die, DW_AT_alignment).value_or(0),
                .passing = m_passing.of(die),
                .isLocal = !isReachable(die)});
            m_structs[t] = die;
            m_byPlace[die.addr] = t;
            return t;
        }
        case DW_TAG_enumeration_type: return enumeration(die, size);
        case DW_TAG_array_type: return array(die, depth);
        case DW_TAG_subroutine_type: return prototype(die, depth);
        case DW_TAG_typedef: {
            const auto* target = typeOf(die, depth - 1);
            return add({.kind = Kind::Typedef,
                .name = nameOf(die),
                .size = target->size,
                .isSigned = target->isSigned,
                .target = target,
                .alignment = number(die, DW_AT_alignment).value_or(0),
                .isLocal = !isReachable(die)});
        }
        case DW_TAG_const_type:
        case DW_TAG_volatile_type:
        case DW_TAG_restrict_type:
        case DW_TAG_atomic_type: return typeOf(die, depth - 1);
        case DW_TAG_ptr_to_member_type: return pointerToMember(die, depth);
        case DW_TAG_unspecified_type: // C++'s nullptr
            return nameOf(die) == "decltype(nullptr)" ? m_table.pointerTo(m_table.voidType(), types::Space::User) : m_table.voidType();
        default: return m_table.voidType();
        }
    }

    /// Source: Itanium C++ ABI, 2.3: of data its offset; of a function its address and what is added to `this`.
    const Type* pointerToMember(Dwarf_Die& die, unsigned depth)
    {
        const auto* word = m_table.integer(8, types::Sign::Signed);
        if (typeOf(die, depth - 1)->kind != Kind::Function) return word;
        auto* t = add({.kind = Kind::Struct, .name = {}, .size = 16});
        m_members[t] = {{"address", word, 0, 0}, {"added", word, 64, 0}};
        return t;
    }

    const Type* base(Dwarf_Die& die, std::uint64_t size)
    {
        const auto encoding = number(die, DW_AT_encoding).value_or(0);
        const auto name = nameOf(die);
        if (encoding == DW_ATE_float || encoding == DW_ATE_complex_float || encoding == DW_ATE_decimal_float)
            return add({.kind = Kind::Float, .name = name, .size = size, .isSigned = true});
        const bool isSigned = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
        if (size != 1 && size != 2 && size != 4 && size != 8)
            return add({.kind = Kind::Integer, .name = name, .size = size, .isSigned = isSigned});
        if (encoding == DW_ATE_boolean) return m_table.find("_Bool");
        const auto* plain = m_table.integer(size, types::signOf(isSigned));
        return name == plain->name || size != 8 ? plain : add({.kind = Kind::Integer, .name = name, .size = size, .isSigned = isSigned});
    }

    const Type* enumeration(Dwarf_Die& die, std::uint64_t size)
    {
        const auto name = nameOf(die);
        auto* t = add({.kind = Kind::Enum, .name = name.empty() ? name : "enum " + name, .size = size, .isLocal = !isReachable(die)});
        eachChild(die, [&](Dwarf_Die& child) {
            Dwarf_Attribute found;
            Dwarf_Sword value = 0;
            if (m_dw.tag(&child) != DW_TAG_enumerator || !m_dw.attribute(&child, DW_AT_const_value, &found)) return;
            // GCC writes what is not negative in as many bytes as it needs: their first bit is no sign.
            Dwarf_Word whole = 0;
            const bool isPlain = found.form != DW_FORM_sdata && found.form != DW_FORM_implicit_const;
            if (isPlain && m_dw.number(&found, &whole) == 0)
                value = static_cast<Dwarf_Sword>(whole);
            else if (m_dw.signedNumber(&found, &value) != 0)
                return;
            t->isSigned = t->isSigned || value < 0;
            t->enumerators.push_back({nameOf(child), value});
        });
        return t;
    }

    const Type* array(Dwarf_Die& die, unsigned depth)
    {
        std::vector<std::uint64_t> counts;
        eachChild(die, [&](Dwarf_Die& child) {
            if (m_dw.tag(&child) != DW_TAG_subrange_type) return;
            const auto last = number(child, DW_AT_upper_bound);
            counts.push_back(number(child, DW_AT_count).value_or(last ? *last + 1 : 0));
        });
        const auto* t = typeOf(die, depth - 1);
        constexpr std::uint64_t kMost = std::uint64_t{1} << 32; // an array without elements says 2^64 - 1
        if (has(die, DW_AT_GNU_vector) && counts.size() == 1 && counts[0] < kMost)
            return add({.kind = Kind::Array, .name = {}, .size = t->size * counts[0], .target = t, .count = counts[0], .isVector = true});
        for (auto count = counts.rbegin(); count != counts.rend(); ++count)
            t = m_table.arrayOf(t, *count < kMost ? *count : 0);
        return t;
    }

    std::vector<Member> membersOf(Dwarf_Die die)
    {
        std::vector<Member> list;
        const bool isUnion = m_dw.tag(&die) == DW_TAG_union_type;
        eachChild(die, [&](Dwarf_Die& child) {
            const int tag = m_dw.tag(&child);
            if (tag != DW_TAG_member && tag != DW_TAG_inheritance) return;
            const auto bits = number(child, DW_AT_data_bit_offset);
            const auto bytes = number(child, DW_AT_data_member_location);
            if (!bits && !bytes && !isUnion) return; // static, or of a virtual base
            const auto* type = typeOf(child, kMostTypesNested);
            auto offset = bits ? *bits : 8 * bytes.value_or(0);
            const auto width = number(child, DW_AT_bit_size).value_or(0);
            // Until DWARF 3: from the other end of the unit that holds it.
            if (const auto behind = number(child, DW_AT_bit_offset); behind && !bits && width != 0)
                offset += 8 * type->size - *behind - width;
            // What a base class has counts as its own.
            list.push_back({tag == DW_TAG_inheritance ? std::string() : nameOf(child), type, static_cast<std::uint32_t>(offset),
                static_cast<std::uint8_t>(width), static_cast<std::uint32_t>(number(child, DW_AT_alignment).value_or(0))});
        });
        return list;
    }

    std::unique_ptr<DwarfFile> m_file;
    const DwarfLibrary& m_dw;
    DwarfEntries m_entries;
    ClassPassing m_passing;
    types::TypeTable& m_table;
    enum class Indexed : std::uint8_t { Nothing, Units, Namespaces } m_indexed = Indexed::Nothing;
    std::vector<DwarfFile::Unit> m_units;
    struct Named {
        Dwarf_Die die;
        std::string scope; ///< "std::", or nothing
    };
    std::map<std::string, Named, std::less<>> m_named; ///< whole types
    std::unordered_set<const void*> m_reachable;       ///< entries that are, or only declare, what their name finds there
    std::deque<Type> m_types;
    std::unordered_map<const void*, const Type*> m_byPlace; ///< by where the entry is
    std::unordered_map<const Type*, Dwarf_Die> m_structs;   ///< whose members are read when first needed
    std::unordered_map<const Type*, std::vector<Member>> m_members;
};
} // namespace

Result<std::unique_ptr<types::TypeSource>> debugTypes(const ElfFile& program, const DebugPlaces& places, types::TypeTable& table)
{
    const Error none{0, "it has no debug information that tells types: compile it with -g, or install its debug symbols"};
    const auto separate = program.hasLines() ? std::nullopt : debugFileOf(program, places);
    if (!separate && !program.hasLines()) return none; // most programs: the library is not loaded for them
    DSCOPE_TRY(const auto library, DwarfLibrary::load());
    auto file = DwarfFile::open(library, (separate ? *separate : program).descriptor());
    if (!file) return none;
    auto types = std::make_unique<LibdwTypes>(std::move(file), table);
    if (!types->hasUnits()) return none;
    return std::unique_ptr<types::TypeSource>(std::move(types));
}
#else
Result<std::unique_ptr<types::TypeSource>> debugTypes(const ElfFile&, const DebugPlaces&, types::TypeTable&)
{
    return DwarfLibrary::load().error();
}
#endif
} // namespace dscope::symbols
