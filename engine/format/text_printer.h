#pragma once
#include "engine/format/effects.h"
#include "engine/format/grouping.h"
#include "engine/record/record.h"
#include <memory>
#include <string_view>
namespace dscope::format {
/// Writes what dtrace writes: heading, CPU and ID columns, trace, printf, printa, stacks, aggregations at the end, drops
/// and errors. A pure function of the record stream: a replay prints what the live run printed, byte for byte.
///
/// Program::dialect says whose words it takes, and Program::zone in which time zone %Y and %T tell times; where that is
/// empty, Program::utcOffset does.
class TextPrinter final : public record::Sink {
public:
    using Write = format::Write;
    /// `out` gets the data (stdout or -o), `messages` what dtrace tells on stderr ("dtrace: pid 7 has exited").
    /// system(), freopen() and ftruncate() act through `effects`, which outlives the printer. Without them, as in a
    /// replay, `messages` tells of them, and what a freopen() sent elsewhere is left out.
    TextPrinter(Write out, Write messages, Effects* effects = nullptr);
    ~TextPrinter() override;
    void checkOptions(OptionCheck check);
    /// `out` is a terminal: control characters in traced data are printed as visible text. The text of the program's own formats is
    /// unchanged, and so are commands of system() and the output that freopen() sends into a file.
    void toTerminal(bool isTerminal);
    /// How %'d groups digits; not at all where it was not told.
    void groupDigits(Grouping grouping);
    void take(const record::Record& record) override;

private:
    struct Impl;
    std::unique_ptr<Impl> m;
};
} // namespace dscope::format
