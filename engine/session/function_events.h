#pragma once
#include "engine/base/result.h"
#include "engine/probe/provider.h"
#include <span>
#include <string>
#include <vector>
namespace dscope::session {
/// Events that we define in tracefs for as long as this lives, each at many kernel functions: the way to many kprobes that
/// kernels without function_link.h's have. What uses them must be closed before. Those that a dscope left behind which was killed
/// are removed first.
class FunctionEvents {
public:
    FunctionEvents() = default;
    ~FunctionEvents();
    FunctionEvents(const FunctionEvents&) = delete;
    FunctionEvents& operator=(const FunctionEvents&) = delete;
    /// Where functions are, as the kernel takes it: "vfs_read", "ext4:ext4_sync_fs", "0xffffffff81000000".
    struct Added {
        probe::Tracepoint event;
        std::vector<std::size_t> failed; ///< indices of what the kernel would not probe
        int code = 0;                    ///< errno of the last of those
    };
    /// One event at all of these. Error: tracefs cannot be written.
    Result<Added> add(std::span<const std::string> places, bool atReturn);

private:
    Result<> open();
    int write(const std::string& line) const; ///< errno, or 0
    int m_fd = -1;
    std::string m_group;
    std::vector<std::string> m_names;
};
} // namespace dscope::session
