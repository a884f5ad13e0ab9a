#include "engine/text/measures.h"
#include "engine/text/stack_counts.h"
#include "engine/text/stack_times.h"
#include "engine/text/tables.h"
#include "engine/text/words.h"
#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
namespace dscope::importers {
namespace {
using text::Guess;
using text::trimmed;

/// "13:44:21.520 (2024-01-05)", the date only from newer ones, as ns since 1970 of a clock that shows this; 0: it is no time.
std::int64_t timeOf(std::string_view text)
{
    const auto number = [&](std::string_view digits) { return text::isDigits(digits) ? text::integer(digits).value_or(0) : -1; };
    if (text.size() < 12 || text[2] != ':' || text[5] != ':' || text[8] != '.') return 0;
    const auto hour = number(text.substr(0, 2)), minute = number(text.substr(3, 2)), second = number(text.substr(6, 2)),
               milli = number(text.substr(9, 3));
    if (hour < 0 || minute < 0 || second < 0 || milli < 0) return 0;
    std::int64_t days = 1; // without a date times are of one day
    if (text.size() >= 25 && text[13] == '(' && text[18] == '-' && text[21] == '-') {
        const auto year = number(text.substr(14, 4)), month = number(text.substr(19, 2)), day = number(text.substr(22, 2));
        const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(year)), std::chrono::month(static_cast<unsigned>(month)),
            std::chrono::day(static_cast<unsigned>(day))};
        if (year > 1970 && date.ok()) days = std::chrono::sys_days(date).time_since_epoch().count();
    }
    return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1'000'000'000 + milli * 1'000'000;
}

/// What events of one kind measure.
struct JfrMeasured {
    std::string_view noun;
    record::StackUnit unit;
    std::string_view value; ///< the field that has it; empty: each event counts one
};
constexpr std::array kJfrMeasured{JfrMeasured{"samples", record::StackUnit::Count, {}},
    JfrMeasured{record::kCpuTime, record::StackUnit::Time, "samplingPeriod"}, JfrMeasured{"allocated", record::StackUnit::Bytes, "weight"},
    JfrMeasured{"allocated in new buffers", record::StackUnit::Bytes, "allocationSize"},
    JfrMeasured{"allocated outside buffers", record::StackUnit::Bytes, "allocationSize"},
    JfrMeasured{"entering monitors", record::StackUnit::Time, "duration"}, JfrMeasured{"waiting", record::StackUnit::Time, "duration"},
    JfrMeasured{"parked", record::StackUnit::Time, "duration"}, JfrMeasured{"sleeping", record::StackUnit::Time, "duration"}};
struct JfrEvent {
    std::string_view name;
    std::size_t measured; ///< in kJfrMeasured
};
/// Source: the JDK's src/hotspot/share/jfr/metadata/metadata.xml
constexpr std::array kJfrEvents{JfrEvent{"jdk.ExecutionSample", 0}, JfrEvent{"jdk.NativeMethodSample", 0}, JfrEvent{"jdk.CPUTimeSample", 1},
    JfrEvent{"jdk.ObjectAllocationSample", 2}, JfrEvent{"jdk.ObjectAllocationInNewTLAB", 3}, JfrEvent{"jdk.ObjectAllocationOutsideTLAB", 4},
    JfrEvent{"jdk.JavaMonitorEnter", 5}, JfrEvent{"jdk.JavaMonitorWait", 6}, JfrEvent{"jdk.ThreadPark", 7}, JfrEvent{"jdk.ThreadSleep", 8}};

