#pragma once
#include "engine/record/record.h"
#include "engine/remote/broker.h"
#include "engine/remote/message.h"
#include "engine/remote/subject.h"
#include <map>
namespace dscope::remote {
/// The last messages of one run on one host, as they came in. What is older than what is known, and what came before, changes nothing.
class HostRun {
public:
    /// True: it told something new. Error: it is damaged.
    Result<bool> take(const Place& place, const Kept& kept);
    bool hasProgram() const { return m_latest.contains({Topic::Program, 0}); }
    std::size_t size() const { return m_size; } ///< bytes that are kept

    /// What they say together.
    struct State {
        std::vector<record::Record> records; ///< a stream: what record::StreamCheck finds right, the program first
        std::vector<record::Record> printed; ///< another: the program, stacks, and what its clauses printed or traced
        std::uint64_t number = 0;            ///< of the message with the program: which run came first
        std::uint64_t drops = 0;             ///< records that were lost
        std::uint64_t firingsLeft = 0;       ///< that printed or traced, of which the records do not tell
        bool isTold = false;                 ///< each of its aggregations at least once, or it has ended
        bool hasEnded = false;
        bool isCut = false;   ///< the recording that was published went on
        bool isWhole = false; ///< nothing that its end names is missing
    };
    /// Error: what it says is damaged, or no stream.
    Result<State> state(const Origin& origin) const;
    /// Whether an end was told that can be read.
    bool hasEnded() const { return m_latest.contains({Topic::End, 0}); }

private:
    using Name = std::pair<Topic, std::uint32_t>;
    struct Numbered;
    struct Latest {
        std::uint64_t sequence = 0, number = 0;
        Bytes packed; ///< the message, put together
    };
    struct Part {
        std::uint64_t sequence = 0;
        Bytes bytes;
    };
    Result<bool> takeParts(const Name& name, const Envelope& envelope, std::uint64_t number);
    bool replace(const Name& name, Latest latest);
    Result<Message> message(const Name& name) const;

    std::map<Name, Latest> m_latest;
    std::map<Name, std::map<Place::Part, Part>> m_parts;
    std::size_t m_size = 0;
};
} // namespace dscope::remote
