#include "engine/session/growth.h"
#include "engine/session/pmu.h"
#include "engine/symbols/process_objects.h"
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>
namespace dscope::session {
namespace {
using std::chrono::milliseconds;
/// After an exec that did not wait: its libraries come at once, modules of interpreters and plugins within seconds.
constexpr milliseconds kLooks[]
    = {milliseconds(0), milliseconds(5), milliseconds(50), milliseconds(250), milliseconds(1000), milliseconds(4000)};
constexpr milliseconds kDeadRate{1000};
/// Each is stopped for about as long as compiling takes. A server that forks more often would be held up too much.
constexpr std::size_t kMostHeld = 250;
constexpr std::chrono::seconds kHeldSpan{10};
constexpr std::size_t kFewProbes = 4096; ///< so close to the most that may be, the dead are looked for first
bool isGone(pid_t process) { return ::kill(process, 0) != 0 && errno == ESRCH; }
} // namespace

Result<> Growth::begin(Request request, std::span<const pid_t> targets, const Ground& ground, std::vector<std::string>& warnings)
{
    m_request = std::move(request);
    if (!m_request.compileAgain || (m_request.processes.empty() && !m_request.newcomers)) return {};
    const auto refused = [&](const std::string& what, const Error& why) { warnings.push_back(what + ": " + why.message); };
    if (auto watched = Watched::make())
        m_watched = std::move(*watched);
    else {
        refused("what comes later will not be probed", watched.error());
        return {};
    }

    if (auto libraries = LibraryWatch::make(*m_watched))
        m_libraries = std::move(*libraries);
    else
        refused("libraries that are loaded later will not be probed", libraries.error());
    const auto watch = [&](std::span<const pid_t> all, std::uint32_t role) {
        for (const auto process : all) {
            m_watched->add(process, role);
            watchLibraries(process, ground.host, warnings);
            seesNewFiles(process, ground.host);
        }
    };

    if (m_request.newcomers) watch(targets, Watched::kStops | Watched::kHeirs);
    watch(m_request.processes, Watched::kStops);
    if (m_request.newcomers)
        for (const auto& code : ground.object.programs)
            for (const auto& place : code.attach)
                if (const auto* uprobe = std::get_if<probe::Uprobe>(&place); uprobe && uprobe->pid > 0) {
                    m_watched->add(uprobe->pid, Watched::kHeirs | Watched::kForks);
                    seesNewFiles(uprobe->pid, ground.host);
                }
    if (ground.host.pidNamespace()) { // processes have other numbers for us than BPF programs see
        warnings.emplace_back("programs that are started later will not be probed: dscope runs in a container, and would not know them");
        return {};
    }

    const auto execs = m_request.newcomers ? ProcessWatch::Execs::OfAll : ProcessWatch::Execs::OfWatched;
    auto processes = ProcessWatch::make(*m_watched, execs, m_request.tgid);
    if (processes)
        m_processes = std::move(*processes);
    else
        refused("programs that are started later will not be probed", processes.error());
    return {};
}

void Growth::watchLibraries(pid_t process, const host::Host& host, std::vector<std::string>& warnings)
{
    if (!m_libraries) return;
    if (auto added = m_libraries->add(process, host, m_linkers[process]); !added && !isGone(process))
        warnings.push_back("libraries that process " + std::to_string(process) + " loads will not be probed: " + added.error().message);
}

/// Whether a process has mapped files with code that it had not before. Probes stay in a file that is unloaded and comes back.
bool Growth::seesNewFiles(pid_t process, const host::Host& host)
{
    const auto objects = symbols::objectsOf(host, process);
    if (!objects) return false;
    bool more = false;
    for (const auto& object : *objects)
        more = m_files.insert({process, object.inode, object.path}).second || more;
    return more;
}

/// Adds the probes that have come since, and lets their processes go on.
void Growth::poll(const Ground& ground, VerifierLog& log, const record::Source::Deliver& deliver, std::vector<std::string>& warnings)
{
    if (!m_watched) return;
    const auto now = Clock::now();
    std::set<pid_t> look, wait;
    for (const auto& told : m_watched->told()) {
        if (told.waits) {
            wait.insert(told.pid);
            look.insert(told.pid);
            if (told.isNew && (m_watched->role(told.pid) & Watched::kStops) == 0) countHeld(now, warnings);
            if (told.isNew) watchLibraries(told.pid, ground.host, warnings);
        } else {
            for (const auto later : kLooks)
                m_again.emplace(now + later, told.pid);
        }
    }
    while (!m_again.empty() && m_again.begin()->first <= now) {
        look.insert(m_again.begin()->second);
        m_again.erase(m_again.begin());
    }

    std::set<pid_t> grown;
    for (const auto process : look) {
        ground.programs.follow(process);
        for (const auto& addition : m_additions)
            if (addition.events) addition.events->follow(process, ground.host);
        if (seesNewFiles(process, ground.host) && m_request.concerns(process)) grown.insert(process);
    }

    if (auto done = grown.empty() ? Result<>() : extend(std::move(grown), ground, log, deliver, warnings);
        !done && done.error().code != ESRCH)
        warnings.push_back("probes that came later could not be added: " + done.error().message);
    for (const auto process : wait)
        Watched::resume(process);
    if (now >= m_deadDue) {
        forgetTheDead();
        m_deadDue = now + kDeadRate;
    }
}

/// Others' servers go on as they are where they fork too often to be held up.
void Growth::countHeld(Clock::time_point now, std::vector<std::string>& warnings)
{
    if (now - m_heldSince > kHeldSpan) {
        m_heldSince = now;
        m_held = 0;
    }
    if (++m_held < kMostHeld || !std::exchange(m_holdsForks, false)) return;
    m_watched->holdNoForks();
    warnings.push_back("programs that are probed forked " + std::to_string(kMostHeld) + " times within " + std::to_string(kHeldSpan.count())
        + " s: dscope no longer stops new processes until they have their probes, so what these do first may be missed");
}

/// How many more may be added, once those whose processes have ended are gone.
std::size_t Growth::roomForProbes()
{
    const auto there = [this] {
        std::size_t sum = 0;
        for (const auto& addition : m_additions)
            sum += addition.probes;
        return sum;
    };
    if (m_request.mostProbes < there() + kFewProbes) forgetTheDead();
    return m_request.mostProbes - std::min(m_request.mostProbes, there());
}

Result<> Growth::extend(std::set<pid_t> processes, const Ground& ground, VerifierLog& log, const record::Source::Deliver& deliver,
    std::vector<std::string>& warnings)
{
    processes.merge(std::exchange(m_withoutRoom, {}));
    auto object = m_request.compileAgain(processes);
    if (!object) return {};
    auto& ours = ground.object;
    std::set<std::uint32_t> known;
    for (const auto& probe : ours.probes)
        known.insert(probe.id.value);
    Addition addition;
    auto room = roomForProbes();
    std::size_t leftOut = 0;
    for (auto& code : object->programs) {
        std::vector<probe::Uprobe> places;
        std::vector<std::uint64_t> cookies;
        for (std::size_t i = 0; i < code.cookies.size(); ++i)
            if (const auto* place = std::get_if<probe::Uprobe>(&code.attach[i]); place && !known.count(code.served[i].value)) {
                places.push_back(*place);
                cookies.push_back(code.cookies[i]);
            }
        if (const auto most = std::min(places.size(), room); most < places.size()) {
            leftOut += places.size() - most;
            for (std::size_t i = most; i < places.size(); ++i)
                m_withoutRoom.insert(places[i].pid);
            places.resize(most);
            cookies.resize(most);
        }
        if (places.empty()) continue;
        room -= places.size();
        addition.probes += places.size();
        if (object->schema.clauses.size() != ours.schema.clauses.size()
            || object->schema.aggregations.size() != ours.schema.aggregations.size())
            return Error{0, "the program has other clauses with them"};
        for (std::size_t i = 0; i < ours.clauseLayouts.size(); ++i)
            if (object->clauseLayouts[i].rawSize != ours.clauseLayouts[i].rawSize)
                return Error{0, "what the program records would have another size with them"};
        if (!addition.maps) { DSCOPE_TRY(addition.maps, ground.maps.extended(*object)); }
        DSCOPE_TRY(auto loaded, session::load({&code, 1}, *addition.maps, object->schema, log));
        for (const auto& probe : object->probes)
            if (known.insert(probe.id.value).second) {
                ours.probes.push_back(probe);
                deliver(probe);
            }
        if (!addition.events) addition.events = std::make_unique<UprobeEvents>(ground.host);
        const UprobeProgram program{loaded.front().get(), code.addresses ? addition.maps->fd(*code.addresses) : -1, cookies};
        DSCOPE_TRY(const auto failed, attach(places, program, 0, ground.host, addition.events.get(), addition.links));
        if (!failed.empty() && failed.size() == places.size()) return Error{ENOTSUPP, "the kernel can probe none of their instructions"};
        addition.programs.push_back(std::move(loaded.front()));
        for (const auto& place : places)
            addition.processes.insert(place.pid);
    }

    // Of each program that starts from now on there may be some.
    if (leftOut != 0 && m_request.warnsOfMost && !std::exchange(m_isFullTold, true))
        warnings.push_back(std::to_string(leftOut)
            + " probes of programs that have started are not enabled: option nusdtprobes lets there be "
            + std::to_string(m_request.mostProbes));
    for (const auto process : addition.processes)
        if (m_request.newcomers) m_watched->holdForksOf(process);
    if (addition.maps) m_additions.push_back(std::move(addition));
    return {};
}

void Growth::programs(std::vector<int>& all) const
{
    for (const auto& addition : m_additions)
        for (const auto& program : addition.programs)
            all.push_back(program.get());
}

void Growth::leave(std::vector<Addition>& additions, Attachments& linkers)
{
    Attachments links = std::move(linkers);
    for (auto& addition : additions)
        std::move(addition.links.begin(), addition.links.end(), std::back_inserter(links));
    detach(links);
    additions.clear();
}

/// Their probes leave at once, while we go on: that takes the kernel its time.
void Growth::forgetTheDead()
{
    if (m_leaving.valid() && m_leaving.wait_for(milliseconds(0)) != std::future_status::ready) return;
    const auto dead = std::partition(m_additions.begin(), m_additions.end(),
        [](const Addition& addition) { return !std::all_of(addition.processes.begin(), addition.processes.end(), isGone); });
    std::vector<Addition> leaving(std::make_move_iterator(dead), std::make_move_iterator(m_additions.end()));
    m_additions.erase(dead, m_additions.end());

    std::set<pid_t> known; // most of them without a probe
    for (const auto& file : m_files)
        known.insert(std::get<0>(file));
    for (const auto& [process, linker] : m_linkers)
        known.insert(process);
    std::erase_if(known, [](pid_t process) { return !isGone(process); });
    Attachments linkers;
    for (const auto process : known) {
        if (m_libraries) m_libraries->forget(process);
        if (auto linker = m_linkers.extract(process))
            std::move(linker.mapped().begin(), linker.mapped().end(), std::back_inserter(linkers));
    }

    std::erase_if(m_files, [&](const auto& file) { return known.contains(std::get<0>(file)); });

    if (leaving.empty() && linkers.empty()) return;
    try {
        m_leaving = std::async(std::launch::async, [all = std::move(leaving), links = std::move(linkers)]() mutable { leave(all, links); });
    } catch (const std::system_error&) {
        // No further thread may be had: they have left with the function that was to do it.
    }
}

void Growth::end()
{
    if (!m_watched) return;
    if (m_processes) m_processes->end();
    Attachments linkers;
    for (auto& [process, linker] : m_linkers)
        std::move(linker.begin(), linker.end(), std::back_inserter(linkers));
    detach(linkers); // nobody is stopped from here on
    for (const auto& told : m_watched->told())
        if (told.waits) Watched::resume(told.pid);
    leave(m_additions, linkers);
}
} // namespace dscope::session
