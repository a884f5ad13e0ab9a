#include "engine/text/function_names.h"
#include "engine/text/importer.h"
#include "engine/text/json.h"
#include "engine/text/stack_counts.h"
#include "engine/text/words.h"
#include <array>
#include <optional>
#include <utility>
namespace dscope::importers {
namespace {
using text::Guess;
using text::trimmed;

/// "1.50 ms", "2 s", "1.05 min", "0" in ns. Xcode writes a decimal point as the system's language has it.
std::optional<std::int64_t> instrumentsTime(std::string_view text, std::string_view unitOfColumn)
{
    text = trimmed(text);
    const auto end = std::min(text.find_first_not_of("0123456789.,"), text.size());
    std::string number(text.substr(0, end));
    for (auto& c : number)
        if (c == ',') c = '.';
    auto unit = trimmed(text.substr(end));
    if (unit.empty()) unit = unitOfColumn;
    constexpr std::array<std::pair<std::string_view, int>, 6> kPowers{
        {{"ns", 0}, {"us", 3}, {"\u00b5s", 3}, {"\u03bcs", 3}, {"ms", 6}, {"s", 9}}};
    for (const auto& [name, power] : kPowers)
        if (unit == name) return text::scaledNumber(number, power);
    std::int64_t inAll = 0;
    const auto minutes = unit == "min" ? text::scaledNumber(number, 9) : std::nullopt;
    if (!minutes || __builtin_mul_overflow(*minutes, 60, &inAll)) return {};
    return inAll;
}

/// The heading of a call tree that was copied: how its second column is called tells whether it is time, and in what.
struct InstrumentsHeading {
    bool isOne = false;
    std::string_view unit; ///< of numbers without one; "ms" unless it says "(s)"
};

InstrumentsHeading instrumentsHeading(std::string_view line)
{
    const bool isTime = line.starts_with("Weight\tSelf Weight") || line.starts_with("Running Time\tSelf");
    if (!isTime || line.find("Symbol Name") == line.npos) return {};
    return {true, line.find("Self (s)") != line.npos ? "s" : "ms"};
}

/// "1.05 s   99.8%\t20.0 ms\t \t  main": the time a function took itself, how deep it is, its name.
struct InstrumentsRow {
    std::int64_t own = 0; ///< ns
    std::size_t depth = 0;
    std::string_view name;
};

std::optional<InstrumentsRow> instrumentsRow(std::string_view line, std::string_view unit)
{
    const auto first = line.find('\t');
    const auto second = first == line.npos ? first : line.find('\t', first + 1);
    const auto last = second == line.npos ? second : line.find('\t', second + 1);
    if (last == line.npos) return {};
    const auto own = instrumentsTime(line.substr(first + 1, second - first - 1), unit);
    const auto name = line.substr(last + 1);
    const auto begin = name.find_first_not_of(' ');
    if (!own || *own < 0 || begin == name.npos) return {};
    return InstrumentsRow{*own, begin, trimmed(name)};
}

/// A call tree of Instruments as "Edit, Deep Copy" puts it into the clipboard.
class InstrumentsReader {
public:
    explicit InstrumentsReader(text::Imported& out) : m_out(out) { }

    void line(std::string_view line, std::size_t number)
    {
        if (const auto heading = instrumentsHeading(line); heading.isOne) {
            m_unit = heading.unit;
            m_open.clear();
            return;
        }
        if (trimmed(line).empty()) return;
        const auto row = instrumentsRow(line, m_unit);
        if (!row || row->depth > kDeepest) return m_out.misunderstand(number, line);
        while (!m_open.empty() && m_open.back().first >= row->depth)
            m_open.pop_back();
        m_open.emplace_back(row->depth, m_stacks.numberOf({.name = isProcess(row->name) ? row->name : text::withoutParameters(row->name)}));
        if (row->own == 0) return;
        for (const auto& [depth, frame] : m_open)
            m_stacks.frame(frame);
        m_stacks.add(row->own);
    }

    bool empty() const { return m_stacks.empty(); }
    text::TakenStacks take() { return m_stacks.take("time", record::StackUnit::Time); }

private:
    /// "Demo (4711)"
    static bool isProcess(std::string_view name)
    {
        const auto open = name.rfind(" (");
        return open != name.npos && name.ends_with(')') && text::isDigits(name.substr(open + 2, name.size() - open - 3));
    }

    static constexpr std::size_t kDeepest = 4096;
    text::Imported& m_out;
    text::StackCounts m_stacks;
    std::string m_unit = "ms";
    std::vector<std::pair<std::size_t, std::uint32_t>> m_open; ///< depths and frames, from the root
};

class Instruments final : public text::Importer {
public:
    std::string_view name() const override { return "instruments"; }
    std::string_view summary() const override { return "call trees of macOS' Instruments, as its Deep Copy copies them: times"; }

    Guess guess(std::string_view head) const override
    {
        text::Lines lines(head);
        std::string_view line;
        return lines.next(line) && instrumentsHeading(line).isOne ? Guess::Yes : Guess::No;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        text::Imported out;
        InstrumentsReader reader(out);
        text::readAll(lines, reader);
        if (reader.empty()) return out.nothing("there is no function with time of its own in it");
        out.add(reader.take());
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_instruments() { return std::make_unique<Instruments>(); }
} // namespace dscope::importers
