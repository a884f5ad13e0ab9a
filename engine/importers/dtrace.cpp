#include "engine/record/folded.h"
#include "engine/text/function_names.h"
#include "engine/text/known_lines.h"
#include "engine/text/stack_counts.h"
#include "engine/text/tables.h"
#include "engine/text/words.h"
#include <algorithm>
#include <map>
#include <unordered_map>
namespace dscope::importers {
namespace {
using text::Guess;
using text::integer;
using text::isBlank;
using text::isDigits;
using text::kBlanks;
using text::kDigits;
using text::PrintedRow;
using text::trimmed;

bool isDistributionHeading(std::string_view line)
{
    return line.starts_with("value") && line.ends_with("count") && line.find("- Distribution -") != std::string_view::npos;
}
/// Option agghist: a row has the keys of a count or a sum in front of its bar. Source: FreeBSD's dtrace(1)
bool isBarsHeading(std::string_view line)
{
    return line.starts_with("key") && line.ends_with("count") && line.find("- Distribution -") != std::string_view::npos;
}
/// Whether a control character other than a tab is in it: what no line of a text has.
bool isBinary(std::string_view line)
{
    return std::any_of(line.begin(), line.end(), [](char c) { return (c >= '\0' && c < ' ' && c != '\t') || c == '\x7f'; });
}
bool isAddress(std::string_view s)
{
    return s.starts_with("0x") && s.find_first_not_of(text::kHexDigits, 2) == std::string_view::npos && s.size() > 2;
}
/// "libc.so.1`write                      4": a number behind its key, in a column of its own: usym(), sym() and uaddr() are keys, too.
bool isRowOfKeys(std::string_view s)
{
    auto blank = s.find_last_not_of(kDigits);
    if (blank == std::string_view::npos || blank + 1 == s.size()) return false;
    if (s[blank] == '-' && blank > 0) --blank;
    return blank > 0 && isBlank(s[blank]) && isBlank(s[blank - 1]);
}
/// "module`function", "module`0x1234", "0x1234"; not "frame #1: 0x1234 a.out`main", which is lldb's.
bool isFrame(std::string_view s)
{
    if (isAddress(s)) return true;
    return s.find('`') != std::string_view::npos && !s.starts_with("frame #") && !s.starts_with("* frame #") && !isRowOfKeys(s);
}
/// Source of the marks behind the offset: engine/format/values.cpp, placeText()
constexpr text::NameHints kFrameHints{.hasModule = true, .hasPlace = true};
/// "  8 |@@@@  12": the value in front of the bar, and the count behind it.
std::optional<PrintedRow> printedRow(std::string_view line)
{
    const auto bar = line.find('|');
    if (bar == std::string_view::npos) return {};
    auto low = trimmed(line.substr(0, bar));
    const auto rest = line.substr(bar + 1);
    const auto from = rest.find_last_not_of(kDigits, rest.find_last_not_of(kBlanks));
    const auto count = integer(trimmed(rest.substr(from == std::string_view::npos ? 0 : rest[from] == '-' ? from : from + 1)));
    if (!count) return {};
    PrintedRow row;
    row.count = *count;
    const std::pair<std::string_view, PrintedRow::Kind> marks[] = {{"<=", PrintedRow::Kind::Below}, {"<", PrintedRow::Kind::Below},
        {">=", PrintedRow::Kind::AtLeast}, {"abs() <", PrintedRow::Kind::Middle}};
    for (const auto& [mark, kind] : marks)
        if (low.starts_with(mark)) {
            row.kind = kind;
            low = trimmed(low.substr(mark.size()));
            break;
        }
    const auto value = integer(low);
    if (!value) return {};
    row.value = *value;
    return row;
}
/// "main;run 4": a stack as dscope's --text writes imported ones, between tables; the number is behind the last blank.
std::optional<std::pair<std::string_view, std::int64_t>> foldedLineOf(std::string_view line)
{
    const auto blank = line.find_last_of(kBlanks);
    if (blank == std::string_view::npos || isBlank(line.front())) return {};
    const auto value = isDigits(line.substr(blank + 1)) ? integer(line.substr(blank + 1)) : std::nullopt;
    const auto stack = line.substr(0, blank);
    if (!value || stack.find(record::kFrameSeparator) == std::string_view::npos || stack.find("  ") != std::string_view::npos) return {};
    // What a script prints may have such a mark, too: "read(fd=3); took 25".
    constexpr char kMark = record::kFrameSeparator;
    if (stack.front() == kMark || stack.back() == kMark) return {};
    for (std::size_t i = 0; i + 1 < stack.size(); ++i)
        if (stack[i] == kMark && (stack[i + 1] == kMark || isBlank(stack[i + 1]))) return {};
    return std::pair(stack, *value);
}
/// Columns set apart by two blanks or more.
std::vector<std::string> columns(std::string_view line)
{
    std::vector<std::string> out;
    for (line = trimmed(line); !line.empty();) {
        const auto end = std::min(line.find("  "), line.size());
        out.emplace_back(trimmed(line.substr(0, end)));
        line = trimmed(line.substr(end));
    }
    return out;
}

/// What dtrace prints, on any system: stacks, distributions and numbers by their keys, calls with -F. Lines of a printf
/// of the script's own can look like anything; what fits none of these is counted as not understood.
class DtraceReader {
public:
    DtraceReader(text::Imported& out, text::Lines& lines) : m_out(out), m_lines(lines) { }

