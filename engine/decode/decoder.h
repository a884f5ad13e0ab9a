#pragma once
#include "engine/object/object.h"
#include "engine/object/walk.h"
#include "engine/record/record.h"
#include <functional>
#include <memory>
#include <span>
namespace dscope::decode {
/// Turns addresses into frames; the live one lives in the session (symbols), tests have theirs.
class StackNamer {
public:
    virtual ~StackNamer() = default;
    virtual record::FrameList kernel(std::span<const std::uint64_t> addresses) = 0;
    /// Unwinds: `raw` is a object::RawUserStack followed by its bytes. At most field.limit frames, innermost first.
    virtual record::FrameList user(std::uint32_t pid, ByteView raw, const object::Object::RawField& field) = 0;
    /// Names a stack that the kernel walked, innermost address first. `end`: why it ended there.
    virtual record::FrameList walked(std::uint32_t pid, std::span<const std::uint64_t> addresses, object::WalkEnd end) = 0;
    /// A stack that has no names until somebody asks for them.
    class Held {
    public:
        virtual ~Held() = default;
        virtual record::FrameList name() = 0; ///< what walked() gives
        /// A number for each frame, innermost first; equal frames have equal ones. Stacks that are named one after the other share work
        /// where their callers are the same.
        virtual std::span<const std::uint64_t> places() const { return {}; }
    };
    /// As walked(), but for later: many stacks are never shown. Null: it is to be named at once.
    virtual std::unique_ptr<Held> hold(std::uint32_t, std::span<const std::uint64_t>, object::WalkEnd) { return nullptr; }
    /// As user(), but for later where that can be: equal stacks have equal digests. Else `frames` are the names.
    struct Copied {
        std::unique_ptr<Held> held; ///< null: it is named
        record::Digest digest;
        record::FrameList frames;
    };
    virtual Copied copied(std::uint32_t pid, ByteView raw, const object::Object::RawField& field)
    {
        return {nullptr, {}, user(pid, raw, field)};
    }
    /// So much is held that it is to be named now.
    virtual bool holdsMuch() const { return false; }
    /// A stack of the process could not be walked, for this reason, and nothing was recorded of it.
    virtual void unwalked(std::uint32_t pid, object::WalkEnd end, std::uint64_t stopped) = 0;
    virtual record::Frame kernelSymbol(std::uint64_t address) = 0;
    virtual record::Frame userSymbol(std::uint32_t pid, std::uint64_t address) = 0;
};
/// Reads aggregation maps: calls `each` with every key and its per-CPU values, valueSize bytes a CPU (multiple of 8).
using MapReader = std::function<Result<>(MapId, const std::function<void(ByteView key, std::span<const std::byte> perCpu)>& each)>;
/// What one of several maps held for a key: its per-CPU values, as MapReader gives them.
using EachTaken = std::function<void(ByteView key, std::span<const std::byte> perCpu)>;
/// Removes keys from hashes and passes their values to `each`. Programs aggregate to other maps meanwhile, and `each` gets those
/// values, too: it may be called for other keys, and more than once for a key.
using MapTaker = std::function<Result<>(std::span<const MapId> maps, std::span<const Bytes> keys, const EachTaken& each)>;

/// Ring bytes and maps in, records out. It keeps the state that lives in user space: stacks seen so far, the baselines of
/// clear() and trunc(), the sums of aggregations with user stacks as keys, and speculative records, which are delivered when
/// they are committed. Needs no kernel: simulated runs use it too.
class Decoder {
public:
    /// Copies what it needs of `object`; `namer` must outlive it. Without a `taker` keys that trunc() removed stay in the
    /// kernel's maps, unseen, and min() and max() after clear() and trunc() still know the older values.
    Decoder(const object::Object& object, StackNamer& namer, MapReader reader, MapTaker taker = {});
    /// One ring record. Rows precede a Fired that prints, clears or truncates an aggregation. Error: a malformed record, our bug.
    Result<> ring(ByteView raw, const record::Source::Deliver& deliver);
    /// What was lost here since this was last asked: speculative records for which option specsize leaves no room, and values
    /// of keys with user stacks for which option aggsize leaves none.
    void drops(const record::Source::Deliver& deliver);
    /// Rows of all aggregations (at the end, or for a front end that looks on).
    Result<> aggregations(record::Nanoseconds when, const record::Source::Deliver& deliver);
    /// printa() shows what aggregations() read last, not what there is at that moment: option aggrate.
    void printFromReadings();
    /// Tells of stacks that nothing to come names (a StackDef without frames), once many are known. For runs of which nothing is
    /// kept: to others a stack has one id from the beginning to the end.
    void forgetStacks();

private:
    struct Impl;
    std::shared_ptr<Impl> m;
};
} // namespace dscope::decode
