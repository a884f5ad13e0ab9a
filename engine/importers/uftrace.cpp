#include "engine/text/function_names.h"
#include "engine/text/measures.h"
#include "engine/text/nested_calls.h"
#include "engine/text/slices.h"
#include "engine/text/words.h"
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <vector>
namespace dscope::importers {
namespace {
using text::Guess;
using text::kDigits;
using text::trimmed;

/// "fib(12)", "std::vector::push_back()": the function of a call as uftrace prints it, with arguments or without.
std::string uftraceFunction(std::string_view call)
{
    std::string plain; // arguments that are strings may have parentheses
    bool isQuoted = false, isEscaped = false;
    for (const char c : trimmed(call)) {
        if (c == '"' && !isEscaped)
            isQuoted = !isQuoted;
        else if (!isQuoted)
            plain += c;
        isEscaped = c == '\\' && !isEscaped;
    }
    return std::string(text::withoutParameters(plain));
}

/// What `uftrace replay` prints: lines as of function_graph, with columns that its heading names. Source: uftrace-replay(1), option -f.
class ReplayReader {
public:
    explicit ReplayReader(text::Imported& out) : m_out(out) { }

    void line(std::string_view line, std::size_t number)
    {
        if (line.starts_with('#')) return heading(line);
        const auto words = trimmed(line);
        if (words.empty()) return;
        if (!call(line)) m_out.misunderstand(number, line);
    }

    Result<> check() const { return m_calls.check(); }
    bool empty() const { return m_calls.empty(); }
    Result<> put(text::Imported& out)
    {
        for (const auto& [lane, tid] : m_threads)
            if (m_threads.size() > 1) m_calls.name(lane, "thread " + tid);
        return m_calls.put(out);
    }

private:
    enum class Column : std::uint8_t { Duration, Tid, Word, Span };

    /// "# DURATION     TID        TIMESTAMP           TASK NAME      MODULE NAME   FUNCTION"
    void heading(std::string_view line)
    {
        if (line.find("FUNCTION") == line.npos) return;
        struct Word {
            std::string_view text;
            Column column;
        };
        constexpr std::array kWords{Word{"DURATION", Column::Duration}, Word{"TID", Column::Tid}, Word{"ELAPSED", Column::Span},
            Word{"TIMEDELTA", Column::Span}, Word{"ADDRESS", Column::Word}, Word{"TIMESTAMP", Column::Word}};
        std::vector<std::pair<std::size_t, Column>> found;
        for (const auto& word : kWords)
            if (const auto at = line.find(word.text); at != line.npos) found.emplace_back(at, word.column);
        std::sort(found.begin(), found.end());
        m_columns.clear();
        for (const auto& [at, column] : found)
            m_columns.push_back(column);
    }

    bool call(std::string_view line)
    {
        std::optional<std::int64_t> took;
        std::string_view tid;
        auto rest = line;
        const auto bar = rest.find("| ");
        if (bar != rest.npos) {
            auto columns = rest.substr(0, bar);
            for (const auto column : m_columns)
                if (!take(column, columns, took, tid)) return false;
            rest.remove_prefix(bar + 2);
        } else if (!m_columns.empty()) {
            return false;
        }
        const auto lane = m_calls.lane(tid);
        m_threads.try_emplace(lane, tid);
        return function(rest, lane, took);
    }

    /// Takes a column off the front. A time that a line does not have is blanks in its place, 10 characters.
    static bool take(Column column, std::string_view& columns, std::optional<std::int64_t>& took, std::string_view& tid)
    {
        constexpr std::size_t kTimeWidth = 10;
        if (column == Column::Tid) {
            const auto open = columns.find('['), close = columns.find(']');
            if (open == columns.npos || close == columns.npos || close < open) return false;
            tid = trimmed(columns.substr(open + 1, close - open - 1));
            columns.remove_prefix(close + 1);
            return text::isDigits(tid);
        }
        if (column == Column::Word) {
            constexpr std::size_t kAddress = 13; // blanks, of an event
            if (trimmed(columns.substr(0, kAddress)).empty()) return columns.remove_prefix(std::min(kAddress, columns.size())), true;
            const auto word = trimmed(columns);
            const auto end = std::min(word.find_first_of(text::kBlanks), word.size());
            columns = word.substr(end);
            return end > 0;
        }
        if (trimmed(columns.substr(0, kTimeWidth)).empty()) {
            columns.remove_prefix(std::min(kTimeWidth, columns.size()));
            return true;
        }
        const auto from = trimmed(columns);
        const auto number = from.find_first_of(text::kBlanks);
        if (number == from.npos) return false;
        const auto unit = from.find_first_not_of(text::kBlanks, number);
        const auto end = std::min(from.find_first_of(text::kBlanks, unit), from.size());
        const auto time = text::duration(from.substr(0, end));
        if (column == Column::Duration) took = time;
        columns.remove_prefix(static_cast<std::size_t>(from.data() - columns.data()) + end);
        return time.has_value();
    }