    void line(std::string_view raw, std::size_t number)
    {
        if (!m_inTable && !raw.empty() && isBlank(raw.front()))
            if (const auto known = m_lines.find(raw)) return frames(known);
        std::size_t from = 0;
        while (from < raw.size() && (raw[from] == ' ' || raw[from] == '\t'))
            ++from;
        m_number = number;
        if (from == raw.size()) return blank();
        if (isBinary(raw)) return m_out.misunderstand(number, raw);
        auto text = raw.substr(from);
        while (text.back() == ' ' || text.back() == '\t')
            text.remove_suffix(1);
        if (m_inTable) {
            if (const auto row = printedRow(text)) {
                m_rows.push_back(*row);
                return;
            }
            endTable();
        }
        if (m_inBars && bar(text)) return;

        const char first = text.front();
        if (first >= '0' && first <= '9' && isDigits(text)) {
            if (const auto n = integer(text)) return count(*n);
        }
        if (first == '-' && isDigits(text.substr(1)) && (!m_frames.empty() || !m_key.empty())) {
            if (const auto n = integer(text)) return count(*n);
        }

        // A frame is set to the right, but where a page or a mail dropped the blanks.
        if (from > 0 || text.find_first_of(kBlanks) == std::string_view::npos) {
            if (isFrame(text)) return frame(raw, text);
        }
        other(raw, text);
    }

    /// `isEnded`: the last line is whole.
    void end(bool isEnded)
    {
        if (!isEnded && !m_frames.empty()) {
            m_out.misunderstand(m_number, "the text ends within a stack, which is not counted");
            m_frames.clear();
        }
        blank();
        if (m_inTable) endTable();
        pendingKeyUnread();
        m_tables.put(m_out);
        if (!m_stacks.empty()) m_out.add(m_stacks.take(m_flow ? "calls" : "events"));
        if (m_firings > kMostFirings)
            m_out.warn("only the first " + std::to_string(kMostFirings)
                + " entries and returns are shown one by one: " + text::counted(m_firings - kMostFirings, "is", "are") + " left out there");
        if (m_tooDeep > 0)
            m_out.warn("more than " + std::to_string(kDeepest) + " functions were open on a CPU: "
                + text::counted(m_tooDeep, "call begins its stack anew", "calls begin their stacks anew"));
        if (m_drops > 0)
            m_out.warn(text::counted(m_drops, "line of dtrace says", "lines of dtrace say")
                + " that data was dropped, so that numbers are too small; the first is " + m_firstDrop);
        if (m_errors > 0)
            m_out.warn("dtrace reported errors in " + text::counted(m_errors, "firing", "firings")
                + ", whose data may be missing; the first is " + m_firstError);
    }

private:
    /// A frame whose line was not seen before.
    void frame(std::string_view raw, std::string_view text)
    {
        const auto number = m_lines.of(raw);
        if (number == m_seen.size()) {
            const auto functions = functionsOf(text);
            m_seen.push_back({m_functions.size(), functions.size()});
            m_functions.insert(m_functions.end(), functions.begin(), functions.end());
        }
        append(m_seen[number]);
    }

