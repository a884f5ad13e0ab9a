#pragma once
#include "engine/base/result.h"
#include "engine/options/options.h"
#include <functional>
#include <string>
#include <vector>
namespace dscope::tracer {
/// A D library as it was read.
struct LibraryFile {
    std::string path, text;
};

/// The D libraries (*.d) of the directories that -L and -x libdir name, each after those that it depends on
/// (#pragma D depends_on library). One that asks for a kernel module or a provider which is not there is left out, and
/// so is what depends on it. Error: a directory cannot be read, a library is missing or depends on itself.
Result<std::vector<LibraryFile>> userLibraries(
    const options::Options& options, const std::function<bool(const std::string& kind, const std::string& name)>& isThere);
} // namespace dscope::tracer
