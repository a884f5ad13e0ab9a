#include "cli/figures.h"
#include "cli/run.h"
#include "engine/format/text_printer.h"
#include "engine/record/wire.h"
#include "engine/text/importer.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
namespace dscope::cli {
namespace {
int fail(const std::string& message)
{
    std::fprintf(stderr, "dtrace: %s\n", message.c_str());
    return 1;
}
/// "perf:samples.txt" names the format; "a:b" that begins with no format's name is a file.
std::pair<std::string, std::string> formatAndFile(const std::string& word, std::span<const std::unique_ptr<text::Importer>> formats)
{
    const auto colon = word.find(':');
    const auto name = word.substr(0, colon);
    if (colon != std::string::npos && std::any_of(formats.begin(), formats.end(), [&](const auto& f) { return f->name() == name; }))
        return {name, word.substr(colon + 1)};
    return {{}, word};
}
void print(const record::FoldedStacks& stacks)
{
    for (const auto& line : stacks.lines)
        std::fprintf(stdout, "%.*s %lld\n", static_cast<int>(line.stack.size()), line.stack.data(), static_cast<long long>(line.value));
}
} // namespace

/// Foreign text instead of a run: its figures or, when none is asked for, what it says, as tables and folded stacks.
int importText(const Arguments& a)
{
    if (auto fine = checkExports(a); !fine) return fail(fine.error().message);
    const auto formats = importers::all();
    const auto [format, file] = formatAndFile(a.import, formats);
    auto imported = text::import(formats, file, format);
    if (!imported) return fail(imported.error().message);
    if (imported->notUnderstood > 0)
        std::fprintf(stderr, "dtrace: %s: %zu %s not understood; the first is line %zu: %s\n", file.c_str(), imported->notUnderstood,
            imported->notUnderstood == 1 ? "line was" : "lines were", imported->firstNumber, imported->firstLine.c_str());
    std::vector<record::Sink*> sinks;
    graph::Store store;
    sinks.push_back(&store);
    const auto text = [](std::string_view s) { std::fwrite(s.data(), 1, s.size(), stdout); };
    std::unique_ptr<format::TextPrinter> printer;
    const bool prints = a.exports.empty() && !a.listViews && a.record.empty();
    if (prints) {
        imported->program.options["quiet"] = "";
        printer = std::make_unique<format::TextPrinter>(
            text, [](std::string_view s) { std::fwrite(s.data(), 1, s.size(), stderr); }, nullptr);
        sinks.push_back(printer.get());
    }
    Fd recording;
    std::unique_ptr<record::Writer> writer;
    if (!a.record.empty()) {
        if (!imported->stacks.lines.empty())
            return fail("--record keeps no imported stacks: keep " + file + " itself, or --export them as .folded");
        recording = Fd(::open(a.record.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
        if (!recording) return fail("failed to open " + a.record + ": " + std::strerror(errno));
        writer = std::make_unique<record::Writer>(recording.get());
        sinks.push_back(writer.get());
    }
    for (auto* sink : sinks)
        sink->take(imported->program);
    for (const auto& r : imported->records)
        for (auto* sink : sinks)
            sink->take(r);
    if (prints) print(imported->stacks);
    if (!imported->stacks.lines.empty()) store.take(std::move(imported->stacks));
    if (writer)
        if (auto done = writer->finish(); !done) return fail(done.error().message);
    if (a.listViews) std::fputs(views(store).c_str(), stdout);
    if (auto done = writeFigures(a, store); !done) return fail(done.error().message);
    return 0;
}
} // namespace dscope::cli
