#pragma once
#include "engine/base/result.h"
#include <string>
namespace dscope {
/// Loads a library of dscope's own, as "dscope-raster.so", which needs libraries that most runs do without. It stays loaded. Error: that it
/// isn't there, or why it doesn't load (a library that it needs is missing): words for a pair of brackets.
Result<void*> ownModule(const std::string& file);
} // namespace dscope