    /// "main() {", "} /* main */", "} = 3; /* fib */", "fib(1) = 1;", "/* linux:schedule */".
    bool function(std::string_view text, std::uint32_t lane, std::optional<std::int64_t> took)
    {
        const auto depth = static_cast<std::uint32_t>(std::min<std::size_t>(text.find_first_not_of(' '), 1U << 20));
        auto call = trimmed(text);
        if (call.starts_with("/*")) {
            // An event; one that took time is a call of the kernel, as "linux:schedule" is.
            const auto name = trimmed(call.substr(2, call.ends_with("*/") && call.size() >= 4 ? call.size() - 4 : call.npos));
            if (took) m_calls.leaf(lane, depth, m_calls.frame({name.substr(0, name.find(" ("))}), took);
            return call.ends_with("*/");
        }
        if (call.starts_with('}')) {
            const auto comment = call.rfind("/*");
            const auto name = comment == call.npos ? std::string_view() : trimmed(call.substr(comment + 2, call.size() - comment - 4));
            if (comment != call.npos && !call.ends_with("*/")) return false;
            m_calls.end(lane, depth, took, name.empty() ? std::nullopt : std::optional(m_calls.frame({uftraceFunction(name)})));
            return true;
        }
        const bool begins = call.ends_with('{'), isLeaf = call.ends_with(';');
        if (!begins && !isLeaf) return false;
        call = trimmed(call.substr(0, call.size() - 1));
        if (const auto result = call.rfind(") = "); isLeaf && result != call.npos) call = call.substr(0, result + 1);
        const auto name = uftraceFunction(call);
        if (name.empty() || call.find('(') == call.npos) return false;
        const auto frame = m_calls.frame({name});
        if (begins) m_calls.begin(lane, depth, frame);
        if (isLeaf) m_calls.leaf(lane, depth, frame, took);
        return true;
    }

    text::Imported& m_out;
    text::NestedCalls m_calls;
    std::vector<Column> m_columns;
    std::map<std::uint32_t, std::string> m_threads; ///< by lane
};

/// What `uftrace dump` prints: "58071.916834908  12345: [entry] main(400590) depth: 0". Source: uftrace-dump(1).
struct DumpedCall {
    bool begins = false, ends = false;
    std::int64_t when = 0;
    std::uint32_t tid = 0;
    std::string_view name;
};
std::optional<DumpedCall> dumpedCall(std::string_view line)
{
    DumpedCall out;
    auto rest = trimmed(line);
    const auto clock = rest.substr(0, rest.find_first_of(text::kBlanks));
    const auto when = text::decimal(clock, 9);
    rest = trimmed(rest.substr(clock.size()));
    const auto colon = rest.find(": [");
    if (!when || clock.find('.') == clock.npos || colon == rest.npos || !text::isDigits(rest.substr(0, colon))) return {};
    const auto tid = text::integer(rest.substr(0, colon));
    if (!tid || *tid > UINT32_MAX || *when > text::Slices::kMostTime) return {};
    out.when = *when;
    out.tid = static_cast<std::uint32_t>(*tid);
    rest = rest.substr(colon + 2);
    const auto close = rest.find(']');
    if (close == rest.npos) return {};
    const auto kind = trimmed(rest.substr(1, close - 1));
    rest = trimmed(rest.substr(close + 1));
    if (const auto depth = rest.rfind(" depth: "); depth != rest.npos) rest = rest.substr(0, depth);
    if (const auto address = rest.rfind('('); address != rest.npos && rest.ends_with(')')) rest = rest.substr(0, address);
    out.name = text::withoutParameters(trimmed(rest));
    out.begins = kind == "entry";
    out.ends = kind == "exit";
    return out.name.empty() && (out.begins || out.ends) ? std::nullopt : std::optional(out);
}

class DumpReader {
public:
    explicit DumpReader(text::Imported& out) : m_out(out) { }

