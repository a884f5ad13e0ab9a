#include "engine/session/live_stacks.h"
#include "engine/codegen/raw.h"
namespace dscope::session {
LiveStacks::LiveStacks(const host::Host& host) : m_symbolizer(host) { }

void LiveStacks::attend(std::uint32_t pid)
{
    if (m_attended.insert(pid).second) m_symbolizer.attend(pid);
}

std::vector<record::Frame> LiveStacks::kernel(std::span<const std::uint64_t> addresses)
{
    std::vector<record::Frame> frames;
    frames.reserve(addresses.size());
    for (const auto address : addresses)
        frames.push_back(m_symbolizer.kernel(address, !frames.empty()));
    return frames;
}

std::vector<record::Frame> LiveStacks::user(std::uint32_t pid, ByteView raw, std::uint32_t limit)
{
    const auto head = readAt<codegen::RawUserStack>(raw, 0);
    if ((head.flags & 1U) != 0 || limit == 0) return {};
    attend(pid);
    symbols::UserContext context{head.ip, head.sp, head.bp, head.bx, head.r12, head.r13, head.r14, head.r15, {}};
    context.stack = raw.subspan(std::min(raw.size(), sizeof head));
    context.stack = context.stack.first(std::min<std::size_t>(context.stack.size(), head.length));
    const auto addresses = m_symbolizer.unwind(pid, context, limit);
    return m_symbolizer.name(pid, addresses);
}

record::Frame LiveStacks::symbol(std::uint32_t pid, std::uint64_t address, bool user)
{
    if (!user) return m_symbolizer.kernel(address);
    attend(pid);
    return m_symbolizer.user(pid, address);
}

void LiveStacks::follow(const record::ProcessEvent& event)
{
    using Kind = record::ProcessEvent::Kind;
    switch (event.kind) {
    case Kind::Existing:
    case Kind::Fork: attend(event.pid); break;
    case Kind::Exec:
        m_symbolizer.execed(event.pid);
        m_symbolizer.attend(event.pid);
        m_attended.insert(event.pid);
        break;
    case Kind::Exit:
        m_symbolizer.exited(event.pid);
        m_attended.erase(event.pid);
        break;
    case Kind::ExecFailed: break;
    }
}
} // namespace dscope::session
