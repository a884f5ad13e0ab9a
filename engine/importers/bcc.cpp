#include "engine/text/bcc_calls.h"
#include "engine/text/bcc_leaks.h"
#include "engine/text/bpf_frames.h"
#include "engine/text/printed_maps.h"
#include "engine/text/stack_counts.h"
#include "engine/text/times_of_day.h"
#include "engine/text/words.h"
#include <algorithm>
namespace dscope::importers {
namespace {
using record::Aggregator;
using text::Guess;
using text::integer;
using text::PrintedRange;
using text::trimmed;
using FrameKind = record::Frame::Kind;

/// "     usecs               : count     distribution": the heading of a histogram. Gives what its values are.
/// Source: bcc, src/python/bcc/table.py, _print_log2_hist(); libbpf-tools/trace_helpers.c, print_log2_hist()
std::optional<std::string_view> histogramOf(std::string_view line)
{
    line = trimmed(line);
    constexpr std::string_view kLast = "distribution";
    if (!line.ends_with(kLast)) return {};
    line = trimmed(line.substr(0, line.size() - kLast.size()));
    if (!line.ends_with(": count")) return {};
    line = trimmed(line.substr(0, line.size() - 7));
    return line.empty() ? std::nullopt : std::optional(line);
}
/// What a histogram's values are, as an expression of D that says their unit: see graph/units.h.
std::string measured(const std::string& unit)
{
    if (unit == "nsecs") return "timestamp - self->start";
    if (unit == "usecs") return "(timestamp - self->start) / 1000";
    return unit == "msecs" ? "(timestamp - self->start) / 1000000" : unit;
}
/// An end of a row; nothing where it is beyond the largest signed number.
std::optional<std::int64_t> endOf(std::string_view text, bool& isNumber)
{
    isNumber = text::isDigits(text) || (text.size() > 1 && text.front() == '-' && text::isDigits(text.substr(1)));
    return integer(text);
}
/// "  2 -> 3          : 7        |***     |", "        0          : 1068     |***|".
std::optional<PrintedRange> bccRow(std::string_view line)
{
    const auto bar = line.find('|'), colon = line.find(':');
    if (bar == std::string_view::npos || colon == std::string_view::npos || colon > bar || !line.ends_with('|')) return {};
    const auto count = integer(trimmed(line.substr(colon + 1, bar - colon - 1)));
    const auto range = trimmed(line.substr(0, colon));
    const auto arrow = range.find("->");
    const auto low = trimmed(range.substr(0, arrow));
    const auto high = arrow == std::string_view::npos ? low : trimmed(range.substr(arrow + 2));
    bool isLow = false, isHigh = false;
    PrintedRange row{endOf(low, isLow), endOf(high, isHigh), count.value_or(0)};
    if (!count || *count < 0 || !isLow || !isHigh || !row.low) return {};
    return row;
}
/// The name in "    -                dd (1881)", which is behind a stack. Source: bcc, tools/profile.py and offcputime.py
std::optional<std::string_view> processOf(std::string_view line)
{
    auto text = trimmed(line);
    if (line.empty() || !text::isBlank(line.front()) || !text.starts_with("- ") || !text.ends_with(')')) return {};
    text = trimmed(text.substr(2));
    const auto open = text.rfind(" (");
    if (open == std::string_view::npos || !integer(text.substr(open + 2, text.size() - open - 3))) return {};
    return text::withoutBytes(text.substr(0, open));
}
/// Whether a line is the heading of a table of events: "PCOMM            PID    PPID   RET ARGS". Source: bcc, tools/execsnoop.py,
/// opensnoop.py, trace.py and others
bool isEventHeading(std::string_view line)
{
    std::size_t words = 0;
    bool hasNumber = false, hasName = false;
    if (line.empty() || text::isBlank(line.front())) return false;
    for (line = trimmed(line); !line.empty(); ++words) {
        const auto word = line.substr(0, line.find_first_of(text::kBlanks));
        if (std::any_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; }) && word.find('(') == word.npos) return false;
        hasNumber = hasNumber || word == "PID" || word == "TID";
        hasName = hasName || word == "COMM" || word == "PCOMM";
        line = trimmed(line.substr(word.size()));
    }
    return words > 2 && hasNumber && hasName;
}
std::size_t blanksOf(std::string_view line) { return std::min(line.find_first_not_of(text::kBlanks), line.size()); }

