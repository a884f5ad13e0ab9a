#include "engine/symbols/class_passing.h"
#include <algorithm>
#include <cstdlib>
#include <string_view>
#ifdef DSCOPE_HAS_LIBDW
namespace dscope::symbols {
using types::Passing;

Passing ClassPassing::of(Dwarf_Die& type)
{
    if (m_entries.has(type, DW_AT_declaration)) return Passing::NotTold;
    const auto said = m_entries.number(type, DW_AT_calling_convention);
    if (said == DW_CC_pass_by_reference) return Passing::ByReference;
    if (said == DW_CC_pass_by_value || m_entries.language(type) == Language::C) return Passing::ByValue;
    return ways(type, kMostTypesNested).passing();
}

Passing ClassPassing::Ways::passing() const
{
    if (isVirtual || destroy == Way::Code || copy == Way::Code || move == Way::Code) return Passing::ByReference;
    if (destroy == Way::Unknown || copy == Way::Unknown || move == Way::Unknown) return Passing::NotTold;
    return copy == Way::Trivial || move == Way::Trivial ? Passing::ByValue : Passing::ByReference;
}

ClassPassing::Ways ClassPassing::ways(Dwarf_Die& type, unsigned depth)
{
    if (depth == 0 || m_entries.has(type, DW_AT_declaration)) return {Way::Unknown, Way::Unknown, Way::Unknown, false};
    if (const auto known = m_known.find(type.addr); known != m_known.end()) return known->second;
    auto ways = waysOfParts(type, depth);
    const auto own = declared(type);
    // What is not declared, or "= default" (Trivial), is as the parts have it; but a move that cannot be is none.
    const bool hasMove
        = own.move != Way::Absent || (own.copy == Way::Absent && own.destroy == Way::Absent && !own.isAssigned && !own.isMoveAssigned);
    const bool isCopyGone = own.copy == Way::Absent && (own.move != Way::Absent || own.isMoveAssigned);
    if (own.move > Way::Trivial)
        ways.move = own.move;
    else if (!hasMove || ways.move == Way::Deleted)
        ways.move = Way::Absent;
    if (own.copy > Way::Trivial || isCopyGone) ways.copy = isCopyGone ? Way::Deleted : own.copy;
    if (own.destroy > Way::Trivial) ways.destroy = own.destroy;
    if (!m_entries.isWhole()) ways = {Way::Unknown, Way::Unknown, Way::Unknown, false};
    return m_known[type.addr] = ways;
}

ClassPassing::Ways ClassPassing::waysOfParts(Dwarf_Die& type, unsigned depth)
{
    Ways ways;
    m_entries.eachChild(type, [&](Dwarf_Die& child) {
        const int tag = m_entries.tag(child);
        ways.isVirtual = ways.isVirtual || m_entries.number(child, DW_AT_virtuality).value_or(DW_VIRTUALITY_none) != DW_VIRTUALITY_none;
        if (tag != DW_TAG_inheritance && (tag != DW_TAG_member || m_entries.has(child, DW_AT_external))) return; // static members
        auto part = m_entries.plainTypeOf(child);
        if (!part || DwarfEntries::keywordOf(m_entries.tag(*part)).empty() || m_entries.tag(*part) == DW_TAG_enumeration_type) return;
        const auto own = this->ways(*part, depth - 1);
        ways.copy = std::max(ways.copy, own.copy);
        ways.move = std::max(ways.move, own.move == Way::Absent ? own.copy : own.move);
        ways.destroy = std::max(ways.destroy, own.destroy);
        ways.isVirtual = ways.isVirtual || own.isVirtual;
    });
    return ways;
}

ClassPassing::Declared ClassPassing::declared(Dwarf_Die& type)
{
    Declared all;
    const bool isTold = isDefaultingTold(type);
    m_entries.eachChild(type, [&](Dwarf_Die& child) {
        if (m_entries.tag(child) == DW_TAG_subprogram && !m_entries.has(child, DW_AT_artificial)) take(child, type, isTold, all);
    });
    return all;
}

void ClassPassing::take(Dwarf_Die& function, Dwarf_Die& of, bool isDefaultingTold, Declared& into)
{
    const auto name = m_entries.nameOf(function), own = m_entries.nameOf(of);
    constexpr std::uint64_t kInClass = 1; // DW_DEFAULTED_in_class
    const bool isDefaulted = m_entries.number(function, DW_AT_defaulted).value_or(0) == kInClass;
    auto way = m_entries.has(function, DW_AT_deleted) ? Way::Deleted
        : isDefaulted                                 ? Way::Trivial
        : isDefaultingTold                            ? Way::Code
                                                      : Way::Unknown;
    if (name.starts_with('~')) {
        into.destroy = way;
        return;
    }
    const bool assigns = name == "operator=";
    if (name.empty() || (!assigns && name != own.substr(0, own.find('<')))) return;

    std::size_t parameters = 0;
    int kind = 0; // of the first: a reference to the class, of either kind, or itself
    m_entries.eachChild(function, [&](Dwarf_Die& parameter) {
        if (m_entries.tag(parameter) != DW_TAG_formal_parameter || m_entries.has(parameter, DW_AT_artificial)) return;
        if (++parameters != 1) return;
        auto type = m_entries.plainTypeOf(parameter);
        if (!type) return;
        const int tag = m_entries.tag(*type);
        const bool isReference = tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type;
        const auto target = isReference ? m_entries.plainTypeOf(*type) : type;
        if (target && target->addr == of.addr) kind = tag;
    });
    if (kind == 0) return;
    if (assigns) {
        (kind == DW_TAG_rvalue_reference_type ? into.isMoveAssigned : into.isAssigned) = true;
        return;
    }
    if (parameters > 1) way = Way::Unknown; // it copies if the others have defaults
    auto& told = kind == DW_TAG_rvalue_reference_type ? into.move : into.copy;
    if (parameters == 1 || told == Way::Absent || told == Way::Trivial) told = way;
}

/// GCC tells it from version 7 on, unless it keeps strictly to a DWARF that has no word for it; how it was called stands in its name.
bool ClassPassing::isDefaultingTold(Dwarf_Die& type) const
{
    const auto producer = m_entries.producer(type);
    const std::string_view by = producer;
    constexpr std::string_view kGcc = "GNU C++";
    const auto version = by.find(' ', kGcc.size());
    if (!by.starts_with(kGcc) || version == by.npos || std::atoi(by.data() + version) < 7) return false;
    return m_entries.version(type) >= 5 || (by.find(" -") != by.npos && by.find("-gstrict-dwarf") == by.npos);
}
} // namespace dscope::symbols
#endif
