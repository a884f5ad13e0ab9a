#include "engine/record/buckets.h"
#include "engine/text/tables.h"
#include "engine/text/words.h"
#include <algorithm>
#include <csignal>
#include <cstring>
#include <map>
namespace dscope::importers {
namespace {
using record::ProcessEvent;
using text::Guess;
using text::leadingInteger;
using text::trimmed;

constexpr std::int64_t kSecond = 1'000'000'000, kDay = 86'400 * kSecond;
/// "0.000123" in nanoseconds.
std::optional<std::int64_t> seconds(std::string_view s)
{
    const auto dot = s.find('.');
    const auto whole = leadingInteger(s.substr(0, dot));
    if (!whole || *whole < 0 || *whole > INT64_MAX / kSecond - 1) return {};
    std::int64_t fraction = 0, unit = kSecond / 10;
    if (dot != std::string_view::npos)
        for (const char c : s.substr(dot + 1)) {
            if (c < '0' || c > '9') return {};
            fraction += (c - '0') * unit;
            unit /= 10;
        }
    return *whole * kSecond + fraction;
}
/// "12:34:56.789012", "1700000000.123456".
struct Stamp {
    std::int64_t at = 0;
    bool ofDay = false;
};
std::optional<Stamp> stampOf(std::string_view word)
{
    if (word.size() >= 8 && word[2] == ':' && word[5] == ':') {
        const auto hours = leadingInteger(word.substr(0, 2)), minutes = leadingInteger(word.substr(3, 2));
        const auto rest = seconds(word.substr(6));
        if (!hours || !minutes || !rest || *rest > 61 * kSecond) return {};
        return Stamp{(*hours * 3600 + *minutes * 60) * kSecond + *rest, true};
    }
    if (word.find('.') == std::string_view::npos || word.size() < 12) return {};
    const auto at = seconds(word);
    if (!at) return {};
    return Stamp{*at, false};
}
/// The text of a C string literal at `at`, which is moved behind it; "..." behind it says that it was cut.
std::optional<std::string> quoted(std::string_view s, std::size_t& at)
{
    if (at >= s.size() || s[at] != '"') return {};
    std::string out;
    for (++at; at < s.size() && s[at] != '"'; ++at) {
        if (s[at] != '\\' || at + 1 >= s.size()) {
            out += s[at];
            continue;
        }
        const char c = s[++at];
        constexpr std::string_view kFrom = "nrtvf", kTo = "\n\r\t\v\f";
        if (const auto i = kFrom.find(c); i != std::string_view::npos) {
            out += kTo[i];
        } else if (c >= '0' && c <= '7') {
            int value = 0;
            for (int digits = 0; digits < 3 && at < s.size() && s[at] >= '0' && s[at] <= '7'; ++digits)
                value = value * 8 + (s[at++] - '0');
            --at;
            out += static_cast<char>(value);
        } else if (c == 'x') {
            int value = 0;
            if (at + 2 < s.size()) std::from_chars(s.data() + at + 1, s.data() + at + 3, value, 16);
            at = std::min(at + 2, s.size() - 1);
            out += static_cast<char>(value);
        } else {
            out += c;
        }
    }

    if (at < s.size()) ++at;
    if (s.substr(at).starts_with("...")) {
        out += "\u2026";
        at += 3;
    }
    return out;
}
std::string baseName(std::string_view path) { return std::string(path.substr(path.rfind('/') + 1)); }
int signalNumber(std::string_view name)
{
    for (int i = 1; i < 65; ++i)
        if (const char* abbreviation = ::sigabbrev_np(i); abbreviation && name == "SIG" + std::string(abbreviation)) return i;
    return 0;
}

std::optional<std::uint32_t> pidOf(std::string_view word)
{
    const auto pid = text::integer(word);
    return pid && *pid > 0 && *pid <= INT32_MAX ? std::optional(static_cast<std::uint32_t>(*pid)) : std::nullopt;
}
/// A line of the stack that strace -k prints below a call: " > /lib/libc.so.6(close+0x14) [0xee3f4]". Source: strace, src/unwind.c
bool isOfStack(std::string_view line) { return line.starts_with(" > "); }
/// The table of strace -c and -C, which is behind all calls. Source: strace, src/count.c
bool isOfSummary(std::string_view line)
{
    if (line.starts_with("% time ") || line.starts_with("------ ")) return true;
    const auto text = trimmed(line);
    const auto share = text.substr(0, text.find(' ')), rest = trimmed(text.substr(share.size()));
    const auto dot = share.find('.'), other = rest.find('.');
    return dot != std::string_view::npos && text::isDigits(share.substr(0, dot)) && share.size() - dot == 3
        && text::isDigits(share.substr(dot + 1)) && text::isDigits(rest.substr(0, other)) && other != std::string_view::npos;
}
/// "close(3) = 0", "<... close resumed>", "+++ exited with 0 +++", "--- SIGCHLD ...": what happened to a process.
bool isOfProcess(std::string_view text)
{
    if (text.starts_with("+++ ") || text.starts_with("--- ") || text.starts_with("<... ")) return true;
    const auto open = text.find('(');
    return open != std::string_view::npos && open > 0 && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == open;
}

/// The log of a process and what it started: who started whom, and how long each system call took.
class StraceReader {
public:
    explicit StraceReader(text::Imported& out) : m_out(out) { }

