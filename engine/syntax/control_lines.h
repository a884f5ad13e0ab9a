#pragma once
#include "engine/syntax/ast.h"
#include "engine/syntax/source.h"
#include "engine/syntax/token.h"
#include <optional>
namespace dscope::syntax {
/// A line of a D program that begins with #.
struct ControlLine {
    std::uint32_t begin = 0, end = 0; ///< bytes of the text, without the newline
    enum class Kind : std::uint8_t { Interpreter, Line, Other } kind = Kind::Other;
    std::uint32_t line = 0; ///< Line: the number that the next line has
    std::string name;       ///< Line: the file that the next line is in; empty when not told
};
/// Every control line of a text; not those within comments.
std::vector<ControlLine> controlLines(std::string_view text);

/// The pragmas of a text, and the text without its control lines.
struct Pragmas {
    std::vector<ast::Pragma> all;   ///< of #pragma D, in order
    std::string text;               ///< the program with control lines blanked: same offsets
    std::optional<Failure> failure; ///< the first malformed one
};
Pragmas readPragmas(const Sources& sources, std::uint32_t file);
} // namespace dscope::syntax
