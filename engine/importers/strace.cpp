#include "engine/record/buckets.h"
#include "engine/text/call_summary.h"
#include "engine/text/strace_clock.h"
#include "engine/text/strace_lines.h"
#include "engine/text/strace_stacks.h"
#include "engine/text/strace_tasks.h"
#include "engine/text/tables.h"
#include "engine/text/words.h"
#include <array>
#include <csignal>
#include <cstring>
#include <map>
#include <utility>
namespace dscope::importers {
namespace {
/// Apart from other formats' files, which are compiled together with this one.
namespace of_strace {
using record::ProcessEvent;
using text::Guess;
using text::leadingInteger;
using text::trimmed;
using text::strace::Call;
using text::strace::callOf;
using text::strace::Clock;
using text::strace::Head;
using text::strace::headOf;
using text::strace::isEvent;
using text::strace::Message;
using text::strace::messageIn;
using text::strace::processIn;
using text::strace::processNumber;
using text::strace::quoted;
using text::strace::Stacks;
using text::strace::Stamp;
using text::strace::Tasks;
using text::strace::withoutColours;

/// The number of "SIGTERM", and of "SIGRT_2", a signal of real time; 0: it is none.
/// Source: strace's src/signal.c, sprintsigname()
int signalNumber(std::string_view name)
{
    constexpr std::string_view kRealTime = "SIGRT_";
    constexpr int kFirstOfRealTime = 32, kLast = 64;
    if (name.starts_with(kRealTime)) {
        const auto number = text::integer(name.substr(kRealTime.size()));
        return number && *number >= 0 && *number <= kLast - kFirstOfRealTime ? static_cast<int>(*number) + kFirstOfRealTime : 0;
    }
    for (int i = 1; i < 65; ++i)
        if (const char* abbreviation = ::sigabbrev_np(i); abbreviation && name == "SIG" + std::string(abbreviation)) return i;
    return 0;
}

int errorNumber(std::string_view name)
{
    constexpr int kErrors = 134;
    for (int i = 1; i < kErrors; ++i)
        if (const char* known = ::strerrorname_np(i); known && name == known) return i;
    return 0;
}

/// What -e read= and -e write= print below a call: " | 00000  68 65 6c 6c 6f  hello |", " * 5 bytes in buffer 0".
/// Source: strace's src/util.c, dumpstr() and dumpiov_upto().
bool isOfDump(std::string_view line)
{
    if (line.starts_with(" | ")) return text::isDigits(line.substr(3, 1));
    return line.starts_with(" * ") && line.find(" bytes in buffer ") != std::string_view::npos;
}

/// "exited with 7", "killed by SIGSEGV (core dumped)" as wait(2) has it; nothing where it is neither.
std::optional<std::int32_t> statusOf(std::string_view end)
{
    constexpr std::string_view kExit = "exited with ", kKilled = "killed by ";
    if (end.starts_with(kExit)) {
        const auto code = text::integer(end.substr(kExit.size()));
        return code && *code >= 0 && *code <= 255 ? std::optional(static_cast<std::int32_t>(*code << 8)) : std::nullopt;
    }
    if (!end.starts_with(kKilled)) return {};
    const auto name = end.substr(kKilled.size());
    const bool hasCore = name.find("core dumped") != std::string_view::npos;
    const auto number = signalNumber(name.substr(0, name.find(' ')));
    return number > 0 ? std::optional(number | (hasCore ? 128 : 0)) : std::nullopt;
}

/// What a line ends with where its call has not returned.
std::optional<std::string_view> beginningOf(std::string_view event)
{
    if (event.ends_with("<unfinished ...>") || event.ends_with("<unfinished ...>)"))
        return trimmed(event.substr(0, event.rfind("<unfinished")));
    return {};
}

/// The log of a process and what it started: who started whom, and how long each system call took.
class StraceReader {
public:
    StraceReader(text::Imported& out, const std::string& path) : m_out(out), m_tasks(out)
    {
        constexpr std::uint32_t kFirstUsual = 10; // smaller numbers tell old logs apart
        const auto pid = processNumber(std::string_view(path).substr(path.rfind('.') + 1));
        if (pid && *pid >= kFirstUsual && path.find('.') != std::string::npos) m_tasks.nameFirst(*pid);
    }

