#include "engine/record/buckets.h"
#include "engine/text/function_names.h"
#include "engine/text/stack_counts.h"
#include "engine/text/strace_lines.h"
#include "engine/text/tables.h"
#include "engine/text/words.h"
#include <algorithm>
#include <array>
#include <map>
#include <utility>
namespace dscope::importers {
namespace {
/// Apart from other formats' files, which are compiled together with this one.
namespace of_perf_trace {
using text::Guess;
using text::isBlank;
using text::isDigits;
using text::trimmed;
constexpr auto kNone = std::string_view::npos;
constexpr std::int64_t kMillisecond = 1'000'000; ///< ns

/// "0.005", in milliseconds, in ns. Without a point it is no number of perf trace.
std::optional<std::int64_t> milliseconds(std::string_view word)
{
    if (word.find('.') == kNone) return {};
    const auto seconds = text::strace::seconds(word);
    constexpr std::int64_t kPerSecond = 1000;
    if (!seconds) return {};
    const auto whole = *seconds / text::strace::kSecond; // a number of ms up to here
    return whole > INT64_MAX / kMillisecond - 1 ? std::nullopt
                                                : std::optional(whole * kMillisecond + *seconds % text::strace::kSecond / kPerSecond);
}

/// "18446744073476.074": a number of ns below 0, printed as ms of one without a sign.
bool isBelowZero(std::string_view word)
{
    constexpr double kLargest = 9.223372036854776e12, kWrapped = 1.8446744073709552e13; // 2^63 and 2^64 ns
    double value = 0;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), value, std::chars_format::fixed);
    return read.ec == std::errc() && read.ptr == word.data() + word.size() && value >= kLargest && value <= kWrapped;
}

/// "     0.123 ( 0.005 ms): cat/1234 read(fd: 3, count: 832)   = 832": a line of perf trace.
/// Source: linux/tools/perf/builtin-trace.c, trace__fprintf_entry_head(), trace__sys_exit() and trace__fprintf_interrupted_entry().
struct Event {
    std::string_view command, tid; ///< each empty where perf leaves it out
    std::string_view name;         ///< of a system call, or "sched:sched_switch", "minfault"
    std::string_view result;
    std::optional<std::int64_t> took; ///< ns
    bool isCall = false;
    bool isBackward = false; ///< it took less than no time
    bool isBegun = false;    ///< it returns in a line of its own
};

/// Takes "     0.123 ( 0.005 ms): " off, or "         ? (         ): ".
bool takeTime(std::string_view& rest, Event& event)
{
    rest = trimmed(rest);
    const auto open = rest.find(" (");
    if (open == kNone) return false;
    const auto when = rest.substr(0, open);
    const auto close = rest.find("): ", open);
    if (close == kNone || (when != "?" && !milliseconds(when))) return false;
    auto took = trimmed(rest.substr(open + 2, close - open - 2));
    if (!took.empty()) {
        constexpr std::string_view kUnit = " ms";
        if (!took.ends_with(kUnit)) return false;
        took = trimmed(took.substr(0, took.size() - kUnit.size()));
        event.took = milliseconds(took);
        event.isBackward = !event.took && isBelowZero(took);
        if (!event.took && !event.isBackward) return false;
    }
    rest.remove_prefix(close + 3);
    return true;
}

/// Takes "cat/1234 " off, or "1234 ". A command may have blanks and slashes.
void takeTask(std::string_view& rest, Event& event)
{
    constexpr std::size_t kLongest = 16; // Source: linux/include/linux/sched.h, TASK_COMM_LEN
    for (auto from = std::size_t{0}; from <= kLongest && from < rest.size();) {
        const auto end = std::min(rest.find_first_not_of(text::kDigits, from), rest.size());
        if (end > from && end < rest.size() && rest[end] == ' ') {
            event.command = from == 0 ? std::string_view() : rest.substr(0, from - 1);
            event.tid = rest.substr(from, end - from);
            rest.remove_prefix(end);
            return;
        }
        const auto slash = rest.find('/', from);
        if (slash == kNone) return;
        from = slash + 1;
    }
}

std::optional<Event> eventOf(std::string_view line)
{
    Event out;
    auto rest = line;
    if (!takeTime(rest, out)) return {};
    takeTask(rest, out);
    rest = trimmed(rest);
    constexpr std::string_view kContinued = "... [continued]: ",
                               kNames = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:-";
    if (rest.starts_with(kContinued)) rest.remove_prefix(kContinued.size());
    const auto end = rest.find_first_not_of(kNames);
    if (end == kNone || end == 0) return {};
    out.name = rest.substr(0, end);
    const bool isFault = (out.name == "minfault" || out.name == "majfault") && rest[end] == ' ';
    if (!isFault && rest[end] != '(') return {};
    out.isCall = !isFault && out.name.find(':') == kNone;
    if (!out.isCall) return out;

    out.isBegun = rest.ends_with("...");
    if (out.isBegun) return out;
    constexpr std::string_view kEquals = " =";
    const auto equals = rest.ends_with(kEquals) ? rest.size() - kEquals.size() : rest.rfind(" = ");
    if (equals == kNone || !trimmed(rest.substr(0, equals)).ends_with(')')) return {};
    out.result = trimmed(rest.substr(equals + kEquals.size()));
    return out;
}

/// "ls (4073), 284 events, 27.0%", "total, 284 events": whose the table below is.
struct Heading {
    std::string command, tid;
};
std::optional<Heading> headingOf(std::string_view line)
{
    constexpr std::string_view kEvents = " events";
    const auto events = line.rfind(kEvents);
    if (events == kNone) return {};
    const auto comma = line.rfind(", ", events);
    if (comma == kNone || !isDigits(line.substr(comma + 2, events - comma - 2))) return {};
    const auto share = line.substr(events + kEvents.size());
    if (!share.empty() && !(share.starts_with(", ") && share.ends_with('%'))) return {};
    const auto who = trimmed(line.substr(0, comma));
    const auto open = who.rfind(" (");
    if (open == kNone || !who.ends_with(')') || !isDigits(who.substr(open + 2, who.size() - open - 3)))
        return Heading{std::string(who), {}};
    return Heading{std::string(who.substr(0, open)), std::string(who.substr(open + 2, who.size() - open - 3))};
}

/// "   read                   7      0     0.021     0.001     0.003     0.008     36.00%". Before perf 5.9 without errors.
struct Row {
    std::string_view call;
    std::int64_t calls = 0, total = 0, shortest = 0, longest = 0; ///< times in ns
    std::optional<std::int64_t> errors;
};
std::optional<Row> rowOf(std::string_view line)
{
    std::vector<std::string_view> words;
    constexpr std::size_t kMost = 8, kWithoutErrors = 7;
    for (auto rest = trimmed(line); !rest.empty() && words.size() <= kMost; rest = trimmed(rest)) {
        words.push_back(rest.substr(0, rest.find_first_of(text::kBlanks)));
        rest.remove_prefix(words.back().size());
    }
    if ((words.size() != kMost && words.size() != kWithoutErrors) || !words.back().ends_with('%')) return {};
    Row out{words[0], 0, 0, 0, 0, {}};
    const auto times = words.size() - 5;
    const auto calls = isDigits(words[1]) ? text::integer(words[1]) : std::nullopt;
    const auto total = milliseconds(words[times]), shortest = milliseconds(words[times + 1]), longest = milliseconds(words[times + 3]);
    if (!calls || !total || !shortest || !longest || !milliseconds(words[times + 2])) return {};
    out.calls = *calls;
    out.total = *total;
    out.shortest = *shortest;
    out.longest = *longest;
    if (words.size() != kMost) return out;
    out.errors = isDigits(words[2]) ? text::integer(words[2]) : std::nullopt;
    return out.errors ? std::optional(out) : std::nullopt;
}

/// What stands around the rows.
bool isAround(std::string_view text)
{
    return text == "Summary of events:" || (text.starts_with("syscall ") && text.find(" calls ") != kNone) || text.starts_with("(msec)")
        || (text.starts_with("----") && text.find_first_not_of("- ") == kNone);
}

/// The frames below an event, "__schedule ([kernel.kallsyms])", as stacks that end with it.
class Chains {
public:
    void begin(std::string_view event, std::optional<std::int64_t> took)
    {
        end();
        m_event = event;
        m_took = took.value_or(0);
        m_open = true;
    }

