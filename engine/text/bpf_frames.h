#pragma once
#include "engine/text/stack_counts.h"
#include <string>
#include <string_view>
#include <vector>
/// Lines of stacks as tools of BPF print them (bpftrace, bcc). Source: bpftrace's docs, stdlib, kstack and ustack: modes bpftrace, perf, raw
/// and build_id; bcc's tools.
namespace dscope::text {
/// On which side of a system call frames are, as far as a line says it, from the root on.
enum class StackSide : std::uint8_t { User, Unknown, Kernel };
struct BpfFrame {
    std::string name;   ///< of the function, or its address with 0x; without the offset and, in C++, the parameters
    std::string module; ///< file name of the program or library, or its build id; empty: unknown
    record::Frame::Kind kind = record::Frame::Kind::Unknown; ///< Kernel where the line has an address of the kernel
    StackSide side = StackSide::Unknown;                     ///< by the address, if the line has one
};
/// Whether a line is a frame of mode raw or build_id: "ffffffff81f5d84a", "a226e0f150be89099d375c6b865b1dba794648ae 0x110e89".
bool isRawFrame(std::string_view line);
/// What a line says of a frame: one of the above, "    do_idle+12", "\tffffffff81f5d84a do_idle+12 (/lib/x.so)", where blanks may be missing.
BpfFrame bpfFrame(std::string_view line);
/// What a line of bcc's tools says of a frame: "do_sys_open+0x1", "ffffffff811c9f3b do_sys_open", "do_sys_open_[k]", "malloc [libc.so.6]",
/// "#3  0xffffffff811c9f3b do_sys_open+0x1", memleak's "3 [<ffffffff811c9f3b>] do_sys_open+0x1", "b'do_sys_open'". `kind`: if the line does
/// not tell.
BpfFrame bccFrame(std::string_view text, record::Frame::Kind kind = record::Frame::Kind::Unknown);
/// "vfs_read" of "b'vfs_read'": Python's bytes, which scripts print as such that were written for Python 2.
std::string_view withoutBytes(std::string_view text);
/// The numbers of its frames, the outermost first: what is inlined into generated code of Java is one of its own.
std::vector<std::uint32_t> numbersOf(const BpfFrame& frame, StackCounts& counts);
/// On which side a stack is whose outermost frame has this name.
StackSide outermostSide(std::string_view function);
} // namespace dscope::text
