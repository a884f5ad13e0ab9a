#pragma once
/// Advance widths, so that a figure is the same on every machine whatever fonts it has.
namespace dscope::graph {
/// The fonts that figures use.
enum class Face { Sans, Bold, Mono };
/// Advance width of a code point in 1/2048 em. Measured for ASCII, Latin-1 and the signs our own labels use; the rest
/// by script: combining marks 0, East Asian wide characters and emoji one em or more, others a generous mean.
int advance(char32_t codePoint, Face face);
/// Whether it is measured or of a width that its script fixes; else advance() is a guess, and letters would be drawn out to it.
bool isMeasured(char32_t codePoint);
} // namespace dscope::graph
