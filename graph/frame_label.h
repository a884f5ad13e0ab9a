#pragma once
#include "engine/record/record.h"
#include "graph/page.h"
#include <functional>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::graph {
/// The longest form of a frame's name that fits: whole, without module, then as nameForms() (graph/names) shortens it, and at last
/// a part of the function's name; never the mark of its kind (`_[k]`) or a hash at its end. Of an address the module goes and no more.
/// Empty when too few letters would be left. In the monospaced face.
std::string frameLabel(std::string_view name, double width, double size);
/// The forms that frameLabel() tries, the longest first. A part of the last one is shown where none fits; nothing, if the last is empty.
std::vector<std::string> frameForms(std::string_view name);
/// Whether a frame's name says which function it is: not "[unknown]", "[libc.so.6]" or an address.
bool namesFunction(std::string_view frame);
/// What the colours of frames mean, those that occur.
std::vector<LegendEntry> frameLegend(const std::function<bool(Shade)>& occurs);
/// The colour class of such a frame.
Shade shadeOf(record::Frame::Kind kind);
} // namespace dscope::graph
