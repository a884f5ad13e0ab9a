#pragma once
#include "engine/base/bytes.h"
#include "engine/object/walk.h"
#include <cstdint>
#include <optional>
namespace dscope::symbols {
/// How the code of a function that has called something on another stack comes back to its own: by which words of memory it finds that
/// stack. `behind`: the code behind the call; `function`: the same from the function's beginning, which tells how large its frame is.
/// None where the code does anything else than load words, one from where another one points.
std::optional<object::SwitchWay> wayBackToStack(ByteView function, ByteView behind);
} // namespace dscope::symbols
