#include "engine/session/programs.h"
#include "engine/session/clocks.h"
#include "engine/session/control.h"
#include "engine/session/load.h"
#include "engine/session/pmu.h"
#include <algorithm>
#include <bpf/bpf.h>
#include <cerrno>
#include <unistd.h>
#include <utility>
namespace dscope::session {
namespace {
/// Some functions of the kernel are not for probing.
Result<> tellLeft(const FunctionsLeft& left, std::vector<std::string>& warnings)
{
    if (left.refused + left.late == 0) return {};
    std::string message
        = std::to_string(left.refused + left.late) + " of " + std::to_string(left.all) + " kernel functions are not probed:";
    if (left.refused) message += " the kernel does not allow " + std::to_string(left.refused);
    if (left.refused && left.late) message += ", and";
    if (left.late) message += " attaching to " + std::to_string(left.late) + " would have taken too long (name fewer)";
    if (left.refused >= left.all) return Error{left.code, std::move(message)};
    warnings.push_back(std::move(message));
    return {};
}
} // namespace

Result<> Programs::load()
{
    VerifierLog log{m_ground.options.flag("debug"), m_ground.options.flag("bpflog"), m_ground.options.number("bpflogsize"), {}};
    DSCOPE_TRY(m_programs, session::load(m_ground.object.programs, m_ground.maps, m_ground.object.schema, log));
    if (m_ground.tell && !log.text.empty()) m_ground.tell(std::move(log.text));
    for (std::size_t i = 0; i < m_programs.size(); ++i) {
        const auto& code = m_ground.object.programs[i];
        debug("loaded program " + code.name + ": " + std::to_string(code.slots.size()) + " instructions");
        for (const auto& place : code.attach)
            if (const auto* manual = std::get_if<probe::Manual>(&place))
                (manual->when == probe::Manual::When::Begin ? m_begin : m_end) = m_programs[i].get();
    }
    return {};
}

std::optional<std::uint32_t> Programs::onlyCpu() const
{
    if (!m_ground.options.isSet("cpu")) return {};
    return static_cast<std::uint32_t>(m_ground.options.number("cpu"));
}
Result<> Programs::fire(int program) const { return program < 0 ? Result<>() : runOnce(program, onlyCpu()); }

std::uint64_t Programs::notRun() const
{
    std::uint64_t sum = 0;
    for (const auto& program : m_programs) {
        bpf_prog_info info{};
        std::uint32_t size = sizeof info;
        if (bpf_obj_get_info_by_fd(program.get(), &info, &size) == 0) sum += info.recursion_misses;
    }
    return sum;
}

std::uint64_t Programs::overdue() const
{
    std::uint64_t all = 0, missing = 0;
    for (const auto& clock : m_clocks) {
        std::uint64_t elapsed = 0; // ns, while its CPU was online. Source: kernel/events/core.c, cpu_clock_event_update()
        if (::read(clock.event, &elapsed, sizeof elapsed) != sizeof elapsed) continue;
        const auto counts = m_ground.maps.element(m_ground.object.drops, clock.firings);
        const auto at = static_cast<std::size_t>(clock.cpu) * sizeof(std::uint64_t);
        if (!counts || counts->size() < at + sizeof(std::uint64_t)) continue;
        const auto due = elapsed / clock.period, fired = readAt<std::uint64_t>(*counts, at);
        all += due;
        missing += due - std::min(due, fired + 1); // one may be on its way
    }
    constexpr std::uint64_t kFewest = 20, kPart = 20; // a virtual machine is not always let run
    return missing >= kFewest && missing * kPart > all ? missing : 0;
}

void Programs::leave()
{
    m_ticker.stop();
    detach(m_attachments);
}

Result<> Programs::attach(pid_t target, bool othersMayCome, std::vector<std::string>& warnings)
{
    for (std::size_t i = 0; i < m_programs.size(); ++i)
        DSCOPE_CHECK(attachOne(i, target, othersMayCome, warnings));
    return {};
}

Result<> Programs::attachOne(std::size_t index, pid_t target, bool othersMayCome, std::vector<std::string>& warnings)
{
    const int program = m_programs[index].get();
    const auto& code = m_ground.object.programs[index];
    std::vector<probe::Uprobe> uprobes;
    std::vector<probe::KernelFunction> functions;
    for (const auto& place : code.attach) {
        auto attached = std::visit(
            [&](const auto& at) -> Result<> {
                using Place = std::decay_t<decltype(at)>;
                if constexpr (std::is_same_v<Place, probe::RawTracepoint>)
                    return session::attach(at, program, m_attachments);
                else if constexpr (std::is_same_v<Place, probe::Uprobe>)
                    uprobes.push_back(at);
                else if constexpr (std::is_same_v<Place, probe::KernelFunction>) {
                    if (!code.addresses) return session::attach(at, program, m_attachments);
                    functions.push_back(at);
                } else if constexpr (std::is_same_v<Place, probe::PerfEvent>)
                    return attach(at, program, code);
                else if constexpr (!std::is_same_v<Place, probe::Manual>)
                    return session::attach(at, program, m_ground.host, m_attachments);
                return {};
            },
            place);
        if (!attached) return attached;
        debug("attached program " + m_ground.object.programs[index].name);
    }

    if (!uprobes.empty()) {
        const UprobeProgram ours{program, code.addresses ? m_ground.maps.fd(*code.addresses) : -1, code.cookies};
        const auto failed = session::attach(uprobes, ours, target, m_ground.host, &m_uprobeEvents, m_attachments);
        // Not an error if the program also waits for later processes: those that were found may have ended.
        if (!failed && (failed.error().code != ESRCH || !othersMayCome)) return failed.error();
        if (failed && !failed->empty()) DSCOPE_CHECK(tellUnprobed(code, uprobes, *failed, warnings));
    }

    if (functions.empty()) return {};
    DSCOPE_TRY(const auto left,
        session::attach(functions, program, m_ground.maps.fd(*code.addresses), m_ground.host, m_functionEvents, m_attachments));
    return tellLeft(left, warnings);
}

Result<> Programs::attach(const probe::PerfEvent& event, int program, const object::Code& code)
{
    DSCOPE_TRY(const auto cpus, session::attach(event, program, m_ground.host, onlyCpu(), m_attachments));
    const auto first = m_attachments.size() - cpus.size();
    for (std::size_t i = 0; code.firings && i < cpus.size(); ++i)
        m_clocks.push_back({m_attachments[first + i].get(), cpus[i], event.period, *code.firings});
    if (!Ticker::isTick(event)) return {};
    return m_ticker.add(event, cpusOf(event, m_ground.host, onlyCpu()).front(), m_attachments.back().get(), program);
}

/// Some instructions cannot be probed: those with a lock prefix, among others.
Result<> Programs::tellUnprobed(const object::Code& code, std::span<const probe::Uprobe> places, std::span<const std::size_t> failed,
    std::vector<std::string>& warnings) const
{
    constexpr std::size_t kNamed = 5;
    std::string message = "the kernel cannot probe the instructions of " + std::to_string(failed.size()) + " of "
        + std::to_string(places.size()) + " places: ";
    for (std::size_t i = 0; i < std::min(failed.size(), kNamed); ++i) {
        const auto index = failed[i];
        const auto named = std::find_if(m_ground.object.probes.begin(), m_ground.object.probes.end(),
            [&](const record::ProbeDef& p) { return index < code.served.size() && p.id == code.served[index]; });
        if (i != 0) message += ", ";
        message += named == m_ground.object.probes.end() ? places[index].file + "+" + std::to_string(places[index].offset)
                                                         : named->module + ":" + named->function + ":" + named->name;
    }
    if (failed.size() > kNamed) message += ", ...";
    if (failed.size() == places.size()) return Error{ENOTSUPP, std::move(message)};
    warnings.push_back(std::move(message));
    return {};
}

void Programs::debug(const std::string& text) const
{
    if (!m_ground.tell || !m_ground.options.flag("debug")) return;
    m_ground.tell("dscope DEBUG " + std::to_string(monotonicNow().count() / 1'000'000) + ": " + text);
}
} // namespace dscope::session