    void line(std::string_view raw, std::size_t number)
    {
        const auto line = withoutColours(raw, m_plain);
        if (line.empty() && m_open.empty()) return;
        if (m_open.empty() && Stacks::isLine(line)) return m_stacks.line(line);
        if (m_open.empty() && m_summary.take(line)) return;
        if (m_open.empty() && isOfDump(line) && m_calls > 0) return;
        if (const auto message = messageIn(line)) return said(*message, line, number);

        const auto head = headOf(line);
        if (isEvent(head.event)) {
            giveUp();
            return event(head, line, number);
        }
        if (!m_open.empty()) return goOn(line, number);
        if (!isBareRest(line, number)) m_out.misunderstand(number, line);
    }

    /// No rest comes of the line that is open.
    void giveUp()
    {
        const auto open = std::exchange(m_open, {});
        for (std::size_t i = 0; i < open.lines; ++i)
            m_out.misunderstand(open.number, open.text);
    }

    bool understood() const { return m_calls > 0 || !m_summary.empty(); }
    Result<> check() const { return m_stacks.check(); }

    void end()
    {
        if (m_took && m_timeless != 0 && m_untimedCalls == 1) {
            m_out.misunderstand(m_timeless, m_timelessLine);
            m_untimedCalls = 0;
        }
        for (const auto& [task, call] : m_unreturned)
            m_stacks.begin(call, {});
        m_out.program.tellsOfProcesses = !m_tasks.empty();
        const bool hasTimes = m_tasks.put(m_clock.began()) && m_clock.isKnown();
        tellOfTimes(hasTimes);

        putCalls();
        m_stacks.put(m_out);
        if (!m_summary.empty()) m_summary.put(m_out, m_calls > 0 ? &m_returned : nullptr);
        m_out.records.emplace_back(
            record::Exit{.status = 0, .interrupted = false, .when = record::Nanoseconds(hasTimes ? m_clock.now() : 0)});
    }

private:
    /// The beginning of a line whose rest comes behind what strace or the traced program has written to the same place.
    struct Open {
        std::string text;
        std::size_t number = 0, lines = 0;
        bool empty() const { return lines == 0; }
    };
    static constexpr std::size_t kMostOpenLines = 1000, kMostOpen = std::size_t{64} << 10;

    void tellOfTimes(bool hasTimes)
    {
        auto& p = m_out.program;
        p.timesAreLines = !hasTimes;
        if (hasTimes) {
            p.started = m_clock.began();
            p.wallClockOffset = m_clock.wallOffset();
        } else if (!m_tasks.empty() && m_clock.isKnown()) {
            m_out.warn(text::counted(m_timelessLines, "line carries", "lines carry") + " no time, but others do; the first is line "
                + std::to_string(m_firstTimeless)
                + ": when and how long processes ran is left out; log with strace -f -tt -T, or import the part with times alone");
        } else if (!m_tasks.empty()) {
            m_out.warn("its lines carry no time: when and how long processes ran is left out; log with strace -f -tt -T to see it");
        }
        if (m_took && m_untimedCalls > 0)
            m_out.warn(text::counted(m_untimedCalls, "call does", "calls do") + " not say how long " + (m_untimedCalls == 1 ? "it" : "they")
                + " took, but others do: durations and times of stacks leave " + (m_untimedCalls == 1 ? "it" : "them") + " out"
                + "; log all with strace -T");
    }

    void putCalls()
    {
        text::Tables times, numbers;
        times.name("time");
        numbers.name("calls");
        times.keyNames({"syscall"});
        numbers.keyNames({"syscall"});
        record::Aggregation shape;
        shape.function = record::Aggregator::Quantize;
        shape.value = "timestamp - self->start";
        for (const auto& [call, buckets] : m_latencies)
            times.distribution({call}, shape, {buckets.begin(), buckets.end()});
        for (const auto& [call, n] : m_counts)
            numbers.number({call}, n);
        times.put(m_out);
        numbers.put(m_out);
    }

