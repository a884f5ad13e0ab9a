#pragma once
/// Advance widths, so that a figure is the same on every machine whatever fonts it has.
namespace dscope::graph {
/// The fonts that figures use.
enum class Face { Sans, Bold, Mono };
/// The room that a code point is given, in 1/2048 em: its widest advance among the fonts that readers have. Measured for ASCII, Latin-1 and
/// the signs our own labels use; the rest by script: combining marks 0, East Asian wide characters and emoji one em or more, others a
/// generous mean.
int advance(char32_t codePoint, Face face);
} // namespace dscope::graph
