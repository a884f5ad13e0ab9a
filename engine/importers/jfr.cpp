#include "engine/text/stack_counts.h"
#include "engine/text/stack_times.h"
#include "engine/text/tables.h"
#include "engine/text/words.h"
#include <chrono>
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

/// Samples of Java's flight recorder: "jdk.ExecutionSample {", its fields, of which "stackTrace = [" has a method a line from the
/// innermost, "}". Source: jfr(1), "jfr print --events jdk.ExecutionSample --stack-depth 64 recording.jfr".
class JfrReader {
public:
    explicit JfrReader(text::Imported& out) : m_out(out) { }

    void line(std::string_view line, std::size_t number)
    {
        const auto words = trimmed(line);
        if (line.starts_with("jdk.")) {
            m_isOpen = true;
            m_isSample = line.starts_with("jdk.ExecutionSample") || line.starts_with("jdk.NativeMethodSample");
            m_inStack = m_isCut = false;
            m_methods.clear();
            m_thread.clear();
            m_when = 0;
        } else if (line.starts_with('}')) {
            if (m_isSample) add();
            m_isSample = m_isOpen = false;
        } else if (!m_isSample) {
            if (!m_isOpen && !words.empty()) m_out.misunderstand(number, line);
        } else if (words.starts_with("sampledThread = ")) {
            const auto quote = words.find('"'), end = words.find('"', quote + 1);
            if (quote != words.npos && end != words.npos) m_thread = words.substr(quote + 1, end - quote - 1);
        } else if (constexpr std::string_view kStart = "startTime = "; words.starts_with(kStart)) {
            m_when = timeOf(words.substr(kStart.size()));
        } else if (words.starts_with("stackTrace = [")) {
            m_inStack = true;
        } else if (words == "]") {
            m_inStack = false;
        } else if (m_inStack && words != "...") {
            // "java.util.HashMap.putVal(int, Object) line: 635"
            m_methods.emplace_back(words.substr(0, words.find('(')));
        } else if (m_inStack) {
            m_isCut = true; // jfr leaves the outermost out
        }
    }

    bool empty() const { return m_stacks.empty(); }
    void put()
    {
        auto numbered = m_stacks.takeNumbered("samples", record::StackUnit::Count);
        m_out.add(std::move(numbered.stacks));
        m_times.put(m_out, "samples", numbered.lines, "thread");
    }

private:
    void add()
    {
        if (!m_thread.empty()) m_stacks.frame(m_thread);
        if (m_isCut) m_stacks.frame("[truncated]");
        for (auto method = m_methods.rbegin(); method != m_methods.rend(); ++method)
            m_stacks.frame(m_stacks.numberOf({*method, record::Frame::Kind::Jit, false}));
        const auto stack = m_stacks.add(1);
        if (m_when > 0) m_times.add(m_when, {m_thread, {}, {}, {}}, stack, 1, 1);
    }

    text::StackCounts m_stacks;
    text::StackTimes m_times;
    std::int64_t m_when = 0; ///< of the sample that is read: ns; 0: not told
    text::Imported& m_out;
    bool m_isOpen = false, m_isSample = false, m_inStack = false, m_isCut = false;
    std::string m_thread;
    std::vector<std::string> m_methods; ///< the innermost first
};

class Jfr final : public text::Importer {
public:
    std::string_view name() const override { return "jfr"; }
    std::string_view summary() const override { return "what jfr print tells of Java's flight recordings: samples with their stacks"; }

    Guess guess(std::string_view head) const override
    {
        text::Lines lines(head);
        std::string_view line;
        for (int i = 0; i < 2000 && lines.next(line); ++i)
            if (line.starts_with("jdk.") && line.ends_with(" {")) return Guess::Yes;
        return Guess::No;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        text::Imported out;
        JfrReader reader(out);
        text::readAll(lines, reader);
        if (reader.empty())
            return out.nothing("there is no jdk.ExecutionSample in it: print them with jfr print --events jdk.ExecutionSample");
        reader.put();
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_jfr() { return std::make_unique<Jfr>(); }
} // namespace dscope::importers
