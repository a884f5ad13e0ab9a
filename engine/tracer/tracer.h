#pragma once
#include "engine/base/result.h"
#include "engine/session/session.h"
#include "engine/tracer/front.h"
#include "engine/tracer/request.h"
#include <functional>
#include <memory>
#include <optional>
#include <vector>
/// The engine as a library: a Request becomes a Program or diagnostics, a Program becomes a Run, and a Run is a stream of
/// records. Nothing here writes to standard output or standard error, but for cpp(1) and the traced commands, which have both.
namespace dscope::tracer {
class Run;
using Watcher = session::Session::Watcher;

/// What those who listen to a Run need of it.
struct Listening {
    Watcher watcher = Watcher::Nobody;              ///< who wants to see aggregations while it runs
    bool forgetsStacks = false;                     ///< nobody keeps a StackDef: memory of stacks that no aggregation has may be given back
    std::function<void(const std::string&)> tell{}; ///< hears what -x debug and -x bpflog ask for; may be empty
    std::function<bool()> isOver{};                 ///< whether the run is to end, asked while it starts and waits; may be empty
};

/// A compiled D program that can be run.
class Program {
public:
    /// What its records look like: clauses, aggregations, options.
    const record::Program& schema() const { return m_compiled.object.schema; }
    /// Its options: those of the request and those that the program itself sets.
    const options::Options& options() const { return m_compiled.program.options; }
    /// The eBPF programs and maps; a listing of them is what -S prints.
    const object::Object& object() const { return m_compiled.object; }
    const sema::Program& analysed() const { return m_compiled.program; }
    /// What -v tells of its stability; empty unless Request::reports.
    const std::string& stability() const { return m_compiled.stability; }
    /// The texts as they were understood, in one form: macros replaced, -C done. Empty unless Request::writes.
    const std::string& written() const { return m_compiled.written; }
    bool matchesProbes() const { return !m_compiled.program.probes.empty(); }
    bool isDestructive() const { return m_compiled.program.destructive; }
    /// The first probe where return() cannot be had, as "dtrace:::BEGIN"; empty: none.
    const std::string& refusesResult() const { return m_compiled.program.refusesResult; }

private:
    friend class Tracer;
    explicit Program(Compiled compiled) : m_compiled(std::move(compiled)) { }
    Compiled m_compiled;
};

/// What compile() found. `program` is there unless one of the diagnostics is an error.
struct Compilation {
    std::optional<Program> program;
    Messages diagnostics;
};

/// The traced machine with the processes of a request. Its commands are started and wait before their exec; those that are
/// never released by a Run are killed when the Tracer goes.
class Tracer {
public:
    /// Error: a command that does not exist, or a process that is not there.
    static Result<std::unique_ptr<Tracer>> open(Request request);
    ~Tracer();

    const host::Host& host() const;
    const probe::Registry& registry() const;
    const Request& request() const;

    /// All texts of the request as one program.
    Compilation compile();
    /// The probe descriptions that the texts of the request are about, in order. `messages` gains what is wrong.
    std::optional<std::vector<probe::Pattern>> described(Messages& messages);

    /// What may be meant by a description that matches no probe, and why there is none.
    std::vector<std::string> whyNone(const probe::Pattern& pattern) const;

    /// Loads and attaches `program`, fires BEGIN and lets the commands go. Call it once. The Tracer must outlive the Run.
    /// Error: what the kernel refused, in one sentence, and what to do.
    Result<std::unique_ptr<Run>> start(Program program, Listening listening = {});

private:
    struct Impl;
    explicit Tracer(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m;
};

/// A program that runs. poll() delivers record::Program first, then definitions, events and diagnostics as they come, and at
/// the end the aggregations and Exit. What the option bufpolicy says about buffers is done here.
class Run final : public record::Source {
public:
    ~Run() override;
    /// False: the stream has ended. Error: a command could not be run, or the kernel failed us; the stream is over then too.
    Result<bool> poll(std::chrono::milliseconds timeout, const Deliver& deliver) override;
    /// Stops as SIGINT does, or as exit() does.
    enum class Stop : std::uint8_t { Interrupted, Asked };
    /// END fires, aggregations and Exit follow. Safe to call from a signal handler.
    void stop(Stop how);
    enum class Paused : std::uint8_t { No, Yes };
    /// Whether programs do nothing until they are told to go on; processes are followed all the same. Where it goes on a Diagnostic says
    /// how long it had not. Nothing happens where the run is about to end. By the thread that polls.
    void pause(Paused how);

private:
    friend class Tracer;
    struct Impl;
    explicit Run(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m;
};
} // namespace dscope::tracer
