#pragma once
#include "engine/record/record.h"
namespace dscope::record {
/// The first difference of two programs that keeps their runs from being one; empty when there is none. The names say in it whose is which.
std::string difference(const Program& a, const std::string& aName, const Program& b, const std::string& bName);
} // namespace dscope::record
