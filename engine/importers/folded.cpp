#include "engine/record/folded.h"
#include "engine/text/decimal.h"
#include "engine/text/function_names.h"
#include "engine/text/importer.h"
#include "engine/text/stack_counts.h"
#include "engine/text/words.h"
#include <array>
#include <unordered_map>
namespace dscope::importers {
namespace {
using text::Decimal;
using text::Guess;

/// "stack value", or "stack before after" as difffolded.pl writes it.
struct FoldedLine {
    std::string_view stack;
    Decimal value, before;
};
constexpr std::string_view kSpaces = " \t";

/// The number that ends `text`, behind a blank or a tab; taken off it. Nothing: none does.
std::optional<Decimal> takeNumber(std::string_view& text)
{
    const auto last = text.find_last_not_of(kSpaces);
    if (last == std::string_view::npos) return {};
    const auto blank = text.find_last_of(kSpaces, last);
    if (blank == std::string_view::npos) return {};
    const auto word = text.substr(blank + 1, last - blank);
    if (word.front() != '.' && word.front() != '-' && (word.front() < '0' || word.front() > '9')) return {};
    const auto number = text::decimal(word);
    if (number) text = text.substr(0, blank);
    return number;
}

/// heaptrack 1.4 writes a separator behind the last frame, Excimer 1.0.4 one before the first: no frame is there.
std::string_view withoutOuterSeparators(std::string_view stack)
{
    while (stack.starts_with(record::kFrameSeparator))
        stack.remove_prefix(1);
    while (stack.ends_with(record::kFrameSeparator))
        stack.remove_suffix(1);
    return stack;
}

enum class Columns : std::uint8_t { One, Two };

std::optional<FoldedLine> lineOf(std::string_view line, Columns columns)
{
    FoldedLine out;
    const auto value = takeNumber(line);
    if (!value) return {};
    out.value = *value;
    if (columns == Columns::Two) {
        const auto before = takeNumber(line);
        if (!before) return {};
        out.before = *before;
    }
    const auto end = line.find_last_not_of(kSpaces);
    out.stack = withoutOuterSeparators(line.substr(0, end == std::string_view::npos ? 0 : end + 1));
    return out.stack.empty() ? std::nullopt : std::optional(out);
}

/// Whether it is a row of a table as dtrace prints it: set to the right, and its number far from its key.
bool isRowOfTable(std::string_view line)
{
    const auto number = line.find_last_of(kSpaces, line.find_last_not_of(kSpaces));
    return line.starts_with("  ") && number != std::string_view::npos && number > 1 && line[number - 1] == ' '
        && line.find(record::kFrameSeparator) == std::string_view::npos;
}

/// Whether the last word is a number that 64 bits do not hold.
bool endsInHugeNumber(std::string_view line)
{
    line = line.substr(0, line.find_last_not_of(kSpaces) + 1);
    const auto blank = line.find_last_of(kSpaces);
    const auto word = line.substr(blank + 1);
    return blank != std::string_view::npos && word.find_first_not_of("0123456789.") == std::string_view::npos && word.front() != '.';
}

/// Whether the last word of a stack's line is a number with a comma, as "1,5": of decimals, or of thousands.
bool endsInComma(std::string_view line)
{
    line = line.substr(0, line.find_last_not_of(kSpaces) + 1);
    const auto blank = line.find_last_of(kSpaces);
    const auto word = line.substr(blank + 1);
    return blank != std::string_view::npos && line.find(record::kFrameSeparator) < blank && word.find(',') != std::string_view::npos
        && word.find_first_not_of("0123456789,.") == std::string_view::npos && word.front() != ',' && word.back() != ',';
}

bool isComment(std::string_view line) { return line.starts_with('#'); }

/// Two when every stack among the first lines has two numbers behind it.
Columns columnsOf(std::string_view head, bool isAll)
{
    constexpr int kEnough = 1000;
    text::Lines lines(head);
    std::string_view line;
    int seen = 0;
    const bool isCut = !isAll && !head.ends_with('\n'); // the last line may be
    std::optional<std::string_view> waiting;
    const auto hasTwo = [&] { return !waiting || lineOf(*waiting, Columns::Two).has_value(); };
    while (seen < kEnough && lines.next(line)) {
        if (line.empty() || isComment(line)) continue;
        if (!hasTwo()) return Columns::One;
        ++seen;
        waiting = line;
    }
    if (!isCut && !hasTwo()) return Columns::One;
    return seen > (isCut ? 1 : 0) ? Columns::Two : Columns::One;
}

/// Counts lines of stacks, whose frames come again and again.
class FoldedStacks {
public:
    void add(std::string_view stack, const Decimal& value)
    {
        record::eachFrame(stack, [&](std::string_view word) { m_counts.frame(numberOf(word)); });
        m_counts.add(value.digits, value.exponent);
    }

    text::StackCounts& counts() { return m_counts; }

private:
    std::uint32_t numberOf(std::string_view word)
    {
        const auto known = m_words.of(word);
        if (known < m_numbers.size()) return m_numbers[known];
        auto frame = record::namedFrame(word);
        // Who folded them has tidied names already, or not even demangled them.
        text::FunctionName demangled;
        if (isMangled(frame.name)) demangled = text::readFunctionName(frame.name, {.offset = text::NameHints::Offset::None});
        if (!demangled.name.empty()) frame.name = demangled.name;
        m_numbers.push_back(m_counts.numberOf(frame));
        return m_numbers.back();
    }