    /// A frame that was, and those behind it that are expected there.
    void frames(std::optional<std::uint32_t> number)
    {
        for (; number; number = m_lines.next())
            append(m_seen[*number]);
    }
    struct Seen {
        std::size_t first, count; ///< of m_functions
    };

    void append(Seen line)
    {
        for (auto i = line.first + line.count; i-- > line.first;)
            m_frames.push_back(m_functions[i]);
    }

    void endStack(std::int64_t value)
    {
        for (const auto& key : m_key)
            m_stacks.frame(key);
        for (auto f = m_frames.rbegin(); f != m_frames.rend(); ++f)
            m_stacks.frame(*f);
        m_stacks.add(value);
        m_frames.clear();
        m_key.clear();
        m_lines.stop();
    }

    /// Generated code of Java may name what was inlined into it: "outer->inner".
    std::vector<std::uint32_t> functionsOf(std::string_view frame)
    {
        std::vector<std::uint32_t> out;
        for (const auto& is : text::readFunctionNames(frame, kFrameHints))
            out.push_back(m_stacks.numberOf({.name = is.name.empty() ? "-" : is.name,
                                                .kind = record::isKernelModule(is.module) ? record::Frame::Kind::Kernel : is.kind,
                                                .inlined = is.inlined,
                                                .module = is.module,
                                                .file = is.file,
                                                .line = is.line},
                is.descriptor));
        return out;
    }

    void count(std::int64_t n)
    {
        if (!m_frames.empty() && n < 0) m_out.misunderstand(m_number, "a stack whose number is below 0");
        if (!m_frames.empty()) return endStack(std::max<std::int64_t>(n, 0));
        if (!m_key.empty()) {
            m_tables.number(m_key, n);
            m_key.clear();
            return;
        }
        m_tables.number({}, n);
    }

    /// "sh    3 |@@@@    12"; that of a negative number is in front of the line, "sh    3 @@@@|    -12".
    bool bar(std::string_view text)
    {
        const auto at = text.rfind('|');
        const auto end = text.find_last_of(kBlanks);
        if (at == std::string_view::npos || end == std::string_view::npos || end < at) return false;
        const auto value = integer(text.substr(end + 1));
        if (!value || text.substr(at + 1, end - at).find_first_not_of("@ \t") != std::string_view::npos) return false;
        auto keys = trimmed(text.substr(0, at));
        keys = trimmed(keys.substr(0, keys.find_last_not_of('@') + 1));
        m_tables.number(columns(keys), *value);
        return true;
    }

    /// Ends a stack that was traced, not aggregated: it happened once.
    void blank()
    {
        m_inBars = false;
        if (m_inTable) return endTable();
        if (!m_frames.empty()) endStack(1);
    }

    void endTable()
    {
        m_inTable = false;
        if (auto d = text::distributionOf(m_rows))
            m_tables.distribution(m_key, d->shape, std::move(d->buckets));
        else
            m_out.misunderstand(m_number, "a distribution without rows, or with rows of no known function");
        m_rows.clear();
        m_key.clear();
    }

    void pendingKeyUnread()
    {
        if (!m_key.empty()) m_out.misunderstand(m_keyNumber, m_keyLine);
        m_key.clear();
    }