    void line(std::string_view line, std::size_t number)
    {
        if (line.empty() || line.starts_with("strace: ")) return;
        if (isOfStack(line) || isOfSummary(line)) return;
        auto rest = line;
        std::uint32_t tid = m_last;
        if (rest.starts_with("[pid ")) {
            const auto close = rest.find(']');
            const auto pid = pidOf(trimmed(rest.substr(5, close == std::string_view::npos ? close : close - 5)));
            if (!pid || close == std::string_view::npos) return m_out.misunderstand(number, line);
            tid = *pid;
            rest = trimmed(rest.substr(close + 1));
        } else if (const auto word = rest.substr(0, rest.find(' ')); text::isDigits(word) && word.size() < rest.size()) {
            const auto pid = pidOf(word);
            if (!pid) return m_out.misunderstand(number, line);
            tid = *pid;
            rest = trimmed(rest.substr(word.size()));
        } else if (m_first) {
            tid = kUnnamed; // the log of one process does not name it
        }

        const auto blank = rest.find(' ');
        const auto stamp = stampOf(rest.substr(0, blank));
        if (stamp && blank != std::string_view::npos) {
            setTime(*stamp);
            rest = trimmed(rest.substr(blank));
        } else if (m_untimed < 2) {
            ++m_untimed;
        }

        if (!isOfProcess(rest)) return m_out.misunderstand(number, line);
        m_last = tid;
        begin(tid);
        if (rest.starts_with("+++ ")) return rest.ends_with(" +++") ? ended(tid, rest) : m_out.misunderstand(number, line);
        if (rest.starts_with("--- ")) return; // a signal arrives; the process's end says what it did
        call(tid, rest, line, number);
    }

    bool understood() const { return m_calls > 0; }
    bool timed() const { return m_started.has_value(); }

    void end()
    {
        if (m_took && m_timeless != 0) m_out.misunderstand(m_timeless, m_timelessLine);
        auto& p = m_out.program;
        p.tellsOfProcesses = true;
        p.started = m_started.value_or(0);
        if (m_wallOffset) p.wallClockOffset = *m_wallOffset;

        // What turned out to be a thread is no process.
        std::erase_if(m_out.records, [](const record::Record& r) {
            const auto* event = std::get_if<ProcessEvent>(&r);
            return event && event->pid == 0;
        });

        m_times.name("time");
        m_numbers.name("calls");
        for (auto& [call, buckets] : m_latencies) {
            record::Aggregation shape;
            shape.function = record::Aggregator::Quantize;
            shape.value = "timestamp - self->start";
            shape.valueType = "int64_t";
            m_times.distribution({call}, shape, {buckets.begin(), buckets.end()});
        }

        for (const auto& [call, n] : m_counts)
            m_numbers.number({call}, n);
        m_times.put(m_out);
        m_numbers.put(m_out);
        m_out.records.emplace_back(record::Exit{.status = 0, .interrupted = false, .when = record::Nanoseconds(m_now)});
    }

private:
    static constexpr std::uint32_t kUnnamed = 1;

    void setTime(const Stamp& stamp)
    {
        auto at = stamp.at + m_days;
        if (stamp.ofDay && m_started && at + kDay / 2 < m_now) { // past midnight
            m_days += kDay;
            at += kDay;
        }
        if (!m_started) {
            if (!stamp.ofDay) {
                m_wallOffset = at - kSecond;
                m_base = *m_wallOffset;
            }
            m_started = at - m_base;
        }
        m_now = std::max(m_now, at - m_base);
    }

    void begin(std::uint32_t tid)
    {
        if (!m_processOf.try_emplace(tid, tid).second) return;
        m_first = false;
        // Its parent may be known only later: the fork returns in the parent after the child's first lines.
        m_births[tid] = m_out.records.size();
        ProcessEvent event;
        event.kind = ProcessEvent::Kind::Existing;
        event.pid = event.tid = tid;
        put(std::move(event));
    }