/// What the tools of bcc and of its libbpf-tools print: stacks with a number behind them, histograms, counts by function.
class BccReader {
public:
    explicit BccReader(text::Imported& out) : m_out(out) { m_maps.areEmptied(); }

    void line(std::string_view line, std::size_t number)
    {
        m_number = number;
        if (m_inTable) {
            if (const auto row = bccRow(line)) {
                m_rows.push_back(*row);
                return;
            }
            endTable();
        }
        if (m_leaks.take(line)) return;
        if (line.starts_with("^C")) line.remove_prefix(2); // the terminal's, in front of what is printed at the end
        if (m_calls.take(line, m_maps, m_clock)) return;
        if (trimmed(line).empty()) {
            m_counts = Counts::None;
            return;
        }
        if (const auto unit = histogramOf(line)) return histogram(*unit);
        if (!text::isBlank(line.front())) return outer(line);
        if (m_counts != Counts::None && count(line)) return;
        inner(line);
    }

    void end()
    {
        if (m_inTable) endTable();
        if (!m_frames.empty()) m_out.misunderstand(m_number, "the text ends within a stack");
        for (auto& measured : m_stacks)
            if (!measured.stacks.empty()) m_out.add(measured.stacks.take(measured.noun, measured.unit, measured.exponent));
        m_leaks.put(m_out);
        m_maps.put(m_out, [](std::string_view key) {
            const auto between = key.find(text::BccCalls::kBetweenKeys);
            std::vector<std::string> keys{std::string(key.substr(0, between))};
            if (between != std::string_view::npos) keys.emplace_back(key.substr(between + 1));
            return keys;
        });
        if (const auto top = m_calls.cutAt(); top > 0)
            m_out.warn("syscount printed only the first " + std::to_string(top)
                + " rows of each table: the other calls are missing (run syscount with a larger -T)");
        if (m_left > 0) m_out.warn("bcc could not display " + std::to_string(m_left) + " stacks: counts are too small");
        if (m_tooLarge > 0)
            m_out.warn(text::counted(m_tooLarge, "stack is", "stacks are") + " left out: a number above " + std::to_string(INT64_MAX)
                + " does not fit into 64 bits");
    }

    /// The heading of a table of events; empty: none was seen.
    const std::string& events() const { return m_events; }

private:
    enum class Counts : std::uint8_t { None, Before, Behind }; ///< where the number of a line is, in a table of counts
    struct Measured {
        std::string noun;
        record::StackUnit unit = record::StackUnit::Count;
        int exponent = 0;
        text::StackCounts stacks;
    };

    void histogram(std::string_view unit)
    {
        m_inTable = true;
        m_unitName = unit;
        m_rows.clear();
    }

    void endTable()
    {
        m_inTable = false;
        if (!m_rows.empty()) {
            if (!m_header.empty()) m_maps.keyName(m_unitName, m_header);
            m_maps.measure(m_unitName, measured(m_unitName));
            if (m_isNew || m_maps.has(m_unitName, m_key)) m_maps.begin(m_unitName, m_clock.now());
            m_isNew = false;
            m_maps.ranges(m_unitName, m_key, m_rows);
        }
        m_lastKey = m_key;
        m_key.clear();
        m_header.clear();
        m_rows.clear();
    }

