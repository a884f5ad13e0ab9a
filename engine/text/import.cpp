#include "engine/record/imported.h"
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
/// Of the newest record that tells one.
std::int64_t lastTime(const Imported& imported)
{
    std::int64_t last = imported.program.started;
    for (const auto& r : imported.records)
        if (const auto* fired = std::get_if<record::Fired>(&r)) last = std::max(last, std::int64_t{fired->when.count()});
    return last;
}
} // namespace

Result<Imported> import(std::span<const std::unique_ptr<Importer>> formats, const std::string& file, const std::string& format,
    const Lines::Watch& watch, Keep keep)
{
    std::string names;
    for (const auto& f : formats)
        names += (names.empty() ? "" : ", ") + std::string(f->name());
    DSCOPE_TRY(auto lines, Lines::open(file, keep == Keep::Mapped, watch));
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
    if (!chosen)
        return Error{0, "cannot import " + file + ": it does not look like " + names + "; name the format, as in --import dtrace:" + file};
    if (const auto nul = head.find('\0'); nul != std::string_view::npos)
        return Error{0,
            "cannot import " + file + " as " + std::string(chosen->name()) + " text: it is no text, line "
                + std::to_string(1 + std::count(head.begin(), head.begin() + static_cast<std::ptrdiff_t>(nul), '\n'))
                + " has a byte of value 0"};
    // A file that need not stay is read in pieces: memory does not grow with it, and the time is the same.
    if (lines.lasting() && !chosen->pointsIntoText() && file != "-") { DSCOPE_TRY(lines, Lines::open(file, false, watch)); }
    auto imported = chosen->read(lines);
    if (lines.failure()) return Error(*lines.failure()).in("reading " + file);
    if (const auto mapped = lines.mapped()) {
        DSCOPE_CHECK(mapped->check());
        if (imported) imported->mapped = mapped;
    }
    if (!imported) return std::move(imported).error().in("cannot import " + file + " as " + std::string(chosen->name()) + " text");
    if (imported->program.name.empty()) imported->program.name = file == "-" ? "standard input" : file;
    if (imported->program.source.empty())
        imported->program.source = std::string(record::kImportedFrom) + std::string(chosen->name()) + " text";
    imported->program.version = DSCOPE_VERSION;
    // Whoever prints tables does so at the end.
    if (!imported->records.empty() && !std::holds_alternative<record::Exit>(imported->records.back()))
        imported->records.emplace_back(record::Exit{0, false, record::Nanoseconds(lastTime(*imported))});
    return imported;
}
} // namespace dscope::text
