#pragma once
#include "engine/base/fd.h"
#include "engine/symbols/jit_code.h"
#include <cstdint>
#include <limits>
#include <string>
#include <sys/types.h>
namespace dscope::symbols {
/// Functions that a just-in-time compiler announces in /tmp/perf-PID.map: lines `START SIZE name`, hexadecimal, to which it adds
/// while it works. Source: linux tools/perf/Documentation/jit-interface.txt
class PerfMap {
public:
    /// When the program began, ns since 1970; 0: not known. What was written earlier is of another program that had its number.
    void setBegin(std::int64_t when) { m_begin = when; }
    /// When another program began under that number. What is written from then on is that one's, and is not read.
    void setEnd(std::int64_t when) { m_end = when; }
    /// Reads the lines that were written since the last call. Begins anew, with `code` empty, if the file is another one or became
    /// shorter. Reads nothing that is not a regular file of `owner` or root, because anyone may write to /tmp, and at most 64 MiB.
    void read(const Fd& file, std::uint32_t owner, JitCode& code);

private:
    bool isStale(const Fd& file, std::int64_t written, std::uint64_t size);
    dev_t m_device = 0;
    ino_t m_inode = 0;
    std::uint64_t m_read = 0; ///< bytes
    std::string m_cut;        ///< a line of which the end was not written yet
    std::int64_t m_begin = 0, m_end = std::numeric_limits<std::int64_t>::max();
    /// The end of what another program wrote, up to m_read: where it is not there any more the file was written anew.
    std::string m_before;
};
} // namespace dscope::symbols
