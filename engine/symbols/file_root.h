#pragma once
#include "engine/base/fd.h"
#include "engine/host/host.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
namespace dscope::symbols {
/// Whether a path may end at a symbolic link.
enum class Links { Followed, Refused };
/// The root folder of a process in a container or under chroot. Paths are looked up as the process sees them: absolute symbolic links and
/// ".." stay within the root, so that no link in a container leads to a file of the host.
class FileRoot {
public:
    /// Mount namespace, device and inode: processes that share them see the same files.
    using Identity = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;
    /// None if the process sees the same root as we do, is gone, or may not be looked into.
    static std::optional<Identity> identityOf(const host::Host& host, std::uint32_t pid);
    /// Null for the same reasons.
    static std::shared_ptr<const FileRoot> ofProcess(const host::Host& host, std::uint32_t pid);
    explicit FileRoot(Fd folder);
    /// Opens a file for reading; none if it cannot be opened. Never waits for a pipe or a terminal.
    Fd open(const std::string& path, Links links = Links::Followed) const;
    /// A path as the kernel shows it to us, as the process names it: without the folder that the process was chroot()ed to.
    std::string inside(std::string_view path) const;

private:
    Fd m_folder;
    std::string m_path; ///< of the root as we see it; "/" in another mount namespace
};
/// Flags of open(2) to read a file that may be anything: never waits for a pipe or a terminal.
int openFlags(Links links = Links::Followed);
/// The same in our own root.
Fd openToRead(const std::string& path, Links links = Links::Followed);
/// In `root`, or in ours if it is null.
inline Fd openIn(const FileRoot* root, const std::string& path, Links links = Links::Followed)
{
    return root ? root->open(path, links) : openToRead(path, links);
}
} // namespace dscope::symbols
