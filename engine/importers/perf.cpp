#include "engine/text/function_names.h"
#include "engine/text/stack_counts.h"
#include "engine/text/stack_times.h"
#include "engine/text/tables.h"
#include "engine/text/words.h"
#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
namespace dscope::importers {
namespace {
using text::Guess;
using text::isBlank;
using text::kBlanks;
using text::kDigits;
using text::kHexDigits;
using FrameKind = record::Frame::Kind;
constexpr auto kNone = std::string_view::npos;

/// "java 24636/25607 [000] 4794564.109216: 1 cycles: rest": the command, whose and when it is, the event and the period of a sample.
struct Head {
    std::string_view command, event, rest;
    std::string_view machine; ///< of a guest, the process that is it: "VM:1234"
    std::optional<std::uint32_t> pid, tid, cpu;
    std::int64_t when = 0; ///< ns; 0: not told
    std::int64_t period = 1;
    bool hasPeriod = false;
};
std::optional<std::uint32_t> perfNumber(std::string_view digits)
{
    std::uint32_t number = 0;
    const auto end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, number);
    return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
}
std::string_view withoutBlanksBehind(std::string_view text) { return text.substr(0, text.find_last_not_of(kBlanks) + 1); }
/// The last word of a text that ends in none of the blanks; taken off it.
std::string_view takeLastWord(std::string_view& text)
{
    const auto word = text.substr(text.find_last_of(kBlanks) + 1);
    text = withoutBlanksBehind(text.substr(0, text.size() - word.size()));
    return word;
}
std::string_view takeFirstWord(std::string_view& text)
{
    text = text.substr(std::min(text.find_first_not_of(kBlanks), text.size()));
    const auto word = text.substr(0, text.find_first_of(kBlanks));
    text.remove_prefix(word.size());
    return word;
}

/// "24636/25607" or, of one of both, "25607"; of what perf knows no process of, "-1".
bool isTask(std::string_view word)
{
    const auto slash = word.find('/');
    const auto isId = [](std::string_view id) { return id == "-1" || text::isDigits(id); };
    return isId(word.substr(0, slash)) && (slash == kNone || isId(word.substr(slash + 1)));
}
void readTask(std::string_view word, Head& head)
{
    const auto slash = word.find('/');
    if (slash != kNone) head.pid = perfNumber(word.substr(0, slash));
    head.tid = perfNumber(slash == kNone ? word : word.substr(slash + 1));
}

/// "4794564.109216": the decimals are micro- or nanoseconds.
std::optional<std::int64_t> perfTime(std::string_view word)
{
    const auto dot = word.find('.');
    if (dot == kNone || !text::isDigits(word.substr(0, dot)) || !text::isDigits(word.substr(dot + 1))) return {};
    constexpr std::size_t kDecimals = 9;
    const auto decimals = word.substr(dot + 1);
    const auto seconds = perfNumber(word.substr(0, dot)), fraction = perfNumber(decimals);
    if (!seconds || !fraction || decimals.size() > kDecimals) return {};
    std::int64_t ns = *fraction;
    for (auto digits = decimals.size(); digits < kDecimals; ++digits)
        ns *= 10;
    return *seconds * std::int64_t{1'000'000'000} + ns;
}
/// Where the time stands in a line: a word that is one, and a colon behind it. What an event tells comes later.
struct TimePlace {
    std::size_t from = 0, to = 0; ///< `to`: behind the colon
    std::int64_t when = 0;
};
std::optional<TimePlace> timeIn(std::string_view line)
{
    for (auto dot = line.find('.'); dot != kNone; dot = line.find('.', dot + 1)) {
        const auto colon = line.find_first_not_of(kDigits, dot + 1);
        if (colon == kNone) return {};
        if (line[colon] != ':' || (colon + 1 < line.size() && !isBlank(line[colon + 1]))) continue;
        const auto from = line.find_last_of(kBlanks, dot) + 1;
        if (const auto when = perfTime(line.substr(from, colon - from))) return TimePlace{from, colon + 1, *when};
    }
    return {};
}

/// "VM: 1234 VCPU:001 " in front of the command, of a sample that was taken in a guest. Source: linux/tools/perf/builtin-script.c,
/// perf_sample__fprintf_start()
void takeMachine(std::string_view& before, Head& head)
{
    if (!before.starts_with("VM:")) return;
    auto rest = before.substr(3);
    const auto process = takeFirstWord(rest);
    if (!text::isDigits(process)) return;
    head.machine = before.substr(0, before.size() - rest.size());
    if (text::trimmed(rest).starts_with("VCPU:")) takeFirstWord(rest);
    before = text::trimmed(rest);
}
/// "java 24636/25607 [000] K ": read from its end, since the name of a thread may hold anything. False: no command is there.
bool readWho(std::string_view before, Head& head)
{
    before = text::trimmed(before);
    takeMachine(before, head);
    auto left = before;
    auto word = takeLastWord(left);
    const bool isMode = word.find_first_not_of("HKUGhMPS") == kNone; // option -F misc
    if (isMode && !left.empty()) {
        auto further = left;
        const auto next = takeLastWord(further);
        if (isTask(next) || next.ends_with(']')) {
            left = further;
            word = next;
        }
    }
    if (word.size() > 2 && word.starts_with('[') && word.ends_with(']')) {
        if (const auto cpu = perfNumber(word.substr(1, word.size() - 2))) {
            head.cpu = cpu;
            before = left;
            word = takeLastWord(left);
        }
    }
    if (isTask(word)) {
        readTask(word, head);
        before = left;
    }
    head.command = before;
    return !before.empty() || head.tid.has_value();
}

/// What stands behind the time: "5 cycles: rest", "sched:sched_switch: rest", or no event at all.
void readEvent(std::string_view behind, Head& head)
{
    auto rest = behind;
    auto word = takeFirstWord(rest);
    if (text::isDigits(word)) {
        head.hasPeriod = std::from_chars(word.data(), word.data() + word.size(), head.period).ec == std::errc();
        if (!head.hasPeriod) head.period = 1;
        word = takeFirstWord(rest);
    }
    if (word.size() > 1 && word.ends_with(':')) {
        head.event = word.substr(0, word.size() - 1);
        head.rest = rest;
    } else {
        head.rest = behind;
    }
}

/// A head without a time: "app 16983    2004008 cpu-clock:ppp:". A period is set to the right in ten columns, a thread's number in fewer.
/// Source: linux/tools/perf/builtin-script.c, process_event()
std::optional<Head> untimedHead(std::string_view line)
{
    constexpr std::size_t kPeriodColumns = 10;
    for (auto colon = line.find(':'); colon != kNone; colon = line.find(':', colon + 1)) {
        if (colon + 1 < line.size() && !isBlank(line[colon + 1])) continue;
        const auto from = line.find_last_of(kBlanks, colon) + 1;
        if (from == 0 || from == colon) return {};
        Head head;
        head.event = line.substr(from, colon - from);
        head.rest = line.substr(colon + 1);
        auto before = withoutBlanksBehind(line.substr(0, from));
        auto left = before;
        const auto word = takeLastWord(left);
        if (text::isDigits(word) && before.size() - left.size() > kPeriodColumns) {
            head.hasPeriod = std::from_chars(word.data(), word.data() + word.size(), head.period).ec == std::errc();
            before = left;
            left = before;
            if (!left.empty()) takeLastWord(left);
        }
        const bool hasTask = before.size() > left.size() && !left.empty();
        if (!head.hasPeriod && !hasTask) return {};
        if (!readWho(before, head) || (!head.hasPeriod && !head.tid)) return {};
        return head;
    }
    return {};
}

std::optional<Head> headOf(std::string_view line)
{
    line = text::trimmed(line);
    const auto time = timeIn(line);
    if (!time) return untimedHead(line);
    Head head;
    head.when = time->when;
    if (!readWho(line.substr(0, time->from), head)) return {};
    readEvent(line.substr(time->to), head);
    return head;
}

/// A word of a line, and the columns that it is set into: those behind the blank that ends the word before.
struct Field {
    std::string_view word;
    std::size_t from = 0, width = 0;
};
/// The field that begins behind `at`; its word is empty at the end.
Field fieldBehind(std::string_view line, std::size_t at)
{
    const auto from = std::min(line.find_first_not_of(kBlanks, at), line.size());
    const auto end = std::min(line.find_first_of(kBlanks, from), line.size());
    return {line.substr(from, end - from), from, end - at - (at > 0 && at < end ? 1 : 0)};
}
bool isHexNumber(std::string_view word) { return !word.empty() && word.find_first_not_of(kHexDigits) == kNone; }

/// An address is set to the right in sixteen columns. Source: linux/tools/perf/util/evsel_fprintf.c, sample__fprintf_sym()
constexpr std::size_t kAddressColumns = 16;
/// Where a line's address and function begin, of a sample without a call chain; npos: there is none.
std::size_t addressIn(std::string_view line)
{
    std::size_t at = 0;
    for (auto field = fieldBehind(line, at); !field.word.empty(); field = fieldBehind(line, at)) {
        const auto end = field.from + field.word.size();
        if (isHexNumber(field.word) && field.width >= kAddressColumns && !fieldBehind(line, end).word.empty()) return field.from;
        at = end;
    }
    return kNone;
}

/// A head of whatever fields -F chose: of command, thread, CPU, time, period and event, in this order, those that are there.
Head looseHead(std::string_view line)
{
    Head head;
    const auto address = addressIn(line);
    if (address != kNone) head.rest = line.substr(address);
    auto left = withoutBlanksBehind(line.substr(0, address));
    const auto last = [&] {
        auto before = left;
        const auto word = takeLastWord(before);
        return std::pair(word, before);
    };
    auto [word, before] = last();
    if (word.size() > 1 && word.ends_with(':') && !perfTime(word.substr(0, word.size() - 1))) {
        head.event = word.substr(0, word.size() - 1);
        left = before;
        std::tie(word, before) = last();
    }
    constexpr std::size_t kPeriodColumns = 10, kTaskColumns = 5;
    const auto columns = left.size() - before.size() - (before.empty() ? 0 : 1);
    if (text::isDigits(word) && columns >= kPeriodColumns) {
        head.hasPeriod = std::from_chars(word.data(), word.data() + word.size(), head.period).ec == std::errc();
        if (!head.hasPeriod) head.period = 1;
        left = before;
        std::tie(word, before) = last();
    }
    if (word.ends_with(':'))
        if (const auto when = perfTime(word.substr(0, word.size() - 1))) {
            head.when = *when;
            left = before;
        }
    // A thread's number is set into five columns: what is shorter ends its name, "DOM Worker 3".
    const auto [who, name] = last();
    if (text::isDigits(who) && left.size() - name.size() < kTaskColumns + (name.empty() ? 0 : 1))
        head.command = text::trimmed(left);
    else
        readWho(left, head);
    return head;
}

/// A line that perf writes for a frame: "\t            1139 main", with the address to the right in its columns.
bool isSetAsFrame(std::string_view line) { return line.starts_with('\t') && addressIn(line.substr(1)) != kNone; }

/// Behind the time of what is no sample. Source: linux/tools/perf/util/event.c, perf_event__names
constexpr std::string_view kNoSample = " PERF_RECORD_";

/// What the periods of an event's samples sum up to.
struct Meaning {
    std::string noun;
    record::StackUnit unit = record::StackUnit::Count;
};
/// "cycles" of "cycles:ppp", "cpu_core/cycles/P" and "cpu/cycles/u": without the modifiers and without "cpu/".
/// Source: linux/tools/perf/Documentation/perf-list.txt
std::string plainEvent(std::string_view event)
{
    constexpr std::string_view kModifiers = "ukhIGHpPSDWebR", kCpu = "cpu/";
    const auto colon = event.rfind(':');
    if (colon != kNone && event.find_first_not_of(kModifiers, colon + 1) == kNone) event = event.substr(0, colon);
    const auto slash = event.rfind('/');
    if (slash != kNone && slash > event.find('/') && event.find_first_not_of(kModifiers, slash + 1) == kNone)
        event = event.substr(0, slash);
    if (event.starts_with(kCpu) && event.find('=') == kNone) event.remove_prefix(kCpu.size());
    return std::string(event);
}
/// "cycles" of "cpu_core/cycles" and of "cpu_atom/cycles": what both kinds of processors of one machine count. Empty: it is of neither.
std::string_view ofAllProcessors(std::string_view event)
{
    for (const std::string_view kind : {"cpu_core/", "cpu_atom/", "cpu_lowpower/"})
        if (event.starts_with(kind)) return event.substr(kind.size());
    return {};
}
/// cpu-clock and task-clock count nanoseconds; without periods there are as many as samples. Source: perf_event_open(2)
Meaning meaningOf(std::string_view event, bool hasPeriods)
{
    if (!hasPeriods) return {"samples"};
    if (event.empty()) return {"events"}; // of which nobody knows the name
    if (event == "cpu-clock" || event == "task-clock") return {std::string(record::kCpuTime), record::StackUnit::Time};
    return {std::string(event)};
}

/// "    7f722d142778 func+0x12 (/lib/libc.so.6)": its function and its object, which -F may leave out.
struct FrameLine {
    std::string_view function, object;
    bool hasObject = false;
};
/// Source: linux/fs/d_path.c, __d_path(): what stands behind the name of a file that is gone.
constexpr std::string_view kGone = " (deleted)";
/// Stands in the place of the object. Source: linux/tools/perf/util/evsel_fprintf.c, sample__fprintf_callchain()
constexpr std::string_view kInlined = "inlined";

bool isObject(std::string_view text)
{
    return text == kInlined || text.starts_with('/') || text.starts_with('[') || text.find_first_of(" ,*&:<") == kNone;
}
std::optional<FrameLine> frameOf(std::string_view line)
{
    const auto from = line.find_first_not_of(kBlanks);
    if (from == kNone) return {};
    const auto end = line.find_first_not_of(kHexDigits, from);
    if (end == from || (end != kNone && !isBlank(line[end]))) return {};
    const auto rest = text::trimmed(line.substr(std::min(end, line.size())));
    FrameLine frame{rest, {}, false};
    auto named = rest;
    if (!named.ends_with(')')) return frame;
    named.remove_suffix(1);
    if (named.ends_with(kGone)) named.remove_suffix(kGone.size());
    const auto open = named.starts_with('(') && named.find(" (") == kNone ? 0 : named.rfind(" (");
    if (open == kNone) return frame;
    const auto object = named.substr(open + (named[open] == ' ' ? 2 : 1));
    if (!isObject(object)) return frame;
    return FrameLine{withoutBlanksBehind(rest.substr(0, open)), object, true};
}
/// The same of a line as perf writes nearly all: "\t    7f722d142778 func+0x12 (/lib/libc.so.6)". Nothing: it may be a frame of another
/// kind.
std::optional<FrameLine> plainFrameOf(std::string_view line)
{
    const auto isHex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
    std::size_t at = 1, end = line.size();
    while (at < end && line[at] == ' ')
        ++at;
    const auto address = at;
    while (at < end && isHex(line[at]))
        ++at;
    if (at == address || at + 1 >= end || line[at] != ' ' || line[end - 1] != ')' || line[end - 2] == ')') return {};
    auto open = end - 1;
    while (open > at && line[open] != '(')
        --open;
    if (open < at + 2 || line[open - 1] != ' ' || (line[open + 1] != '/' && line[open + 1] != '[')) return {};
    return FrameLine{line.substr(at + 1, open - at - 2), line.substr(open + 1, end - open - 2), true};
}
/// Whether a line has the address of a frame in front, rather than a command that reads like one.
bool isSurelyFrame(std::string_view line)
{
    constexpr std::size_t kShort = 6; // letters of commands that are hexadecimal: "dd", "bad", "decade"
    const auto frame = frameOf(line);
    return frame && (frame->hasObject || text::trimmed(line).find_first_of(kBlanks) > kShort);
}
/// "  mix.c:31": the line of source behind a frame, of -F +srcline.
struct SourceLine {
    std::string_view file;
    std::uint32_t line = 0;
};
/// "[kernel.kallsyms][ffffffff82265c92]", "libc.so.6[2724a]", ":0", "??:0": no line is known, and the object and the address stand there
/// instead. Source: linux/tools/perf/util/srcline.c, __get_srcline()
bool isUnknownSource(std::string_view line)
{
    if (line.ends_with(":0")) return true;
    const auto open = line.rfind('[');
    return open != kNone && open > 0 && line.ends_with(']') && isHexNumber(line.substr(open + 1, line.size() - open - 2));
}
std::optional<SourceLine> sourceOf(std::string_view line)
{
    line = text::trimmed(line);
    if (isUnknownSource(line)) return SourceLine{};
    const auto colon = line.rfind(':');
    if (colon == kNone || colon == 0) return {};
    const auto number = perfNumber(line.substr(colon + 1));
    return number && *number > 0 ? std::optional(SourceLine{line.substr(0, colon), *number}) : std::nullopt;
}

/// "libc.so.6" of "/usr/lib/x86_64-linux-gnu/libc.so.6"; empty: no file is known.
std::string_view moduleOf(std::string_view object)
{
    if (object.starts_with('[') || object.starts_with("//") || object.empty()) return {}; // [unknown], //anon
    return object.substr(object.rfind('/') + 1);
}

/// Whose code an object is. Source: perf-script(1) names modules of the kernel "[ext4]"; linux/tools/perf/util/map.c and dso.c for the
/// others.
FrameKind kindOf(std::string_view object)
{
    constexpr std::array<std::string_view, 8> kOfProcesses{
        "[unknown]", "[vdso", "[vsyscall]", "[vvar", "[heap]", "[stack", "[anon", "[uprobes]"};
    const auto name = object.substr(object.rfind('/') + 1);
    const auto isPart = [&](std::string_view begin, std::string_view end) { return name.starts_with(begin) && name.ends_with(end); };
    if (object.starts_with("[JIT") || isPart("perf-", ".map") || isPart("jitted-", ".so")) return FrameKind::Jit;
    if (std::any_of(kOfProcesses.begin(), kOfProcesses.end(), [&](auto begin) { return object.starts_with(begin); }))
        return FrameKind::Unknown;
    return object.starts_with('[') || object.ends_with("vmlinux") ? FrameKind::Kernel : FrameKind::Unknown;
}

/// Without what only makes two of one: quotes, the mark of a class of Java.
std::string tidied(const text::FunctionName& function, std::string_view printed, bool java)
{
    std::string out;
    const std::string_view name = function.name.empty() ? printed : std::string_view(function.name);
    out.reserve(name.size());
    for (const char c : name) {
        if (c == '>' && out.ends_with('.')) out.back() = '-'; // Rust's arrow, as perf reads rustc's legacy symbols
        const bool isLiteral = c == '"' && (out.ends_with("operator") || out.ends_with("operator\"")); // the sign of one in C++
        if ((c != '"' && c != '\'') || isLiteral) out += c;
    }
    if (java && out.starts_with('L') && out.find('/') != std::string::npos) out.erase(0, 1);
    return out;
}

/// The frames that lines of stacks stand for. A function of an object is read once, however many addresses of it are met.
class FrameNames {
public:
    /// A step of a stack. Of a function that was inlined the object is not known before that of the function around it.
    struct Step {
        std::string name;
        FrameKind kind = FrameKind::Unknown;
        bool inlined = false;
        std::string module = {};
    };
    struct Function {
        std::vector<Step> steps; ///< the outermost first; none: it is not part of a stack
        bool isInlined = false;
    };
    /// The number of a function of an object.
    std::uint32_t of(const FrameLine& line)
    {
        if (line.object != m_lastObject || m_objects.size() == 0) {
            m_last = m_objects.of(line.object);
            m_lastObject = m_objects.text(m_last);
        }
        if (m_last == m_symbols.size()) m_symbols.emplace_back(std::make_unique<Symbols>());
        auto& symbols = *m_symbols[m_last];
        const auto number = symbols.names.of(text::withoutOffset(line.function));
        if (number == symbols.numbers.size()) {
            symbols.numbers.push_back(static_cast<std::uint32_t>(m_functions.size()));
            m_functions.push_back(read(symbols.names.text(number), line.object));
        }
        return symbols.numbers[number];
    }

    const Function& operator[](std::uint32_t number) const { return m_functions[number]; }
    bool java = false; ///< names are those of a process of Java

private:
    struct Symbols {
        Interned names;
        std::vector<std::uint32_t> numbers; ///< by name
    };

    Function read(std::string_view function, std::string_view object) const
    {
        constexpr text::NameHints kPlain{.offset = text::NameHints::Offset::None};
        if (object == kInlined)
            return {{{tidied(text::readFunctionName(function, kPlain), function, java), FrameKind::Unknown, true}}, true};
        if (function.starts_with('(') && function.find(')') == function.size() - 1) return {}; // the name of a process
        const auto kind = kindOf(object);
        const std::string module(kind == FrameKind::Unknown ? moduleOf(object) : std::string_view());
        if (function.empty() || function == "[unknown]") { // its name is that of its object
            const auto name = object.empty() || object == "[unknown]" ? std::string_view("unknown") : object.substr(object.rfind('/') + 1);
            return {{{name.starts_with('[') ? std::string(name) : '[' + std::string(name) + ']', kind}}};
        }
        Function out;
        // In generated code of Java what was inlined into a method follows it.
        const bool isJava = kind == FrameKind::Jit || java;
        for (const auto& method :
            isJava ? text::readFunctionNames(function, kPlain) : std::vector{text::readFunctionName(function, kPlain)}) {
            const bool inlined = !out.steps.empty();
            out.steps.push_back(
                {tidied(method, function, java), kind == FrameKind::Jit || !inlined ? kind : FrameKind::Unknown, inlined, module});
        }
        return out;
    }

    Interned m_objects;
    std::string_view m_lastObject;
    std::uint32_t m_last = 0;
    std::vector<std::unique_ptr<Symbols>> m_symbols; ///< by object
    std::vector<Function> m_functions;
};

/// The samples of one event.
class PerfEvent {
public:
    explicit PerfEvent(std::string name) : m_name(std::move(name)) { }

    /// A frame of the sample that is read: which function of which table, where in the source, and for what was inlined in which module.
    struct Frame {
        std::uint32_t function = 0, source = 0, module = 0;
        bool java = false;
        bool operator==(const Frame&) const = default;
    };
    text::StackCounts& stacks() { return m_stacks; }
    text::StackTimes& times() { return m_times; }
    const std::string& name() const { return m_name; }
    Meaning meaning() const { return meaningOf(m_name, m_hasPeriods); }
    std::size_t samples() const { return m_samples; }

    /// Counts a sample, whose frames stacks() was given.
    void add(const Head& head, std::string_view execname)
    {
        if (m_samples++ == 0) m_hasPeriods = head.hasPeriod;
        const auto stack = m_stacks.add(head.period);
        if (head.when <= 0 || head.period <= 0) return;
        const bool isTime = meaning().unit == record::StackUnit::Time;
        m_times.add(head.when, {execname, head.pid, head.tid, head.cpu}, stack, head.period, isTime ? 1 : head.period);
    }

    /// The numbers of a function's frames among the stacks, by the number that `key` has; made by `make` when it is new.
    template <typename Make> const std::vector<std::uint32_t>& numbers(const Frame& key, Make make)
    {
        if (key.source == 0 && key.module == 0) {
            auto& plain = m_plain[key.java ? 1 : 0];
            if (key.function >= plain.size()) plain.resize(key.function + 1);
            if (plain[key.function].empty()) plain[key.function] = make();
            return plain[key.function];
        }
        auto& known = m_placed[{key.function, key.source, key.module, key.java}];
        if (known.empty()) known = make();
        return known;
    }

private:
    std::string m_name;
    text::StackCounts m_stacks;
    text::StackTimes m_times;
    std::array<std::vector<std::vector<std::uint32_t>>, 2> m_plain;
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, bool>, std::vector<std::uint32_t>> m_placed;
    std::size_t m_samples = 0;
    bool m_hasPeriods = false;
};

class PerfReader {
public:
    explicit PerfReader(text::Imported& out) : m_out(out) { m_names[1].java = true; }

    void line(std::string_view line, std::size_t number)
    {
        if (!line.empty() && line.front() == '\t' && m_isOpen && isFrame(line)) return; // nearly all lines
        if (line.starts_with('#')) return comment(line);
        if (line.find_first_not_of(kBlanks) == kNone) return endOfSample();
        if (m_doubtful > 0 && m_frames.empty() && !isSetAsFrame(line)) endOfSample();
        if (const auto at = line.find(kNoSample); at != kNone) return noSample(line, at);
        const bool mayBeHead = line.front() != '\t';
        if (mayBeHead && timeIn(line)) // "dd 17 1.5: ...": a command may read like an address
            if (const auto head = headOf(line)) return beginSurely(*head);
        if (mayBeHead && m_isLoose && m_hasOwnFrame) endOfSample(); // a line each
        if (m_isOpen && isSurelyFrame(line) && isFrame(line)) return;
        if (mayBeHead)
            if (const auto head = headOf(line)) return beginSurely(*head);
        if (m_isOpen && (isFrame(line) || isSource(line))) return;
        if (!m_isOpen && beginLoosely(line, number)) return;
        m_out.misunderstand(number, line);
    }

    /// An empty line ends a sample with a stack, and the next head one without: where neither comes the text was cut within its last.
    void finish(std::size_t number)
    {
        if (!m_isOpen) return;
        if (m_hasOwnFrame || m_followsHead || (m_doubtful > 0 && m_frames.empty())) return endOfSample();
        m_out.misunderstand(number, "the text ends within a sample, which is not counted");
        m_isOpen = false;
    }

    bool empty() const { return m_events.empty(); }

    Result<> check() const
    {
        text::StackCounts::Cost cost;
        for (const auto& event : m_events)
            cost += event->stacks().cost();
        return cost.check();
    }

    void put()
    {
        std::stable_sort(m_events.begin(), m_events.end(), [](const auto& a, const auto& b) { return a->samples() > b->samples(); });
        const bool isAlone = m_events.size() == 1;
        const auto nounOf = [&](const PerfEvent& event) { // what tells events apart is their name
            const auto noun = event.meaning().noun;
            return noun == "samples" && !isAlone && !event.name().empty() ? event.name() : noun;
        };
        const auto is = m_events.front()->meaning();
        auto first = m_events.front()->stacks().takeNumbered(nounOf(*m_events.front()), is.unit);
        m_out.add(std::move(first.stacks));
        m_events.front()->times().put(m_out, is.unit == record::StackUnit::Time ? "samples" : is.noun, first.lines);
        for (std::size_t i = 1; i < m_events.size(); ++i)
            m_out.add(m_events[i]->stacks().take(nounOf(*m_events[i]), m_events[i]->meaning().unit));
        for (const auto& [cpu, count] : m_lost)
            m_out.records.emplace_back(record::Drop{record::Drop::Kind::Principal, cpu, count});
        if (!m_hasStacks) putCounts();
        if (m_events.size() > 1) tellOthers();
    }

private:
    static constexpr std::size_t kMostEvents = 64;

    void tellOthers()
    {
        std::string names;
        for (std::size_t i = 1; i < m_events.size(); ++i)
            names += (i > 1 ? ", " : "") + m_events[i]->name() + " (" + std::to_string(m_events[i]->samples()) + ")";
        m_out.warn("it has several events, which do not add up: " + m_events.front()->name() + " is shown, with the most samples ("
            + std::to_string(m_events.front()->samples()) + "); --event NAME, or Event in the window, shows another one: " + names);
    }

    /// Without stacks: how often each event came, by command.
    void putCounts()
    {
        text::Tables tables;
        tables.name("events");
        tables.keyNames({"execname", "event"});
        for (const auto& [keys, count] : m_counts)
            tables.number({keys.first, keys.second}, count);
        tables.put(m_out);
    }

    /// Whether a line is a frame, which becomes the next one of the sample that is read.
    bool isFrame(std::string_view line)
    {
        auto frame = line.front() == '\t' ? plainFrameOf(line) : std::nullopt;
        if (!frame) frame = frameOf(line);
        return frame && addFrame(*frame);
    }

    bool addFrame(const FrameLine& line)
    {
        if (line.function.empty() && !line.hasObject) return false;
        auto& names = m_names[m_isJava ? 1 : 0];
        const auto function = names.of(line);
        if (names[function].isInlined)
            ++m_inlined;
        else if (m_inlined > 0)
            placeInlined(line.object);
        m_frames.push_back({function, 0, 0, m_isJava});
        return true;
    }

    /// Of the frame before: where in the source it is.
    bool isSource(std::string_view line)
    {
        if (m_frames.empty()) return false;
        const auto source = sourceOf(line);
        if (!source) return false;
        if (source->line > 0) m_frames.back().source = m_sources.of(text::trimmed(line)) + 1;
        return true;
    }

    /// The last frames are inlined into a function of that object.
    void placeInlined(std::string_view object)
    {
        const auto module = kindOf(object) == FrameKind::Unknown ? moduleOf(object) : std::string_view();
        const auto number = module.empty() ? 0 : m_modules.of(module) + 1;
        for (; m_inlined > 0; --m_inlined)
            m_frames[m_frames.size() - m_inlined].module = number;
    }

    void comment(std::string_view line)
    {
        const std::pair<std::string_view, std::string*> known[] = {
            {"# hostname : ", &m_out.program.host}, {"# os release : ", &m_out.program.kernel}, {"# cmdline : ", &m_out.program.command}};
        for (const auto& [key, to] : known)
            if (line.starts_with(key)) *to = line.substr(key.size());
    }

    /// What --show-lost-events and others of that kind print: how many samples were lost is kept.
    void noSample(std::string_view line, std::size_t at)
    {
        endOfSample();
        constexpr std::string_view kLost = " lost ";
        const auto lost = line.find(kLost, at);
        if (lost == kNone) return;
        const auto head = headOf(line);
        const auto count = text::leadingInteger(line.substr(lost + kLost.size())).value_or(0);
        if (count > 0) m_lost[head ? head->cpu.value_or(0) : 0] += static_cast<std::uint64_t>(count);
    }

    void beginSurely(const Head& head)
    {
        begin(head);
        m_hasSureHeads = true;
    }

    /// A sample whose head has the fields that -F chose, which may be any text or nothing at all: a frame must follow.
    bool beginLoosely(std::string_view line, std::size_t number)
    {
        if (m_hasSureHeads) return false; // all heads of a text have the same fields
        const bool isFrameItself = isSetAsFrame(line);
        if (line.front() == '\t' && !isFrameItself) return false;
        const auto head = isFrameItself ? Head{} : looseHead(line);
        m_isLoose = true;
        begin(head);
        if (isFrameItself) return isFrame(line);
        if (m_hasOwnFrame) return true;
        m_doubtful = number;
        m_doubtfulLine = line;
        return true;
    }

    void begin(const Head& head)
    {
        m_followsHead = m_isOpen;
        endOfSample();
        m_isOpen = true;
        m_head = head;
        m_command = head.command;
        m_machine = head.machine;
        m_event = plainEvent(head.event);
        m_isJava = m_command.starts_with("java");
        m_hasOwnFrame = false;
        // Without a call chain the function stands in the line of the head.
        constexpr std::size_t kAddress = 8;
        const auto rest = text::trimmed(head.rest);
        const auto address = rest.substr(0, rest.find_first_of(kBlanks));
        const bool isAddress = address.size() >= kAddress || address.find_first_of(kDigits) != kNone;
        if (isAddress && address.size() < rest.size())
            if (const auto frame = frameOf(rest)) m_hasOwnFrame = addFrame(*frame);
    }

    void endOfSample()
    {
        if (!m_isOpen) return;
        if (const auto number = std::exchange(m_doubtful, 0); number > 0 && m_frames.empty()) {
            m_isOpen = false;
            return m_out.misunderstand(number, m_doubtfulLine);
        }
        placeInlined({});
        m_isOpen = false;
        m_hasStacks = m_hasStacks || !m_frames.empty();
        ++m_counts[{m_command, m_event.empty() ? "samples" : m_event}];
        if (auto* event = eventOf(m_event)) count(*event);
        if (const auto both = ofAllProcessors(m_event); !both.empty())
            if (auto* event = eventOf(std::string(both))) count(*event);
        m_frames.clear();
    }

    PerfEvent* eventOf(const std::string& name)
    {
        if (m_events.size() > 0 && m_last && m_last->name() == name) return m_last;
        for (const auto& event : m_events)
            if (event->name() == name) return m_last = event.get();
        if (m_events.size() >= kMostEvents) return nullptr;
        m_events.push_back(std::make_unique<PerfEvent>(name));
        return m_last = m_events.back().get();
    }

    void count(PerfEvent& event)
    {
        auto& stacks = event.stacks();
        if (!m_machine.empty()) stacks.frame(m_machine);
        if (!m_command.empty()) stacks.frame(m_command);
        const bool isTracepoint = m_event.find(':') != kNone;
        if (m_frames.empty() && isTracepoint) stacks.frame(m_event);
        for (auto f = m_frames.rbegin(); f != m_frames.rend(); ++f)
            stacks.frames(event.numbers(*f, [&] { return numbered(stacks, *f); }));
        event.add(m_head, m_command);
    }

    std::vector<std::uint32_t> numbered(text::StackCounts& stacks, const PerfEvent::Frame& frame)
    {
        std::vector<std::uint32_t> numbers;
        for (const auto& step : m_names[frame.java ? 1 : 0][frame.function].steps) {
            text::StackCounts::Frame told{.name = step.name, .kind = step.kind, .inlined = step.inlined, .module = step.module};
            if (frame.module > 0) told.module = m_modules.text(frame.module - 1);
            const auto source = frame.source > 0 ? sourceOf(m_sources.text(frame.source - 1)) : std::nullopt;
            if (source) {
                told.file = source->file;
                told.line = source->line;
            }
            numbers.push_back(stacks.numberOf(told));
        }
        return numbers;
    }

    text::Imported& m_out;
    std::vector<std::unique_ptr<PerfEvent>> m_events; ///< in the order of their coming, until put()
    PerfEvent* m_last = nullptr;
    std::array<FrameNames, 2> m_names; ///< of processes of Java the second
    Interned m_sources, m_modules;
    Head m_head; ///< of the sample that is read, without its texts
    std::string m_command, m_event, m_machine;
    std::vector<PerfEvent::Frame> m_frames; ///< of the sample that is read, the innermost first
    std::size_t m_inlined = 0;              ///< how many of the last ones wait for the function that they are part of
    bool m_isOpen = false, m_isJava = false;
    bool m_hasOwnFrame = false;  ///< in the line of its head
    bool m_followsHead = false;  ///< the sample before had no more lines than its head
    bool m_hasStacks = false;    ///< any sample has frames
    bool m_hasSureHeads = false; ///< one at least has a time, or an event and whose it is
    bool m_isLoose = false;      ///< the heads have other fields
    std::size_t m_doubtful = 0;  ///< the line that is a head if a frame follows it; 0: none
    std::string m_doubtfulLine;
    std::map<std::pair<std::string, std::string>, std::int64_t> m_counts; ///< samples by command and event
    std::map<std::uint32_t, std::uint64_t> m_lost; ///< by CPU: samples for which there was no room when they were taken
};

class Perf final : public text::Importer {
public:
    std::string_view name() const override { return "perf"; }
    std::string_view summary() const override { return "what perf script prints: samples with their stacks, or without"; }

    Guess guess(std::string_view head) const override
    {
        text::Lines lines(head);
        std::string_view line;
        bool afterHead = false;
        int heads = 0;
        for (int i = 0; i < 2000 && lines.next(line); ++i) {
            if (line.starts_with("# ========") || line.starts_with("# captured on")) return Guess::Yes;
            if (line.empty() || line.front() == '#') continue;
            const auto frame = frameOf(line);
            if (isSetAsFrame(line)) return Guess::Yes;
            if (afterHead && frame && (isBlank(line.front()) || frame->hasObject)) return Guess::Yes;
            const auto sample = line.ends_with(')') && line.find(": ") == kNone ? std::nullopt : headOf(line);
            afterHead = sample.has_value();
            heads += sample && isSampleAlone(*sample) ? 1 : 0;
            if (heads > 2) return Guess::Yes;
        }
        return heads > 0 ? Guess::Unknown : Guess::No;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        text::Imported out;
        PerfReader reader(out);
        std::string_view line;
        constexpr std::size_t kOften = 65'536;
        while (lines.next(line)) {
            reader.line(line, lines.number());
            if (lines.number() % kOften == 0) DSCOPE_CHECK(reader.check());
        }
        reader.finish(lines.number());
        if (reader.empty()) return out.nothing("there is no sample in it");
        reader.put();
        return out;
    }

private:
    /// "cpp 17776 453.135558: 5025125 cpu-clock:ppp: 5568637262c6 f+0x1c (/srv/app)": all of a sample in a line.
    static bool isSampleAlone(const Head& head)
    {
        if (head.when == 0 || head.event.empty() || !head.tid) return false;
        const auto frame = frameOf(head.rest);
        return frame && frame->hasObject;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_perf() { return std::make_unique<Perf>(); }
} // namespace dscope::importers