    /// A line that is not indented.
    void outer(std::string_view line)
    {
        if (m_clock.read(line)) {
            m_counts = Counts::None;
            m_isNew = true;
            return;
        }
        if (m_counts == Counts::Behind && count(line)) return;
        m_counts = Counts::None;
        if (isEventHeading(line)) {
            m_events = line;
            return;
        }
        if (line.starts_with("Attaching to ") || line.starts_with("Detaching") || line.starts_with("Exiting")) return;
        if (line.starts_with("Tracing ") || line.starts_with("Sampling ")) return heading(line);
        if (line.starts_with("tracing outstanding memory allocs")) return; // libbpf-tools' memleak
        if (line.starts_with("avg = ") && average(line)) return;
        if (line.starts_with("FUNC ") && line.ends_with("COUNT")) {
            m_counts = Counts::Behind;
            m_unitName = "calls";
            return;
        }
        if (line.starts_with("WARNING: ") && line.find("could not be displayed") != std::string_view::npos) {
            m_left += static_cast<std::uint64_t>(std::max<std::int64_t>(text::leadingInteger(line.substr(9)).value_or(0), 0));
            return;
        }
        if (const auto equals = line.find(" = "); equals != std::string_view::npos)
            return section(line.substr(0, equals), line.substr(equals + 3));
        if (line.find(':') != std::string_view::npos && line.find_first_of("(") != std::string_view::npos) { // argdist's probe
            m_key = line;
            m_header = "probe";
            return;
        }
        m_out.misunderstand(m_number, line);
    }

    /// "disk = 'xvdb'", "pid = 1234 bash": what the histogram that follows is of.
    void section(std::string_view header, std::string_view value)
    {
        if (value.size() > 1 && (value.front() == '\'' || value.front() == '"') && value.back() == value.front())
            value = value.substr(1, value.size() - 2);
        value = text::withoutBytes(value);
        m_header = header;
        m_key = value.empty() ? std::string_view(" ") : value;
    }

    void heading(std::string_view line)
    {
        m_calls.readTop(line);
        m_isWaking = line.find(" off-CPU and waker stack") != std::string_view::npos;
        const bool isOffCpu = line.find("off-CPU time (us)") != std::string_view::npos;
        const bool isBlocked = line.find("blocked time (us)") != std::string_view::npos;
        m_nameIsLast = isOffCpu;
        constexpr int kMicro = 3; // decimals of a nanosecond
        if (isOffCpu || isBlocked)
            measure({isOffCpu ? "off-CPU time" : "blocked time", record::StackUnit::Time, kMicro, {}});
        else
            measure({line.starts_with("Sampling ") ? "samples" : "events", record::StackUnit::Count, 0, {}});
    }

    /// What the stacks that follow count. Those of several tools in one text do not add up.
    void measure(Measured measured)
    {
        const auto at = std::find_if(m_stacks.begin(), m_stacks.end(), [&](const Measured& known) { return known.noun == measured.noun; });
        m_measured = static_cast<std::size_t>(at - m_stacks.begin());
        if (at == m_stacks.end()) m_stacks.push_back(std::move(measured));
    }
    text::StackCounts& stacks()
    {
        if (m_stacks.empty()) measure({"events", record::StackUnit::Count, 0, {}});
        return m_stacks[m_measured].stacks;
    }

    /// "avg = 13746 nsecs, total: 6543360 nsecs, count: 476"
    bool average(std::string_view line)
    {
        const auto numberBehind = [&](std::string_view mark) {
            const auto at = line.find(mark);
            return at == std::string_view::npos ? std::nullopt : text::leadingInteger(line.substr(at + mark.size()));
        };
        const auto total = numberBehind("total: "), count = numberBehind("count: ");
        if (!total || !count || m_unitName.empty()) return false;
        m_maps.average(m_unitName, m_lastKey, *count, *total);
        return true;
    }