    void put(ProcessEvent event)
    {
        event.when = record::Nanoseconds(m_now);
        m_out.records.emplace_back(std::move(event));
    }

    void ended(std::uint32_t tid, std::string_view rest)
    {
        const auto pid = m_processOf[tid];
        m_processOf.erase(tid);
        m_suspended.erase(tid);
        m_births.erase(tid);    // its number may be given out again
        if (pid != tid) return; // a thread
        ProcessEvent event;
        event.kind = ProcessEvent::Kind::Exit;
        event.pid = event.tid = pid;
        event.execname = m_names[pid];
        constexpr std::string_view kExit = "+++ exited with ", kKilled = "+++ killed by ";
        if (rest.starts_with(kExit))
            event.status = static_cast<std::int32_t>((leadingInteger(rest.substr(kExit.size())).value_or(0) & 255) << 8);
        else if (rest.starts_with(kKilled)) {
            const auto name = rest.substr(kKilled.size());
            event.status = signalNumber(name.substr(0, name.find(' '))) | (rest.find("core dumped") != std::string_view::npos ? 128 : 0);
        }
        put(std::move(event));
    }

    void call(std::uint32_t tid, std::string_view rest, std::string_view line, std::size_t number)
    {
        std::string joined;
        if (rest.starts_with("<... ")) {
            const auto mark = rest.find(" resumed>");
            const auto open = m_suspended.find(tid);
            if (mark == std::string_view::npos) return m_out.misunderstand(number, line);
            if (open == m_suspended.end()) return; // begun before the log
            joined = open->second + std::string(rest.substr(mark + 9));
            m_suspended.erase(open);
            rest = joined;
        } else if (rest.ends_with("<unfinished ...>") || rest.ends_with("<unfinished ...>)")) {
            const auto open = rest.substr(0, rest.rfind("<unfinished"));
            m_suspended[tid] = std::string(trimmed(open));
            return;
        } else if (rest.ends_with("<detached ...>")) {
            return; // strace left before it ended
        }

        if (!isOfProcess(rest)) return m_out.misunderstand(number, line); // of what two lines were joined to
        const auto open = rest.find('(');
        const std::string name(rest.substr(0, open));
        const auto equals = rest.rfind(" = ");
        auto result = equals == std::string_view::npos ? std::string_view() : trimmed(rest.substr(equals + 3));
        if (isCut(joined.empty() ? rest.substr(0, equals) : std::string_view(), result)) return m_out.misunderstand(number, line);
        ++m_calls;
        ++m_counts[name];
        m_timeless = result.ends_with('>') || result.starts_with('?') ? 0 : number;
        if (m_timeless != 0) m_timelessLine = line;
        if (result.ends_with('>'))
            if (const auto from = result.rfind('<'); from != std::string_view::npos) {
                if (const auto took = seconds(result.substr(from + 1, result.size() - from - 2))) {
                    m_took = true;
                    static const record::Aggregation kPowers{.function = record::Aggregator::Quantize};
                    ++m_latencies[name][record::bucketOf(kPowers, *took)];
                }
                result = trimmed(result.substr(0, from));
            }
        if (name == "execve" || name == "execveat") return exec(tid, rest.substr(open + 1), result);
        if (name == "fork" || name == "vfork" || name == "clone" || name == "clone3") return forked(tid, rest, name == "vfork", result);
        if (name == "chdir" && result.starts_with('0')) {
            auto at = open + 1;
            if (auto path = quoted(rest, at)) m_directories[m_processOf[tid]] = *path;
        }
    }

    /// Whether a line ends within a call: its parenthesis is open, or the time behind its result, or there is no result.
    static bool isCut(std::string_view call, std::string_view result)
    {
        if (result.empty() || (!call.empty() && !trimmed(call).ends_with(')'))) return true;
        const auto open = result.rfind('<'), close = result.rfind('>');
        return open != std::string_view::npos && (close == std::string_view::npos || close < open);
    }

