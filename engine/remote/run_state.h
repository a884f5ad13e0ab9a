#pragma once
#include "engine/record/aggregation_data.h"
#include "engine/record/aggregation_state.h"
#include "engine/record/merged_firings.h"
#include "engine/remote/blocks.h"
#include "engine/remote/message.h"
#include <functional>
#include <map>
#include <set>
namespace dscope::remote {
/// What of a run merges with those of other hosts, as it stands: the aggregations with all that came into them (what clear() and trunc()
/// took stays), the stacks that they may name, what was lost and what went wrong. What clauses printed or traced is kept as far as there is
/// room, the first of it, and counted. The records of a replay give the same messages with the same sequences again, in whatever parts they
/// come.
class RunState final : public record::Sink {
public:
    /// `room`: bytes for what clauses print or trace, about; 0: it is counted alone.
    explicit RunState(std::size_t room = 0) : m_room(room) { }
    void take(const record::Record& record) override;
    bool hasProgram() const { return m_hasProgram; }
    const record::Program& program() const { return m_program; }
    Origin origin() const;
    bool hasEnded() const { return m_end.has_value(); }
    /// What can't be sent of it: stacks that another tool counted.
    const std::optional<Error>& failure() const { return m_failure; }

    Message programMessage() const { return {1, {}, {m_program}}; }
    Blocks& stacks() { return m_stacks; }
    /// What clauses printed or traced. Stacks in it are among stacks().
    Blocks& printed() { return m_printed; }
    std::uint32_t aggregations() const { return static_cast<std::uint32_t>(m_program.aggregations.size()); }
    /// Of the aggregation's message: 0 while nothing is known of it.
    std::uint64_t rowsSequence(AggregationId id) const { return m_rows[id.value].sequence; }
    /// Hands the aggregation's message to `told`, for its time alone: thousands of rows are not copied for it each second.
    void tellRows(AggregationId id, const std::function<void(const Message&)>& told);
    std::uint64_t lossesSequence() const { return m_lossesSequence; }
    /// What was lost, what went wrong, and the probes of the run, by which figures go. `unsent`: stacks that could not be sent.
    Message losses(std::uint64_t unsent) const;
    /// After hasEnded(), or when there are no more records: then the run is cut.
    Message end() const;

private:
    using Key = std::string; ///< the bytes of a key
    struct Rows {
        std::uint64_t sequence = 0;
        std::int64_t when = 0;
        std::map<Key, record::AggregationData> before; ///< what clear() and trunc() took
        bool isEnded = false;                          ///< END has removed rows: what comes now lacks them
        std::optional<record::Fired> normalized;
        std::vector<record::Fired> emptied; ///< by END
    };
    void take(const record::Fired& fired);
    void take(const record::StackDef& stack);
    void print(const record::Fired& fired);
    Message withoutRows(AggregationId id) const;
    Message withRows(AggregationId id) const;
    void keepBefore(AggregationId id, const record::Action& action, ByteView payload);
    void note(record::Record record);

    std::size_t m_room; ///< that is left
    bool m_hasProgram = false, m_hasStackKeys = false, m_printsStacks = false;
    record::Program m_program;
    std::uint64_t m_taken = 0; ///< records
    record::AggregationState m_state;
    std::vector<Rows> m_rows;
    std::map<std::uint32_t, record::ProbeDef> m_probes;
    record::MergedFirings m_shows;
    static constexpr std::size_t kStacks = std::size_t{1} << 18, kPrinted = std::size_t{1} << 15; ///< bytes of a block
    Blocks m_stacks{Topic::Stacks, kStacks}, m_printed{Topic::Printed, kPrinted};
    std::map<std::pair<record::Drop::Kind, std::uint32_t>, std::uint64_t> m_drops; ///< by kind and CPU
    std::vector<record::Record> m_notes;                                           ///< faults and diagnostics, the first of them
    std::uint64_t m_notesLeft = 0, m_firingsLeft = 0, m_lossesSequence = 0;
    std::optional<record::Exit> m_end;
    std::optional<Error> m_failure;
};
} // namespace dscope::remote
