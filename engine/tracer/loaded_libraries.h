#pragma once
#include <string>
#include <vector>
namespace dscope::tracer {
/// The shared libraries that this program has loaded, sorted, by the names of their files, which have the version in them.
std::vector<std::string> loadedLibraries();
} // namespace dscope::tracer