    /// A line of a table of counts: "vfs_read    12" of funccount, "  12    size = 16" of argdist -C.
    bool count(std::string_view line)
    {
        const auto text = trimmed(line);
        const bool isBefore = m_counts == Counts::Before;
        const auto blank = isBefore ? text.find_first_of(text::kBlanks) : text.find_last_of(text::kBlanks);
        if (blank == std::string_view::npos) return false;
        const auto one = trimmed(text.substr(0, blank)), other = trimmed(text.substr(blank));
        const auto n = integer(isBefore ? one : other);
        if (!n) return false;
        const auto key = isBefore ? other : one;
        if (m_isNew || m_maps.has(m_unitName, key)) m_maps.begin(m_unitName, m_clock.now());
        m_isNew = false;
        m_maps.number(m_unitName, key, *n);
        return true;
    }

    /// A line that is indented: a frame, the process of a stack, or the number that ends it.
    void inner(std::string_view line)
    {
        const auto text = trimmed(line);
        if (text.starts_with("COUNT ") && text.ends_with("EVENT")) {
            m_counts = Counts::Before;
            m_unitName = "events";
            return;
        }
        if (const auto n = integer(text); n || text::isDigits(text)) {
            if (!m_frames.empty() && blanksOf(line) <= m_indent) return m_out.misunderstand(m_number, line);
            return endStack(n, blanksOf(line));
        }
        if (const auto name = processOf(line)) {
            m_process = *name;
            m_hasProcess = true;
            return;
        }
        for (const std::string_view word : {"target:", "waker:"})
            if (text.starts_with(word)) {
                (word == "target:" ? m_target : m_waker) = trimmed(text.substr(word.size()));
                return;
            }
        if (m_isWaking && text.starts_with('-') && text.find_first_not_of("- \t") == std::string_view::npos) return delimiter(text);
        // stackcount -P: a line between the frames and the number, further to the right than they are.
        if (!m_frames.empty() && blanksOf(line) > m_indent && text.ends_with(']') && text.rfind('[') != std::string_view::npos) {
            m_process = text::withoutBytes(trimmed(text.substr(0, text.rfind('['))));
            m_hasProcess = true;
            return;
        }
        if (text == "--") {
            for (auto& frame : m_frames)
                if (frame.kind == FrameKind::Unknown) frame.kind = FrameKind::Kernel;
            m_isUser = true;
            return;
        }
        if (m_frames.size() >= kMostFrames) return m_out.misunderstand(m_number, line);
        if (m_frames.empty()) m_indent = blanksOf(line);
        m_frames.push_back(text::bccFrame(text, m_isUser ? FrameKind::User : FrameKind::Unknown));
    }

    /// offwaketime prints the waker, its stack, a delimiter, the stack of the one that waited, and that. With -f it folds this from the
    /// last line to the first. Since it reads stacks of programs, it has "--" for "-" there, and numbers of tasks behind names.
    void delimiter(std::string_view text)
    {
        if (text.starts_with("--")) m_hasTaskNumbers = true;
        if (m_frames.empty()) m_indent = 0;
        m_frames.push_back({.name = std::string(text.substr(0, text.find_first_of(text::kBlanks))), .module = {}});
    }
    std::string taskOf(std::string_view text) const
    {
        const auto blank = text.find_last_of(text::kBlanks);
        const bool hasNumber = m_hasTaskNumbers && blank != std::string_view::npos && text::isDigits(text.substr(blank + 1));
        return std::string(trimmed(text.substr(0, hasNumber ? blank : text.npos)));
    }

    /// `value`: empty where it has no room.
    void endStack(std::optional<std::int64_t> value, std::size_t indent)
    {
        if (!m_hasProcess && m_waker.empty() && m_nameIsLast && indent >= 8 && m_frames.size() > 1) { // offcputime before 2016
            m_process = m_frames.back().name;
            m_hasProcess = true;
            m_frames.pop_back();
        }
        if (value.value_or(0) < 0) return m_out.misunderstand(m_number, "a stack with a negative number");
        if (value) addStack(*value);
        m_tooLarge += value ? 0 : 1;
        m_frames.clear();
        m_process.clear();
        m_target.clear();
        m_waker.clear();
        m_hasProcess = m_isUser = m_hasTaskNumbers = false;
    }

