#pragma once
#include "engine/base/diagnostics.h"
#include <cstdint>
#include <string>
#include <string_view>
namespace dscope::syntax {
/// What the lexer hands to the parser. Keywords are Words: the parser knows them by their spelling.
struct Token {
    enum class Kind : std::uint8_t {
        End,
        Word,           ///< identifier or keyword
        Integer,        ///< also character constants
        String,
        Aggregation,    ///< @ or @name; text without the @
        ProbeName,      ///< outside clauses: everything that can stand in a probe description
        Punctuation,
        PredicateEnd,   ///< the / that closes a predicate
        Macro,          ///< $name, where no macros are known (a single expression)
    } kind = Kind::End;
    Span at;
    std::string text;         ///< Word: the name; String: unescaped; else the spelling (of a macro: its value's)
    std::uint64_t number = 0; ///< Integer: magnitude
    bool negative = false;    ///< Integer from a macro argument that begins with '-'
    bool isTarget = false;    ///< Integer that was written as $target

    bool is(std::string_view spelling) const { return (kind == Kind::Punctuation || kind == Kind::Word) && text == spelling; }
    bool isWord() const { return kind == Kind::Word; }
};
/// The first thing wrong with a text; reading stops there, as dtrace's does.
struct Failure {
    std::string_view tag;
    Span at;
    std::string message;
    std::vector<std::string> hints = {};
};
} // namespace dscope::syntax
