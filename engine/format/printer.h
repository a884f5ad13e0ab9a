#pragma once
#include "engine/format/effects.h"
#include "engine/format/grouping.h"
#include "engine/record/record.h"
#include <memory>
#include <string>
namespace dscope::format {
/// Prints a stream of records as its option oformat asks: a TextPrinter, or a StructuredPrinter from the stream's Program on.
class Printer final : public record::Sink {
public:
    /// As a TextPrinter's.
    Printer(Write out, Write messages, Effects* effects = nullptr);
    ~Printer() override;
    /// Takes this value of option oformat, not the program's.
    void setFormat(std::string oformat);
    void checkOptions(OptionCheck check);
    void toTerminal(bool isTerminal);
    /// How %'d groups digits; not at all where it was not told.
    void groupDigits(Grouping grouping);
    void take(const record::Record& record) override;
    /// After the last record. A document whose stream ended without an Exit ends here.
    void finish();

private:
    struct Impl;
    std::unique_ptr<Impl> m;
};
} // namespace dscope::format
