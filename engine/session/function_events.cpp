#include "engine/session/function_events.h"
#include "engine/session/refusal.h"
#include <cerrno>
#include <charconv>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <unistd.h>
namespace dscope::session {
namespace {
constexpr std::string_view kPrefix = "dscope_";
/// Returns in flight at a time that the kernel keeps track of, in each function; more are missed. Source:
/// Documentation/trace/kprobetrace.rst, MAXACTIVE
constexpr const char* kMaxActive = "64";
} // namespace

Result<> FunctionEvents::open()
{
    if (m_fd >= 0) return {};
    std::string path;
    for (const auto* folder : {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"}) {
        path = std::string(folder) + "/kprobe_events";
        m_fd = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
        if (m_fd >= 0) break;
    }
    if (m_fd < 0) return refusal("opening /sys/kernel/tracing/kprobe_events (is tracefs mounted?)", errno);
    m_group = std::string(kPrefix) + std::to_string(::getpid());
    // "p:dscope_123/f0 vfs_read", of a process that is gone.
    std::ifstream defined(path);
    std::vector<std::string> left;
    for (std::string line; std::getline(defined, line);) {
        const auto colon = line.find(':');
        if (colon == line.npos || line.compare(colon + 1, kPrefix.size(), kPrefix) != 0) continue;
        int pid = 0;
        std::from_chars(line.data() + colon + 1 + kPrefix.size(), line.data() + line.size(), pid);
        if (pid > 0 && (pid == ::getpid() || (::kill(pid, 0) != 0 && errno == ESRCH)))
            left.push_back("-:" + line.substr(colon + 1, line.find(' ') - colon - 1));
    }
    for (const auto& line : left)
        write(line); // the first one of an event removes it whole
    return {};
}

int FunctionEvents::write(const std::string& line) const
{
    return ::write(m_fd, line.data(), line.size()) == static_cast<ssize_t>(line.size()) ? 0 : errno;
}

Result<FunctionEvents::Added> FunctionEvents::add(std::span<const std::string> places, bool atReturn)
{
    DSCOPE_CHECK(open());
    Added added{{m_group, "f" + std::to_string(m_names.size())}, {}, 0};
    const auto head = (atReturn ? std::string("r") + kMaxActive : std::string("p")) + ":" + m_group + "/" + added.event.event + " ";
    for (std::size_t i = 0; i < places.size(); ++i)
        if (const int code = write(head + places[i] + "\n")) {
            added.failed.push_back(i);
            added.code = code;
        }
    if (added.failed.size() < places.size()) m_names.push_back(added.event.event);
    return added;
}

FunctionEvents::~FunctionEvents()
{
    for (const auto& name : m_names)
        write("-:" + m_group + "/" + name + "\n");
    if (m_fd >= 0) ::close(m_fd);
}
} // namespace dscope::session
