#include "engine/tracer/tracer.h"
#include "engine/sema/no_match.h"
#include "engine/session/starting.h"
#include "engine/session/target.h"
#include "engine/tracer/buffer_policy.h"
#include "engine/tracer/late_probes.h"
#include "engine/tracer/seen_host.h"
#include "engine/types/btf.h"
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <utility>
namespace dscope::tracer {
namespace {
/// How far the commands run before they are traced: to main() unless the option evaltime says otherwise.
session::Stage stageOf(const options::Options& options)
{
    if (!options.isSet("evaltime")) return session::Stage::Main;
    const auto when = options.text("evaltime");
    return when == "exec" ? session::Stage::Exec : when == "preinit" ? session::Stage::Preinit : session::Stage::Main;
}

/// Option btfpath: the machine with the kernel's types of a file, or with none. Programs are compiled for it; what attaches to the kernel
/// goes by the kernel's own.
class TypesOfFile final : public SeenHost {
public:
    TypesOfFile(const host::Host& real, std::string file) : SeenHost(real), m_file(std::move(file)) { }
    Result<HeldText> kernelTypes() const override
    {
        if (m_file == "none") return Error{0, "option btfpath is none"};
        if (m_types) return m_types;
        DSCOPE_TRY(auto bytes, read(m_file));
        auto types = held(std::move(bytes));
        if (const auto parsed = types::Btf::parse(types); !parsed)
            return Error{0, "option btfpath: " + m_file + ": " + parsed.error().message};
        return m_types = std::move(types);
    }

private:
    const std::string m_file;
    mutable HeldText m_types;
};

/// The machine as probes are looked for: with all its processes, or for a while with a few.
class SomeProcesses final : public SeenHost {
public:
    using SeenHost::SeenHost;
    /// Empty: all.
    void show(std::set<pid_t> processes) { m_shown = std::move(processes); }
    Result<std::vector<std::string>> entries(const std::string& directory) const override
    {
        if (directory != "/proc" || m_shown.empty()) return SeenHost::entries(directory);
        std::vector<std::string> names;
        for (const auto process : m_shown)
            names.push_back(std::to_string(process));
        return names;
    }

private:
    std::set<pid_t> m_shown;
};

Result<std::vector<session::Target>> targetsOf(const Request& request)
{
    std::vector<session::Target> all;
    const auto group = request.endsGroups ? session::Target::Group::Own : session::Target::Group::Ours;
    for (const auto& command : request.commands) {
        DSCOPE_TRY(auto target, session::Target::launch(command, request.runAs, group));
        all.push_back(std::move(target));
    }
    for (const auto process : request.processes) {
        DSCOPE_TRY(auto target, session::Target::grab(process));
        all.push_back(std::move(target));
    }
    return all;
}

/// Lets the commands run as far as they should before they are traced. A program that traces the processes themselves sees how
/// they begin, from their exec on.
Result<> advance(const host::Host& host, std::vector<session::Target>& targets, const sema::Program& program)
{
    const bool isAsked = program.options.isSet("evaltime");
    const auto stage = stageOf(program.options);
    if (stage == session::Stage::Exec || (!isAsked && program.tellsOfProcesses)) return {};

    for (auto& target : targets) {
        auto done = target.advance(host, stage);
        // Where we may not use ptrace(2), the command is traced from its exec on, as without the option.
        if (!done && (isAsked || done.error().code != EPERM)) return done;
    }
    return {};
}
} // namespace

struct Tracer::Impl {
    explicit Impl(Request r, std::vector<session::Target> t)
        : request(std::move(r)), targets(std::move(t)), host(host::local(request.kept)), shown(*host),
          registry(shown, providers::all(), [this](const probe::Pattern& pattern) { return prepare(pattern); })
    {
        std::vector<int> processes;
        for (const auto& target : targets)
            processes.push_back(target.pid());
        registry.setTargets(std::move(processes));
        registry.setAgain([this](const probe::Pattern& pattern) { return becomesAnother(pattern); });
        if (request.options.isSet("btfpath")) otherTypes = std::make_unique<TypesOfFile>(*host, request.options.text("btfpath"));
    }

    /// Functions and marks of a command can be found when its libraries are loaded: the registry asks for that before a
    /// provider looks into processes.
    Result<> prepare(const probe::Pattern& pattern)
    {
        for (auto& target : targets)
            if (probe::isGlob(pattern.provider) || pattern.provider.ends_with(std::to_string(target.pid())))
                DSCOPE_CHECK(target.advance(*host, stageOf(request.options)));
        if (const auto process = processOf(pattern))
            if (const auto image = session::awaitStart(*host, *process)) images[*process] = *image;
        return {};
    }

    /// The running process whose number a description names; none if we hold it.
    std::optional<pid_t> processOf(const probe::Pattern& pattern) const
    {
        const auto& provider = pattern.provider;
        pid_t process = 0;
        const auto* const digits = provider.data() + provider.find_last_not_of("0123456789") + 1;
        if (std::from_chars(digits, provider.data() + provider.size(), process).ec != std::errc{}) return {};
        const auto isHeld = [process](const session::Target& target) { return target.isChild() && target.pid() == process; };
        return std::any_of(targets.begin(), targets.end(), isHeld) ? std::nullopt : std::optional(process);
    }
    /// A description has no probes: whether the process has become another program since it was looked into.
    bool becomesAnother(const probe::Pattern& pattern) const
    {
        if (request.allowNoMatch) return false; // what it becomes is watched for
        const auto process = processOf(pattern);
        const auto known = process ? images.find(*process) : images.end();
        return known != images.end() && session::awaitNextImage(*host, *process, known->second);
    }
    int target() const { return targets.empty() ? 0 : targets.front().pid(); }

