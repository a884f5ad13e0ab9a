#include "engine/symbols/mapped_file.h"
#include "engine/symbols/file_root.h"
#include <cstdio>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
namespace dscope::symbols {
namespace {
std::string hex(std::uint64_t v)
{
    char text[20];
    std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(v));
    return text;
}

/// The file at a path is the mapped one unless its inode differs on the same device (it was replaced). Overlay and btrfs
/// file systems show other device numbers in maps than in stat: there the path has to do.
bool contradicts(const struct stat& status, const Mapping& mapping)
{
    return ::major(status.st_dev) == mapping.major && ::minor(status.st_dev) == mapping.minor && status.st_ino != mapping.inode;
}

/// Whether the file had its inode after, or before, the mapped one. Source: ioctl_iflags(2), kernel/events/core.c.
bool isOtherGeneration(const Fd& fd, const Mapping& mapping)
{
    unsigned int generation = 0;
    return mapping.generation != 0 && ::ioctl(fd.get(), FS_IOC_GETVERSION, &generation) == 0 && generation != 0
        && generation != static_cast<unsigned int>(mapping.generation);
}

/// By the time that we look, another file may be mapped at the same addresses: a plugin that came after another one.
bool isOtherFile(const Fd& fd, const struct stat& status, const Mapping& mapping)
{
    if (contradicts(status, mapping)) return true;
    if (::major(status.st_dev) == mapping.major && ::minor(status.st_dev) == mapping.minor) return false;
    if (status.st_ino == mapping.inode) return false;
    const auto path = host::pathOf(fd.get());
    return path.empty() || moduleName(path) != moduleName(mapping.path);
}

} // namespace

Fd openMapped(const host::Host& host, std::uint32_t pid, const Mapping& mapping)
{
    struct stat status { };
    const auto process = "/proc/" + std::to_string(pid);
    const auto good
        = [&](const Fd& fd) { return fd && ::fstat(fd.get(), &status) == 0 && S_ISREG(status.st_mode) && !isOtherGeneration(fd, mapping); };
    auto fd = host.open(process + "/map_files/" + hex(mapping.start) + "-" + hex(mapping.end), openFlags());
    if (good(fd) && !isOtherFile(fd, status, mapping)) return fd;
    // Without privileges map_files is closed, but the program itself is not.
    fd = host.open(process + "/exe", openFlags());
    if (good(fd) && status.st_ino == mapping.inode && !contradicts(status, mapping)) return fd;
    if (mapping.deleted) return Fd();
    for (const auto& path : {process + "/root" + mapping.path, mapping.path}) {
        fd = host.open(path, openFlags());
        if (good(fd) && !contradicts(status, mapping)) return fd;
    }
    return Fd();
}
} // namespace dscope::symbols
