#include "engine/decode/process_record.h"
#include "engine/object/raw.h"
namespace dscope::decode {
namespace {
constexpr std::uint32_t kVfork = 1, kArgsCut = 2;

/// Texts that each end in a NUL; the last one's may be missing.
std::vector<std::string> texts(ByteView bytes)
{
    std::vector<std::string> all;
    for (std::size_t at = 0; at < bytes.size();) {
        all.push_back(textAt(bytes, at, bytes.size() - at));
        at += all.back().size() + 1;
    }
    return all;
}
/// Names of directories from the innermost out; the root's own name is "/".
std::string directory(ByteView bytes)
{
    const auto names = texts(bytes);
    if (names.empty()) return {};
    std::string path;
    for (auto name = names.rbegin(); name != names.rend(); ++name)
        if (!name->empty() && *name != "/") path += "/" + *name;
    return path.empty() ? "/" : path;
}
} // namespace

Result<record::ProcessEvent> processEvent(ByteView raw)
{
    using object::RawProcess;
    using Kind = record::ProcessEvent::Kind;
    if (raw.size() < sizeof(RawProcess)) return Error{0, "a process record is cut"};
    const auto head = readAt<RawProcess>(raw, 0);
    const auto rest = raw.subspan(sizeof(RawProcess));
    if (std::uint64_t{head.argsLength} + head.pathLength + head.cwdLength > rest.size()) return Error{0, "a process record is cut"};
    if (head.event > static_cast<std::uint32_t>(Kind::Exit)) return Error{0, "a process record of no known kind"};

    record::ProcessEvent event;
    event.kind = static_cast<Kind>(head.event);
    event.when = record::Nanoseconds(static_cast<std::int64_t>(head.header.when));
    // The parent reports a fork: the record's pid is the parent's.
    event.pid = event.kind == Kind::Fork ? head.child : head.header.pid;
    event.parent = event.kind == Kind::Fork ? head.header.pid : head.parent;
    event.tid = head.header.tid;
    event.uid = head.uid;
    event.vfork = (head.flags & kVfork) != 0;
    event.argsCut = (head.flags & kArgsCut) != 0;
    event.status = head.status;
    event.cpuTime = head.cpuTime;
    event.execname = textAt(raw, offsetof(RawProcess, execname), sizeof head.execname);
    event.args = texts(rest.first(head.argsLength));
    event.path = textAt(rest, head.argsLength, head.pathLength);
    event.cwd = directory(rest.subspan(head.argsLength + head.pathLength, head.cwdLength));
    return event;
}
} // namespace dscope::decode