    /// As compilers of C++, Rust and D mangle names.
    static bool isMangled(std::string_view name)
    {
        return name.starts_with("_Z") || name.starts_with("__Z") || name.starts_with("_R") || name.starts_with("_D");
    }

    text::StackCounts m_counts;
    Interned m_words;
    std::vector<std::uint32_t> m_numbers; ///< by word, of m_counts
};

class FoldedFile {
public:
    FoldedFile(text::Imported& out, Columns columns) : m_out(out), m_columns(columns) { }

    Result<> line(std::string_view line, std::size_t number)
    {
        if (line.empty() || isComment(line)) return {};
        const auto parsed = lineOf(line, m_columns);
        if (!parsed && endsInHugeNumber(line)) {
            text::Imported at;
            at.misunderstand(number, line);
            return at.nothing("a number is larger than " + std::to_string(INT64_MAX));
        }
        // "  BLOCKED (on object monitor)    1" is a row of a table, between stacks as dscope's --text prints them.
        const bool isRow = text::isBlank(line.front()) && line.find(record::kFrameSeparator) == std::string_view::npos;
        if (!parsed || isRow || parsed->value.digits < 0 || parsed->before.digits < 0) {
            m_out.misunderstand(number, line);
            return {};
        }
        const bool isTooSmall = parsed->value.digits == 0 && parsed->value.isCut;
        m_tooSmall += isTooSmall ? 1 : 0;
        if (parsed->value.isCut && !isTooSmall) m_stacks.counts().hasMoreDecimals();
        if (parsed->before.isCut) m_before.counts().hasMoreDecimals();
        if (parsed->value.digits > 0) m_stacks.add(parsed->stack, parsed->value);
        if (parsed->before.digits > 0) m_before.add(parsed->stack, parsed->before);
        return m_stacks.counts().check();
    }

    /// Why there is no stack in it.
    std::string nothing() const
    {
        if (m_tooSmall > 0) return "its values are less than 1e-30: scale them up";
        if (endsInComma(m_out.firstLine)) return "its numbers have commas: write them with a point before the decimals and no commas";
        return "no line is a stack and a number";
    }

    bool empty() { return m_stacks.counts().empty() && m_before.counts().empty(); }

    void put()
    {
        m_out.add(m_stacks.counts().take("samples"));
        if (m_tooSmall > 0)
            m_out.warn(text::counted(m_tooSmall, "line is", "lines are") + " left out: 64 bits have no room for values of less than 1e-30");
        if (m_columns == Columns::One) return;
        m_out.warn("each stack has two numbers: the first is taken for the run before, the second for the run after it");
        text::Imported before;
        before.add(m_before.counts().take("samples"));
        record::Program program;
        program.isImported = true;
        m_out.comparedWith.emplace_back(program);
        for (auto& record : before.records)
            m_out.comparedWith.push_back(std::move(record));
    }

private:
    text::Imported& m_out;
    Columns m_columns;
    FoldedStacks m_stacks, m_before;
    std::size_t m_tooSmall = 0; ///< values of which nothing is left
};

class Folded final : public text::Importer {
public:
    std::string_view name() const override { return "folded"; }
    std::string_view summary() const override
    {
        return "stacks, a line each: frames from the root joined by ';', a blank, a number (two: a comparison)";
    }

    bool isGeneral() const override { return true; } // austin, py-spy and rbspy write such lines, too

    Guess guess(std::string_view head) const override
    {
        text::Lines lines(head);
        std::string_view line;
        std::size_t good = 0, deep = 0, bad = 0;
        while (good + bad < 100 && lines.next(line)) {
            if (line.empty() || isComment(line)) continue;
            const auto parsed = lineOf(line, Columns::One);
            if (parsed && isRowOfTable(line)) return Guess::No;
            const bool isDeep = line.find(record::kFrameSeparator) != std::string_view::npos;
            const bool isOdd = isDeep && (endsInComma(line) || endsInHugeNumber(line)); // told when it is read
            const bool isNumber = parsed && (parsed->value.digits > 0 || parsed->value.isCut);
            const bool fits
                = (isNumber || isOdd) && line.front() != ' ' && line.front() != '\t' && line.find("]: ") == std::string_view::npos;
            (fits ? good : bad) += 1;
            deep += fits && isDeep && (isOdd || parsed->stack.find(record::kFrameSeparator) != std::string_view::npos);
        }
        if (good == 0 || bad > good / 20 + 1) return Guess::No;
        return deep * 2 > good ? Guess::Yes : Guess::Unknown;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        text::Imported out;
        FoldedFile file(out, columnsOf(lines.head(), lines.isHeadAll()));
        std::string_view line;
        while (lines.next(line))
            DSCOPE_CHECK(file.line(line, lines.number()));
        if (file.empty()) return out.nothing(file.nothing());
        file.put();
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_folded() { return std::make_unique<Folded>(); }
} // namespace dscope::importers