    void other(std::string_view raw, std::string_view text)
    {
        if (isDistributionHeading(text)) {
            m_inTable = true;
            return;
        }
        if (isBarsHeading(text)) {
            pendingKeyUnread();
            m_inBars = true;
            return;
        }

        if (text.starts_with("dtrace: ") || text == "^C") { // the command itself stood there
            if (text.find(" drop") != std::string_view::npos && m_drops++ == 0) m_firstDrop = text;
            if (text.starts_with("dtrace: error on enabled probe ") && m_errors++ == 0) m_firstError = text;
            return pendingKeyUnread();
        }
        if (text.starts_with("CPU ")) {
            pendingKeyUnread();
            m_flow = text.find(" ID ") == std::string_view::npos && text.ends_with("FUNCTION");
            m_records = !m_flow && text.ends_with("FUNCTION:NAME");
            return;
        }

        if (m_flow && call(text)) return;
        if (m_records && record(text)) return;
        if (const auto folded = foldedLineOf(raw); folded && m_frames.empty() && !m_records && !m_flow) {
            pendingKeyUnread();
            record::eachFrame(folded->first, [&](std::string_view word) { m_stacks.frame(m_stacks.numberOf(record::namedFrame(word))); });
            m_stacks.add(folded->second);
            return;
        }
        auto parts = columns(raw);
        if (const auto n = integer(parts.back()); n && parts.size() > 1) {
            parts.pop_back();
            if (!m_frames.empty()) { // keys behind the stack
                m_key.insert(m_key.end(), parts.begin(), parts.end());
                return endStack(*n);
            }
            if (!m_key.empty()) pendingKeyUnread();
            m_tables.number(parts, *n);
            return;
        }

        if (!m_frames.empty()) {
            const auto blanks = [](std::string_view line) { return line.find_first_not_of(kBlanks); };
            if (blanks(raw) >= blanks(m_lines.last())) return frame(raw, text); // in a form of its own
            endStack(1); // the stack is complete; this line, further to the left, is the key of the next one
        }

        pendingKeyUnread();
        m_key = std::move(parts);
        m_keyNumber = m_number;
        m_keyLine = text;
    }

    /// No chain of calls is deeper: a text whose returns are missing would nest without end.
    static constexpr std::size_t kDeepest = 512;

    /// "0  -> open": an entry or a return on a CPU, as -F prints them. An entry is called by the functions that are open on that CPU.
    bool call(std::string_view text)
    {
        const auto cpuEnd = text.find_first_not_of(kDigits);
        const auto cpu = integer(text.substr(0, cpuEnd));
        if (!cpu) return false;
        auto rest = trimmed(text.substr(cpuEnd));
        const auto arrow = rest.substr(0, 2);
        const bool entry = arrow == "->" || arrow == "=>", leave = arrow == "<-" || arrow == "<=";
        if (!entry && !leave) return rest.starts_with("|");
        const auto name = std::string(trimmed(rest.substr(2)));
        const auto function = name.substr(0, name.find_first_of(" \t"));
        if (function.empty()) return false;
        fire(*cpu, function, entry, arrow == "=>" || arrow == "<=");
        auto& open = m_open[*cpu];
        if (entry) {
            if (open.size() >= kDeepest) ++m_tooDeep, open.clear();
            const auto [called, isNew] = m_called.try_emplace(function);
            if (isNew) called->second = m_stacks.numberOf({function});
            open.push_back(called->second);
            m_stacks.frames(open);
            m_stacks.add(1);
        } else if (const auto called = m_called.find(function); called != m_called.end()) {
            // A function that was entered before tracing began returns too, and is not in the list.
            for (std::size_t i = open.size(); i-- > 0;)
                if (open[i] == called->second) {
                    open.resize(i);
                    break;
                }
        }
        return true;
    }

    /// The same as a firing, so that calls are seen in their order: the number of its line is its time.
    void fire(std::int64_t cpu, const std::string& function, bool entry, bool syscall)
    {
        if (m_firings++ >= kMostFirings) return;
        if (m_firings == 1) {
            m_out.program.clauses.emplace_back();
            m_out.program.timesAreLines = true;
        }
        const std::string key = (syscall ? "syscall:" : ":") + function + (entry ? ":entry" : ":return");
        const auto [probe, isNew] = m_probes.try_emplace(key, static_cast<std::uint32_t>(m_probes.size()));
        if (isNew)
            m_out.records.emplace_back(
                record::ProbeDef{ProbeId{probe->second}, syscall ? "syscall" : "", "", function, entry ? "entry" : "return"});
        const auto on = static_cast<std::uint32_t>(cpu);
        m_out.records.emplace_back(
            record::Fired{ClauseId{0}, ProbeId{probe->second}, on, 0, on, record::Nanoseconds(static_cast<std::int64_t>(m_number)), {}});
    }