    void said(const Message& message, std::string_view line, std::size_t number)
    {
        const auto head = headOf(message.before);
        const bool isBegun = isEvent(head.event);
        if (isBegun) { // whose line it is has to be known before there is one more
            giveUp();
            if (head.stamp && head.stamp->kind != Stamp::Kind::Relative) m_clock.take(head.stamp);
            m_tasks.now(m_clock.now());
            m_tasks.of(head.pid, head.command, head.event);
        }
        if (message.kind == Message::Kind::Attached) m_tasks.attached(message.pid, message.threads);
        if (message.kind == Message::Kind::Detached) m_tasks.detached(message.pid);
        if (message.before.empty()) return;
        if (!isBegun && m_open.empty()) return m_out.misunderstand(number, line);
        keep(message.before, number);
    }

    void keep(std::string_view text, std::size_t number)
    {
        if (m_open.empty()) m_open.number = number;
        m_open.text += text;
        ++m_open.lines;
    }

    /// A line that is none alone: the rest of the one before, or what the traced program has written meanwhile.
    void goOn(std::string_view line, std::size_t number)
    {
        if (m_open.lines >= kMostOpenLines || m_open.text.size() + line.size() > kMostOpen) {
            giveUp();
            return m_out.misunderstand(number, line);
        }
        keep(line, number);
        if (line.find(" = ") == std::string_view::npos && !line.ends_with("...>")) return; // it has no end of a call
        const auto head = headOf(m_open.text);
        if (isCut(head.event)) return;
        const auto whole = std::exchange(m_open, {});
        event(headOf(whole.text), whole.text, whole.number);
    }

    /// With -z and -Z strace 6.1 leaves "<... wait4 resumed>" out where the line before is the beginning of the same call.
    bool isBareRest(std::string_view line, std::size_t number)
    {
        const auto task = std::exchange(m_unfinished, {});
        if (!task || line.find(" = ") == std::string_view::npos) return false;
        const auto whole = m_tasks.suspended(*task) + std::string(line);
        const auto call = callOf(whole);
        if (!call || !m_tasks.resume(*task, call->name)) return false;
        returned(*task, *call, line, number);
        return true;
    }

    void event(const Head& head, std::string_view line, std::size_t number)
    {
        const auto& what = head.event;
        m_unfinished.reset();
        const bool isEnd = what.starts_with("+++ ");
        if (isEnd && !what.ends_with(" +++")) return m_out.misunderstand(number, line);
        if (!isEnd && !what.starts_with("--- ") && !what.starts_with("[ ") && isCut(what)) {
            // On standard error the rest may follow.
            return keep(line, number);
        }

        m_stacks.end();
        m_clock.take(head.stamp);
        m_tasks.now(head.stamp ? m_clock.now() : Tasks::kUntold);
        if (!head.stamp && ++m_timelessLines == 1) m_firstTimeless = number;
        const auto task = m_tasks.of(head.pid, head.command, what);
        if (isEnd) return ended(task, what, head.pid.has_value(), line, number);
        if (what.starts_with("--- ")) return m_stacks.beginOther(); // a signal arrives; the process's end says what it did
        if (what.starts_with("[ ")) return runsIn(task, what);
        call(task, what, line, number);
    }

    /// Whether a line ends within a call. What a resumed one began with does not matter for that.
    static bool isCut(std::string_view event)
    {
        constexpr std::array<std::string_view, 2> kEnds{" ...>", " ...>)"};
        for (const auto end : kEnds)
            if (event.ends_with(end)) return false;
        constexpr std::string_view kResumed = " resumed>";
        const auto mark = event.starts_with("<... ") ? event.find(kResumed) : std::string_view::npos;
        if (mark == std::string_view::npos) return !callOf(event) && !isLost(event);
        const auto rest = event.substr(mark + kResumed.size());
        return rest.rfind(')') == std::string_view::npos || !callOf('(' + std::string(rest));
    }

    /// " <ptrace(SYSCALL):No such process>": it was gone when strace looked.
    static bool isLost(std::string_view event) { return event.ends_with('>') && event.find(" <ptrace(") != std::string_view::npos; }

    /// "[ Process PID=7 runs in 32 bit mode. ]"
    void runsIn(Tasks::Number task, std::string_view what)
    {
        const auto from = what.find('=') + 1;
        if (const auto pid = processNumber(what.substr(from, what.find(' ', from) - from))) m_tasks.saysItIs(task, *pid);
    }

