#include "engine/session/attach.h"
#include "engine/session/refusal.h"
#include <bpf/bpf.h>
#include <cerrno>
namespace dscope::session {
Result<> attach(const probe::RawTracepoint& place, int program, Attachments& out)
{
    Fd link(bpf_raw_tracepoint_open(place.name.c_str(), program));
    if (!link) {
        if (errno == ENOENT) return Error{ENOENT, "this kernel has no tracepoint " + place.name};
        return refusal("attaching to tracepoint " + place.name, errno);
    }
    out.push_back(std::move(link));
    return {};
}
} // namespace dscope::session