    /// False: it is no frame.
    bool frame(std::string_view line)
    {
        const auto text = trimmed(line);
        const auto open = text::lastBrackets(text);
        if (!m_open || !isBlank(line.front()) || open == kNone || open == 0) return false;
        if (m_frames.size() >= kMostFrames)
            ++m_left;
        else
            m_frames.push_back({std::string(trimmed(text.substr(0, open))), std::string(text.substr(open + 2, text.size() - open - 3))});
        m_any = true;
        return true;
    }

    void end()
    {
        if (m_open) count();
        m_open = false;
        m_frames.clear();
    }

    Result<> check() const
    {
        DSCOPE_CHECK(m_counts.check());
        return m_times.check();
    }

    void put(text::Imported& out, const char* noun)
    {
        end();
        if (!m_any) return;
        if (m_left > 0)
            out.warn(text::counted(m_left, "frame is", "frames are") + " left out, of stacks deeper than " + std::to_string(kMostFrames));
        out.add(m_counts.take(noun));
        if (!m_times.empty()) out.add(m_times.take("time", record::StackUnit::Time));
    }

private:
    struct Printed {
        std::string name, object;
    };

    void count()
    {
        addTo(m_counts);
        m_counts.frame(m_event);
        m_counts.add(1);
        if (m_took <= 0) return;
        addTo(m_times);
        m_times.frame(m_event);
        m_times.add(m_took);
    }

