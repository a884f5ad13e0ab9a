#pragma once
#include "engine/format/document.h"
#include "engine/format/effects.h"
#include "engine/format/grouping.h"
#include "engine/record/record.h"
#include <memory>
namespace dscope::format {
/// Writes a run as one document for other programs (option oformat): what FreeBSD's dtrace writes as JSON or XML. An instance of
/// "probes" is a clause that fired, with the values that it recorded; drops are instances of a pseudo-probe, and so are the
/// aggregations that no printa() has shown by the end. docs/formats.md describes it.
///
/// What is no data goes to `messages`, as with TextPrinter. freopen() and ftruncate() have no effect on a document, which says so.
class StructuredPrinter final : public record::Sink {
public:
    StructuredPrinter(DocumentStyle style, Write out, Write messages, Effects* effects = nullptr);
    ~StructuredPrinter() override;
    void checkOptions(OptionCheck check);
    void groupDigits(Grouping grouping);
    void take(const record::Record& record) override;
    /// Ends a document whose stream ended without an Exit. Else does nothing.
    void finish();

private:
    struct Impl;
    std::unique_ptr<Impl> m;
};
} // namespace dscope::format
