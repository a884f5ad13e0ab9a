// needs: engine/importers
// libFuzzer: whatever other tools' text is, every importer reads it, or says why not. What is imported makes a stream that a recording may
// hold, and is the same the second time. DSCOPE_FUZZ_FORMAT names the one importer that is tried ("perf"), or "compressed": files that are
// unpacked. Without it the first byte chooses the importer.
#include "engine/base/fd.h"
#include "engine/record/check.h"
#include "engine/record/wire.h"
#include "engine/text/importer.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>
using namespace dscope;

namespace {
[[noreturn]] void wrong(const std::string& what)
{
    std::fprintf(stderr, "fuzz_import: %s\n", what.c_str());
    std::abort();
}
/// The records of a run, its Program first, that are encoded one after the other.
template <typename Take> void eachRecord(const text::Imported& imported, Take take)
{
    take(imported.program);
    std::for_each(imported.records.begin(), imported.records.end(), take);
    std::for_each(imported.comparedWith.begin(), imported.comparedWith.end(), take);
    for (const auto& run : imported.further) {
        std::for_each(run.records.begin(), run.records.end(), take);
        std::for_each(run.comparedWith.begin(), run.comparedWith.end(), take);
    }
}
void mustBeStream(std::span<const record::Record> records, record::StreamCheck check = {})
{
    for (const auto& record : records)
        if (const auto fits = check.take(record); !fits) wrong(fits.error().message);
}
void mustBeStreams(const text::Imported& imported)
{
    if (imported.notUnderstood > 0 && imported.firstNumber == 0) wrong("a line without a number");
    record::StreamCheck check;
    if (const auto fits = check.take(imported.program); !fits) wrong(fits.error().message);
    mustBeStream(imported.records, std::move(check));
    mustBeStream(imported.comparedWith);
    for (const auto& run : imported.further) {
        mustBeStream(run.records);
        mustBeStream(run.comparedWith);
    }
}
/// What is imported makes a stream whose records come back, and is the same when the text was read `again`.
void mustBeWhole(const text::Imported& imported, const text::Imported& again)
{
    mustBeStreams(imported);
    std::vector<Bytes> stream;
    eachRecord(imported, [&](const record::Record& record) {
        const auto& bytes = stream.emplace_back(record::encode(record));
        const auto back = record::decode(bytes);
        if (!back || !*back) wrong("a record that does not come back");
    });
    std::size_t at = 0;
    eachRecord(again, [&](const record::Record& record) {
        if (at == stream.size() || record::encode(record) != stream[at++]) wrong("the same text gives two results");
    });
    if (at != stream.size()) wrong("the same text gives two results");
}
void mustBeRead(const text::Importer& format, std::string_view text)
{
    text::Lines lines(text), linesAgain(text);
    const auto imported = format.read(lines), again = format.read(linesAgain);
    if (!imported) {
        if (imported.error().message.empty()) wrong("refused without a reason");
        if (again || again.error().message != imported.error().message) wrong("refused in two ways");
        return;
    }
    if (!again) wrong("the same text gives two results");
    mustBeWhole(*imported, *again);
}
/// A compressed file, or any other: read to its end or refused.
void mustBeUnpacked(std::string_view bytes)
{
    Fd file(::memfd_create("fuzzed", MFD_CLOEXEC));
    if (::pwrite(file.get(), bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) wrong("no file in memory");
    auto lines = text::Lines::from(std::move(file), "fuzzed");
    if (!lines) return;
    constexpr std::uint64_t kEnough = std::uint64_t{64} << 20; // time, not memory, is spent on more
    std::string_view line;
    while (lines->position() < kEnough && lines->next(line)) { }
    if (lines->failure() && lines->failure()->message.empty()) wrong("refused without a reason");
}
const std::vector<std::unique_ptr<text::Importer>>& formats()
{
    static const auto all = importers::all();
    return all;
}
/// The one importer that is tried; null: the first byte chooses it.
const text::Importer* chosen(const char* name)
{
    if (!name) return nullptr;
    const auto found = std::find_if(formats().begin(), formats().end(), [&](const auto& f) { return f->name() == name; });
    if (found != formats().end()) return found->get();
    std::string names = "compressed";
    for (const auto& f : formats())
        names.append(" ").append(f->name());
    std::fprintf(stderr, "fuzz_import: DSCOPE_FUZZ_FORMAT is one of: %s\n", names.c_str());
    std::_Exit(2);
}
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const char* const name = std::getenv("DSCOPE_FUZZ_FORMAT");
    static const bool unpacks = name && std::strcmp(name, "compressed") == 0;
    static const auto* const only = unpacks ? nullptr : chosen(name);
    std::string_view text(reinterpret_cast<const char*>(data), size);
    if (unpacks) {
        mustBeUnpacked(text);
        return 0;
    }
    const auto* format = only;
    if (!format) {
        if (text.empty()) return 0;
        format = formats()[data[0] % formats().size()].get();
        text.remove_prefix(1);
    }
    for (const auto& f : formats())
        if (!only || f.get() == format) (void)f->guess(text);
    mustBeRead(*format, text);
    return 0;
}