    /// From the root; what is inlined is of the object of the frame that it is inlined into, which comes before it.
    void addTo(text::StackCounts& to) const
    {
        std::string_view object;
        for (auto f = m_frames.rbegin(); f != m_frames.rend(); ++f) {
            const bool isInlined = f->object == "inlined";
            if (!isInlined) object = f->object;
            const bool isKernel = object.starts_with('[') && !object.starts_with("[vdso") && !object.starts_with("[unknown");
            const auto module = object.substr(object.rfind('/') + 1);
            text::StackCounts::Frame frame;
            const bool isAddress = f->name.starts_with("[0x") || f->name == "[unknown]";
            const auto unnamed = module.starts_with('[') ? std::string(module) : '[' + std::string(module) + ']';
            frame.name = isAddress ? std::string_view(unnamed) : text::withoutParameters(text::withoutOffset(f->name));
            frame.inlined = isInlined;
            if (isKernel && !isInlined) frame.kind = record::Frame::Kind::Kernel;
            if (!isAddress && !isKernel && !module.starts_with('[')) frame.module = module;
            to.frame(to.numberOf(frame));
        }
    }

    static constexpr std::size_t kMostFrames = 65'536;
    text::StackCounts m_counts, m_times;
    std::size_t m_left = 0;        ///< frames of deeper stacks
    std::vector<Printed> m_frames; ///< the innermost first
    std::string m_event;
    std::int64_t m_took = 0;
    bool m_open = false, m_any = false;
};

class PerfTraceReader {
public:
    explicit PerfTraceReader(text::Imported& out) : m_out(out) { }

    void line(std::string_view line, std::size_t number)
    {
        const auto text = trimmed(line);
        if (text.empty() || line.front() == '#') return m_chains.end();
        if (const auto found = eventOf(line)) return event(*found);
        if (m_chains.frame(line)) return;
        m_chains.end();
        if (isAround(text) || lost(text)) return;
        if (auto heading = headingOf(line)) {
            m_heading = std::move(*heading);
            m_hasHeading = true;
        } else if (const auto found = rowOf(line); found && m_hasHeading) {
            row(*found);
        } else if (!(m_hasHeading && errorKind(line, text))) {
            m_out.misunderstand(number, line);
        }
    }

    bool understood() const { return !m_counts.empty() || !m_others.empty() || !m_rows.empty(); }
    Result<> check() const { return m_chains.check(); }