    /// "0  64091  :tick-60s  what was traced".
    bool record(std::string_view text)
    {
        const auto cpuEnd = text.find_first_not_of(kDigits);
        if (cpuEnd == 0 || cpuEnd == std::string_view::npos) return false;
        const auto rest = trimmed(text.substr(cpuEnd));
        const auto idEnd = rest.find_first_not_of(kDigits);
        if (idEnd == 0 || idEnd == std::string_view::npos) return false;
        auto parts = columns(rest.substr(idEnd));
        if (parts.empty() || parts.front().find(':') == std::string::npos) return false;
        if (parts.size() == 1) return true; // the firing alone; what it printed follows
        ++m_fired[parts];
        m_tables.number(parts, m_fired[parts]);
        return true;
    }

    text::Imported& m_out;
    text::StackCounts m_stacks;
    text::Tables m_tables;
    text::KnownLines m_lines;               ///< that are frames: nearly all lines, and few different ones
    std::vector<Seen> m_seen;               ///< by number of m_lines
    std::vector<std::uint32_t> m_functions; ///< of all of them, as m_stacks numbers them
    std::vector<std::uint32_t> m_frames;    ///< of the stack that is read, the innermost first
    std::vector<std::string> m_key;
    std::string m_keyLine, m_firstDrop, m_firstError;
    std::size_t m_drops = 0, m_errors = 0; ///< lines of dtrace itself
    std::size_t m_number = 0, m_keyNumber = 0;
    bool m_inTable = false, m_inBars = false, m_flow = false, m_records = false;
    static constexpr std::size_t kMostFirings = 1'000'000; ///< kept of -F, besides what calls what
    std::size_t m_firings = 0, m_tooDeep = 0;              ///< of -F; where more than kDeepest functions are open
    std::map<std::string, std::uint32_t> m_probes;
    std::vector<PrintedRow> m_rows;
    std::unordered_map<std::string, std::uint32_t> m_called;   ///< functions as m_stacks numbers them
    std::map<std::int64_t, std::vector<std::uint32_t>> m_open; ///< by CPU
    std::map<std::vector<std::string>, std::int64_t> m_fired;
};

class Dtrace final : public text::Importer {
public:
    std::string_view name() const override { return "dtrace"; }
    std::string_view summary() const override { return "what dtrace prints: stacks, distributions, numbers by key, calls of -F"; }

    Guess guess(std::string_view head) const override
    {
        text::Lines lines(head);
        std::string_view line;
        std::size_t frames = 0, numbers = 0, all = 0, keyed = 0, folded = 0;
        while (all < 2000 && lines.next(line)) {
            const auto text = trimmed(line);
            if (text.empty()) continue;
            ++all;
            if (isDistributionHeading(text) || isBarsHeading(text)
                || (text.starts_with("CPU") && (text.ends_with("FUNCTION:NAME") || text.ends_with("FUNCTION"))))
                return Guess::Yes;
            const bool indented = line.front() == ' ';
            if (isFrame(text) && (indented ? text.find(';') : text.find_first_of("; ")) == std::string_view::npos) ++frames;
            if (isDigits(text)) ++numbers;
            folded += foldedLineOf(line) ? 1 : 0;
            const auto parts = columns(line);
            if (indented && parts.size() > 1 && integer(parts.back())) ++keyed;
        }
        if (frames > 0 && numbers > 0) return Guess::Yes;
        if (keyed > 0) keyed += folded; // dscope's own text of a thread dump has both
        return keyed * 2 > all || frames * 2 > all ? Guess::Unknown : Guess::No;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        text::Imported out;
        DtraceReader reader(out, lines);
        text::readAll(lines, reader);
        reader.end(lines.isLineEnded());
        if (out.records.empty()) return out.nothing("nothing in it is a stack, a distribution or a number by its keys");
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_dtrace() { return std::make_unique<Dtrace>(); }
} // namespace dscope::importers
