#pragma once
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include <optional>
#include <sys/stat.h>
namespace dscope {
/// Where a path leads: its folder, held open, and a name there that is no symbolic link. Whoever renames folders or puts
/// links in their place afterwards changes nothing about it.
struct Place {
    Fd folder;
    std::string name;
    /// The folder is in /proc, as for /dev/stdout and /dev/fd/3: the name denotes an open descriptor.
    bool isDescriptor = false;

    /// Follows the path's symbolic links. As root, those alone that root made, or the owner of the file that they lead to (of
    /// its folder, when the file is not there): nobody can have us write into another's file. Source: the kernel does the like
    /// in folders such as /tmp, proc_sys_fs(5), protected_symlinks. Error: the reason, without the path.
    static Result<Place> of(const std::string& path);
    /// What is there now; nothing when there is no such file. Error: it can't be told.
    Result<std::optional<struct stat>> there() const;
};
} // namespace dscope