    void put()
    {
        m_chains.end();
        putEvents();
        putSummary();
        m_chains.put(m_out, m_others.empty() ? "calls" : "events");
        if (m_backward > 0)
            m_out.warn(text::counted(m_backward, "call has a duration", "calls have durations")
                + " below 0, which perf prints as 18446744073709 ms: counted without a time");
        if (m_lost > 0) m_out.records.emplace_back(record::Drop{record::Drop::Kind::Principal, 0, m_lost});
    }

private:
    using Keys = text::Tables::Keys;

    void event(const Event& event)
    {
        if (event.isBegun) return m_chains.end();
        const auto command = !event.command.empty() ? std::string(event.command)
            : event.tid.empty()                     ? std::string("[process]")
                                                    : "tid " + std::string(event.tid);
        const Keys keys{command, std::string(event.name)};
        ++(event.isCall ? m_counts : m_others)[keys];
        m_chains.begin(event.name, event.isCall ? event.took : std::nullopt);
        if (!event.isCall) return;
        m_backward += event.isBackward ? 1 : 0;
        constexpr std::string_view kFailed = "-1 E";
        if (event.result.starts_with(kFailed)) ++m_errors[keys];
        static const record::Aggregation kPowers{.function = record::Aggregator::Quantize};
        if (event.took) ++m_times[std::string(event.name)][record::bucketOf(kPowers, *event.took)];
    }

    /// "LOST 12 events!"
    bool lost(std::string_view text)
    {
        constexpr std::string_view kLost = "LOST ", kEvents = " events!";
        if (!text.starts_with(kLost) || !text.ends_with(kEvents) || text.size() <= kLost.size() + kEvents.size()) return false;
        const auto count = text::integer(text.substr(kLost.size(), text.size() - kLost.size() - kEvents.size()));
        if (!count || *count <= 0) return false;
        m_lost += static_cast<std::uint64_t>(*count);
        return true;
    }

    Keys summaryKeys(std::string call) const
    {
        Keys keys{std::move(call)};
        if (!m_heading.tid.empty()) keys.insert(keys.begin(), {m_heading.command, m_heading.tid});
        if (m_heading.tid.empty() && m_heading.command != "total") keys.insert(keys.begin(), m_heading.command); // a control group
        return keys;
    }

    void row(const Row& row)
    {
        m_lastCall = row.call;
        auto keys = summaryKeys(m_lastCall);
        m_rows.emplace_back(keys, row);
        m_rows.back().second.call = {}; // it points into the line
    }

    /// "				ENOENT: 19", of --errno-summary, below the row of a call.
    bool errorKind(std::string_view line, std::string_view text)
    {
        const auto colon = text.find(": ");
        if (!line.starts_with('\t') || colon == kNone || m_lastCall.empty() || !isDigits(text.substr(colon + 2))) return false;
        const auto count = text::integer(text.substr(colon + 2));
        if (!count) return false;
        auto keys = summaryKeys(m_lastCall);
        keys.emplace_back(text.substr(0, colon));
        m_kinds.emplace_back(std::move(keys), *count);
        return true;
    }

    void putEvents()
    {
        text::Tables tables;
        const auto put = [&](const char* name, const char* key, const std::map<Keys, std::int64_t>& counts) {
            tables.name(name);
            tables.keyNames({"execname", key});
            for (const auto& [keys, count] : counts)
                tables.number(keys, count);
        };
        put("calls", "syscall", m_counts);
        put("errors", "syscall", m_errors);
        put("events", "event", m_others);
        tables.name("time");
        tables.keyNames({"syscall"});
        record::Aggregation shape;
        shape.function = record::Aggregator::Quantize;
        shape.value = "timestamp - self->start";
        for (const auto& [call, buckets] : m_times)
            tables.distribution({call}, shape, {buckets.begin(), buckets.end()});
        tables.put(m_out);
    }

    static std::vector<std::string> namesOf(const Keys& keys, bool hasKind)
    {
        std::vector<std::string> names{"syscall"};
        const auto others = keys.size() - (hasKind ? 2 : 1);
        if (others == 1) names.insert(names.begin(), "cgroup");
        if (others == 2) names.insert(names.begin(), {"execname", "tid"});
        if (hasKind) names.emplace_back("errno");
        return names;
    }

