#pragma once
#include "engine/symbols/dwarf_entries.h"
#include "engine/types/type.h"
#include <unordered_map>
#ifdef DSCOPE_HAS_LIBDW
namespace dscope::symbols {
/// How structs, unions and classes are passed: themselves, or the address of a copy. Clang says it. Otherwise it follows from what a class
/// declares and what its parts do. Source: Itanium C++ ABI, 1.1, "non-trivial for the purposes of calls"; C++20, 11.4.5.3.
class ClassPassing {
public:
    explicit ClassPassing(DwarfEntries& entries) : m_entries(entries) { }
    types::Passing of(Dwarf_Die& type);

private:
    /// What copies, moves or destroys. Of several parts the last of these that one has counts.
    enum class Way : std::uint8_t { Absent, Trivial, Code, Unknown, Deleted };
    struct Ways {
        Way copy = Way::Trivial, move = Way::Trivial, destroy = Way::Trivial;
        bool isVirtual = false;
        types::Passing passing() const;
    };
    /// What a class says of them; Absent: nothing.
    struct Declared {
        Way copy = Way::Absent, move = Way::Absent, destroy = Way::Absent;
        bool isAssigned = false, isMoveAssigned = false;
    };
    Ways ways(Dwarf_Die& type, unsigned depth);
    Ways waysOfParts(Dwarf_Die& type, unsigned depth);
    Declared declared(Dwarf_Die& type);
    void take(Dwarf_Die& function, Dwarf_Die& of, bool isDefaultingTold, Declared& into);
    bool isDefaultingTold(Dwarf_Die& type) const;

    DwarfEntries& m_entries;
    std::unordered_map<const void*, Ways> m_known; ///< by where the entry is
};
} // namespace dscope::symbols
#endif
