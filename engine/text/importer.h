#pragma once
#include "engine/record/record.h"
#include "engine/text/lines.h"
#include "engine/text/taken_stacks.h"
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::text {
/// Whether a text is of a format, by its beginning.
enum class Guess : std::uint8_t { No, Unknown, Yes };

/// Everything that a foreign text said.
struct Imported {
    record::Program program;             ///< goes first
    std::vector<record::Record> records; ///< definitions before their use; import() sees to an Exit at the end
    /// Of a figure that compares: the earlier run as a stream of its own, with its Program. Else empty.
    std::vector<record::Record> comparedWith;
    /// Of a page of several runs: what this one is called, and the others.
    struct Run {
        std::string name;
        std::vector<record::Record> records, comparedWith; ///< each with its Program first
    };
    std::string name;
    std::vector<Run> further;
    /// Lines that were not understood: how many, and the first of them.
    std::size_t notUnderstood = 0, firstNumber = 0;
    std::string firstLine;
    /// Puts stacks among the records, where there are any.
    void add(record::CountedStacks stacks)
    {
        if (!stacks.empty()) records.emplace_back(std::move(stacks));
    }
    /// The same, and tells what their values lost.
    void add(TakenStacks stacks);
    /// Puts a warning among the records: what of the file is left out, and why.
    void warn(std::string message);
    void misunderstand(std::size_t number, std::string_view line);
    /// Why there is nothing: `what`, and the first line that was not understood.
    Error nothing(std::string what) const;
    /// Why `text` as a whole is not of a format: `what`, and the line that byte `at` is in.
    static Error nothing(std::string what, std::string_view text, std::size_t at);
};

/// One foreign format: one file in engine/importers/ that defines std::unique_ptr<Importer> make_<file>().
class Importer {
public:
    virtual ~Importer() = default;
    virtual std::string_view name() const = 0;    ///< "perf", as in --import perf:FILE
    virtual std::string_view summary() const = 0; ///< a clause, lower case, no full stop
    virtual Guess guess(std::string_view head) const = 0;
    /// Whether it is bytes rather than lines of text: read() asks for Lines::whole().
    virtual bool isBinary() const { return false; }
    /// Whether it may be JSON: a text that is (beginsJson(), engine/text/json.h) is guessed to be of no other format, whatever its lines
    /// look like.
    virtual bool readsJson() const { return false; }
    /// Whether texts of other formats look like this one: those are asked first.
    virtual bool isGeneral() const { return false; }
    /// Reads to the end. Error: the text is not of this format, with the line that says so.
    virtual Result<Imported> read(Lines& lines) const = 0;
};
/// Hands every line and its number to `reader`.
template <typename Reader> void readAll(Lines& lines, Reader& reader)
{
    std::string_view line;
    while (lines.next(line))
        reader.line(line, lines.number());
}
/// The one of `formats` that a text which begins with `head` is surely of; null when none says so.
const Importer* guessed(std::span<const std::unique_ptr<Importer>> formats, std::string_view head);
/// Reads `file` ("-": standard input) as `format`, or as the one of `formats` that its beginning looks like when that is
/// empty. Error: it cannot be read, no format fits, or nothing in it is understood; the message names the place.
Result<Imported> import(
    std::span<const std::unique_ptr<Importer>> formats, const std::string& file, const std::string& format,
    const Lines::Watch& watch = {});
} // namespace dscope::text
namespace dscope::importers {
/// All formats, by name. Generated from the files in engine/importers/.
std::vector<std::unique_ptr<text::Importer>> all();
} // namespace dscope::importers
