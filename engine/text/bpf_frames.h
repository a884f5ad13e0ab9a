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
/// Its frames, the outermost first: what is inlined into generated code of Java is one of its own.
std::vector<StackCounts::Frame> framesOf(const BpfFrame& frame);
/// On which side a stack is whose outermost frame has this name.
StackSide outermostSide(std::string_view function);
} // namespace dscope::text
