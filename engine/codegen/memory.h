#pragma once
#include "engine/codegen/firing.h"
/// Objects in memory, read: memory.cpp.
namespace dscope::codegen {
/// r0 = base address of an lvalue, whose object is `offset` bytes on, in user memory when `user`.
struct Place {
    std::int64_t offset = 0;
    bool user = false;
    bool isCounted = false; ///< `offset` includes a p + 3, not only offsets of members
};
Place place(Firing& f, const sema::Expr& lvalue);
Width widthOf(std::uint64_t size); ///< 1, 2, 4; 8 for any other
/// r0 = address of an lvalue.
void addressOf(Firing& f, const sema::Expr& lvalue);
/// r0 = the integer that a Dereference or Member names.
void loadMemory(Firing& f, const sema::Expr& e);
/// The string that `pointer` is the address of, or of some byte of which it is.
const sema::Expr* stringBehind(const sema::Expr& pointer);
/// r0 = how many bytes such a pointer is behind the beginning of the string: less than `capacity`, whose last byte is a NUL. What is
/// behind that in scratch memory is of other strings, and of earlier firings.
void offsetInString(Firing& f, const sema::Expr& pointer, std::uint32_t capacity);
/// Copies the struct, array or union `e` to scratch. Where it is memory that alloca() or copyin() gave, or a string, and reaches beyond
/// that, the rest is zeros.
void copyObject(Firing& f, const sema::Expr& e, std::uint32_t to, std::uint32_t size);
} // namespace dscope::codegen
