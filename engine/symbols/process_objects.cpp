#include "engine/symbols/process_objects.h"
#include "engine/symbols/process_maps.h"
#include <algorithm>
#include <cerrno>
#include <fnmatch.h>
namespace dscope::symbols {
namespace {
bool isFile(const host::Host& host, const std::string& path, std::uint64_t inode)
{
    const auto facts = host.status(path);
    return facts && facts->st_ino == inode;
}
/// Where the very file can be opened: by its path, in the process's own root, or, when it has no name any more, by the mapping.
std::string fileOf(const host::Host& host, const std::string& process, const Mapping& mapping)
{
    if (isFile(host, mapping.path, mapping.inode)) return mapping.path;
    if (auto inRoot = process + "/root" + mapping.path; isFile(host, inRoot, mapping.inode)) return inRoot;
    char range[64];
    std::snprintf(range, sizeof range, "/map_files/%lx-%lx", mapping.start, mapping.end);
    return process + range;
}
} // namespace

Result<std::vector<ProcessObject>> objectsOf(const host::Host& host, int pid)
{
    const auto process = "/proc/" + std::to_string(pid);
    auto text = host.read(process + "/maps");
    if (!text && (text.error().code == ENOENT || text.error().code == ESRCH)) return Error{ESRCH, "no process " + std::to_string(pid)};
    if (!text) return text.error();
    const auto program = host.status(process + "/exe");
    std::vector<ProcessObject> objects;
    const auto maps = ProcessMaps::parse(*text);
    for (const auto& mapping : maps.all()) {
        if (mapping.inode == 0 || !mapping.path.starts_with('/')) continue;
        const ProcessObject::Range range{mapping.start, mapping.end, mapping.offset};
        const auto same = std::find_if(
            objects.begin(), objects.end(), [&](const ProcessObject& o) { return o.inode == mapping.inode && o.path == mapping.path; });
        if (same != objects.end()) {
            same->ranges.push_back(range);
            continue;
        }
        ProcessObject object;
        object.path = mapping.path;
        object.file = fileOf(host, process, mapping);
        object.name = mapping.path.substr(mapping.path.rfind('/') + 1);
        object.main = program && program->st_ino == mapping.inode;
        object.inode = mapping.inode;
        object.ranges = {range};
        objects.push_back(std::move(object));
    }
    return objects;
}

std::uint64_t ProcessObject::bias(const ElfFile& elf) const
{
    const auto& range = ranges.front();
    const auto displacement = elf.displacement(range.offset, range.end - range.start);
    return displacement ? range.start - (range.offset + *displacement) : 0;
}

bool isModule(const ProcessObject& object, std::string_view module)
{
    if (module.empty() || module == object.name || module == object.path) return true;
    if (module == "a.out" && object.main) return true;
    if (module.find_first_of("*?[\\") != module.npos) return ::fnmatch(std::string(module).c_str(), object.name.c_str(), 0) == 0;
    return object.name.starts_with(module) && object.name[module.size()] == '.';
}
} // namespace dscope::symbols
