#include "engine/record/imported.h"
#include "engine/record/wire.h"
#include "engine/text/importer.h"
#include <algorithm>
namespace dscope::text {
void Imported::misunderstand(std::size_t number, std::string_view line)
{
    constexpr std::size_t kShown = 60;
    if (notUnderstood++ != 0) return;
    firstNumber = number;
    firstLine = line.substr(0, kShown);
    const auto isControl = [](char c) { return (c >= '\0' && c < ' ') || c == '\x7f'; };
    std::replace_if(firstLine.begin(), firstLine.end(), isControl, '?'); // a terminal would obey them
}

Error Imported::nothing(std::string what) const
{
    if (notUnderstood != 0) what += "; line " + std::to_string(firstNumber) + ": \"" + firstLine + '"';
    return Error{0, std::move(what)};
}

const Importer* guessed(std::span<const std::unique_ptr<Importer>> formats, std::string_view head)
{
    for (const auto& f : formats)
        if (f->guess(head) == Guess::Yes) return f.get();
    return nullptr;
}

namespace {
/// A text of tables and stacks has them printed at the end, which an Exit says. Its time is that of the newest firing.
void endWithExit(std::vector<record::Record>& records, std::int64_t started)
{
    if (!records.empty() && std::holds_alternative<record::Exit>(records.back())) return;
    std::int64_t last = started;
    for (const auto& r : records)
        if (const auto* fired = std::get_if<record::Fired>(&r)) last = std::max(last, std::int64_t{fired->when.count()});
    records.emplace_back(record::Exit{.status = 0, .interrupted = false, .when = record::Nanoseconds(last)});
}
} // namespace

std::string_view notText(std::string_view head)
{
    // Source: tools/perf/util/header.c, __perf_magic2 and 1, in either byte order.
    for (const std::string_view magic : {"PERFILE2", "2ELIFREP", "PERFFILE"})
        if (head.starts_with(magic)) return "perf's own recording; its text can be read: perf script | dscope --import -";
    return {};
}

Result<Imported> import(std::span<const std::unique_ptr<Importer>> formats, const std::string& file, const std::string& format,
    const Lines::Watch& watch, Keep keep)
{
    std::string names;
    for (const auto& f : formats)
        names += (names.empty() ? "" : ", ") + std::string(f->name());
    DSCOPE_TRY(auto lines, Lines::open(file, keep == Keep::Mapped ? Lines::By::Mapping : Lines::By::Pieces, watch));
    const auto head = lines.head();
    const Importer* chosen = format.empty() ? guessed(formats, head) : nullptr;
    for (const auto& f : formats)
        if (f->name() == format) chosen = f.get();
    if (!chosen && !format.empty()) return Error{0, "cannot import \"" + format + "\": the formats are " + names};
    if (!chosen && format.empty())
        for (const auto& f : formats)
            if (f->guess(head) == Guess::Unknown) {
                chosen = f.get();
                break;
            }
    if (head.empty()) return Error{0, "cannot import " + file + ": it is empty"};
    if (head.starts_with(record::kMagic)) return Error{0, "cannot import " + file + ": it is a recording: dscope --replay " + file};
    if (const auto other = notText(head); !other.empty()) return Error{0, "cannot import " + file + ": it is " + std::string(other)};
    if (!chosen)
        return Error{0, "cannot import " + file + ": it does not look like " + names + "; name the format, as in --import dtrace:" + file};
    if (const auto nul = head.find('\0'); nul != std::string_view::npos)
        return Error{0,
            "cannot import " + file + " as " + std::string(chosen->name()) + " text: it is no text, line "
                + std::to_string(1 + std::count(head.begin(), head.begin() + static_cast<std::ptrdiff_t>(nul), '\n'))
                + " has a byte of value 0"};

    // A file that need not stay is read in pieces: memory does not grow with it, and the time is the same.
    if (lines.lasting() && !chosen->pointsIntoText() && file != "-") { DSCOPE_TRY(lines, Lines::open(file, Lines::By::Pieces, watch)); }
    auto imported = chosen->read(lines);
    if (lines.failure()) return Error(*lines.failure()).in("reading " + file);
    if (const auto mapped = lines.mapped()) {
        DSCOPE_CHECK(mapped->check());
        if (imported) imported->mapped = mapped;
    }
    if (!imported) return std::move(imported).error().in("cannot import " + file + " as " + std::string(chosen->name()) + " text");
    if (imported->program.name.empty()) imported->program.name = file == "-" ? "standard input" : file;
    if (imported->program.source.empty()) {
        imported->program.source = std::string(record::kImportedFrom) + std::string(chosen->name()) + " text";
        imported->program.isImported = true;
        imported->program.options["quiet"] = ""; // what is printed of it is what the text says
    }

    imported->program.version = DSCOPE_VERSION;
    endWithExit(imported->records, imported->program.started);
    if (!imported->comparedWith.empty()) endWithExit(imported->comparedWith, 0);
    return imported;
}
} // namespace dscope::text
