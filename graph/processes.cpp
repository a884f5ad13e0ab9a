#include "graph/processes.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include "graph/units.h"
#include <algorithm>
#include <cstring>
#include <unordered_map>
namespace dscope::graph {
namespace {
using record::ProcessEvent;
constexpr std::size_t kImagesNamed = 3;

std::string joined(std::span<const std::string> words, bool cut)
{
    std::string out;
    for (const auto& word : words) {
        if (!out.empty()) out += ' ';
        out += word;
    }
    return cut ? out + " \u2026" : out;
}

class Reader {
public:
    std::vector<Process> read(std::span<const ProcessEvent> events)
    {
        for (const auto& event : events)
            take(event);
        const bool haveTimes = std::any_of(events.begin(), events.end(), [](const ProcessEvent& e) { return e.when.count() != 0; });
        for (auto& process : m_all)
            process.hasTimes = haveTimes;
        return std::move(m_all);
    }

private:
    void take(const ProcessEvent& e)
    {
        switch (e.kind) {
        case ProcessEvent::Kind::Existing: existing(e); break;
        case ProcessEvent::Kind::Fork: fork(e); break;
        case ProcessEvent::Kind::Exec: exec(e); break;
        case ProcessEvent::Kind::ExecFailed: known(e).failedExec = e; break;
        case ProcessEvent::Kind::Exit: exit(e); break;
        }
    }

    Process& start(const ProcessEvent& e)
    {
        m_current[e.pid] = m_all.size();
        Process& p = m_all.emplace_back();
        p.pid = e.pid;
        p.uid = e.uid;
        p.firstSeen = e.when.count();
        p.execname = e.execname;
        return p;
    }

    // The process an event is about; one that nobody told of was there before.
    Process& known(const ProcessEvent& e)
    {
        const auto found = m_current.find(e.pid);
        if (found != m_current.end() && !m_all[found->second].end) return m_all[found->second];
        return start(e);
    }

    void existing(const ProcessEvent& e)
    {
        const auto found = m_current.find(e.pid);
        if (found != m_current.end() && !m_all[found->second].end) return;
        Process& p = start(e);
        p.ppid = e.parent;
        p.inherited = {e.path.empty() ? e.execname : e.path, e.cwd, e.args, e.when.count(), e.argsCut};
        link(p);
    }

    void link(Process& p)
    {
        const auto above = m_current.find(p.ppid);
        if (p.ppid == 0 || above == m_current.end() || above->second + 1 >= m_all.size()) return;
        p.parent = above->second;
    }

    void fork(const ProcessEvent& e)
    {
        Process& p = start(e);
        p.ppid = e.parent;
        p.start = e.when.count();
        p.waitedFor = e.vfork;
        link(p);
        if (p.parent) {
            p.inherited = m_all[*p.parent].image();
            if (p.execname.empty()) p.execname = m_all[*p.parent].execname;
        } else {
            p.inherited = {e.path.empty() ? e.execname : e.path, e.cwd, e.args, e.when.count(), e.argsCut};
        }
        if (p.inherited.args.empty()) p.inherited.args = e.args;
    }

    void exec(const ProcessEvent& e)
    {
        Process& p = known(e);
        p.failedExec.reset();
        p.uid = e.uid;
        if (!e.execname.empty()) p.execname = e.execname;
        p.images.push_back({e.path.empty() ? e.execname : e.path, e.cwd, e.args, e.when.count(), e.argsCut});
    }

    void exit(const ProcessEvent& e)
    {
        Process& p = known(e);
        if (p.execname.empty()) p.execname = e.execname;
        p.end = e.when.count();
        p.status = e.status;
        p.cpu = e.cpuTime;
    }

    std::vector<Process> m_all;
    std::unordered_map<std::uint32_t, std::size_t> m_current; ///< by pid, the newest
};
} // namespace

std::string processesText(std::size_t number)
{
    return saidOf(number, "%1 process", "%1 processes", formatGrouped(static_cast<std::int64_t>(number)));
}
std::string signalName(int signal)
{
    const char* name = ::sigabbrev_np(signal);
    return name ? std::string("SIG") + name : said("signal %1", std::to_string(signal));
}
std::string errorName(int error)
{
    const char* name = ::strerrorname_np(error);
    return name && error != 0 ? std::string(name) : said("error %1", std::to_string(error));
}
Process::End Process::how() const
{
    if (!end) return End::Running;
    if (signal() != 0) return End::Signal;
    return exitStatus() == 0 ? End::Success : End::Failure;
}
std::string Process::name() const
{
    if (images.empty()) {
        const auto own = baseName(inherited.path);
        return own.empty() ? (execname.empty() ? "pid " + std::to_string(pid) : execname) : std::string(own);
    }
    std::string out;
    for (std::size_t i = 0; i < images.size(); ++i) {
        if (images.size() > kImagesNamed && i > 0 && i + 1 < images.size()) {
            if (i == 1) out += " \u2192 \u2026";
            continue;
        }
        out += (i ? " \u2192 " : "") + std::string(baseName(images[i].path));
    }
    return out;
}
std::string Process::arguments() const
{
    const auto& args = image().args;
    return args.size() < 2 ? (image().cut ? "\u2026" : std::string()) : joined(std::span(args).subspan(1), image().cut);
}
std::string Process::commandLine() const { return joined(image().args, image().cut); }
std::string Process::endText() const
{
    if (failedExec) return errorName(failedExec->status);
    switch (how()) {
    case End::Running: return said("running");
    case End::Failure: return said("exit %1", std::to_string(exitStatus()));
    case End::Signal: return signalName(signal());
    case End::Success: break;
    }
    return {};
}
std::vector<Process> processesOf(std::span<const ProcessEvent> events) { return Reader().read(events); }
} // namespace dscope::graph
