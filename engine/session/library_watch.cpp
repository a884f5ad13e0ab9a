#include "engine/session/library_watch.h"
#include "engine/session/hold.h"
#include "engine/session/uprobe_link.h"
#include "engine/session/watch_program.h"
#include <csignal>
namespace dscope::session {
Result<LibraryWatch> LibraryWatch::make(const Watched& watched)
{
    LibraryWatch watch;
    // The process's number is the cookie.
    const auto text = "call 174\n" // get_attach_cookie
                      "mov %r6, %r0\n"
        + stopAndTell(watched, Watched::kWaits) + "mov %r0, 0\nexit\n";
    DSCOPE_TRY(watch.m_program, loadWatch("libraries", text, BPF_PROG_TYPE_KPROBE, kTraceUprobeMulti));
    return watch;
}

Result<> LibraryWatch::add(pid_t process, const host::Host& host, Attachments& out)
{
    auto call = linkerCall(host, process);
    if (!call) return {};
    if (!m_added.insert({process, call->file + '+' + std::to_string(call->offset)}).second) return {};
    probe::Uprobe place;
    place.file = std::move(call->file);
    place.offset = call->offset;
    place.pid = process;
    const std::uint64_t cookie = static_cast<std::uint64_t>(process);
    DSCOPE_TRY([[maybe_unused]] const auto failed, attach({&place, 1}, {m_program.get(), -1, {&cookie, 1}}, 0, host, nullptr, out));
    return {};
}

void LibraryWatch::forget(pid_t process)
{
    std::erase_if(m_added, [&](const auto& each) { return each.first == process; });
}
} // namespace dscope::session