    void line(std::string_view line, std::size_t number)
    {
        const auto words = trimmed(line);
        if (words.empty() || line.starts_with("uftrace file header:") || line.starts_with("reading ")) return;
        if (const auto call = dumpedCall(line)) {
            take(*call);
        } else if (text::isBlank(line.front()) && m_hasBegun) {
            ++m_arguments; // "  args[0] d32: 3" below the call
        } else {
            m_out.misunderstand(number, line);
        }
    }

    Result<> check() const { return m_slices.check(); }
    bool empty() const { return m_slices.empty(); }

    Result<> put(text::Imported& out)
    {
        if (m_events > 0) out.warn(std::to_string(m_events) + " events of other kinds than entry and exit are left out");
        if (m_switches > 0)
            out.warn("times of functions include those in which their thread did not run: " + std::to_string(m_switches)
                + " events tell of that; uftrace replay shows them in their place");
        if (m_arguments > 0) out.warn("arguments and results of calls are left out: " + std::to_string(m_arguments) + " lines");
        return m_slices.put(out);
    }

private:
    void take(const DumpedCall& call)
    {
        m_hasBegun = true;
        if (!call.begins && !call.ends) {
            ++m_events;
            m_switches += call.name.starts_with("linux:sched-out") ? 1 : 0;
            return;
        }
        const auto lane = m_slices.lane(0, call.tid);
        if (call.begins) m_slices.begin(lane, m_slices.name(call.name), call.when);
        if (call.ends) m_slices.end(lane, call.when);
    }

    text::Imported& m_out;
    text::Slices m_slices;
    std::size_t m_events = 0, m_switches = 0, m_arguments = 0;
    bool m_hasBegun = false;
};

bool isUftraceReplay(std::string_view head)
{
    text::Lines lines(head);
    std::string_view line;
    for (int i = 0; i < 20 && lines.next(line); ++i)
        if (line.starts_with('#') && line.ends_with("FUNCTION") && line.find("CALLS") == line.npos) return true;
    return false;
}
bool isUftraceDump(std::string_view head)
{
    if (head.starts_with("uftrace file header:")) return true;
    text::Lines lines(head);
    std::string_view line;
    int good = 0;
    for (int i = 0; i < 20 && lines.next(line); ++i) {
        const auto call = dumpedCall(line);
        good += call && (call->begins || call->ends) && line.find(" depth: ") != line.npos;
    }
    return good > 1;
}

class Uftrace final : public text::Importer {
public:
    std::string_view name() const override { return "uftrace"; }
    std::string_view summary() const override { return "what uftrace replay and uftrace dump print: calls of functions with their times"; }
    Guess guess(std::string_view head) const override { return isUftraceReplay(head) || isUftraceDump(head) ? Guess::Yes : Guess::No; }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        text::Imported out;
        if (isUftraceReplay(lines.head()) || !isUftraceDump(lines.head())) {
            DSCOPE_CHECK(readWith<ReplayReader>(lines, out));
        } else {
            DSCOPE_CHECK(readWith<DumpReader>(lines, out));
        }
        return out;
    }

private:
    template <typename Reader> static Result<> readWith(text::Lines& lines, text::Imported& out)
    {
        Reader reader(out);
        std::string_view line;
        while (lines.next(line)) {
            reader.line(line, lines.number());
            if (lines.number() % 4096 == 0) { DSCOPE_CHECK(reader.check()); }
        }
        if (reader.empty()) return out.nothing("there is no call in it, as uftrace replay or uftrace dump print them");
        return reader.put(out);
    }
};
} // namespace

std::unique_ptr<text::Importer> make_uftrace() { return std::make_unique<Uftrace>(); }
} // namespace dscope::importers
