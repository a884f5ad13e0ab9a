#pragma once
#include "engine/object/object.h"
#include "engine/host/host.h"
#include "engine/options/options.h"
#include "engine/record/record.h"
#include "engine/session/growth.h"
#include "engine/session/target.h"
#include <csignal>
#include <functional>
#include <memory>
namespace dscope::session {
/// A loaded, attached, running D program. The only user of libbpf. poll() delivers Program first, then definitions and
/// events as they come, and at the end the aggregations and Exit.
class Session final : public record::Source {
public:
    /// Who wants to see aggregations while the program runs, and so how often their rows are sent in between: at aggrate,
    /// where that option is set.
    enum class Watcher {
        Nobody,
        Window,   ///< a front end looks on: about ten times a second
        Recorder, ///< to be shown over time: ten times a second at first, half as often whenever the run is twice as long
    };
    struct Request {
        object::Object object;
        options::Options options;
        std::vector<Target> targets;                  ///< -c and -p processes, held until tracing has begun
        Watcher watcher = Watcher::Nobody;
        std::function<void(const std::string&)> tell; ///< what -x debug and -x bpflog ask for; may be empty
        std::function<bool()> isOver{};               ///< whether the run is to end, asked while it starts and waits; may be empty
        Growth::Request growth{};                     ///< probes that come later
        pid_t leftOut = 0;          ///< a front end: of what it does and starts the stream has no processes; 0: it has all
        bool forgetsStacks = false; ///< nothing is kept of the run: of its stacks only those in aggregations need be known
    };
    /// Loads, attaches, fires BEGIN, lets the targets go. Error: what the kernel refused, in one sentence, and what to do.
    /// `host` must outlive the session.
    static Result<std::unique_ptr<Session>> start(Request request, const host::Host& host);
    ~Session() override;
    /// What could not be done though tracing goes on: a sentence each.
    const std::vector<std::string>& warnings() const;
    /// Error: a -c command that could not be run, or the kernel failed us; the stream cannot go on then.
    Result<bool> poll(std::chrono::milliseconds timeout, const Deliver& deliver) override;
    /// Stops as SIGINT does, or as exit() does.
    enum class Stop : std::uint8_t { Interrupted, Asked };
    /// END fires, aggregations and Exit follow. Safe to call from a signal handler.
    void stop(Stop how);
    enum class Paused : std::uint8_t { No, Yes };
    /// Whether programs do nothing until they are told to go on; processes are followed all the same. Where it goes on a warning says how
    /// long it had not. Nothing happens where the run is about to end. By the thread that polls.
    void pause(Paused how);

private:
    Session();
    struct Impl;
    std::unique_ptr<Impl> m;
};
} // namespace dscope::session