    /// The stack that is read.
    void addStack(std::int64_t value)
    {
        auto& counts = stacks();
        const auto task = [&](std::string_view text) {
            if (const auto name = taskOf(text); !name.empty()) counts.frame(name);
        };
        if (m_isWaking) {
            task(m_target);
        } else {
            for (const auto* key : {&m_target, &m_waker})
                if (!key->empty()) counts.frame(*key);
        }
        if (m_hasProcess) counts.frame(m_process);
        for (auto frame = m_frames.rbegin(); frame != m_frames.rend(); ++frame)
            counts.frames(text::numbersOf(*frame, counts));
        if (m_isWaking) task(m_waker);
        counts.add(value);
    }

    static constexpr std::size_t kMostFrames = 65'536;

    text::Imported& m_out;
    std::vector<Measured> m_stacks;
    text::PrintedMaps m_maps;
    text::TimesOfDay m_clock;
    text::BccCalls m_calls;
    text::BccLeaks m_leaks;
    std::vector<text::BpfFrame> m_frames; ///< of the stack that is read, innermost first
    std::vector<PrintedRange> m_rows;
    std::string m_process, m_target, m_waker, m_header, m_key, m_lastKey, m_unitName, m_events;
    Counts m_counts = Counts::None;
    std::size_t m_number = 0, m_indent = 0, m_tooLarge = 0, m_measured = 0;
    std::uint64_t m_left = 0;
    bool m_inTable = false, m_isNew = true, m_hasProcess = false, m_isUser = false, m_nameIsLast = false, m_isWaking = false,
         m_hasTaskNumbers = false;
};

class Bcc final : public text::Importer {
public:
    std::string_view name() const override { return "bcc"; }
    std::string_view summary() const override
    {
        return "what tools of bcc print: stacks of profile, offcputime and memleak, histograms, counts, syscount";
    }

    Guess guess(std::string_view head) const override
    {
        text::Lines lines(head);
        std::string_view line;
        bool isBehindProcess = false;
        bool isBegin = true; // only the first lines can have the heading of a table of events: later, a program may have printed it
        for (int i = 0; i < 2000 && lines.next(line); ++i) {
            if ((line.starts_with("Attaching ") && !line.starts_with("Attaching to ")) || line.starts_with("Attached "))
                return Guess::No; // bpftrace
            if (text::BccCalls::isHeading(line) || text::BccLeaks::isHeading(line)) return Guess::Yes;
            if (isBegin && isEventHeading(line)) return Guess::Yes;
            isBegin = line.starts_with("Tracing ") || (isBegin && trimmed(line).empty());
            if (histogramOf(line)) return Guess::Yes;
            if (isBehindProcess && integer(trimmed(line))) return Guess::Yes;
            isBehindProcess = processOf(line).has_value();
            const bool isTracing = line.starts_with("Tracing ");
            if (isTracing
                && (line.find(" functions for \"") != std::string_view::npos || line.find("-CPU time (us) of") != std::string_view::npos))
                return Guess::Yes;
            if (isTracing && line.find("blocked time (us) by") != std::string_view::npos) return Guess::Yes;
            if (line.starts_with("Sampling at ") && line.find(" Hertz of ") != std::string_view::npos) return Guess::Yes;
        }
        return Guess::No;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        text::Imported out;
        BccReader reader(out);
        text::readAll(lines, reader);
        reader.end();
        if (out.program.aggregations.empty() && std::none_of(out.records.begin(), out.records.end(), [](const auto& r) {
                return std::holds_alternative<record::CountedStacks>(r);
            })) {
            if (!reader.events().empty())
                return Error{0,
                    "it has a line for each event (" + reader.events()
                        + "), as execsnoop, opensnoop and trace print: dscope reads only the tools of bcc that print sums; trace these "
                          "events "
                          "with dscope instead"};
            return out.nothing("there is no stack, no histogram and no table in it");
        }
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_bcc() { return std::make_unique<Bcc>(); }
} // namespace dscope::importers
