#pragma once
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include "engine/host/host.h"
#include "engine/probe/provider.h"
#include <cstdint>
#include <span>
#include <string>
#include <vector>
namespace dscope::session {
/// "0xffffffff81000000", as places are written.
std::string hexadecimal(std::uint64_t address);

/// Events that we define in tracefs for as long as this lives, each at many places: the way to many kprobes and uprobes that
/// kernels without function_link.h's and uprobe_link.h's links have. What uses them must be closed before. Those that a
/// dscope left behind which was killed are removed first.
class TraceEvents {
public:
    enum class Of : std::uint8_t { Kernel, User };
    /// `host` must outlive it.
    TraceEvents(Of of, const host::Host& host) : m_of(of), m_host(host) { }
    ~TraceEvents();
    TraceEvents(const TraceEvents&) = delete;
    TraceEvents& operator=(const TraceEvents&) = delete;
    struct Added {
        probe::Tracepoint event;         ///< not there when all have failed
        std::vector<std::size_t> failed; ///< indices of what the kernel would not probe
        int code = 0;                    ///< errno of the last of those
    };
    /// One event at all of these, which are written as the kernel takes them: "vfs_read", "ext4:ext4_sync_fs",
    /// "0xffffffff81000000"; "/bin/date:0x1180", of one file. `kind`: "p", or of returns "r64", where 64 are kept track of.
    /// Error: tracefs cannot be written.
    Result<Added> add(std::string_view kind, std::span<const std::string> places);
    void remove(const probe::Tracepoint& event);

private:
    Result<> open();
    int write(const std::string& line) const; ///< errno, or 0
    Of m_of;
    const host::Host& m_host;
    Fd m_file;
    std::string m_group;
    std::uint32_t m_count = 0;
    std::vector<std::string> m_names;
};
} // namespace dscope::session
