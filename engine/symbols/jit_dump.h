#pragma once
#include "engine/base/bytes.h"
#include "engine/base/fd.h"
#include "engine/symbols/jit_code.h"
#include <cstdint>
#include <string_view>
namespace dscope::symbols {
/// Code that a just-in-time compiler announces in a file jit-PID.dump, which it maps so that tracers find it (node --perf-prof, agents for
/// Java). Loads and moves of code are followed. Debug information and unwinding information are skipped: walks through such code go by
/// frame pointers. Source: linux tools/perf/Documentation/jitdump-specification.txt
class JitDump {
public:
    explicit JitDump(Fd file) : m_file(std::move(file)) { }
    /// Reads the records that were written whole since the last call; none of a file that is no jitdump.
    void read(JitCode& code);
    /// Whether a mapped file has such a file's name.
    static bool isDump(std::string_view path);

private:
    Bytes bytes(std::uint64_t at, std::size_t size) const;
    void record(std::uint32_t kind, ByteView body, JitCode& code) const;
    Fd m_file;
    std::uint64_t m_next = 0; ///< offset of the record to read next; 0: the head was not read yet
    bool m_bad = false;
};
} // namespace dscope::symbols
