#include "engine/symbols/debug_types.h"
#include "engine/symbols/dwarf_file.h"
#include "engine/types/type_table.h"
#include <algorithm>
#include <deque>
#include <map>
#include <unordered_map>
namespace dscope::symbols {
#ifdef DSCOPE_HAS_LIBDW
namespace {
using types::Kind;
using types::Member;
using types::Type;
constexpr unsigned kMostTypesNested = 64; // types made of types: more than any program has

/// Source: DWARF 5, 5 (types) and 3.3 (functions).
class LibdwTypes final : public types::TypeSource {
public:
    LibdwTypes(std::unique_ptr<DwarfFile> file, types::TypeTable& table)
        : m_file(std::move(file)), m_dw(m_file->library()), m_table(table), m_units(m_file->units())
    {
    }
    bool hasUnits() const { return !m_units.empty(); }

    const Type* find(std::string_view name) override
    {
        if (!m_isIndexed) index();
        const auto at = m_named.find(name);
        if (at == m_named.end()) return nullptr;
        auto die = at->second;
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
        for (auto& unit : m_units) {
            if (m_dw.hasPc(&unit.places, address) <= 0) continue;
            m_seen = 0;
            if (auto die = functionIn(unit.tree, address, kMostTypesNested)) return prototype(*die, kMostTypesNested);
        }
        return nullptr;
    }

private:
    template <typename Each> void eachChild(Dwarf_Die& parent, const Each& each)
    {
        Dwarf_Die die;
        if (m_dw.child(&parent, &die) != 0) return;
        do {
            if (++m_seen > m_file->size()) return;
            each(die);
        } while (m_dw.siblingOf(&die, &die) == 0);
    }

    std::optional<std::uint64_t> number(Dwarf_Die& die, unsigned attribute)
    {
        Dwarf_Attribute found;
        Dwarf_Word value = 0;
        if (!m_dw.attributeIntegrated(&die, attribute, &found) || m_dw.number(&found, &value) != 0) return std::nullopt;
        return value;
    }
    std::string nameOf(Dwarf_Die& die)
    {
        Dwarf_Attribute found;
        const char* text = m_dw.attributeIntegrated(&die, DW_AT_name, &found) ? m_dw.text(&found) : nullptr;
        return text ? text : "";
    }
    bool has(Dwarf_Die& die, unsigned attribute)
    {
        Dwarf_Attribute found;
        return m_dw.attribute(&die, attribute, &found) != nullptr;
    }

    static std::string_view keywordOf(int tag)
    {
        switch (tag) {
        case DW_TAG_structure_type:
        case DW_TAG_class_type: return "struct ";
        case DW_TAG_union_type: return "union ";
        case DW_TAG_enumeration_type: return "enum ";
        default: return {};
        }
    }

    void index()
    {
        m_isIndexed = true;
        m_seen = 0;
        for (auto& unit : m_units)
            eachChild(unit.tree, [this](Dwarf_Die& die) {
                const int tag = m_dw.tag(&die);
                const auto keyword = keywordOf(tag);
                if ((keyword.empty() && tag != DW_TAG_typedef && tag != DW_TAG_base_type) || has(die, DW_AT_declaration)) return;
                if (auto name = nameOf(die); !name.empty()) m_named.try_emplace(std::string(keyword) + std::move(name), die);
            });
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
        Dwarf_Attribute found;
        Dwarf_Die target;
        if (!m_dw.attributeIntegrated(&die, DW_AT_type, &found) || !m_dw.reference(&found, &target)) return m_table.voidType();
        return convert(target, depth);
    }

    const Type* prototype(Dwarf_Die& die, unsigned depth)
    {
        std::vector<const Type*> parameters;
        // A copy of a function that was inlined elsewhere has its parameters' types there.
        eachChild(die, [&](Dwarf_Die& child) {
            if (m_dw.tag(&child) == DW_TAG_formal_parameter) parameters.push_back(typeOf(child, depth - 1));
        });
        return m_table.function(typeOf(die, depth - 1), std::move(parameters));
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
            const auto tagged = std::string(keywordOf(tag)) + nameOf(die);
            if (has(die, DW_AT_declaration)) { // another unit may have it whole
                if (!m_isIndexed) index();
                if (const auto whole = m_named.find(tagged); whole != m_named.end()) {
                    auto other = whole->second;
                    return convert(other, depth - 1);
                }
            }
            auto* t = add({.kind = tag == DW_TAG_union_type ? Kind::Union : Kind::Struct, .name = tagged, .size = size});
            m_structs[t] = die;
            m_byPlace[die.addr] = t;
            return t;
        }
        case DW_TAG_enumeration_type: return enumeration(die, size);
        case DW_TAG_array_type: return array(die, depth);
        case DW_TAG_subroutine_type: return prototype(die, depth);
        case DW_TAG_typedef: {
            const auto* target = typeOf(die, depth - 1);
            return add({.kind = Kind::Typedef, .name = nameOf(die), .size = target->size, .isSigned = target->isSigned, .target = target});
        }
        case DW_TAG_const_type:
        case DW_TAG_volatile_type:
        case DW_TAG_restrict_type:
        case DW_TAG_atomic_type: return typeOf(die, depth - 1);
        default: return m_table.voidType();
        }
    }

    const Type* base(Dwarf_Die& die, std::uint64_t size)
    {
        const auto encoding = number(die, DW_AT_encoding).value_or(0);
        const auto name = nameOf(die);
        if (encoding == DW_ATE_float || encoding == DW_ATE_complex_float)
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
        auto* t = add({.kind = Kind::Enum, .name = name.empty() ? name : "enum " + name, .size = size});
        eachChild(die, [&](Dwarf_Die& child) {
            Dwarf_Attribute found;
            Dwarf_Sword value = 0;
            if (m_dw.tag(&child) != DW_TAG_enumerator || !m_dw.attribute(&child, DW_AT_const_value, &found)) return;
            if (m_dw.signedNumber(&found, &value) != 0) return;
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
                static_cast<std::uint8_t>(width)});
        });
        return list;
    }

    std::unique_ptr<DwarfFile> m_file;
    const DwarfLibrary& m_dw;
    std::uint64_t m_seen = 0; ///< entries
    types::TypeTable& m_table;
    bool m_isIndexed = false;
    std::vector<DwarfFile::Unit> m_units;
    std::map<std::string, Dwarf_Die, std::less<>> m_named; ///< whole types of a unit's own scope
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
