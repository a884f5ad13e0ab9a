#pragma once
#include "graph/tongue.h"
namespace dscope::gui {
/// Words and separators of numbers, of figures and tables in the language of the window. Any thread may make one.
graph::Tongue tongueOfWindow();
} // namespace dscope::gui
