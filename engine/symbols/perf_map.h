#pragma once
#include "engine/base/fd.h"
#include "engine/symbols/jit_code.h"
#include <cstdint>
#include <string>
#include <sys/types.h>
namespace dscope::symbols {
/// Functions that a just-in-time compiler announces in /tmp/perf-PID.map: lines `START SIZE name`, hexadecimal, to which it adds
/// while it works. Source: linux tools/perf/Documentation/jit-interface.txt
class PerfMap {
public:
    /// Reads the lines that were written since the last call. Begins anew, with `code` empty, if the file is another one or became
    /// shorter. Reads nothing that is not a regular file of `owner` or root, because anyone may write to /tmp, and at most 64 MiB.
    void read(const Fd& file, std::uint32_t owner, JitCode& code);

private:
    dev_t m_device = 0;
    ino_t m_inode = 0;
    std::uint64_t m_read = 0; ///< bytes
    std::string m_cut;        ///< a line of which the end was not written yet
};
} // namespace dscope::symbols
