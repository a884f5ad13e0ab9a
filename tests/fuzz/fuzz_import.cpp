// needs: engine/importers
// libFuzzer: whatever other tools' text is, every importer reads it, or says why not; the first byte chooses the importer.
// What is imported makes a stream that a recording may hold.
#include "engine/record/check.h"
#include "engine/record/wire.h"
#include "engine/text/importer.h"
#include <cstdio>
#include <cstdlib>
using namespace dscope;

namespace {
[[noreturn]] void wrong(const std::string& what)
{
    std::fprintf(stderr, "fuzz_import: %s\n", what.c_str());
    std::abort();
}
void mustBeWhole(const text::Imported& imported)
{
    if (imported.notUnderstood > 0 && imported.firstNumber == 0) wrong("a line without a number");
    record::StreamCheck check;
    const auto must = [&](const record::Record& record) {
        if (const auto fits = check.take(record); !fits) wrong(fits.error().message);
        const auto again = record::decode(record::encode(record));
        if (!again || !*again) wrong("a record that does not come back");
    };
    must(imported.program);
    for (const auto& record : imported.records)
        must(record);
    check = {};
    for (const auto& record : imported.comparedWith)
        must(record);
}
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const auto formats = importers::all();
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
    for (const auto& format : formats)
        (void)format->guess(text);
    text::Lines lines(text);
    const auto imported = formats[data[0] % formats.size()]->read(lines);
    if (imported)
        mustBeWhole(*imported);
    else if (imported.error().message.empty())
        wrong("refused without a reason");
    return 0;
}
