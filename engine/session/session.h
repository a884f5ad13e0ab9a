#pragma once
#include "engine/codegen/object.h"
#include "engine/host/host.h"
#include "engine/options/options.h"
#include "engine/record/record.h"
#include "engine/session/target.h"
#include <csignal>
#include <memory>
namespace dscope::session {
/// A loaded, attached, running D program. The only user of libbpf. poll() delivers Program first, then definitions and
/// events as they come, and at the end the aggregations and Exit.
class Session final : public record::Source {
public:
    struct Request {
        codegen::Object object;
        options::Options options;
        std::vector<Target> targets;            ///< -c and -p processes, held until tracing has begun
        bool liveAggregations = false;          ///< send rows at aggrate: a front end looks on
    };
    /// Loads, attaches, fires BEGIN, lets the targets go. Error: what the kernel refused, in one sentence, and what to do.
    static Result<std::unique_ptr<Session>> start(Request request, const host::Host& host);
    ~Session() override;
    Result<bool> poll(std::chrono::milliseconds timeout, const Deliver& deliver) override;
    /// Stop as SIGINT does: END fires, aggregations and Exit follow. Safe to call from a signal handler.
    void stop(bool interrupted);

private:
    Session();
    struct Impl;
    std::unique_ptr<Impl> m;
};
} // namespace dscope::session