    void putSummary()
    {
        text::Tables tables;
        const std::string before = m_counts.empty() ? "" : "counted_"; // the lines are counted, too
        const auto put = [&](const char* name, record::Aggregator function, bool isTime, auto data) {
            tables.name(before + name);
            record::Aggregation shape;
            shape.function = function;
            if (isTime) shape.value = "timestamp - self->start";
            for (const auto& [keys, row] : m_rows) {
                tables.keyNames(namesOf(keys, false));
                if (auto values = data(row); !values.empty()) tables.values(keys, shape, std::move(values));
            }
        };
        using Data = std::vector<std::int64_t>;
        put("calls", record::Aggregator::Count, false, [](const Row& row) { return Data{row.calls}; });
        put("errors", record::Aggregator::Count, false, [](const Row& row) { return row.errors ? Data{*row.errors} : Data{}; });
        put("total", record::Aggregator::Sum, true, [](const Row& row) { return Data{row.total}; });
        put("shortest", record::Aggregator::Min, true, [](const Row& row) { return Data{row.shortest}; });
        put("average", record::Aggregator::Avg, true, [](const Row& row) { return row.calls > 0 ? Data{row.calls, row.total} : Data{}; });
        put("longest", record::Aggregator::Max, true, [](const Row& row) { return Data{row.longest}; });
        tables.name(before + "errors_by_kind");
        for (const auto& [keys, count] : m_kinds) {
            tables.keyNames(namesOf(keys, true));
            tables.number(keys, count);
        }
        tables.put(m_out);
        if (!m_rows.empty()) m_out.warn("perf's relative standard deviations (stddev) are left out");
    }

    text::Imported& m_out;
    Chains m_chains;
    std::map<Keys, std::int64_t> m_counts, m_errors, m_others; ///< by command and call or event
    std::map<std::string, std::map<int, std::int64_t>> m_times;
    std::vector<std::pair<Keys, Row>> m_rows;
    std::vector<std::pair<Keys, std::int64_t>> m_kinds;
    Heading m_heading;
    std::string m_lastCall;
    std::uint64_t m_lost = 0, m_backward = 0;
    bool m_hasHeading = false;
};

class PerfTrace final : public text::Importer {
public:
    std::string_view name() const override { return "perf.trace"; }
    std::string_view summary() const override
    {
        return "what perf trace prints, and its tables (-s, -S): system calls and how long they took";
    }

    Guess guess(std::string_view head) const override
    {
        text::Lines lines(head);
        std::string_view line;
        int good = 0, bad = 0;
        bool isSure = false;
        constexpr int kLooked = 200;
        for (int i = 0; i < kLooked && lines.next(line); ++i) {
            const auto text = trimmed(line);
            if (text.empty() || line.front() == '#' || isBlankFrame(line)) continue;
            const bool isOwn = text == "Summary of events:" || eventOf(line) || rowOf(line);
            isSure = isSure || isOwn;
            (isOwn || isAround(text) || headingOf(line) || line.starts_with('\t') ? good : bad) += 1;
        }
        return isSure && good > 9 * bad ? Guess::Yes : Guess::No;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        text::Imported out;
        PerfTraceReader reader(out);
        std::string_view line;
        constexpr std::size_t kBetweenChecks = 1024; // lines
        while (lines.next(line)) {
            reader.line(line, lines.number());
            if (lines.number() % kBetweenChecks == 0) DSCOPE_CHECK(reader.check());
        }
        DSCOPE_CHECK(reader.check());
        if (!reader.understood()) return out.nothing("there is no event in it");
        reader.put();
        return out;
    }

private:
    /// A frame is set far to the right, below its event.
    static bool isBlankFrame(std::string_view line)
    {
        constexpr std::size_t kFrames = 20;
        return line.size() > kFrames && line.find_first_not_of(' ') >= kFrames && line.ends_with(')');
    }
};
} // namespace of_perf_trace
} // namespace

std::unique_ptr<text::Importer> make_perf_trace() { return std::make_unique<of_perf_trace::PerfTrace>(); }
} // namespace dscope::importers
