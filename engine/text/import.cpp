#include "engine/record/imported.h"
#include "engine/record/wire.h"
#include "engine/text/importer.h"
#include "engine/text/json.h"
#include "engine/text/words.h"
#include <algorithm>
namespace dscope::text {
void Imported::warn(std::string message)
{
    record::Diagnostic warning{};
    warning.severity = record::Diagnostic::Severity::Warning;
    warning.text = "warning: " + message;
    warning.message = std::move(message);
    records.emplace_back(std::move(warning));
}

void Imported::add(TakenStacks stacks)
{
    const auto what = stacks.noun.empty() ? std::string("values") : "values of " + stacks.noun;
    if (stacks.hasOverflown) warn("the " + what + " add up to more than " + std::to_string(INT64_MAX) + ": what is beyond it is left out");
    if (stacks.below > 0)
        warn("the " + what + " of " + counted(stacks.below, "stack add up to less than 0: it is", "stacks add up to less than 0: they are")
            + " left out");
    const auto kept
        = stacks.decimals > 0 ? "to " + counted(static_cast<std::uint64_t>(stacks.decimals), "decimal", "decimals") : "to whole numbers";
    if (stacks.isRounded) warn("the " + what + " are rounded " + kept + ": 64 bits have no room for more beside the largest of them");
    if (stacks.tooSmall > 0)
        warn(counted(stacks.tooSmall, "stack is left out: its value", "stacks are left out: their values")
            + (stacks.tooSmall == 1 ? " is" : " are") + " 0 when rounded so");
    add(static_cast<record::CountedStacks&&>(stacks));
}

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

Error Imported::nothing(std::string what, std::string_view text, std::size_t at)
{
    at = std::min(at, text.size());
    const auto before = text.substr(0, at);
    const auto begin = before.rfind('\n') == before.npos ? 0 : before.rfind('\n') + 1;
    // A file of one long line is shown from where it is wrong.
    constexpr std::size_t kNear = 40;
    const auto from = at - begin > kNear ? at - kNear / 2 : begin;
    Imported out;
    out.misunderstand(
        1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')), text.substr(from, text.find('\n', from) - from));
    return out.nothing(std::move(what));
}

namespace {
const Importer* guessedAs(Guess guess, std::span<const std::unique_ptr<Importer>> formats, std::string_view head)
{
    const bool isJson = beginsJson(head);
    for (const bool isGeneral : {false, true})
        for (const auto& f : formats)
            if (f->isGeneral() == isGeneral && (!isJson || f->readsJson()) && f->guess(head) == guess) return f.get();
    return nullptr;
}
/// A text of tables and stacks has them printed at the end, which an Exit says. Its time is that of the newest firing or sample.
void endWithExit(std::vector<record::Record>& records, std::int64_t started)
{
    if (!records.empty() && std::holds_alternative<record::Exit>(records.back())) return;
    std::int64_t last = started;
    for (const auto& r : records) {
        if (const auto* parts = std::get_if<record::StackParts>(&r); parts && !parts->parts.empty())
            last = std::max(last, std::int64_t{parts->parts.back().to.count()});
        if (const auto* fired = std::get_if<record::Fired>(&r)) last = std::max(last, std::int64_t{fired->when.count()});
    }
    records.emplace_back(record::Exit{.status = 0, .interrupted = false, .when = record::Nanoseconds(last)});
}
/// Why a file is nothing to import, and what reads it; empty if it may be imported.
std::string ofAnotherProgram(std::string_view head, const Lines& lines)
{
    if (head.starts_with(record::kMagic))
        return lines.compression() == Compression::None
            ? "it is a recording: dscope --replay " + lines.path()
            : "it is a compressed recording: " + std::string(nameOf(lines.compression())) + " -dc " + lines.path() + " | dscope --replay -";
    if (head.starts_with("\xff\xfe") || head.starts_with("\xfe\xff"))
        return "it is text in UTF-16, as shells of Windows write it: iconv -f UTF-16 -t UTF-8 " + lines.path() + " | dscope --import -";
    if (const auto unpacker = foreignUnpacker(head); !unpacker.empty())
        return "it is compressed in another way than by gzip, zstd or xz: " + std::string(unpacker) + ' ' + lines.path()
            + " | dscope --import -";
    return {};
}
} // namespace

const Importer* guessed(std::span<const std::unique_ptr<Importer>> formats, std::string_view head)
{
    return guessedAs(Guess::Yes, formats, head);
}

Result<Imported> import(
    std::span<const std::unique_ptr<Importer>> formats, const std::string& file, const std::string& format, const Lines::Watch& watch)
{
    std::string names;
    for (const auto& f : formats)
        names += (names.empty() ? "" : ", ") + std::string(f->name());
    DSCOPE_TRY(auto lines, Lines::open(file, Lines::By::Mapping, watch));
    const auto head = lines.head();
    const Importer* chosen = format.empty() ? guessed(formats, head) : nullptr;
    for (const auto& f : formats)
        if (f->name() == format) chosen = f.get();
    if (!chosen && !format.empty()) return Error{0, "cannot import \"" + format + "\": the formats are " + names};
    if (!chosen && format.empty()) chosen = guessedAs(Guess::Unknown, formats, head);
    if (head.empty()) return Error{0, "cannot import " + file + ": it is empty"};
    if (auto other = ofAnotherProgram(head, lines); !other.empty()) return Error{0, "cannot import " + file + ": " + std::move(other)};
    if (!chosen)
        return Error{0, "cannot import " + file + ": it does not look like " + names + "; name the format, as in --import dtrace:" + file};
    if (const auto nul = head.find('\0'); !chosen->isBinary() && nul != std::string_view::npos)
        return Error{0,
            "cannot import " + file + " as " + std::string(chosen->name()) + " text: it is no text, line "
                + std::to_string(1 + std::count(head.begin(), head.begin() + static_cast<std::ptrdiff_t>(nul), '\n'))
                + " has a byte of value 0"};

    const bool hasLines = !chosen->isBinary() && !beginsJson(head); // rather than bytes, or one object
    // A file that need not stay is read in pieces: memory does not grow with it, and the time is the same.
    if (lines.lasting() && !chosen->isBinary() && file != "-") { DSCOPE_TRY(lines, Lines::open(file, Lines::By::Pieces, watch)); }
    const std::string what = chosen->isBinary() ? " data" : " text";
    auto imported = chosen->read(lines);
    if (lines.failure()) return Error(*lines.failure()).in("reading " + file);
    if (const auto mapped = lines.mapped()) DSCOPE_CHECK(mapped->check());

    if (!imported) return std::move(imported).error().in("cannot import " + file + " as " + std::string(chosen->name()) + what);
    if (imported->program.name.empty()) imported->program.name = file == "-" ? "standard input" : file;
    if (imported->program.source.empty()) {
        imported->program.source = std::string(record::kImportedFrom) + std::string(chosen->name()) + what;
        imported->program.isImported = true;
        imported->program.options["quiet"] = ""; // what is printed of it is what the text says
        if (hasLines) imported->program.lines = lines.number();
        imported->program.linesNotUnderstood = std::min<std::uint64_t>(imported->notUnderstood, imported->program.lines);
    }

    imported->program.version = DSCOPE_VERSION;
    endWithExit(imported->records, imported->program.started);
    if (!imported->comparedWith.empty()) endWithExit(imported->comparedWith, 0);
    return imported;
}
} // namespace dscope::text
