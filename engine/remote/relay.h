#pragma once
#include "engine/remote/collection.h"
#include "engine/remote/run_state.h"
#include <string>
#include <vector>
namespace dscope::remote {
/// Puts what merges of one host's stream into a collection, as messages of a broker would: for streams that come without one.
class Relay final : public record::Sink {
public:
    /// `host`: the name that the run goes by, whatever its machine calls itself. `collection` must outlive it.
    /// `printed`: bytes of what its clauses print that are kept.
    Relay(Collection& collection, std::string host, std::size_t printed)
        : m_collection(collection), m_host(std::move(host)), m_state(printed)
    {
    }
    void take(const record::Record& record) override;
    bool hasProgram() const { return m_state.hasProgram(); }
    bool hasEnded() const { return m_state.hasEnded(); } ///< as a run does, by its Exit
    /// What is new since it was asked last; true: something was. Error: what it says does not fit into messages.
    Result<bool> tell();
    /// The same, and that nothing will follow; a stream without Exit counts as cut.
    Result<> tellEnd();

private:
    Result<> put(Topic topic, std::uint32_t number, const Message& message);
    Collection& m_collection;
    const std::string m_host;
    RunState m_state;
    std::vector<std::uint64_t> m_told; ///< sequences, by aggregation
    std::uint64_t m_lossesTold = 0;
    bool m_programTold = false;
};
} // namespace dscope::remote
