#pragma once
#include "engine/codegen/firing.h"
/// Strings by value: strings.cpp.
namespace dscope::codegen {
/// Where the text of a string expression is: zero-padded to `capacity` (a multiple of 8), the last byte always NUL.
/// A string that is not there (NULL) has no text: zeros.
struct Text {
    enum class Base : std::uint8_t { Scratch, Value, Entry } base = Base::Scratch; ///< r7; a map's value; the dispatch entry
    MapId map;
    std::uint32_t offset = 0;
    std::uint32_t capacity = 8;
    enum class Null : std::uint8_t { Never, Always, WhenEmpty, WhenSet } null = Null::Never;
    std::uint32_t nullAt = 0; ///< WhenSet: a word of scratch memory that is 1 then, else 0
};

/// Of longer texts the verifier would not walk each word.
constexpr std::uint32_t kLongText = 4096;

/// The text of a string, which may be NULL.
Text maybeText(Firing& f, const sema::Expr& e);
/// The same where text is needed: NULL is an invalid address.
Text text(Firing& f, const sema::Expr& e);
/// The string ends where option strsize ends it.
Text cut(Firing& f, const Text& scratch);
void isNull(Firing& f, const Text& text, Reg dst); ///< dst = 1 when it is NULL, else 0; uses dst alone
/// dst = address of byte `more` of it; uses dst alone.
void pointTo(Firing& f, const Text& text, Reg dst, std::uint32_t more = 0);
void loadWord(Firing& f, const Text& text, std::uint32_t at, Reg dst); ///< dst = 8 bytes; uses dst alone
/// scratch[at, at + size) = zeros; a multiple of 8. Uses r0..r5.
void zero(Firing& f, std::uint32_t at, std::uint32_t size);
/// Copies to scratch[to, to + size), cut and zero-padded.
void copyText(Firing& f, const Text& from, std::uint32_t to, std::uint32_t size);
/// Whose memory an address is in.
enum class Memory : std::uint8_t { Kernel, Process };
constexpr Memory memoryOf(bool isUser) { return isUser ? Memory::Process : Memory::Kernel; }
/// Where a pointer leads, as far as the program's text tells.
enum class Lead : std::uint8_t {
    Bounded, ///< into a variable or a text, within its bounds
    Anywhere,
    Given, ///< into what alloca() or copyin() gave, perhaps in another firing
};
/// The NUL-terminated text at address r0, at most `limit` bytes with its NUL, into a new scratch Text.
Text readText(Firing& f, Memory memory, std::uint32_t limit, Lead lead = Lead::Bounded);
/// Goes to `no` unless `a op b` holds. NULL is less than any text. Uses r0..r5.
void branchUnlessText(Firing& f, ast::Op op, const Text& a, const Text& b, Label no);
/// probeprov, probemod, probefunc, probename of the probe that fired.
Text probeText(Firing& f, sema::Builtin which);
} // namespace dscope::codegen
