#include "engine/text/strace_tasks.h"
#include "engine/text/strace_lines.h"
#include "engine/text/words.h"
#include <algorithm>
#include <set>
#include <utility>
namespace dscope::text::strace {
namespace {
using record::ProcessEvent;
constexpr auto kNotBorn = UINT32_MAX; ///< as the parent in an event that tells again of a process
bool isOfCall(std::string_view text, std::string_view name) { return text.starts_with(name) && text.substr(name.size()).starts_with('('); }
} // namespace

Tasks::Number Tasks::leaderOf(Number task) const
{
    while (m_tasks[task].process != task)
        task = m_tasks[task].process;
    return task;
}

void Tasks::record(ProcessEvent event, Number task)
{
    // Until put() the number is that of the task, and the parent's one more than it, because 0 is none.
    event.pid = event.tid = static_cast<std::uint32_t>(task);
    event.when = record::Nanoseconds(m_now);
    m_out.records.emplace_back(std::move(event));
}

Tasks::Number Tasks::create(std::optional<std::uint32_t> pid, std::string_view command)
{
    const auto number = m_tasks.size();
    auto& task = m_tasks.emplace_back();
    task.pid = pid;
    task.process = number;
    task.birth = m_out.records.size();
    task.name = unescaped(command);
    if (pid) m_alive[*pid] = number;
    ProcessEvent event;
    event.kind = ProcessEvent::Kind::Existing;
    event.execname = task.name;
    record(std::move(event), number);
    return number;
}

bool Tasks::forks(const Task& task) const
{
    const std::string_view call = task.suspended;
    return isOfCall(call, "fork") || isOfCall(call, "vfork") || isOfCall(call, "clone") || isOfCall(call, "clone3");
}

/// Whether a line with a number that was not seen before is of the process that had none. Else it is of a child whose parent's call has
/// not returned.
bool Tasks::isFirst(std::string_view event) const
{
    if (!m_first || !m_tasks[*m_first].isAlive || (m_tasks[*m_first].pid && m_tasks[*m_first].isSure)) return false;
    const auto& first = m_tasks[*m_first];
    constexpr std::string_view kResumed = "<... ";
    if (event.starts_with(kResumed))
        return isOfCall(first.suspended, event.substr(kResumed.size(), event.find(' ', kResumed.size()) - kResumed.size()));
    if (m_announces) return true;
    constexpr std::size_t kMostLookedAt = 10'000;
    if (first.pid || m_tasks.size() > kMostLookedAt) return false;
    return std::none_of(m_tasks.begin(), m_tasks.end(), [&](const Task& task) { return task.isAlive && forks(task); });
}

void Tasks::callFirst(std::uint32_t pid, bool isSure)
{
    auto& first = m_tasks[*m_first];
    if (const auto known = m_alive.find(pid); known != m_alive.end() && known->second != *m_first) return; // of another already
    if (first.pid) m_alive.erase(*first.pid);
    first.pid = pid;
    first.isSure = isSure;
    m_alive[pid] = *m_first;
}

Tasks::Number Tasks::withoutPrefix()
{
    const bool isFirstAlive = m_first && m_tasks[*m_first].isAlive;
    const auto unnumbered = isFirstAlive && !m_tasks[*m_first].pid ? std::size_t{1} : 0;
    if (m_alive.size() + unnumbered == 1) return unnumbered ? *m_first : m_alive.begin()->second;
    if (isFirstAlive && m_alive.size() + unnumbered == 0) return *m_first;
    if (!m_first || m_alive.empty()) { // or another log behind the first
        const auto number = create({}, {});
        m_first = number;
        if (m_ofFile) callFirst(*std::exchange(m_ofFile, {}), false);
        return number;
    }
    return m_last;
}

Tasks::Number Tasks::of(std::optional<std::uint32_t> pid, std::string_view command, std::string_view event)
{
    Number number = 0;
    m_begunAt.reset();
    if (!pid) {
        number = withoutPrefix();
    } else if (const auto known = m_alive.find(*pid); known != m_alive.end()) {
        number = known->second;
        if (number == m_first) m_tasks[number].isSure = true;
    } else if (isFirst(event)) {
        callFirst(*pid, true);
        number = *m_first;
    } else {
        number = create(pid, command);
        if (!m_threaded.empty()) {
            const auto leader = m_threaded.back();
            m_tasks[number].process = leaderOf(leader);
            if (--m_tasks[leader].unseenThreads == 0) m_threaded.pop_back();
        }
    }
    if (auto& task = m_tasks[number]; !command.empty() && task.process == number && task.name.empty()) task.name = unescaped(command);
    m_last = number;
    return number;
}

void Tasks::attached(std::uint32_t pid, std::uint32_t threads)
{
    m_announces = true;
    if (m_alive.contains(pid)) return;
    const auto number = create(pid, {});
    m_tasks[number].unseenThreads = threads - std::min(threads, 1U);
    if (threads > 1) m_threaded.push_back(number);
}

void Tasks::detached(std::uint32_t pid)
{
    if (const auto known = m_alive.find(pid); known != m_alive.end()) leave(known->second);
}

void Tasks::saysItIs(Number task, std::uint32_t pid)
{
    if (task == m_first && !m_tasks[task].isSure) callFirst(pid, false);
    if (task == m_first && !m_tasks[task].pid) callFirst(pid, false);
}

void Tasks::leave(Number number)
{
    auto& task = m_tasks[number];
    task.isAlive = false;
    task.suspended.clear();
    if (task.pid)
        if (const auto known = m_alive.find(*task.pid); known != m_alive.end() && known->second == number) m_alive.erase(known);
}

void Tasks::suspendAs(std::uint32_t pid, std::string call)
{
    if (const auto leader = m_alive.find(pid); leader != m_alive.end()) suspend(leader->second, std::move(call));
}

std::optional<std::string> Tasks::resume(Number number, std::string_view name)
{
    auto& task = m_tasks[number];
    if (isOfCall(task.suspended, name)) {
        m_begunAt = task.suspendedAt;
        return std::exchange(task.suspended, {});
    }
    // Another of its threads has begun it, where strace was asked not to tell (--quiet=thread-execve).
    const auto execing = m_execing.find(leaderOf(number));
    if (execing == m_execing.end() || execing->second == number || !isOfCall(m_tasks[execing->second].suspended, name)) return {};
    const auto other = execing->second;
    auto call = std::exchange(m_tasks[other].suspended, {});
    leave(other);
    return call;
}

void Tasks::suspend(Number number, std::string call)
{
    if (isOfCall(call, "execve") || isOfCall(call, "execveat")) m_execing[leaderOf(number)] = number;
    m_tasks[number].suspended = std::move(call);
    m_tasks[number].suspendedAt = m_out.records.size();
}

Tasks::Number Tasks::superseded(Number number, std::optional<std::uint32_t> by, bool hasPrefix)
{
    const auto thread = by ? m_alive.find(*by) : m_alive.end();
    if (thread == m_alive.end()) return number;
    const auto other = thread->second;
    if (!hasPrefix && leaderOf(other) != other) number = leaderOf(other);
    if (number == other || leaderOf(number) == other) return number;
    auto call = std::exchange(m_tasks[other].suspended, {});
    leave(other);
    m_tasks[other].process = leaderOf(number);
    auto& task = m_tasks[number];
    if (!call.empty()) task.suspended = std::move(call);
    task.isAlive = true;
    if (task.pid) m_alive[*task.pid] = number;
    m_last = number;
    return number;
}

void Tasks::forked(Number number, std::uint32_t child, bool isThread, bool waits)
{
    const auto parent = leaderOf(number);
    const auto known = m_alive.find(child);
    // A number that was seen before: the child's first lines came before this one.
    const bool isEarly = known != m_alive.end() && !m_tasks[known->second].hasParent && known->second != m_first && known->second != parent
        && m_tasks[known->second].process == known->second;
    // One that has already ended, as the child of vfork() whose exec failed, began after the call.
    const auto gone = m_gone.find(child);
    const bool isGone = known == m_alive.end() && gone != m_gone.end() && m_begunAt && m_tasks[gone->second].birth >= *m_begunAt;
    const auto born = isEarly ? known->second : isGone ? gone->second : create(child, {});
    if (isGone) m_gone.erase(gone);
    auto& task = m_tasks[born];
    task.hasParent = true;
    if (isThread) {
        task.process = parent;
        return;
    }

    const auto& above = m_tasks[parent];
    if (task.name.empty()) task.name = above.name;
    if (task.folder.empty()) task.folder = above.folder;
    auto& event = std::get<ProcessEvent>(m_out.records[task.birth]);
    event.kind = ProcessEvent::Kind::Fork;
    event.parent = static_cast<std::uint32_t>(parent) + 1;
    event.vfork = waits;
    event.execname = above.name;
}

void Tasks::execed(Number number, ProcessEvent event)
{
    auto& task = process(number);
    event.cwd = task.folder;
    if (event.kind == ProcessEvent::Kind::Exec) {
        constexpr std::size_t kLongest = 15; // Source: linux/include/linux/sched.h, TASK_COMM_LEN
        task.name = event.path.substr(event.path.rfind('/') + 1).substr(0, kLongest);
    }
    event.execname = task.name;
    record(std::move(event), number);
}

void Tasks::ended(Number number, std::int32_t status)
{
    ProcessEvent event;
    event.kind = ProcessEvent::Kind::Exit;
    event.status = status;
    event.execname = process(number).name;
    record(std::move(event), number);
    const auto& task = m_tasks[number];
    if (task.pid && !task.hasParent && task.process == number && number != m_first) m_gone[*task.pid] = number;
    leave(number);
}

/// Where strace has not said when it attached to a process: the only one without a parent is the one that had no number at first.
void Tasks::settleFirst()
{
    if (!m_first || m_tasks[*m_first].pid) return;
    std::optional<Number> only;
    for (Number i = 0; i < m_tasks.size(); ++i) {
        const auto& task = m_tasks[i];
        if (i == *m_first || task.hasParent || task.process != i) continue;
        if (only) return;
        only = i;
    }
    if (!only) return;
    m_tasks[*m_first].pid = m_tasks[*only].pid;
    std::get<ProcessEvent>(m_out.records[m_tasks[*only].birth]).parent = kNotBorn;
}

std::vector<std::uint32_t> Tasks::numbers() const
{
    std::set<std::uint32_t> taken;
    for (const auto& task : m_tasks)
        if (task.pid) taken.insert(*task.pid);
    std::vector<std::uint32_t> out;
    for (const auto& task : m_tasks) {
        std::uint32_t pid = task.pid.value_or(1);
        while (!task.pid && taken.contains(pid))
            ++pid;
        out.push_back(pid);
    }
    return out;
}

bool Tasks::put(std::int64_t began)
{
    settleFirst();
    const auto pids = numbers();
    const bool hasUnknown = std::any_of(m_tasks.begin(), m_tasks.end(), [](const Task& task) { return !task.pid; });
    // Of a thread only what it ran is told: its start and its end are not those of its process.
    std::erase_if(m_out.records, [&](const record::Record& r) {
        const auto* event = std::get_if<ProcessEvent>(&r);
        if (event && event->parent == kNotBorn) return true;
        if (!event || m_tasks[event->pid].process == event->pid) return false;
        return event->kind != ProcessEvent::Kind::Exec && event->kind != ProcessEvent::Kind::ExecFailed;
    });
    const bool hasTimes = std::none_of(m_out.records.begin(), m_out.records.end(), [](const record::Record& r) {
        const auto* event = std::get_if<ProcessEvent>(&r);
        return event && event->when.count() == kUntold;
    });
    for (auto& r : m_out.records)
        if (auto* event = std::get_if<ProcessEvent>(&r)) {
            event->pid = event->tid = pids[leaderOf(event->pid)];
            if (event->parent != 0) event->parent = pids[leaderOf(event->parent - 1)];
            event->when = record::Nanoseconds(hasTimes ? std::max(event->when.count(), began) : 0);
        }
    if (hasUnknown)
        m_out.warn("the log does not tell the number of the process that it begins with, which is called " + std::to_string(pids[*m_first])
            + ": log with strace -f -o FILE");
    return hasTimes;
}
} // namespace dscope::text::strace
