#include "engine/session/process_memory.h"
#include "engine/session/existing_process.h"
#include <vector>
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
    const bool isNew = event.kind == Kind::Fork || !m_known.contains(event.pid); // else it was told of: as another's
    const bool isOwn = (event.kind != Kind::Fork && m_itsOwn.contains(event.pid)) || (isNew && isItsOwn(event.parent));
    if (event.kind != Kind::Exit && isOwn)
        m_itsOwn.insert(event.pid);
    else
        m_itsOwn.erase(event.pid); // its number may come again
    return isOwn;
}

bool ProcessMemory::isItsOwn(std::uint32_t pid)
{
    // One whose fork was not seen had begun before: the machine knows from whom it descends.
    constexpr std::size_t kMostAncestors = 1'000; // numbers that come again while /proc is read could lead in a circle
    std::vector<std::uint32_t> line;
    for (; pid != 0 && !m_itsOwn.contains(pid); pid = parentOf(m_host, pid)) {
        if (m_known.contains(pid) || line.size() == kMostAncestors) return false;
        line.push_back(pid);
    }
    if (pid == 0) return false;
    m_itsOwn.insert(line.begin(), line.end());
    return true;
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
