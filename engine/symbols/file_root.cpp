#include "engine/symbols/file_root.h"
#include "engine/base/descriptor_limit.h"
#include <cerrno>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
namespace dscope::symbols {
namespace {
std::optional<FileRoot::Identity> identityIn(const host::Host& host, const std::string& process)
{
    const auto mounts = host.status(process + "/ns/mnt"), root = host.status(process + "/root");
    if (!mounts || !root) return {};
    return FileRoot::Identity{mounts->st_ino, root->st_dev, root->st_ino};
}
} // namespace

std::optional<FileRoot::Identity> FileRoot::identityOf(const host::Host& host, std::uint32_t pid)
{
    const auto theirs = identityIn(host, "/proc/" + std::to_string(pid));
    return theirs && theirs != identityIn(host, "/proc/self") ? theirs : std::nullopt;
}

std::shared_ptr<const FileRoot> FileRoot::ofProcess(const host::Host& host, std::uint32_t pid)
{
    if (!identityOf(host, pid)) return nullptr;
    auto folder = host.open("/proc/" + std::to_string(pid) + "/root", O_PATH | O_DIRECTORY);
    return folder ? std::make_shared<const FileRoot>(std::move(folder)) : nullptr;
}

FileRoot::FileRoot(Fd folder) : m_folder(std::move(folder)), m_path(host::pathOf(m_folder.get()))
{
    if (m_path.empty()) m_path = "/";
}

Fd FileRoot::open(const std::string& path, Links links) const
{
    open_how how{};
    how.flags = static_cast<std::uint64_t>(openFlags(links));
    how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
    Fd file(static_cast<int>(::syscall(SYS_openat2, m_folder.get(), path.c_str(), &how, sizeof how)));
    if (!file) noteUnopened(errno);
    return file;
}

std::string FileRoot::inside(std::string_view path) const
{
    if (m_path != "/" && path.starts_with(m_path) && path.substr(m_path.size()).starts_with('/')) path.remove_prefix(m_path.size());
    return std::string(path);
}
} // namespace dscope::symbols
