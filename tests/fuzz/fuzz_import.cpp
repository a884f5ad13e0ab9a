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
#include <sys/mman.h>
#include <unistd.h>
using namespace dscope;

namespace {
[[noreturn]] void wrong(const std::string& what)
{
    std::fprintf(stderr, "fuzz_import: %s\n", what.c_str());
    std::abort();
}
Bytes streamOf(const text::Imported& imported)
{
    Bytes all;
    const auto add = [&](const record::Record& record) {
        const auto bytes = record::encode(record);
        all.insert(all.end(), bytes.begin(), bytes.end());
    };
    add(imported.program);
    std::for_each(imported.records.begin(), imported.records.end(), add);
    std::for_each(imported.comparedWith.begin(), imported.comparedWith.end(), add);
    return all;
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
void mustBeRead(const text::Importer& format, std::string_view text)
{
    text::Lines lines(text), linesAgain(text);
    const auto imported = format.read(lines), again = format.read(linesAgain);
    if (!imported) {
        if (imported.error().message.empty()) wrong("refused without a reason");
        if (again || again.error().message != imported.error().message) wrong("refused in two ways");
        return;
    }
    mustBeWhole(*imported);
    if (!again || streamOf(*again) != streamOf(*imported)) wrong("the same text gives two results");
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
