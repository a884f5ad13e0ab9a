#pragma once
#include <cstdint>
#include <string>
#include <vector>
namespace dscope::types {
/// What a Type is.
enum class Kind : std::uint8_t {
    Void,
    Integer,
    Float,
    Pointer,
    Array,
    Struct,
    Union,
    Enum,
    Typedef,
    Function,
    String, ///< D's string: `strsize` bytes by value
    Stack,  ///< what stack() and ustack() give; a tuple member or a recorded field
    Symbol, ///< what func(), mod(), sym(), ufunc(), umod(), usym(), uaddr() give
};
/// How an integer is extended and compared.
enum class Sign : std::uint8_t { Unsigned, Signed };
constexpr Sign signOf(bool isSigned) { return isSigned ? Sign::Signed : Sign::Unsigned; }
/// Whose memory a pointer is of.
enum class Space : std::uint8_t { Kernel, User };
constexpr Space spaceOf(bool isUser) { return isUser ? Space::User : Space::Kernel; }
struct Type;
/// A member of a struct or union, with its place.
struct Member {
    std::string name; ///< empty for an anonymous struct or union, whose members count as its parent's
    const Type* type;
    std::uint32_t bitOffset;     ///< from the start of the struct
    std::uint8_t bitWidth;       ///< 0: not a bit-field
    std::uint32_t alignment = 0; ///< bytes, where the program says it
};
/// How a struct or union of a program is an argument: C++ passes the address of one that has code for being copied.
enum class Passing : std::uint8_t { ByValue, ByReference, NotTold };
/// A name and value of an enumeration.
struct Enumerator {
    std::string name;
    std::int64_t value;
};
/// A C or D type. Owned by a TypeTable and never moved: pointers to types are compared and kept.
struct Type {
    Kind kind;
    std::string name;       ///< of named types as C spells them: "int", "struct task_struct", "pid_t"
    std::uint64_t size = 0; ///< bytes; 0 for incomplete types
    bool isSigned = false;
    bool isUser = false;          ///< pointers into user memory (userland T *)
    const Type* target = nullptr; ///< of pointers, arrays, typedefs; the result of functions
    std::uint64_t count = 0;      ///< elements of an array
    bool isVector = false;        ///< of arrays: a compiler's vector, which is one value
    std::uint64_t alignment = 0;  ///< bytes, where the program says it
    Passing passing = Passing::ByValue;
    bool isLocal = false; ///< of programs: not what is found by its name
    std::vector<const Type*> parameters = {};
    std::vector<Enumerator> enumerators = {};
    const Type* shownAs = nullptr; ///< of TypeTable::inWord(): the narrower integer
    // Members of structs are asked of TypeTable::members(), which reads them from BTF when first needed.
};
/// `t` with typedefs removed.
const Type* resolved(const Type* t);
/// The same, and of TypeTable::inWord() the narrower type: what says the size and the sign that a program sees.
const Type* shown(const Type* t);
/// As C declares it: "struct task_struct *", "char [16]", "string".
std::string spelled(const Type* t);
} // namespace dscope::types
