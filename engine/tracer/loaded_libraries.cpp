#include "engine/tracer/loaded_libraries.h"
#include <algorithm>
#include <filesystem>
#include <link.h>
namespace dscope::tracer {
namespace {
int add(dl_phdr_info* info, std::size_t, void* to)
{
    std::error_code failed;
    const auto path = std::filesystem::canonical(info->dlpi_name, failed);
    if (info->dlpi_name[0] == '/' && !failed) static_cast<std::vector<std::string>*>(to)->push_back(path.filename().string());
    return 0;
}
} // namespace

std::vector<std::string> loadedLibraries()
{
    std::vector<std::string> all;
    ::dl_iterate_phdr(add, &all);
    std::sort(all.begin(), all.end());
    return all;
}
} // namespace dscope::tracer
