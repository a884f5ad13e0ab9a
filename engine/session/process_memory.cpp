#include "engine/session/process_memory.h"
#include "engine/session/existing_process.h"
namespace dscope::session {
using Kind = record::ProcessEvent::Kind;

void ProcessMemory::introduce(std::uint32_t pid, record::Nanoseconds when, const record::Source::Deliver& deliver)
{
    if (pid == 0 || !m_known.insert(pid).second) return;
    if (const auto event = existingProcess(m_host, pid, when)) deliver(*event);
}

void ProcessMemory::name(std::uint32_t pid, record::Nanoseconds when, const record::Source::Deliver& deliver)
{
    if (pid == 0 || !m_known.insert(pid).second) return;
    auto event = existingProcess(m_host, pid, when);
    if (!event) return;
    event->args.clear();
    deliver(*event);
}

void ProcessMemory::leaveOutThoseOf(std::uint32_t frontEnd)
{
    m_frontEnd = frontEnd;
    m_itsOwn.insert(frontEnd);
}

bool ProcessMemory::leavesOut(const record::ProcessEvent& event)
{
    if (m_frontEnd == 0) return false;
    // One whose fork was not seen had begun before.
    const bool isItsOwn
        = event.kind == Kind::Fork ? m_itsOwn.contains(event.parent) : m_itsOwn.contains(event.pid) || event.parent == m_frontEnd;
    if (event.kind == Kind::Exit)
        m_itsOwn.erase(event.pid);
    else if (isItsOwn)
        m_itsOwn.insert(event.pid);
    else
        m_itsOwn.erase(event.pid); // a number that comes again
    return isItsOwn;
}

void ProcessMemory::before(const record::ProcessEvent& event, const record::Source::Deliver& deliver)
{
    switch (event.kind) {
    case Kind::Existing: m_known.insert(event.pid); break;
    case Kind::Fork:
        introduce(event.parent, event.when, deliver);
        m_known.insert(event.pid);
        break;
    case Kind::Exec:
    case Kind::ExecFailed:
    case Kind::Exit:
        // A process that was not known before gets an Existing event with its parent only: /proc would show what it is now.
        if (m_known.insert(event.pid).second) {
            record::ProcessEvent existing;
            existing.kind = Kind::Existing;
            existing.when = event.when;
            existing.pid = existing.tid = event.pid;
            existing.parent = event.parent;
            existing.uid = event.uid;
            if (event.kind != Kind::Exec) existing.execname = event.execname;
            deliver(existing);
        }
        if (event.kind == Kind::Exit) m_known.erase(event.pid);
        break;
    }
}
} // namespace dscope::session
