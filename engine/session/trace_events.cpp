#include "engine/session/trace_events.h"
#include "engine/host/lockdown.h"
#include "engine/session/refusal.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <fcntl.h>
#include <iterator>
#include <mutex>
#include <sstream>
#include <unistd.h>
namespace dscope::session {
namespace {
constexpr std::string_view kPrefix = "dscope_";

/// Events named "dscope_PID_..." of a process that is gone, or of one that had our number.
std::vector<std::string> leftIn(const std::string& text)
{
    std::istringstream defined(text);
    std::vector<std::string> left;
    for (std::string line; std::getline(defined, line);) { // "p:dscope_123_0/e0 vfs_read"
        const auto colon = line.find(':');
        if (colon == line.npos || line.compare(colon + 1, kPrefix.size(), kPrefix) != 0) continue;
        int pid = 0;
        std::from_chars(line.data() + colon + 1 + kPrefix.size(), line.data() + line.size(), pid);
        if (pid > 0 && (pid == ::getpid() || (::kill(pid, 0) != 0 && errno == ESRCH)))
            left.push_back(line.substr(colon + 1, line.find(' ') - colon - 1));
    }
    left.erase(std::unique(left.begin(), left.end()), left.end());
    return left;
}
} // namespace

std::string hexadecimal(std::uint64_t address)
{
    char digits[20] = "0x";
    return {digits, std::to_chars(digits + 2, std::end(digits), address, 16).ptr};
}

Result<> TraceEvents::open()
{
    if (m_file) return {};
    const std::string file = m_of == Of::Kernel ? "kprobe_events" : "uprobe_events";
    std::string path;
    for (const auto* folder : {"/sys/kernel/tracing/", "/sys/kernel/debug/tracing/"}) {
        path = folder + file;
        m_file = m_host.open(path, O_WRONLY | O_APPEND);
        if (m_file) break;
    }
    if (!m_file) {
        const int code = errno;
        auto why = host::whyLockdownHidesTracefs(m_host);
        if (!why.empty()) return Error{code, std::move(why)};
        return refusal("opening /sys/kernel/tracing/" + file + " (is tracefs mounted?)", code);
    }
    static std::atomic<unsigned> number = 0;
    static std::array<std::once_flag, 2> cleared;
    m_group = std::string(kPrefix) + std::to_string(::getpid()) + '_' + std::to_string(number++);
    std::call_once(cleared[static_cast<std::size_t>(m_of)], [&] {
        const auto defined = m_host.read(path);
        for (const auto& name : leftIn(defined ? *defined : std::string()))
            write("-:" + name + "\n"); // removes it whole
    });
    return {};
}

int TraceEvents::write(const std::string& line) const
{
    return ::write(m_file.get(), line.data(), line.size()) == static_cast<ssize_t>(line.size()) ? 0 : errno;
}

Result<TraceEvents::Added> TraceEvents::add(std::string_view kind, std::span<const std::string> places)
{
    DSCOPE_CHECK(open());
    Added added{{m_group, "e" + std::to_string(m_count++)}, {}, 0};
    const auto head = std::string(kind) + ":" + m_group + "/" + added.event.event + " ";
    for (std::size_t i = 0; i < places.size(); ++i)
        if (const int code = write(head + places[i] + "\n")) {
            added.failed.push_back(i);
            added.code = code;
        }
    if (added.failed.size() < places.size()) m_names.push_back(added.event.event);
    return added;
}

void TraceEvents::remove(const probe::Tracepoint& event)
{
    if (std::erase(m_names, event.event) > 0) write("-:" + m_group + "/" + event.event + "\n");
}

TraceEvents::~TraceEvents()
{
    for (const auto& name : m_names)
        write("-:" + m_group + "/" + name + "\n");
}
} // namespace dscope::session