/// "239.7 kB" in bytes; the parts of a byte that jfr's rounding may leave are cut.
std::optional<std::int64_t> jfrBytes(std::string_view text)
{
    constexpr int kPlaces = 6;
    constexpr std::int64_t kScale = 1'000'000;
    const auto number = text.substr(0, text.find_first_not_of("0123456789."));
    const auto unit = text::unitOf(trimmed(text.substr(number.size())));
    const auto value = text::decimal(number, kPlaces);
    if (!unit || unit->is != record::StackUnit::Bytes || !value) return {};
    const auto bytes = static_cast<__int128>(*value) * unit->by / kScale;
    return bytes > INT64_MAX ? std::nullopt : std::optional(static_cast<std::int64_t>(bytes));
}
/// "59.5 ms", "1 m 3 s" in nanoseconds.
std::optional<std::int64_t> jfrDuration(std::string_view text)
{
    std::int64_t sum = 0;
    for (text = trimmed(text); !text.empty();) {
        const auto unit = text.find_first_not_of(text::kBlanks, std::min(text.find_first_of(text::kBlanks), text.size()));
        const auto end = std::min(text.find_first_of(text::kBlanks, std::min(unit, text.size())), text.size());
        const auto part = text::duration(text.substr(0, end));
        if (!part || __builtin_add_overflow(sum, *part, &sum)) return {};
        text = trimmed(text.substr(end));
    }
    return sum;
}

/// Events of Java's flight recorder: "jdk.ExecutionSample {", its fields, of which "stackTrace = [" has a method a line from the
/// innermost, "}". Source: jfr(1), "jfr print --events jdk.ExecutionSample --stack-depth 64 recording.jfr".
class JfrReader {
public:
    explicit JfrReader(text::Imported& out) : m_out(out) { }

    void line(std::string_view line, std::size_t number)
    {
        if (!text::isBlank(line.empty() ? ' ' : line.front()) && line.ends_with(" {")) return begin(line.substr(0, line.size() - 2));
        const auto words = trimmed(line);
        if (line.starts_with('}')) return end();
        if (!m_isOpen && !words.empty()) return m_out.misunderstand(number, line);
        if (m_event == nullptr) return;
        if (words == "]") m_inStack = false;
        if (m_inStack) return method(words);
        field(words, number);
    }

    void finish(std::size_t number)
    {
        if (m_event != nullptr) m_out.misunderstand(number, "the text ends within an event, which is not counted");
    }

    bool empty() const
    {
        return std::all_of(m_stacks.begin(), m_stacks.end(), [](const auto& stacks) { return stacks.empty(); });
    }

    void put()
    {
        bool hasTimes = false;
        for (std::size_t i = 0; i < m_stacks.size(); ++i) {
            if (m_stacks[i].empty()) continue;
            const auto& measured = kJfrMeasured[i];
            auto numbered = m_stacks[i].takeNumbered(std::string(measured.noun), measured.unit);
            m_out.add(std::move(numbered.stacks));
            if (!hasTimes && i == m_timed) m_times.put(m_out, std::string(measured.noun), numbered.lines, "thread"), hasTimes = true;
        }
        if (m_otherEvents > 0)
            m_out.warn(text::counted(m_otherEvents, "event of another kind is", "events of other kinds are") + " left out, the first is "
                + m_firstOther);
        if (m_withoutValue > 0)
            m_out.warn(text::counted(m_withoutValue, "event is", "events are") + " left out: how much was measured is not told");
        if (m_isRounded) m_out.warn("jfr print rounds sizes: newer ones have an option --exact");
    }

private:
    void begin(std::string_view name)
    {
        m_isOpen = true;
        m_inStack = m_isCut = false;
        m_methods.clear();
        m_thread.clear();
        m_value.reset();
        m_when = 0;
        const auto* const at = std::find_if(kJfrEvents.begin(), kJfrEvents.end(), [&](const JfrEvent& e) { return e.name == name; });
        m_event = at == kJfrEvents.end() ? nullptr : at;
        if (m_event == nullptr && m_otherEvents++ == 0) m_firstOther = name.substr(0, 60);
    }

    void end()
    {
        if (m_event != nullptr) add();
        m_event = nullptr;
        m_isOpen = m_inStack = false;
    }

    void field(std::string_view words, std::size_t number)
    {
        const auto equals = words.find(" = ");
        if (equals == words.npos) return;
        const auto name = words.substr(0, equals), value = words.substr(equals + 3);
        const auto& measured = kJfrMeasured[m_event->measured];
        if (name == "sampledThread" || name == "eventThread") {
            // A name may have quotes itself; what stands behind it has none.
            const auto quote = value.find('"'), last = value.rfind('"');
            if (quote != value.npos && last > quote) m_thread = value.substr(quote + 1, last - quote - 1);
        } else if (name == "startTime") {
            m_when = timeOf(value);
        } else if (name == "stackTrace") {
            m_inStack = value.starts_with('[');
        } else if (name == measured.value) {
            const auto measure = text::withPoint(value); // jfr writes numbers as the locale has them
            m_value = measured.unit == record::StackUnit::Bytes ? jfrBytes(measure) : jfrDuration(measure);
            if (!m_value) m_out.misunderstand(number, words);
            if (measured.unit == record::StackUnit::Bytes && measure.find('.') != measure.npos) m_isRounded = true;
        }
    }