    void exec(std::uint32_t tid, std::string_view arguments, std::string_view result)
    {
        ProcessEvent event;
        event.pid = event.tid = m_processOf[tid];
        std::size_t at = arguments.find('"');
        if (at == std::string_view::npos) return;
        event.path = quoted(arguments, at).value_or("");
        if (const auto list = arguments.find('[', at); list != std::string_view::npos) {
            at = list + 1;
            while (auto word = quoted(arguments, at)) {
                event.args.push_back(std::move(*word));
                if (!arguments.substr(at).starts_with(", ")) break;
                at += 2;
                if (arguments.substr(at).starts_with("...")) event.argsCut = true;
            }
        }

        event.cwd = m_directories[event.pid];
        event.kind = result.starts_with('0') ? ProcessEvent::Kind::Exec : ProcessEvent::Kind::ExecFailed;
        if (event.kind == ProcessEvent::Kind::Exec) {
            m_names[event.pid] = baseName(event.path).substr(0, 15);
        } else {
            const auto code = result.substr(result.find(' ') + 1);
            for (int i = 1; i < 134; ++i)
                if (const char* known = ::strerrorname_np(i); known && code.starts_with(std::string(known) + ' ')) event.status = i;
            if (event.status == 0) return; // not finished when the log ended
        }
        event.execname = m_names[event.pid];
        put(std::move(event));
    }

    void forked(std::uint32_t tid, std::string_view rest, bool waits, std::string_view result)
    {
        const auto child = leadingInteger(result);
        if (!child || *child <= 0) return;
        const auto pid = static_cast<std::uint32_t>(*child);
        const auto parent = m_processOf[tid];
        const auto birth = m_births.find(pid);
        auto* early = birth == m_births.end() ? nullptr : std::get_if<ProcessEvent>(&m_out.records[birth->second]);
        if (rest.find("CLONE_THREAD") != std::string_view::npos) {
            m_processOf[pid] = parent;
            if (early) early->pid = 0;
            return;
        }

        m_processOf[pid] = pid;
        m_names.try_emplace(pid, m_names[parent]);
        m_directories.try_emplace(pid, m_directories[parent]);
        ProcessEvent event;
        event.kind = ProcessEvent::Kind::Fork;
        event.pid = event.tid = pid;
        event.parent = parent;
        event.vfork = waits || rest.find("CLONE_VFORK") != std::string_view::npos;
        event.execname = m_names[parent];
        if (!early) return put(std::move(event));
        event.when = early->when;
        *early = std::move(event);
    }

    text::Imported& m_out;
    text::Tables m_times, m_numbers;
    std::map<std::string, std::map<int, std::int64_t>> m_latencies;
    std::map<std::string, std::int64_t> m_counts;
    std::map<std::uint32_t, std::uint32_t> m_processOf; ///< by thread
    std::map<std::uint32_t, std::size_t> m_births;      ///< index of the Existing record of each process whose fork was not seen before
    std::map<std::uint32_t, std::string> m_suspended, m_names, m_directories;
    std::optional<std::int64_t> m_started, m_wallOffset;
    std::int64_t m_now = 0, m_days = 0, m_base = 0;
    std::uint32_t m_last = kUnnamed;
    std::size_t m_calls = 0, m_untimed = 0;
    std::size_t m_timeless = 0; ///< the line of the last call, when that says no time: where others do, it is cut
    std::string m_timelessLine;
    bool m_first = true, m_took = false;
};

class Strace final : public text::Importer {
public:
    std::string_view name() const override { return "strace"; }
    std::string_view summary() const override { return "logs of strace -f -tt -T: processes and how long their system calls took"; }

    Guess guess(std::string_view head) const override
    {
        text::Lines lines(head);
        std::string_view line;
        int calls = 0, all = 0;
        while (all < 200 && lines.next(line)) {
            if (line.empty() || isOfStack(line) || isOfSummary(line)) continue;
            ++all;
            const bool end = line.find("+++ exited with ") != std::string_view::npos || line.find("--- SIG") != std::string_view::npos
                || line.find(" <unfinished ...>") != std::string_view::npos || line.find(" resumed>") != std::string_view::npos;
            const auto open = line.find('(');
            const auto equals = line.rfind(") = ");
            const auto padded = line.rfind(" = ");
            const bool isOfLibrary = line.substr(0, open).find("->") != std::string_view::npos; // a call as ltrace logs it
            if ((end && !isOfLibrary)
                || (open != std::string_view::npos && !isOfLibrary
                    && ((equals != std::string_view::npos && equals > open) || (padded != std::string_view::npos && padded > open))))
                ++calls;
        }
        return calls > 0 && calls * 10 > all * 8 ? Guess::Yes : Guess::No;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        text::Imported out;
        StraceReader reader(out);
        text::readAll(lines, reader);
        if (!reader.understood()) return out.nothing("there is no system call in it");
        if (!reader.timed())
            return Error{0, "its lines carry no time: log with strace -f -tt -T, or say --import ltrace:FILE where it is of ltrace"};
        reader.end();
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_strace() { return std::make_unique<Strace>(); }
} // namespace dscope::importers
