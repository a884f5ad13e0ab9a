#pragma once
#include "engine/syntax/ast.h"
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
namespace dscope::sema {
/// A place for values whose type no declaration says: a variable, a key of an associative array, a key of an aggregation.
struct Undeclared {
    std::optional<ast::Scope> scope; ///< none: of an aggregation
    std::string name;
    std::optional<std::size_t> key = {}; ///< none: the value
    auto operator<=>(const Undeclared&) const = default;
};
/// The integer type of such a place, in words that hold from one analysis to the next.
struct Width {
    std::uint64_t size = 0; ///< bytes; 0: no integer
    bool isSigned = false;
    bool inWord = false; ///< values may exceed it: see types::TypeTable::inWord()
    std::string name;
    bool operator==(const Width&) const = default;
};
/// Their types. A place has the widest type of what the whole program gives it, of equally wide ones the first; the first use may come
/// before the widest one. So a program is analysed again, with what is known by then, until nothing is wider any more: types only
/// grow, and few programs need a second analysis.
class Widths {
public:
    /// Before each analysis.
    void startOver();
    /// The program gives `place` a value of `width`.
    void give(const Undeclared& place, const Width& width);
    /// The width that `place` has from here on: what is known of it, or `first`.
    const Width& begin(const Undeclared& place, const Width& first);
    /// Whether a place has become wider than begin() said.
    bool haveGrown() const;

private:
    struct Known {
        Width width;
        std::optional<Width> begun; ///< in this analysis
    };
    std::map<Undeclared, Known> m_places;
};
} // namespace dscope::sema
