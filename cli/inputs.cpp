#include "cli/inputs.h"
#include "cli/merged.h"
#include "cli/progress.h"
#include "engine/base/fd.h"
#include "engine/record/counted_stacks.h"
#include "engine/record/redact.h"
#include "engine/record/wire.h"
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
namespace dscope::cli {
namespace {
/// "perf:samples.txt" names the format; "a:b" that begins with no format's name is a file.
std::pair<std::string, std::string> formatAndFile(const std::string& word, std::span<const std::unique_ptr<text::Importer>> formats)
{
    const auto colon = word.find(':');
    const auto name = word.substr(0, colon);
    if (colon != std::string::npos && std::any_of(formats.begin(), formats.end(), [&](const auto& f) { return f->name() == name; }))
        return {name, word.substr(colon + 1)};
    return {{}, word};
}
/// Its first bytes, as many as tell what it is.
std::string headOf(const std::string& file)
{
    const Fd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    std::array<char, record::kMagic.size()> head{};
    const auto size = fd ? ::pread(fd.get(), head.data(), head.size(), 0) : 0;
    return std::string(head.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
}
bool isRecording(const std::string& file) { return headOf(file) == record::kMagic; }
} // namespace

Result<text::Imported> readForeign(const std::string& word, const std::string& event)
{
    const auto formats = importers::all();
    const auto [format, file] = formatAndFile(word, formats);
    const auto read = [&, &file = file, &format = format] {
        Progress progress("reading " + (file == "-" ? "standard input" : file.substr(file.rfind('/') + 1)));
        return text::import(formats, file, format, [&](std::uint64_t position, std::uint64_t size) { progress.at(position, size); });
    };
    DSCOPE_TRY(auto imported, read());
    if (imported.notUnderstood > 0)
        std::fprintf(stderr, "dtrace: %s: %zu %s not understood; the first is line %zu: %s\n", file.c_str(), imported.notUnderstood,
            imported.notUnderstood == 1 ? "line was" : "lines were", imported.firstNumber, imported.firstLine.c_str());
    // They are said here for all that is made of it, and so no more by who prints the text.
    std::erase_if(imported.records, [&file = file](const record::Record& r) {
        const auto* told = std::get_if<record::Diagnostic>(&r);
        if (told) std::fprintf(stderr, "dtrace: %s: %s\n", file.c_str(), told->text.c_str());
        return told != nullptr;
    });
    if (!event.empty())
        if (auto first = record::putFirst(imported.records, event); !first) return std::move(first).error().in("--event: " + file);
    return imported;
}
std::string foreignFile(const std::string& word) { return formatAndFile(word, importers::all()).second; }
void deliver(const text::Imported& imported, const record::Source::Deliver& to)
{
    to(imported.program);
    for (const auto& r : imported.records)
        to(r);
}
std::string meantBy(const std::string& word)
{
    if (isRecording(word)) return word + " is a recording: dscope --replay " + word;
    const auto formats = importers::all();
    if (const auto* format = text::guessed(formats, headOf(word)); format && format->isBinary())
        return word + " is of " + std::string(format->name()) + ": dscope --import " + word;
    if (word.ends_with(".d")) return word + " is a script: dscope -s " + word;
    return {};
}
Result<bool> readRecording(const std::string& file, const record::Source::Deliver& to)
{
    const Fd fd(file == "-" ? ::dup(STDIN_FILENO) : ::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd) return Error{errno, "failed to open " + file + ": " + std::strerror(errno)};
    record::Reader reader(fd.get());
    for (;;) {
        auto more = reader.poll(std::chrono::milliseconds(1000), to);
        if (!more) return Error{more.error().code, file + ": " + more.error().message};
        if (!*more) break;
    }
    return reader.cut();
}
Result<std::unique_ptr<FigureData>> runBefore(const Arguments& a, const text::Imported* after)
{
    if (a.diff.empty() && (!after || after->comparedWith.empty())) return std::unique_ptr<FigureData>();
    auto data = std::make_unique<FigureData>(a);
    record::Redactor redactor;
    const auto take = [&](const record::Record& r) { data->take(a.redact ? redactor(r) : r); };
    if (a.diff.empty()) {
        std::for_each(after->comparedWith.begin(), after->comparedWith.end(), take);
    } else if (a.comparesRuns()) {
        std::vector<OtherInput> runs;
        for (const auto& file : a.diff)
            runs.push_back({isRecording(file), file});
        const auto merged = [&](const record::Record& r) {
            if (const auto* told = std::get_if<record::Diagnostic>(&r))
                std::fprintf(stderr, "dtrace: --diff: %s\n", told->text.c_str());
            else
                take(r);
        };
        if (auto read = readMerged(runs, *a.by, merged, [&](std::size_t run, const record::Record& r) { data->takeOf(run, r); }); !read)
            return std::move(read).error().in("--diff");
    } else if (const auto& file = a.diff.front(); isRecording(file)) {
        if (auto read = readRecording(file, take); !read) return std::move(read).error().in("--diff");
    } else {
        auto read = readForeign(file, a.event);
        if (!read) return std::move(read).error().in("--diff");
        deliver(*read, take);
    }
    return data;
}
} // namespace dscope::cli
