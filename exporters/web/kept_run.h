#pragma once
#include "engine/base/fd.h"
#include "engine/record/record.h"
#include "engine/record/wire.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>
namespace dscope::exporters {
/// A run's recording, kept beside it for the figures that open again. It gives up what would be too large to stand in one.
class KeptRun {
public:
    KeptRun();
    void take(const record::Record& record);
    /// At the end of the run: no more records come, and any thread may ask for the recording.
    void finish();
    struct Recording {
        std::string bytes;       ///< empty when the run was too large
        std::size_t leftOut = 0; ///< stacks that had no room, the least
    };
    /// Of imported stacks with more than `mostText` bytes of folded text the heaviest are in it, about a quarter of that, because
    /// nobody waits for the rest to be packed.
    Recording recording(std::size_t mostText) const;
    /// All but the imported stacks, for a page that keeps them in another form.
    Recording withoutStacks() const { return packed({}, false); }
    /// Whether it has imported stacks, all of one measure.
    bool hasOneMeasure() const;
    /// The imported stacks, as they came; shared with whoever else has them.
    const std::vector<record::CountedStacks>& counted() const { return m_counted; }

private:
    /// `isAll`: the stacks are those of m_counted, in their order.
    Recording packed(const std::vector<record::CountedStacks>& stacks, bool isAll) const;
    std::vector<record::CountedStacks> bounded(std::size_t mostText, std::size_t& leftOut) const;
    Fd m_file; ///< all records but those below
    std::unique_ptr<record::Writer> m_writer;
    std::vector<record::CountedStacks> m_counted; ///< shared with whoever else has them
    std::optional<record::StackParts> m_parts;  ///< of those stacks
    std::optional<record::Exit> m_exit;         ///< the last record
    std::size_t m_taken = 0;
};
} // namespace dscope::exporters
