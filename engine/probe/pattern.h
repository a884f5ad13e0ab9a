#pragma once
#include "engine/probe/provider.h"
namespace dscope::probe {
/// Shell glob as dtrace matches probe descriptions: `*`, `?`, `[a-z]`, `[!a]`, `\x`. An empty glob matches all.
bool matches(std::string_view glob, std::string_view text);
bool matches(const Pattern& pattern, const Name& name);
/// "provider:module:function:name"; fewer parts bind from the right: "BEGIN", "read:entry", "syscall::read:entry".
/// Error when there are more than three colons.
Result<Pattern> parsePattern(std::string_view text);
} // namespace dscope::probe
