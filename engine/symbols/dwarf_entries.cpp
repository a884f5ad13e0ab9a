#include "engine/symbols/dwarf_entries.h"
#include "engine/host/processor.h"
#ifdef DSCOPE_HAS_LIBDW
namespace dscope::symbols {
std::optional<std::uint64_t> DwarfEntries::number(Dwarf_Die& die, unsigned attribute) const
{
    Dwarf_Attribute found;
    Dwarf_Word value = 0;
    if (!m_dw.attributeIntegrated(&die, attribute, &found) || m_dw.number(&found, &value) != 0) return std::nullopt;
    return value;
}

std::string DwarfEntries::textOf(Dwarf_Die& die, unsigned attribute) const
{
    Dwarf_Attribute found;
    const char* text = m_dw.attributeIntegrated(&die, attribute, &found) ? m_dw.text(&found) : nullptr;
    return text ? text : "";
}

bool DwarfEntries::has(Dwarf_Die& die, unsigned attribute) const
{
    Dwarf_Attribute found;
    return m_dw.attribute(&die, attribute, &found) != nullptr;
}

bool DwarfEntries::hasOrDeclares(Dwarf_Die& die, unsigned attribute) const
{
    Dwarf_Attribute found;
    return m_dw.attributeIntegrated(&die, attribute, &found) != nullptr;
}

std::optional<Dwarf_Die> DwarfEntries::target(Dwarf_Die& die, unsigned attribute) const
{
    Dwarf_Attribute found;
    Dwarf_Die target;
    if (!m_dw.attributeIntegrated(&die, attribute, &found) || !m_dw.reference(&found, &target)) return std::nullopt;
    return target;
}

std::optional<Dwarf_Die> DwarfEntries::plainTypeOf(Dwarf_Die& die) const
{
    auto at = target(die, DW_AT_type);
    for (unsigned i = 0; at && i < kMostTypesNested; ++i) {
        switch (tag(*at)) {
        case DW_TAG_typedef:
        case DW_TAG_const_type:
        case DW_TAG_volatile_type:
        case DW_TAG_array_type: at = target(*at, DW_AT_type); break;
        default: return at;
        }
    }
    return std::nullopt;
}

DwarfEntries::Held DwarfEntries::heldAt(Dwarf_Die& die, std::uint64_t address) const
{
    Dwarf_Attribute found;
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    if (m_dw.attributeIntegrated(&die, DW_AT_const_value, &found)) return {Held::In::Constant, 0};
    if (!m_dw.attributeIntegrated(&die, DW_AT_location, &found)) return {};
    if (m_dw.locationAt(&found, address, &operations, &count, 1) != 1 || count == 0) return {};
    const unsigned first = operations[0].atom;
    if (count == 1 && first >= DW_OP_reg0 && first <= DW_OP_reg31) return {Held::In::Register, first - unsigned{DW_OP_reg0}};
    if (count == 1 && first == DW_OP_regx) return {Held::In::Register, static_cast<unsigned>(operations[0].number)};
    if (count == 1 && first == DW_OP_fbreg) return {Held::In::Frame, 0, static_cast<std::int64_t>(operations[0].number)};
    const bool isConstant = (first >= DW_OP_const1u && first <= DW_OP_consts) || (first >= DW_OP_lit0 && first <= DW_OP_lit31)
        || first == DW_OP_implicit_value;
    return {isConstant ? Held::In::Constant : Held::In::Elsewhere, 0};
}

std::optional<std::int64_t> DwarfEntries::argumentsFromFrame(Dwarf_Die& function, std::uint64_t address) const
{
    Dwarf_Attribute found;
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    if (!m_dw.attributeIntegrated(&function, DW_AT_frame_base, &found)) return std::nullopt;
    if (m_dw.locationAt(&found, address, &operations, &count, 1) != 1 || count != 1) return std::nullopt;
    if (operations[0].atom == DW_OP_call_frame_cfa) return 0;
    // rbp, where it and the return address are the last that was pushed: as Clang has it without optimization.
    if (host::isX86() && operations[0].atom == DW_OP_reg6) return 16;
    return std::nullopt;
}

std::string_view DwarfEntries::keywordOf(int tag)
{
    switch (tag) {
    case DW_TAG_structure_type:
    case DW_TAG_class_type: return "struct ";
    case DW_TAG_union_type: return "union ";
    case DW_TAG_enumeration_type: return "enum ";
    default: return {};
    }
}

/// Source: DWARF 5, 7.12, and the codes given out since (dwarfstd.org/languages).
Language DwarfEntries::language(Dwarf_Die& die) const
{
    constexpr std::uint64_t kC17 = 0x2c, kC23 = 0x3e, kCpp17 = 0x2a, kCpp20 = 0x2b, kCpp23 = 0x3a;
    Dwarf_Die unit;
    if (!m_dw.unitOf(&die, &unit, nullptr, nullptr)) return Language::NotSaid;
    const auto code = number(unit, DW_AT_language);
    if (!code) return Language::NotSaid;
    switch (*code) {
    case DW_LANG_C89:
    case DW_LANG_C:
    case DW_LANG_C99:
    case DW_LANG_C11:
    case kC17:
    case kC23: return Language::C;
    case DW_LANG_C_plus_plus:
    case DW_LANG_C_plus_plus_03:
    case DW_LANG_C_plus_plus_11:
    case DW_LANG_C_plus_plus_14:
    case kCpp17:
    case kCpp20:
    case kCpp23: return Language::Cpp;
    case DW_LANG_Go: return Language::Go;
    default: return Language::Other;
    }
}

std::string DwarfEntries::producer(Dwarf_Die& die) const
{
    Dwarf_Die unit;
    Dwarf_Attribute found;
    if (!m_dw.unitOf(&die, &unit, nullptr, nullptr) || !m_dw.attribute(&unit, DW_AT_producer, &found)) return {};
    const char* text = m_dw.text(&found);
    return text ? text : "";
}

unsigned DwarfEntries::version(Dwarf_Die& die) const
{
    Dwarf_Half version = 0;
    std::uint8_t kind = 0;
    const bool known = die.cu && m_dw.unitInfo(die.cu, &version, &kind, nullptr, nullptr, nullptr, nullptr, nullptr) == 0;
    return known ? version : 0;
}
} // namespace dscope::symbols
#endif
