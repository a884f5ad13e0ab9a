#pragma once
#include "engine/base/result.h"
#include "engine/base/strong_id.h"
#include "engine/object/raw.h"
#include <optional>
namespace dscope::session {
/// The Control struct that the programs look at, mapped: reading and writing it takes no system call, and writing one
/// field leaves the others alone.
class ControlBlock {
public:
    /// `fd`: an mmapable array of one Control.
    static Result<ControlBlock> map(int fd);
    ControlBlock() = default;
    ControlBlock(ControlBlock&& other) noexcept;
    ControlBlock& operator=(ControlBlock&& other) noexcept;
    ~ControlBlock();
    object::State state() const;
    void setState(object::State state);
    /// Goes from `from` to `to`; false, and nothing done, when another state was reached meanwhile.
    bool change(object::State from, object::State to);
    void setTarget(std::uint32_t pid);
    void setCpus(std::uint32_t count);
    void setWallOffset(std::int64_t nanoseconds);
    /// For which aggregation programs use object::Object::Aside.
    void setAside(std::optional<AggregationId> aggregation);
    /// Load averages of now.
    void setLoads();

private:
    object::Control* m_control = nullptr;
};
/// Returns when all programs have ended that run now: those that begin meanwhile see what was written before.
void awaitRunning();
/// Runs a raw tracepoint program once, on this CPU or on `cpu`: how BEGIN and END fire.
Result<> runOnce(int program, std::optional<std::uint32_t> cpu = {});
} // namespace dscope::session
