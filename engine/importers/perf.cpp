#include "engine/text/function_names.h"
#include "engine/text/stack_counts.h"
#include "engine/text/stack_times.h"
#include "engine/text/tables.h"
#include "engine/text/words.h"
#include <algorithm>
#include <array>
#include <map>
namespace dscope::importers {
namespace {
using text::Guess;
using text::isBlank;
using text::kBlanks;
using text::kDigits;
using text::kHexDigits;

/// "java 24636/25607 [000] 4794564.109216: 1 cycles:": the command, whose and when it is, the event and the period of a sample.
struct Head {
    std::string_view command, event;
    std::optional<std::uint32_t> pid, tid, cpu;
    std::int64_t when = 0; ///< ns; 0: not told
    std::int64_t period = 1;
    bool hasPeriod = false;
};
std::optional<std::uint32_t> numberOf(std::string_view digits)
{
    std::uint32_t number = 0;
    const auto end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, number);
    return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
}
/// "24636/25607" or, of the thread alone, "25607".
void readTask(std::string_view ids, Head& head)
{
    const auto slash = ids.find('/');
    if (slash != std::string_view::npos) head.pid = numberOf(ids.substr(0, slash));
    head.tid = numberOf(slash == std::string_view::npos ? ids : ids.substr(slash + 1));
}
/// " [000] 4794564.109216": either may be missing. The decimals are micro- or nanoseconds.
void readPlace(std::string_view text, Head& head)
{
    while (!(text = text::trimmed(text)).empty()) {
        const auto word = text.substr(0, text.find_first_of(kBlanks));
        text.remove_prefix(word.size());
        if (word.starts_with('[') && word.ends_with(']')) head.cpu = numberOf(word.substr(1, word.size() - 2));
        const auto dot = word.find('.');
        if (dot == std::string_view::npos) continue;
        const auto decimals = word.substr(dot + 1);
        const auto seconds = numberOf(word.substr(0, dot)), fraction = numberOf(decimals);
        if (!seconds || !fraction || decimals.size() > 9) continue;
        std::int64_t ns = *fraction;
        for (auto digits = decimals.size(); digits < 9; ++digits)
            ns *= 10;
        head.when = *seconds * std::int64_t{1'000'000'000} + ns;
    }
}
std::optional<Head> headOf(std::string_view line)
{
    // The command, which may hold blanks, ends before the first number that stands alone (or pid/tid).
    Head head;
    std::size_t at = 1, behindIds = 0;
    for (;; ++at) {
        at = line.find_first_of(kBlanks, at);
        if (at == std::string_view::npos) return {};
        const auto number = line.find_first_not_of(kBlanks, at);
        if (number == std::string_view::npos) return {};
        auto end = line.find_first_not_of(kDigits, number);
        if (end == number || end == std::string_view::npos) continue;
        if (line[end] == '/') end = line.find_first_not_of("0123456789/", end);
        if (end == std::string_view::npos || !isBlank(line[end])) continue;
        readTask(line.substr(number, end - number), head);
        behindIds = end;
        break;
    }
    readPlace(line.substr(behindIds, line.find(':', behindIds) - behindIds), head);

    head.command = line.substr(0, at);
    const auto last = line.find_last_not_of(kBlanks);
    if (line[last] == ':') { // "...: period event:"
        const auto from = line.find_last_of(kBlanks, last);
        head.event = line.substr(from + 1, last - from - 1);
        const auto colon = line.rfind(':', from);
        if (colon != std::string_view::npos) {
            const auto number = line.find_first_not_of(kBlanks, colon + 1);
            if (number < from) head.hasPeriod = std::from_chars(line.data() + number, line.data() + from, head.period).ec == std::errc();
            if (head.period <= 0) head.period = 1;
        }
    }
    return head;
}

/// Behind the time of what is no sample. Source: linux/tools/perf/util/event.c, perf_event__names
constexpr std::string_view kNoSample = " PERF_RECORD_";

/// What the periods of an event's samples sum up to.
struct Meaning {
    std::string noun;
    record::StackUnit unit = record::StackUnit::Count;
};
/// "cycles:ppp" counts cycles; cpu-clock and task-clock count nanoseconds; without periods there are as many as samples.
/// Source: linux/tools/perf/Documentation/perf-list.txt for the modifiers behind a colon; perf_event_open(2) for the clocks.
Meaning meaningOf(std::string_view event, bool hasPeriods)
{
    constexpr std::string_view kModifiers = "ukhIGHpPSDWe";
    const auto colon = event.rfind(':');
    if (colon != std::string_view::npos && event.find_first_not_of(kModifiers, colon + 1) == std::string_view::npos)
        event = event.substr(0, colon);
    if (event.empty() || !hasPeriods) return {"samples"};
    if (event == "cpu-clock" || event == "task-clock") return {std::string(record::kCpuTime), record::StackUnit::Time};
    return {std::string(event)};
}

/// "    7f722d142778 func+0x12 (/lib/libc.so.6)": its function and its object.
struct Line {
    std::string_view function, object;
};
std::optional<Line> frameOf(std::string_view line)
{
    const auto from = line.find_first_not_of(kBlanks);
    if (from == std::string_view::npos) return {};
    const auto end = line.find_first_not_of(kHexDigits, from);
    if (end == from || end == std::string_view::npos || !isBlank(line[end])) return {};
    const auto close = line.rfind(')');
    // Source: linux/fs/d_path.c, __d_path(): what stands behind the name of a file that is gone.
    constexpr std::string_view kGone = " (deleted)";
    const auto named = line.substr(0, std::min(close, line.size()));
    const bool isGone = named.ends_with(kGone);
    const auto open = named.substr(0, named.size() - (isGone ? kGone.size() : 0)).rfind(" (");
    if (close == std::string_view::npos || open == std::string_view::npos || open < end || close < open) return {};
    const auto name = line.find_first_not_of(kBlanks, end);
    const auto object = line.substr(open + 2, close - open - 2 - (isGone ? kGone.size() : 0));
    if (name >= open) return Line{{}, object};
    return Line{line.substr(name, open - name), object};
}

/// Stands in the place of the object. Source: linux/tools/perf/util/evsel_fprintf.c, sample__fprintf_callchain()
constexpr std::string_view kInlined = "inlined";

/// "libc.so.6`" of "/usr/lib/x86_64-linux-gnu/libc.so.6": what stands before a function, as in stacks of D; empty: no file is known.
std::string moduleOf(std::string_view object)
{
    if (object.starts_with('[') || object.starts_with("//") || object.empty()) return {}; // [unknown], //anon
    return std::string(object.substr(object.rfind('/') + 1)) + '`';
}

/// Whose code an object is. Source: perf-script(1) names modules of the kernel "[ext4]"; linux/tools/perf/util/map.c and dso.c for the
/// others.
record::Frame::Kind kindOf(std::string_view object)
{
    using Kind = record::Frame::Kind;
    constexpr std::array<std::string_view, 8> kOfProcesses{
        "[unknown]", "[vdso", "[vsyscall]", "[vvar", "[heap]", "[stack", "[anon", "[uprobes]"};
    const auto name = object.substr(object.rfind('/') + 1);
    const auto isPart = [&](std::string_view begin, std::string_view end) { return name.starts_with(begin) && name.ends_with(end); };
    if (object.starts_with("[JIT") || isPart("perf-", ".map") || isPart("jitted-", ".so")) return Kind::Jit;
    if (std::any_of(kOfProcesses.begin(), kOfProcesses.end(), [&](auto begin) { return object.starts_with(begin); })) return Kind::Unknown;
    return object.starts_with('[') || object.ends_with("vmlinux") ? Kind::Kernel : Kind::Unknown;
}

/// Without what only makes two of one: parameters, quotes, the mark of a class of Java.
std::string tidied(std::string_view function, bool java)
{
    std::string out;
    out.reserve(function.size());
    for (const char c : text::withoutParameters(function)) {
        if (c == '>' && out.ends_with('.')) out.back() = '-'; // Rust's arrow, as perf reads rustc's legacy symbols
        const bool isLiteral = c == '"' && (out.ends_with("operator") || out.ends_with("operator\"")); // the sign of one in C++
        if ((c != '"' && c != '\'') || isLiteral) out += c;
    }
    if (java && out.starts_with('L') && out.find('/') != std::string::npos) out.erase(0, 1);
    return out;
}

class PerfReader {
public:
    explicit PerfReader(text::Imported& out) : m_out(out) { }

    void line(std::string_view line, std::size_t number)
    {
        if (line.starts_with('#')) return comment(line);
        if (line.empty()) return end();
        if (const auto at = line.find(kNoSample); at != std::string_view::npos) return noSample(line, at);
        if (!isBlank(line.front())) {
            if (const auto head = headOf(line)) return begin(*head);
            if (isFrame(line) && m_open) return;
        } else if (isFrame(line)) {
            return;
        } else if (!m_open) {
            if (const auto from = line.find_first_not_of(kBlanks); from != std::string_view::npos)
                if (const auto head = headOf(line.substr(from))) return begin(*head); // a short command is set to the right
        }
        if (line.find_first_not_of(kBlanks) != std::string_view::npos) m_out.misunderstand(number, line);
    }

    void end()
    {
        if (!m_open) return;
        placeInlined({});
        m_open = false;
        m_stacks.frame(m_command);
        for (auto f = m_frames.rbegin(); f != m_frames.rend(); ++f)
            for (const auto step : m_seen[m_java].frames[*f].steps)
                m_stacks.frame(step);
        const auto stack = m_stacks.add(m_head.period);
        if (m_head.when > 0)
            m_times.add(m_head.when, {m_execname, m_head.pid, m_head.tid, m_head.cpu}, stack, m_head.period, m_isTime ? 1 : m_head.period);
        m_frames.clear();
    }

    /// An empty line ends a sample: without one the text was cut within its last.
    void finish(std::size_t number)
    {
        if (!m_open) return;
        m_out.misunderstand(number, "the text ends within a sample, which is not counted");
        m_open = false;
    }

    bool empty() const { return m_stacks.empty(); }
    void put()
    {
        const auto is = meaning();
        auto numbered = m_stacks.takeNumbered(is.noun, is.unit);
        m_out.add(std::move(numbered.stacks));
        m_times.put(m_out, is.unit == record::StackUnit::Time ? "samples" : is.noun, numbered.lines);
        for (const auto& [cpu, count] : m_lost)
            m_out.records.emplace_back(record::Drop{record::Drop::Kind::Principal, cpu, count});
        std::size_t samples = 0;
        std::string names;
        for (const auto& [event, count] : m_others) {
            samples += count;
            names += (names.empty() ? "" : ", ") + (event.empty() ? std::string("without a name") : event);
        }
        if (samples == 0) return;
        m_out.warn(std::to_string(samples) + (samples == 1 ? " sample" : " samples") + " of other events than " + m_event
            + (samples == 1 ? " is" : " are") + " left out, for they do not add up with it: " + names
            + "; record each alone (perf record -e) to see it");
    }

private:
    Meaning meaning() const { return meaningOf(m_event, m_hasPeriods); }

    /// Whether a line is a frame; of a sample that counts it becomes the next one.
    bool isFrame(std::string_view line)
    {
        auto& seen = m_seen[m_java];
        auto number = seen.lines.find(line);
        if (!number) {
            const auto frame = frameOf(line);
            if (!frame) return false;
            number = seen.lines.of(line);
            // The object of an inlined function is that of the function which it is part of: the next one.
            const bool isInlined = frame->object == kInlined;
            seen.frames.push_back({isInlined ? std::vector<std::uint32_t>() : numbered(stepsOf(frame->function, frame->object)),
                std::string(frame->object), isInlined});
        }
        if (!m_open) return true;
        if (seen.frames[*number].isInlined)
            ++m_inlined;
        else if (m_inlined > 0)
            placeInlined(std::string(seen.frames[*number].object)); // a copy: the table grows
        m_frames.push_back(*number);
        return true;
    }

    /// The last frames are inlined into a function of that object.
    void placeInlined(const std::string& object)
    {
        auto& seen = m_seen[m_java];
        for (; m_inlined > 0; --m_inlined) {
            auto& frame = m_frames[m_frames.size() - m_inlined];
            const std::string line(seen.lines.text(frame));
            frame = seen.lines.of(line + '\n' + object);
            if (frame < seen.frames.size()) continue;
            const auto module = kindOf(object) == record::Frame::Kind::Unknown ? moduleOf(object) : std::string();
            const auto name = module + tidied(text::withoutOffset(frameOf(line)->function), m_java);
            seen.frames.push_back({numbered({{name, record::Frame::Kind::Unknown, true}}), {}, false});
        }
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
        end();
        constexpr std::string_view kLost = " lost ";
        const auto lost = line.find(kLost, at);
        if (lost == std::string_view::npos) return;
        const auto head = headOf(line.substr(std::min(line.find_first_not_of(kBlanks), at)));
        const auto count = text::leadingInteger(line.substr(lost + kLost.size())).value_or(0);
        if (count > 0) m_lost[head ? head->cpu.value_or(0) : 0] += static_cast<std::uint64_t>(count);
    }

    void begin(const Head& head)
    {
        end();
        // Cycles and page faults don't add up: the first kind of event is the one that is shown.
        if (m_event.empty()) m_event = head.event;
        if (head.event != m_event) {
            ++m_others[std::string(head.event)];
            return;
        }
        m_open = true;
        if (!m_hasPeriods) {
            m_hasPeriods = head.hasPeriod;
            m_isTime = meaning().unit == record::StackUnit::Time;
        }
        m_head = head;
        m_execname = head.command;
        m_command = head.command;
        for (auto& c : m_command)
            if (c == ' ') c = '_';
        m_java = m_command.starts_with("java");
    }

    struct Step {
        std::string name;
        record::Frame::Kind kind = record::Frame::Kind::Unknown;
        bool inlined = false;
    };

    std::vector<std::uint32_t> numbered(const std::vector<Step>& steps)
    {
        std::vector<std::uint32_t> numbers;
        for (const auto& [name, kind, inlined] : steps)
            numbers.push_back(m_stacks.numberOf({name, kind, inlined}));
        return numbers;
    }

    /// In generated code of Java what was inlined into a method follows it.
    std::vector<Step> stepsOf(std::string_view symbol, std::string_view object) const
    {
        const auto function = text::withoutOffset(symbol);
        if (function.starts_with('(') && function.find(')') == function.size() - 1) return {}; // the name of a process
        if (function.empty()) return {{" "}}; // generated code without a name keeps its place
        const auto kind = kindOf(object);
        if (function == "[unknown]") { // its name is that of its object
            const auto name = object == "[unknown]" ? std::string_view("unknown") : object.substr(object.rfind('/') + 1);
            return {{'[' + std::string(name) + ']', kind}};
        }

        const auto module = kind == record::Frame::Kind::Unknown ? moduleOf(object) : std::string();
        std::vector<Step> steps;
        for (const auto method :
            kind == record::Frame::Kind::Jit || m_java ? text::javaMethods(function) : std::vector<std::string_view>{function}) {
            const bool inlined = !steps.empty();
            steps.push_back({module + tidied(method, m_java), inlined ? record::Frame::Kind::Unknown : kind, inlined});
        }
        return steps;
    }

    text::Imported& m_out;
    text::StackCounts m_stacks;
    bool m_open = false, m_java = false, m_hasPeriods = false, m_isTime = false;
    Head m_head; ///< without its texts
    std::string m_command, m_execname, m_event;
    text::StackTimes m_times;
    std::map<std::string, std::size_t> m_others;   ///< samples of other events
    std::map<std::uint32_t, std::uint64_t> m_lost; ///< by CPU: samples for which there was no room when they were taken
    /// Lines of frames that were seen, and the frames that each gives. Samples of Java have a table of their own: they are read
    /// in another way.
    struct Seen {
        struct Frames {
            std::vector<std::uint32_t> steps;
            std::string object;
            bool isInlined; ///< its object is not known
        };
        Interned lines;       ///< of an inlined function, behind it the object that it is in
        std::vector<Frames> frames; ///< by number of the line
    };
    std::array<Seen, 2> m_seen;
    std::vector<std::uint32_t> m_frames; ///< of the sample that is read: numbers of lines, the innermost first
    std::size_t m_inlined = 0;           ///< how many of the last ones wait for the function that they are part of
};

class Perf final : public text::Importer {
public:
    std::string_view name() const override { return "perf"; }
    std::string_view summary() const override { return "what perf script prints: samples with their stacks"; }

    Guess guess(std::string_view head) const override
    {
        text::Lines lines(head);
        std::string_view line;
        bool afterHead = false;
        for (int i = 0; i < 2000 && lines.next(line); ++i) {
            if (line.starts_with("# ========") || line.starts_with("# captured on")) return Guess::Yes;
            if (line.empty() || line.front() == '#') continue;
            if (afterHead && isBlank(line.front()) && frameOf(line)) return Guess::Yes;
            const auto from = line.find_first_not_of(kBlanks);
            afterHead = from != std::string_view::npos && !line.ends_with(')') && headOf(line.substr(from)).has_value();
        }
        return Guess::No;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        text::Imported out;
        PerfReader reader(out);
        text::readAll(lines, reader);
        reader.finish(lines.number());
        if (reader.empty()) return out.nothing("there is no sample in it");
        reader.put();
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_perf() { return std::make_unique<Perf>(); }
} // namespace dscope::importers