    void ended(Tasks::Number task, std::string_view what, bool hasPrefix, std::string_view line, std::size_t number)
    {
        constexpr std::string_view kMark = "+++ ", kEndMark = " +++", kSuperseded = "superseded by execve in pid ";
        const auto how = what.size() < kMark.size() + kEndMark.size()
            ? std::string_view()
            : what.substr(kMark.size(), what.size() - kMark.size() - kEndMark.size());
        if (how.starts_with(kSuperseded)) {
            m_tasks.superseded(task, processNumber(how.substr(kSuperseded.size())), hasPrefix);
            return;
        }
        const auto status = statusOf(how);
        if (!status) return m_out.misunderstand(number, line);
        m_tasks.ended(task, *status);
        const auto last = m_unreturned.find(task);
        if (last == m_unreturned.end()) return m_stacks.beginOther();
        m_stacks.begin(last->second, {}); // its stack follows
        m_unreturned.erase(last);
    }

    void call(Tasks::Number task, std::string_view event, std::string_view line, std::size_t number)
    {
        std::string joined;
        if (event.starts_with("<... ")) {
            constexpr std::string_view kMark = " resumed>";
            const auto mark = event.find(kMark);
            if (mark == std::string_view::npos) return m_out.misunderstand(number, line);
            const auto begun = m_tasks.resume(task, event.substr(5, mark - 5));
            if (!begun) return; // before the log
            joined = *begun + std::string(event.substr(mark + kMark.size()));
            event = joined;
        }
        if (const auto begun = beginningOf(event)) {
            m_unfinished = task;
            return m_tasks.suspend(task, std::string(*begun));
        }
        if (event.ends_with("<detached ...>") || isLost(event)) return; // strace left before it ended, or it was gone
        constexpr std::string_view kChanged = "<pid changed to ", kDots = " ...>";
        if (const auto at = event.rfind(kChanged); at != std::string_view::npos && event.ends_with(kDots)) {
            const auto from = at + kChanged.size();
            if (const auto pid = processNumber(event.substr(from, event.size() - from - kDots.size())))
                return m_tasks.suspendAs(*pid, std::string(trimmed(event.substr(0, at))));
        }

        const auto call = callOf(event);
        if (!call || !isEvent(event)) return m_out.misunderstand(number, line);
        returned(task, *call, line, number);
    }

    void returned(Tasks::Number task, const Call& call, std::string_view line, std::size_t number)
    {
        const std::string name(call.name);
        ++m_calls;
        ++m_counts[name];
        m_timeless = call.took || call.result.starts_with('?') ? 0 : number;
        if (m_timeless != 0) {
            m_timelessLine = line;
            ++m_untimedCalls;
        }
        if (call.took) {
            m_took = true;
            static const record::Aggregation kPowers{.function = record::Aggregator::Quantize};
            ++m_latencies[name][record::bucketOf(kPowers, *call.took)];
        }
        if (call.result == "?") {
            m_unreturned[task] = name;
        } else {
            ++m_returned[name];
            m_stacks.begin(name, call.took);
        }
        effect(task, call);
    }

    /// What the call has done to its process, as far as that is told.
    void effect(Tasks::Number task, const Call& call)
    {
        const auto& name = call.name;
        if (name == "execve" || name == "execveat") return exec(task, call);
        if (name == "fork" || name == "vfork" || name == "clone" || name == "clone3") {
            const auto child = processIn(call.result);
            const auto has = [&](std::string_view flag) { return call.arguments.find(flag) != std::string_view::npos; };
            if (child) m_tasks.forked(task, *child, has("CLONE_THREAD"), name == "vfork" || has("CLONE_VFORK"));
        } else if (name == "set_tid_address" || name == "gettid") {
            if (const auto pid = processIn(call.result)) m_tasks.saysItIs(task, *pid);
        } else if (name == "chdir" && call.result == "0") {
            auto at = call.arguments.find('"');
            if (auto path = quoted(call.arguments, at)) m_tasks.changedFolder(task, std::move(*path));
        }
    }

