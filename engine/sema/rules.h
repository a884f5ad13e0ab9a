#pragma once
#include "engine/sema/program.h"
#include <optional>
#include <string>
/// C's and D's rules about types, as plain questions. Source of the D rules: Solaris Dynamic Tracing Guide, "Types,
/// Operators, and Expressions"; of the C ones: The C Programming Language, 2nd edition, appendix A (as the guide says).
namespace dscope::sema::rules {
bool isInteger(const Type* t); ///< enums included
bool isPointer(const Type* t); ///< arrays included, strings not
bool isScalar(const Type* t);  ///< integer or pointer (not array)
bool isVoid(const Type* t);
bool isString(const Type* t);     ///< D's string
bool isStringLike(const Type* t); ///< what converts to a string: string, char *, char []
bool isCharArray(const Type* t);
bool isStructured(const Type* t); ///< struct or union
bool isFunction(const Type* t);
bool isFloat(const Type* t);
/// A name for what is no value: "aggregation", "tracing function".
bool isDynamic(const Type* t);
bool isStack(const Type* t);
bool isSymbol(const Type* t);
/// Pointer to void or to a function: what ++ and + cannot step through.
bool isVoidOrFunctionPointer(const Type* t);
bool isUserPointer(const Type* t);
/// What a pointer or array leads to.
const Type* targetOf(const Type* t);
/// The same type but for typedefs.
bool same(const Type* a, const Type* b);
/// Both pointers to the same type, or one to void, or one the constant 0.
bool pointersAgree(const Expr& a, const Expr& b);
/// May `argument` be passed where `parameter` is declared?
bool accepts(const Type* parameter, const Expr& argument);
/// Whether values of it may exceed what it is called: types::TypeTable::inWord(). What is computed with them is so, too.
bool isInWord(const Type* t);
/// `t` after C's integer promotion: int for what is smaller.
const Type* promoted(const types::TypeTable& table, const Type* t);
/// The common type of C's usual arithmetic conversions.
const Type* common(const types::TypeTable& table, const Type* a, const Type* b);
/// The type of D's arithmetic with both: as in C, but that what is smaller than int stays so (two chars make a char).
/// Source: Solaris Dynamic Tracing Guide, "Arithmetic Operators": the operand of lower rank takes the type of the other. In a word a
/// sign is kept.
const Type* ranked(const types::TypeTable& table, const Type* a, const Type* b);
/// How dtrace's messages spell an operator.
std::string_view spelled(ast::Op op);
} // namespace dscope::sema::rules
