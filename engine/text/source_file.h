#pragma once
#include <optional>
#include <string>
#include <vector>
namespace dscope::text {
/// The lines of a file of source whose name a program's debug information tells, tabs as spaces. Nothing where it is not there, is no regular file,
/// or is larger than any source. The program may name any file: as root we read only what everybody may.
std::optional<std::vector<std::string>> sourceLines(const std::string& path);
} // namespace dscope::text
