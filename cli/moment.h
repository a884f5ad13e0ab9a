#pragma once
#include "engine/base/result.h"
#include "graph/stretch.h"
#include <string>
namespace dscope::cli {
/// A moment of a run as --from and --to take it: seconds or a D time unit after its start ("1.5", "1.5s", "300ms"), before its end
/// ("-2s"), or in UTC ("2026-11-23 10:54:02", with "T" or a fraction of a second, too). Error: what is wrong with it, and an example.
Result<graph::Moment> momentOf(const std::string& text);
} // namespace dscope::cli
