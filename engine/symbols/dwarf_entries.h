#pragma once
#include "engine/symbols/dwarf_file.h"
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#ifdef DSCOPE_HAS_LIBDW
namespace dscope::symbols {
constexpr unsigned kMostTypesNested = 64; // types made of types: more than any program has
/// Whose rules of passing arguments a unit's functions keep.
enum class Language : std::uint8_t { C, Cpp, Go, Other, NotSaid };

/// What is asked of the entries of a file's debug information.
class DwarfEntries {
public:
    explicit DwarfEntries(const DwarfFile& file) : m_dw(file.library()), m_most(file.size()) { }

    /// It ends early where entries go in circles: `isWhole()` is false then.
    template <typename Each> void eachChild(Dwarf_Die& parent, const Each& each)
    {
        Dwarf_Die die;
        if (m_dw.child(&parent, &die) != 0) return;
        do {
            if (++m_seen > m_most) return;
            each(die);
        } while (m_dw.siblingOf(&die, &die) == 0);
    }
    /// Entries are counted anew.
    void begin() { m_seen = 0; }
    bool isWhole() const { return m_seen <= m_most; }

    int tag(Dwarf_Die& die) const { return m_dw.tag(&die); }
    std::optional<std::uint64_t> number(Dwarf_Die& die, unsigned attribute) const;
    std::string textOf(Dwarf_Die& die, unsigned attribute) const;
    std::string nameOf(Dwarf_Die& die) const { return textOf(die, DW_AT_name); }
    bool has(Dwarf_Die& die, unsigned attribute) const;
    /// Or the entry that it is a copy of, or that declares it.
    bool hasOrDeclares(Dwarf_Die& die, unsigned attribute) const;
    /// The entry that `attribute` names.
    std::optional<Dwarf_Die> target(Dwarf_Die& die, unsigned attribute) const;
    /// The type that an entry has, without other names, const, volatile and arrays.
    std::optional<Dwarf_Die> plainTypeOf(Dwarf_Die& die) const;
    /// Where a variable is when an address is reached.
    struct Held {
        enum class In : std::uint8_t { Nowhere, Register, Constant, Frame, Elsewhere } in = In::Nowhere;
        unsigned number = 0;     ///< Register: by DWARF's numbers
        std::int64_t offset = 0; ///< Frame: from the function's frame base
    };
    Held heldAt(Dwarf_Die& die, std::uint64_t address) const;
    /// How far a function's frame base is from the first of its arguments on the stack; none where that is not simple.
    std::optional<std::int64_t> argumentsFromFrame(Dwarf_Die& function, std::uint64_t address) const;
    /// "struct " for classes, too; empty for what is neither a struct, a union nor an enumeration.
    static std::string_view keywordOf(int tag);
    Language language(Dwarf_Die& die) const;
    /// The compiler of its unit, and how it was called; empty if nobody says.
    std::string producer(Dwarf_Die& die) const;
    /// Of DWARF, in its unit; 0: unknown.
    unsigned version(Dwarf_Die& die) const;

private:
    const DwarfLibrary& m_dw;
    std::uint64_t m_most, m_seen = 0;
};
} // namespace dscope::symbols
#endif