    /// What programs are compiled for.
    const host::Host& described() const { return otherTypes ? *otherTypes : *host; }

    Request request;
    std::vector<session::Target> targets;
    std::map<pid_t, session::Image> images; ///< of processes that were looked into
    std::unique_ptr<host::Host> host, otherTypes;
    SomeProcesses shown; ///< to the providers
    probe::Registry registry;
};

Tracer::Tracer(std::unique_ptr<Impl> impl) : m(std::move(impl)) { }
Tracer::~Tracer() = default;

Result<std::unique_ptr<Tracer>> Tracer::open(Request request)
{
    DSCOPE_TRY(auto targets, targetsOf(request));
    return std::unique_ptr<Tracer>(new Tracer(std::make_unique<Impl>(std::move(request), std::move(targets))));
}

const host::Host& Tracer::host() const { return *m->host; }
const probe::Registry& Tracer::registry() const { return m->registry; }
const Request& Tracer::request() const { return m->request; }

Compilation Tracer::compile()
{
    Compilation result;
    if (auto compiled = tracer::compile(m->request, m->described(), m->registry, m->target(), result.diagnostics))
        result.program = Program(*std::move(compiled));
    return result;
}

std::optional<std::vector<probe::Pattern>> Tracer::described(Messages& messages)
{
    return tracer::described(m->request, m->described(), m->registry, m->target(), messages);
}

std::vector<std::string> Tracer::whyNone(const probe::Pattern& pattern) const
{
    const auto written = probe::Name{pattern.provider, pattern.module, pattern.function, pattern.name}.spelled();
    return sema::NoMatch(m->registry, *m->host, sema::NoMatch::Waits::No).hints(pattern, written);
}

struct Run::Impl {
    explicit Impl(const options::Options& options) : buffers(options, [this](const record::Record& r) { (*deliver)(r); }) { }

    void tell()
    {
        for (; told < session->warnings().size(); ++told) {
            const auto& text = session->warnings()[told];
            (*deliver)(record::Diagnostic{record::Diagnostic::Severity::Warning, {}, {}, 0, 0, text, text});
        }
    }

    std::unique_ptr<session::Session> session;
    const Deliver* deliver = nullptr; ///< of the poll() that is under way
    BufferPolicy buffers;
    bool hasBegun = false, hasFilled = false;
    std::size_t told = 0;
};

Run::Run(std::unique_ptr<Impl> impl) : m(std::move(impl)) { }
Run::~Run() = default;
void Run::stop(Stop how)
{
    m->session->stop(how == Stop::Interrupted ? session::Session::Stop::Interrupted : session::Session::Stop::Asked);
}

void Run::pause(Paused how) { m->session->pause(how == Paused::Yes ? session::Session::Paused::Yes : session::Session::Paused::No); }

Result<bool> Run::poll(std::chrono::milliseconds timeout, const Deliver& deliver)
{
    m->deliver = &deliver;
    auto more = m->session->poll(timeout, [this](const record::Record& r) {
        m->buffers.take(r);
        if (!std::exchange(m->hasBegun, true)) m->tell(); // what was known from the start follows the program
    });
    if (m->buffers.isFull() && !std::exchange(m->hasFilled, true)) m->session->stop(session::Session::Stop::Asked);
    if (m->hasBegun) m->tell();
    if (!more || !*more)
        m->buffers.release(std::chrono::duration_cast<record::Nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()));
    m->deliver = nullptr;
    return more;
}

Result<std::unique_ptr<Run>> Tracer::start(Program program, Listening listening)
{
    auto& compiled = program.m_compiled;
    DSCOPE_CHECK(advance(*m->host, m->targets, compiled.program));

    const int target = compiled.object.schema.target ? static_cast<int>(compiled.object.schema.target) : m->target();
    session::Session::Request request{
        std::move(compiled.object), compiled.program.options, std::move(m->targets), listening.watcher, std::move(listening.tell)};
    request.isOver = std::move(listening.isOver);
    request.forgetsStacks = listening.forgetsStacks;
    if (target == 0) request.leftOut = m->request.asker; // it looks at the whole machine, not at itself
    request.growth = lateProbes(compiled.program, *m->host, m->registry);
    request.growth.compileAgain
        = [impl = m.get(), again = m->request, target](const std::set<pid_t>& processes) mutable -> std::optional<object::Object> {
        again.allowNoMatch = true;
        Messages unheard; // they were told when the program was compiled first
        impl->shown.show(processes);
        auto more = tracer::compile(again, impl->described(), impl->registry, target, unheard);
        impl->shown.show({});
        return more ? std::optional(std::move(more->object)) : std::nullopt;
    };
    m->targets.clear();

    auto run = std::make_unique<Run::Impl>(compiled.program.options);
    auto started = session::Session::start(std::move(request), *m->host);
    if (!started) return std::move(started).error().in("could not enable tracing");
    run->session = std::move(*started);
    return std::unique_ptr<Run>(new Run(std::move(run)));
}
} // namespace dscope::tracer
