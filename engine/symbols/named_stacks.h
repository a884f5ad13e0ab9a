#pragma once
#include "engine/record/record.h"
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>
namespace dscope::symbols {
/// The frames that lists share (record::FrameList). They live as long as this or a list of them.
class FrameStore {
public:
    using Frames = std::vector<const record::KnownFrame*>;
    FrameStore() { clear(); }
    const record::KnownFrame* add(record::Frame frame);
    /// The last frame of a stack that was cut.
    const record::KnownFrame* truncated(record::Truncation why);
    record::FrameList list(Frames frames) const { return {m_frames, std::move(frames)}; }
    std::size_t size() const { return m_frames->size(); }
    /// Begins anew. Lists keep theirs; nobody else may name the frames that were added before.
    void clear();

private:
    std::shared_ptr<std::deque<record::KnownFrame>> m_frames;
    std::array<const record::KnownFrame*, 5> m_truncated{}; ///< by Truncation; null: not asked for yet
};
/// What the addresses of one process are called, and the stack that was named last: the next one has many of its callers.
/// Its frames are those of a FrameStore.
class NamedStacks {
public:
    using Frames = FrameStore::Frames;
    /// What comes after an address: its caller, or (of where a stack begins that was made by hand) what does not belong to the stack.
    enum class Callers : std::uint8_t {
        Follow,
        None,    ///< it has no caller
        Unknown, ///< nobody knows it
    };
    /// A name of an address: that of its function, before it those of functions that were inlined there.
    struct Name {
        Frames frames;
        bool signal = false; ///< what it was called from was interrupted there
        Callers callers = Callers::Follow;
        bool stays = false; ///< it is the same whenever it is asked for
    };
    /// Gives the name of an address. `known`: what it was before, null if it was not asked for. Its frames may be taken over.
    class Namer {
    public:
        virtual Name operator()(std::uint64_t address, bool isReturnAddress, const Name* known) = 0;

    protected:
        ~Namer() = default;
    };
    /// Names of a stack, innermost address first, as far as callers follow.
    Frames name(std::span<const std::uint64_t> addresses, Namer& namer);
    /// What was behind the last address that was named.
    Callers ended() const { return m_ended; }
    /// The process has mapped something else. May be called while name() asks.
    void clear();

private:
    struct Step {
        std::uint64_t address = 0;
        std::uint32_t first = 0; ///< which of the stack's frames is the first of the address
        bool isReturnAddress = false, stays = false;
    };
    std::size_t sameCallers(std::span<const std::uint64_t> addresses) const;
    std::unordered_map<std::uint64_t, Name> m_places, m_returns;
    std::vector<Step> m_steps; ///< of the last stack, innermost first
    std::vector<Step> m_spare; ///< memory of the one before
    Callers m_ended = Callers::Follow;
    Frames m_frames;
    std::uint64_t m_generation = 0; ///< how often it was cleared
};
} // namespace dscope::symbols