    /// "java.util.HashMap.putVal(int, Object) line: 635"
    void method(std::string_view words)
    {
        if (words == "...") {
            m_isCut = true; // jfr leaves the outermost out
            return;
        }
        if (const auto line = words.rfind(" line:"); line != words.npos) words = trimmed(words.substr(0, line));
        const auto open = std::min(words.find('('), words.size());
        m_methods.emplace_back(words.substr(0, open), words.substr(open));
    }

    void add()
    {
        const auto& measured = kJfrMeasured[m_event->measured];
        const auto value = measured.value.empty() ? std::optional<std::int64_t>(1) : m_value;
        if (!value) {
            ++m_withoutValue;
            return;
        }
        auto& stacks = m_stacks[m_event->measured];
        if (!m_thread.empty()) stacks.frame(m_thread);
        if (m_isCut) stacks.frame("[truncated]");
        for (auto method = m_methods.rbegin(); method != m_methods.rend(); ++method)
            stacks.frame(stacks.numberOf({method->first, record::Frame::Kind::Jit, false}, method->second));
        if (m_methods.empty()) stacks.frame("[no stack]");
        const auto stack = stacks.add(*value);
        if (m_event->measured > m_timed) return;
        if (m_event->measured < m_timed) m_times = {}, m_timed = m_event->measured;
        if (*value > 0 && m_when <= 0) m_times.addUntimed();
        if (m_when > 0 && *value > 0) m_times.add(m_when, {m_thread, {}, {}, {}}, stack, *value, *value);
    }

    std::array<text::StackCounts, kJfrMeasured.size()> m_stacks; ///< by what they measure
    text::StackTimes m_times;                                    ///< of the first measure that there is
    std::size_t m_timed = kJfrMeasured.size();
    const JfrEvent* m_event = nullptr;   ///< that is read; null: of no kind that is drawn
    std::optional<std::int64_t> m_value; ///< of the event that is read
    std::int64_t m_when = 0;             ///< of the event that is read: ns; 0: not told
    text::Imported& m_out;
    bool m_isOpen = false, m_inStack = false, m_isCut = false, m_isRounded = false;
    std::size_t m_otherEvents = 0, m_withoutValue = 0;
    std::string m_thread, m_firstOther;
    std::vector<std::pair<std::string, std::string>> m_methods; ///< and their parameters; the innermost first
};

constexpr std::string_view kBinary("FLR\0", 4); ///< what a recording itself begins with

class Jfr final : public text::Importer {
public:
    std::string_view name() const override { return "jfr"; }
    std::string_view summary() const override
    {
        return "what jfr print tells of Java's flight recordings: samples, allocations and waits with their stacks";
    }
    bool isBinary() const override { return true; } // to tell of a recording itself what to do with it

    Guess guess(std::string_view head) const override
    {
        if (head.starts_with(kBinary)) return Guess::Yes;
        text::Lines lines(head);
        std::string_view line;
        for (int i = 0; i < 2000 && lines.next(line); ++i)
            if (line.starts_with("jdk.") && line.ends_with(" {")) return Guess::Yes;
        return Guess::No;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        text::Imported out;
        if (lines.head().starts_with(kBinary))
            return Error{
                0, "it is a recording itself, which only the JDK reads: jfr print --stack-depth 64 FILE > FILE.txt, then import FILE.txt"};
        JfrReader reader(out);
        text::readAll(lines, reader);
        reader.finish(lines.number());
        if (reader.empty())
            return out.nothing(
                "there is no jdk.ExecutionSample in it, and no allocation or wait: print them with jfr print --events jdk.ExecutionSample");
        reader.put();
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_jfr() { return std::make_unique<Jfr>(); }
} // namespace dscope::importers
