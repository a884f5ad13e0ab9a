#pragma once
#include "engine/base/diagnostics.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>
/// The D program as written; no meaning yet. Source of the grammar: Solaris Dynamic Tracing Guide, appendix "D Program Structure".
namespace dscope::ast {
// clang-format off
enum class Op : std::uint8_t {
    // binary
    Add, Sub, Mul, Div, Mod, Shl, Shr, BitAnd, BitOr, BitXor, And, Or, LogXor,
    Eq, Ne, Lt, Le, Gt, Ge,
    // unary
    Plus, Neg, Not, BitNot, Deref, AddressOf, PreInc, PreDec, PostInc, PostDec,
};
/// What an expression is. For each kind: which parts of Expr it uses.
enum class ExprKind : std::uint8_t {
    Integer,        ///< value; text is the spelling (suffixes decide the type)
    String,         ///< text: unescaped
    Identifier,     ///< text: name, `execname`; "`jiffies" and "mod`sym" keep the back quote
    Macro,          ///< $1, $$1, $target: text is the spelling, replaced by the preprocessor step where a value is known
    ThisVariable, SelfVariable,   ///< text: name without this->/self->
    Aggregation,    ///< text: name without @ ("" for @); kids: keys
    Index,          ///< kids[0] [ kids[1..] ]   also of ThisVariable, SelfVariable
    Call,           ///< text: function name; kids: arguments
    Member,         ///< kids[0] . text
    Arrow,          ///< kids[0] -> text
    Unary,          ///< op kids[0]
    Binary,         ///< kids[0] op kids[1]
    Conditional,    ///< kids[0] ? kids[1] : kids[2]
    Assign,         ///< kids[0] = kids[1]; compound when `op` is set ("+=" is Op::Add)
    Cast,           ///< (typeName) kids[0]
    SizeofType, SizeofExpr, Offsetof,    ///< typeName, kids[0]; offsetof: typeName and text
    Stringof,       ///< stringof kids[0]
    Xlate,          ///< xlate <typeName> (kids[0])
    Comma,          ///< kids[0], kids[1]
};
// clang-format on
struct Expr;
using ExprPtr = std::unique_ptr<Expr>;

/// A type as written: specifiers, then declarators from the inside out.
struct TypeName {
    std::string base; ///< "unsigned long", "struct task_struct", "pid_t", "string", "psinfo_t"
    struct Modifier {
        enum class Kind : std::uint8_t { Pointer, Array, Function } kind;
        std::uint64_t count = 0;                         ///< of an Array; 0 when left open
        std::shared_ptr<const Expr> countExpr = nullptr; ///< the count, where types are needed to know it: [sizeof (T)]
        std::vector<TypeName> parameters;                ///< of a Function, or the tuple of an associative array
        bool isTuple = false;                            ///< Array whose brackets hold types: an associative array
        bool isVariadic = false;                         ///< parameters end in "..."
    };
    std::vector<Modifier> modifiers; ///< applied in order to base: {Pointer, Array 3} is "T *[3]"
    bool isUser = false;             ///< `userland`
    bool isConst = false;            ///< `const` among the specifiers; other qualifiers are dropped
    Span at;
};
/// An expression as written.
struct Expr {
    ExprKind kind = ExprKind::Integer;
    Span at;
    Op op = Op::Add;
    bool compound = false; ///< Assign with an operator
    bool parenthesized = false;
    bool isTarget = false; ///< Integer that was written as $target
    std::uint64_t value = 0;
    std::string text;
    std::vector<ExprPtr> kids;
    std::optional<TypeName> typeName;
    std::uint32_t height = 1; ///< of the tree below and with this; the parser refuses more than 500
};

struct Declaration;
/// A statement of a clause as written.
struct Statement {
    enum class Kind : std::uint8_t { Expression, Declaration, If, Empty } kind = Kind::Expression;
    Span at;
    ExprPtr expr;                           ///< Expression; If: the condition. Aggregations: Assign(Aggregation, Call)
    std::vector<Statement> then, otherwise; ///< If (DTrace for Linux and illumos 2.x)
    std::vector<Declaration> declarations;  ///< this int x; inside a clause
};
/// One probe description of a clause.
struct ProbeSpec {
    std::string text; ///< as written: "syscall::read:entry", "BEGIN", "17"
    Span at;
};
/// Probe descriptions, a predicate, and a body: "probes /predicate/ { statements }".
struct Clause {
    std::vector<ProbeSpec> probes;
    ExprPtr predicate; ///< may be null
    std::vector<Statement> body;
    bool hasBody = false; ///< false: "probe" or "probe /p/" alone, the default action
    Span at;
};
/// Whose a variable is: the program's, a clause's (this->) or a thread's (self->).
enum class Scope : std::uint8_t { Global, This, Self };
/// A member of a struct or union.
struct Field {
    std::string name;
    TypeName type;
    std::optional<std::uint64_t> bits;              ///< of a bit-field; an unnamed one has an empty name
    std::shared_ptr<const Expr> bitsExpr = nullptr; ///< the width, where types are needed to know it
    Span at;
};
/// Everything at top level that is not a clause, and declarations within one.
struct Declaration {
    enum class Kind : std::uint8_t { Variable, Typedef, Struct, Union, Enum, Inline, Translator, Provider } kind = Kind::Variable;
    Span at;
    Scope scope = Scope::Global;
    bool isExtern = false;                               ///< Variable: `extern`, declared only
    std::string name;                                    ///< declared name; of a Struct or Enum its tag
    TypeName type;                                       ///< Variable, Typedef, Inline; Translator: the output type
    std::vector<Field> fields;                           ///< Struct, Union
    bool complete = true;                                ///< false: "struct foo;"
    std::vector<std::pair<std::string, ExprPtr>> items;  ///< Enum: values (may be null); Translator: member = expression
    ExprPtr init;                                        ///< Inline
    std::vector<std::pair<std::string, TypeName>> tuple; ///< Inline with keys (inline T name[T key])
    TypeName inputType;                                  ///< Translator: translator OUT < IN NAME > { ... }
    std::string inputName;
    /// `probe name(args : translated);` of a Provider (dtrace -h); `name` is the provider's.
    struct ProviderProbe {
        std::string name;
        std::vector<std::pair<std::string, TypeName>> args, translated;
        bool isTranslated = false;
        Span at;
    };
    std::vector<ProviderProbe> probes;
};
/// A line "#pragma D ...".
struct Pragma {
    std::string text; ///< after "#pragma D": "option quiet"
    Span at;
};
/// One source text: declarations and clauses in order of appearance.
struct Program {
    struct Item {
        std::variant<Clause, Declaration, Pragma> is;
    };
    std::vector<Item> items;
};
} // namespace dscope::ast