    void exec(Tasks::Number task, const Call& call)
    {
        ProcessEvent event;
        const auto& arguments = call.arguments;
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

        const bool succeeded = call.result == "0" || call.result.starts_with("0 ");
        event.kind = succeeded ? ProcessEvent::Kind::Exec : ProcessEvent::Kind::ExecFailed;
        if (!succeeded) {
            constexpr std::string_view kFailed = "-1 ";
            if (!call.result.starts_with(kFailed)) return; // not finished when the log ended
            const auto code = call.result.substr(kFailed.size());
            event.status = errorNumber(code.substr(0, code.find(' ')));
            if (event.status == 0) return;
        }
        m_tasks.execed(task, std::move(event));
    }

    text::Imported& m_out;
    Tasks m_tasks;
    Stacks m_stacks;
    Clock m_clock;
    std::optional<Tasks::Number> m_unfinished; ///< whose call the last line began
    Open m_open;
    text::CallSummary m_summary;
    std::map<std::string, std::map<int, std::int64_t>> m_latencies;
    std::map<std::string, std::int64_t> m_counts, m_returned;
    std::map<Tasks::Number, std::string> m_unreturned; ///< the last call of each thread, where it has ended the thread
    std::size_t m_calls = 0;
    std::size_t m_timeless = 0; ///< the line of the last call, when that says no time: where it is the only one, it is cut
    std::size_t m_untimedCalls = 0, m_timelessLines = 0, m_firstTimeless = 0;
    std::string m_timelessLine, m_plain;
    bool m_took = false;
};

class Strace final : public text::Importer {
public:
    std::string_view name() const override { return "strace"; }
    std::string_view summary() const override
    {
        return "logs of strace -f -tt -T: processes and how long their system calls took; -k, -c, -C";
    }

    Guess guess(std::string_view head) const override
    {
        text::Lines lines(head);
        std::string_view line;
        std::string plain;
        text::CallSummary table;
        int known = 0, all = 0, rows = 0;
        while (all < 200 && lines.next(line)) {
            line = withoutColours(line, plain);
            if (known > 0 && !lines.isLineEnded()) break; // the text may be cut there
            if (line.empty() || Stacks::isLine(line) || isOfDump(line)) continue;
            if (table.take(line)) {
                if (table.isOfLibrary()) return Guess::No;
                ++rows;
                continue;
            }
            ++all;
            const auto kind = kindOf(line);
            if (kind == Kind::OfLibrary) return Guess::No;
            if (kind == Kind::OfStrace) ++known;
        }
        constexpr int kRows = 4; // a heading, two rules, the total
        const bool isTable = known == 0 && rows >= kRows && rows > all;
        return isTable || (known > 0 && known * 10 > all * 8) ? Guess::Yes : Guess::No;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        text::Imported out;
        StraceReader reader(out, lines.path());
        std::string_view line;
        constexpr std::size_t kBetweenChecks = 1024; // lines
        while (lines.next(line)) {
            reader.line(line, lines.number());
            if (lines.number() % kBetweenChecks == 0) DSCOPE_CHECK(reader.check());
        }
        DSCOPE_CHECK(reader.check());
        reader.giveUp();
        if (!reader.understood()) return out.nothing("there is no system call in it");
        reader.end();
        return out;
    }

private:
    enum class Kind : std::uint8_t { Unknown, OfStrace, OfLibrary };

    /// A log of ltrace is much the same. Source: ltrace's output.c, version 0.7.3
    static Kind kindOf(std::string_view line)
    {
        if (messageIn(line)) return Kind::OfStrace;
        const auto event = headOf(line).event;
        const auto name = event.substr(0, event.find('('));
        if (event.starts_with("+++ exited (") || event.ends_with("<no return ...>")) return Kind::OfLibrary;
        if (name.find("->") != std::string_view::npos || name.starts_with("SYS_")) return Kind::OfLibrary;
        if (!isEvent(event)) return Kind::Unknown;
        const bool isCall = !event.starts_with("+++ ") && !event.starts_with("--- ") && !event.starts_with("<... ");
        if (!isCall || event.ends_with("...>")) return Kind::OfStrace;
        const auto call = callOf(event);
        if (call && (call->result.starts_with("<void>") || call->result.starts_with("nil"))) return Kind::OfLibrary;
        return call || event.starts_with("[ ") ? Kind::OfStrace : Kind::Unknown;
    }
};
} // namespace of_strace
} // namespace

std::unique_ptr<text::Importer> make_strace() { return std::make_unique<of_strace::Strace>(); }
} // namespace dscope::importers
