#pragma once
#include "engine/record/aggregation_state.h"
#include "engine/record/record.h"
#include <functional>
#include <memory>
#include <string_view>
namespace dscope::format {
/// Writes what dtrace writes: heading, CPU and ID columns, trace, printf, printa, stacks, aggregations at the end, drops
/// and errors. A pure function of the record stream: a replay prints what the live run printed, byte for byte.
class TextPrinter final : public record::Sink {
public:
    using Write = std::function<void(std::string_view)>;
    /// `out` gets the data (stdout or -o), `messages` what dtrace tells on stderr ("dtrace: pid 7 has exited").
    TextPrinter(Write out, Write messages);
    ~TextPrinter() override;
    void take(const record::Record& record) override;

private:
    struct Impl;
    std::unique_ptr<Impl> m;
};
} // namespace dscope::format
