#include "engine/base/descriptor_limit.h"
#include "engine/base/fd.h"
#include "engine/host/cpu_list.h"
#include "engine/host/give_up_root.h"
#include "engine/host/host.h"
#include "engine/host/open_event.h"
#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <optional>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <utility>
namespace dscope::host {
namespace {
Error failed(const std::string& path)
{
    const int code = errno;
    return Error{code, "cannot read " + path + ": " + std::strerror(code)};
}
constexpr std::string_view kTracing = "/sys/kernel/tracing/";
class Local final : public Host {
public:
    explicit Local(std::shared_ptr<const Kept> kept) : m_kept(std::move(kept)) { ::uname(&m_name); }

    std::optional<PidNamespace> pidNamespace() const override
    {
        constexpr ino_t kFirst = 0xeffffffc; // Source: include/linux/proc_ns.h, PROC_PID_INIT_INO
        struct stat there { };
        if (::stat("/proc/self/ns/pid", &there) != 0 || there.st_ino == kFirst) return {};
        // The kernel has the minor number in the lower 20 bits. Source: include/linux/kdev_t.h
        return PidNamespace{std::uint64_t{::major(there.st_dev)} << 20U | ::minor(there.st_dev), there.st_ino};
    }

    HeldText mapped(const std::string& path) const override
    {
        /// Unmapped when nobody holds it.
        class Mapping {
        public:
            Mapping(void* at, std::size_t size) : view(static_cast<const char*>(at), size), m_at(at) { }
            ~Mapping() { ::munmap(m_at, view.size()); }
            Mapping(const Mapping&) = delete;
            Mapping& operator=(const Mapping&) = delete;
            const std::string_view view;

        private:
            void* m_at;
        };
        const auto file = open(path, O_RDONLY);
        struct stat about { };
        if (!file || ::fstat(file.get(), &about) != 0 || about.st_size <= 0) return nullptr;
        const auto size = static_cast<std::size_t>(about.st_size);
        void* at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
        if (at == MAP_FAILED) return nullptr;
        auto mapping = std::make_shared<const Mapping>(at, size);
        return {mapping, &mapping->view};
    }

    Result<std::string> read(const std::string& path) const override
    {
        const auto file = open(path, O_RDONLY);
        if (!file) return failed(path);
        const int fd = file.get();
        // Files of /proc say that they are empty, and any may grow: the size is where to begin. What is longer is put together
        // of pieces: growing one string would take three times its memory.
        struct stat about { };
        const auto told = ::fstat(fd, &about) == 0 ? static_cast<std::size_t>(about.st_size) : 0;
        constexpr std::size_t kLeast = 64 * 1024, kMost = 64 * 1024 * 1024, kPiece = 1024 * 1024;
        std::string text(std::clamp(told + 1, kLeast, kMost), '\0');
        std::vector<std::string> before;
        std::size_t used = 0, all = 0;
        for (;;) {
            const auto got = ::read(fd, text.data() + used, text.size() - used);
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) return failed(path);
            if (got == 0) break;
            used += static_cast<std::size_t>(got);
            if (used < text.size()) continue;
            all += used;
            before.push_back(std::exchange(text, std::string(kPiece, '\0')));
            used = 0;
        }

        text.resize(used);
        if (before.empty()) return text;
        std::string whole;
        whole.reserve(all + used);
        for (auto& piece : before) {
            whole += piece;
            piece = {}; // what is copied need not be there twice
        }
        whole += text;
        return whole;
    }

    Result<std::vector<std::string>> entries(const std::string& directory) const override
    {
        auto folder = open(directory, O_RDONLY | O_DIRECTORY);
        if (!folder) return failed(directory);
        DIR* dir = ::fdopendir(folder.get());
        if (!dir) return failed(directory);
        folder.release(); // it is the DIR's now
        std::vector<std::string> names;
        while (const auto* entry = ::readdir(dir)) {
            const std::string_view name = entry->d_name;
            if (name != "." && name != "..") names.emplace_back(name);
        }
        ::closedir(dir);
        std::sort(names.begin(), names.end());
        return names;
    }

    Fd open(const std::string& path, int flags) const override
    {
        Fd file(::open(path.c_str(), flags | O_CLOEXEC));
        if (!file) noteUnopened(errno);
        if (!file && m_kept)
            for (const auto& kept : m_kept->written)
                if (kept.path == path && (flags & O_ACCMODE) == O_WRONLY) return Fd(::fcntl(kept.fd.get(), F_DUPFD_CLOEXEC, 0));
        if (file || errno != ENOENT || !path.starts_with(kTracing)) return file;
        // Nobody mounted tracefs.
        if (!m_tracefs && m_kept)
            m_tracefs.emplace(m_kept->tracefs ? ::fcntl(m_kept->tracefs.get(), F_DUPFD_CLOEXEC, 0) : -1);
        else if (!m_tracefs)
            m_tracefs.emplace(mountTracefs());
        errno = ENOENT;
        return *m_tracefs ? Fd(::openat(m_tracefs->get(), path.c_str() + kTracing.size(), flags | O_CLOEXEC)) : Fd();
    }

    std::optional<struct stat> status(const std::string& path) const override
    {
        struct stat about { };
        if (::stat(path.c_str(), &about) != 0) return {};
        return about;
    }

    Fd openEvent(const perf_event_attr& attributes, pid_t pid, int cpu, const std::string* file) const override
    {
        return m_kept ? m_kept->events->open(attributes, pid, cpu, file) : openEventHere(attributes, pid, cpu, file);
    }

    Fd countProgramTime() const override { return m_kept ? m_kept->events->countProgramTime() : countProgramTimeHere(); }

    std::uint32_t kernelVersion() const override
    {
        unsigned major = 0, minor = 0, patch = 0;
        if (std::sscanf(m_name.release, "%u.%u.%u", &major, &minor, &patch) < 2) return 0;
        return (major << 16) | (minor << 8) | std::min(patch, 255U);
    }

    std::string kernelRelease() const override { return m_name.release; }
    std::string hostName() const override { return m_name.nodename; }

    int cpuCount() const override
    {
        auto text = read("/sys/devices/system/cpu/possible");
        const auto possible = cpuList(text ? *text : "");
        return possible.empty() ? static_cast<int>(::sysconf(_SC_NPROCESSORS_CONF)) : possible.back() + 1;
    }

    std::vector<int> onlineCpus() const override
    {
        auto text = read("/sys/devices/system/cpu/online");
        return cpuList(text ? *text : "0");
    }

private:
    std::shared_ptr<const Kept> m_kept;
    utsname m_name{};
    mutable std::optional<Fd> m_tracefs;
};
} // namespace
std::string pathOf(int fd)
{
    std::array<char, PATH_MAX> path;
    const auto length = ::readlink(("/proc/self/fd/" + std::to_string(fd)).c_str(), path.data(), path.size());
    return length > 0 ? std::string(path.data(), static_cast<std::size_t>(length)) : std::string();
}
std::unique_ptr<Host> local(std::shared_ptr<const Kept> kept) { return std::make_unique<Local>(std::move(kept)); }
} // namespace dscope::host
