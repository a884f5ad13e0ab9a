#include "engine/base/own_module.h"
#include <array>
#include <dlfcn.h>
#include <filesystem>
namespace dscope {
namespace {
/// Beside the executable or, for a test, the executables; or where it is installed.
std::array<std::filesystem::path, 3> places(const std::string& file)
{
    std::error_code ignored;
    const auto here = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
    return {here / file, here.parent_path() / "bin" / file, here / DSCOPE_MODULES / file};
}
} // namespace

Result<void*> ownModule(const std::string& file)
{
    std::string why = file + " is not there";
    for (const auto& place : places(file)) {
        std::error_code ignored;
        if (!std::filesystem::exists(place, ignored)) continue;
        if (void* module = ::dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL)) return module;
        why = ::dlerror();
    }
    return Error{0, why};
}
} // namespace dscope
