#include "engine/base/place.h"
#include <array>
#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <vector>
namespace dscope {
namespace {
constexpr int kMostLinks = 40; // as the kernel has it, path_resolution(7)

bool isOfProc(const Fd& folder)
{
    struct statfs info { };
    return ::fstatfs(folder.get(), &info) == 0 && info.f_type == PROC_SUPER_MAGIC;
}
/// A symbolic link of somebody other than root that was followed.
struct Link {
    std::string name;
    uid_t owner;
};
/// Walks a path, one name after the other, with the folder so far held open.
class Walk {
public:
    Result<Place> to(const std::string& path)
    {
        DSCOPE_CHECK(begin(path));
        while (!m_rest.empty()) {
            const auto slash = m_rest.find('/');
            const auto name = m_rest.substr(0, slash);
            const bool isLast = slash == std::string::npos;
            m_rest.erase(0, isLast ? slash : slash + 1);
            if (name.empty() || name == ".") continue;
            if (isLast && name != "..") {
                DSCOPE_TRY(const bool isLink, followLast(name));
                if (isLink) continue; // its path is what remains
                DSCOPE_CHECK(checkLinks(name));
                return Place{std::move(m_folder), name, m_isProc};
            }
            DSCOPE_CHECK(enter(name));
        }
        return systemError(EISDIR);
    }

private:
    Result<> begin(const std::string& path)
    {
        if (path.empty()) return systemError(ENOENT);
        m_rest = path;
        return open(AT_FDCWD, path.front() == '/' ? "/" : ".");
    }

    Result<> open(int from, const char* name)
    {
        Fd folder(::openat(from, name, O_PATH | O_DIRECTORY | O_CLOEXEC));
        if (!folder) return systemError(errno);
        m_folder = std::move(folder);
        m_isProc = isOfProc(m_folder);
        return {};
    }

    /// True: `name` is a link, which is followed.
    Result<bool> followLast(const std::string& name)
    {
        if (m_isProc) return false;
        struct stat info { };
        if (::fstatat(m_folder.get(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
            if (errno == ENOENT) return false;
            return systemError(errno);
        }
        if (!S_ISLNK(info.st_mode)) return false;
        DSCOPE_CHECK(follow(name, info));
        return true;
    }

    Result<> enter(const std::string& name)
    {
        struct stat info { };
        if (::fstatat(m_folder.get(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) return systemError(errno);
        // What looks like a link in /proc may lead to what has no path.
        if (S_ISLNK(info.st_mode) && !m_isProc) return follow(name, info);
        return open(m_folder.get(), name.c_str());
    }

    Result<> follow(const std::string& name, const struct stat& info)
    {
        if (++m_followed > kMostLinks) return systemError(ELOOP);
        std::array<char, PATH_MAX> target;
        const auto size = ::readlinkat(m_folder.get(), name.c_str(), target.data(), target.size());
        if (size <= 0) return systemError(size < 0 ? errno : ENOENT);
        if (info.st_uid != 0) m_links.push_back({name, info.st_uid});
        const std::string path(target.data(), static_cast<std::size_t>(size));
        m_rest = m_rest.empty() ? path : path + '/' + m_rest;
        if (path.front() != '/') return {};
        return open(AT_FDCWD, "/");
    }

    Result<> checkLinks(const std::string& name) const
    {
        if (m_links.empty() || ::geteuid() != 0) return {};
        struct stat info { };
        const int flags = m_isProc ? 0 : AT_SYMLINK_NOFOLLOW;
        if (::fstatat(m_folder.get(), name.c_str(), &info, flags) != 0 && ::fstat(m_folder.get(), &info) != 0) return systemError(errno);
        for (const auto& link : m_links)
            if (link.owner != info.st_uid)
                return Error{EACCES,
                    "the symbolic link \"" + link.name + "\" is user " + std::to_string(link.owner) + "'s and leads to what is user "
                        + std::to_string(info.st_uid) + "'s: name the file itself"};
        return {};
    }

    Fd m_folder;
    bool m_isProc = false;
    std::string m_rest; ///< of the path, from the folder on
    int m_followed = 0;
    std::vector<Link> m_links;
};
} // namespace

Result<Place> Place::of(const std::string& path) { return Walk().to(path); }

Result<std::optional<struct stat>> Place::there() const
{
    struct stat info { };
    if (::fstatat(folder.get(), name.c_str(), &info, isDescriptor ? 0 : AT_SYMLINK_NOFOLLOW) == 0) return std::optional(info);
    if (errno != ENOENT) return systemError(errno);
    return std::optional<struct stat>();
}
} // namespace dscope
