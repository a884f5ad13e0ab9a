#pragma once
#include "graph/figure.h"
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>
/// Text from a trace made fit for showing: well-formed UTF-8, nothing invisible, nothing that steers a display.
namespace dscope::graph {
constexpr std::string_view kEllipsis = "\u2026";

/// The code point at `at`, which moves behind it. Ill-formed bytes, surrogates and non-characters give U+FFFD, one for
/// each maximal ill-formed part. `at` must be less than text.size().
char32_t nextCodePoint(std::string_view text, std::size_t& at);
void appendUtf8(std::string& out, char32_t codePoint);
/// Whether `text` is printable ASCII alone, so that nothing has to be made of it. Looks at eight bytes at a time.
bool isPlain(std::string_view text);
/// `text` on one line: control characters become their control pictures (U+2400 ...), what steers the direction of
/// writing becomes U+FFFD, and so does ill-formed UTF-8. printable(printable(x)) == printable(x).
std::string printable(std::string_view text);
/// Stands between two facts of a line.
constexpr const char* kMiddleDot = " \u00b7 ";
/// With a capital, where it begins with a letter of ASCII.
std::string capital(std::string text);
/// `text` as it is drawn: what stands behind words that are written from the right stays behind them, where a number or a quotation
/// mark would go before them else. Marks without width say so (U+200E; Source: Unicode Standard Annex #9, 2.6). Not for texts that are
/// read again.
std::string fromTheLeft(std::string_view text);
/// `text` broken at spaces into lines of at most `width` px; the last of `maxLines` is elided at its end.
std::vector<std::string> wrapped(std::string_view text, double width, double size, std::size_t maxLines, TextFont font = {});
/// As wrapped(), of facts with " · " between them: a line ends behind one where it can, and what has no room is left out as whole facts.
std::vector<std::string> wrappedParts(std::string_view text, double width, double size, std::size_t maxLines);
/// As wrapped(), with lines about equally long, in as few of them: for titles.
std::vector<std::string> balanced(std::string_view text, double width, double size, std::size_t maxLines, TextFont font = {});
/// A command as people call it: its program without the folder, "hot 3".
std::string shortCommand(std::string_view command);
/// The last part of a path: "/usr/bin/cc" gives "cc"; the text itself when there is no slash.
std::string_view baseName(std::string_view path);
} // namespace dscope::graph
