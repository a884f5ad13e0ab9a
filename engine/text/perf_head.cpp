#include "engine/text/perf_head.h"
#include "engine/text/words.h"
#include <charconv>
#include <tuple>
#include <utility>
namespace dscope::text::perf {
namespace {
constexpr auto kNoPlace = std::string_view::npos;

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
    const auto isId = [](std::string_view id) { return id == "-1" || isDigits(id); };
    return isId(word.substr(0, slash)) && (slash == kNoPlace || isId(word.substr(slash + 1)));
}
void readTask(std::string_view word, Head& head)
{
    const auto slash = word.find('/');
    if (slash != kNoPlace) head.pid = number32(word.substr(0, slash));
    head.tid = number32(slash == kNoPlace ? word : word.substr(slash + 1));
}

/// "4794564.109216": the decimals are micro- or nanoseconds.
std::optional<std::int64_t> perfTime(std::string_view word)
{
    const auto dot = word.find('.');
    if (dot == kNoPlace || !isDigits(word.substr(0, dot)) || !isDigits(word.substr(dot + 1))) return {};
    constexpr std::size_t kDecimals = 9;
    const auto decimals = word.substr(dot + 1);
    const auto seconds = number32(word.substr(0, dot)), fraction = number32(decimals);
    if (!seconds || !fraction || decimals.size() > kDecimals) return {};
    std::int64_t ns = *fraction;
    for (auto digits = decimals.size(); digits < kDecimals; ++digits)
        ns *= 10;
    return *seconds * std::int64_t{1'000'000'000} + ns;
}
void readPeriod(std::string_view digits, Head& head)
{
    head.hasPeriod = true;
    head.isHuge = std::from_chars(digits.data(), digits.data() + digits.size(), head.period).ec != std::errc();
}
/// Whether a text ends with a thread's number or a CPU. One of them comes before the time, unless -F left out both.
bool tellsWhose(std::string_view before)
{
    before = withoutBlanksBehind(before);
    const auto word = takeLastWord(before);
    return isTask(word) || (word.starts_with('[') && word.ends_with(']') && isDigits(word.substr(1, word.size() - 2)));
}
/// Option -F misc.
bool isMisc(std::string_view word) { return word.find_first_not_of("HKUGhMPS") == kNoPlace; }
/// Whether a time follows, so that what came before is in the name of a thread: "dd 17 1.5: 14807 [001] U 1827.885110:".
bool isWithinName(std::string_view behind)
{
    for (auto word = takeFirstWord(behind); !word.empty(); word = takeFirstWord(behind)) {
        if (word.ends_with(':') && perfTime(word.substr(0, word.size() - 1))) return true;
        if (!isTask(word) && !word.starts_with('[') && !isMisc(word)) return false;
    }
    return false;
}
/// Where the time stands in a line: a word that is one, and a colon behind it. What an event tells comes later; the name of a thread,
/// which may hold such a word, too, comes before.
struct TimePlace {
    std::size_t from = 0, to = 0; ///< `to`: behind the colon
    std::int64_t when = 0;
};
/// The first time of a line behind `at`.
std::optional<TimePlace> timeBehind(std::string_view line, std::size_t at)
{
    std::optional<TimePlace> first;
    for (auto dot = line.find('.', at); dot != kNoPlace; dot = line.find('.', dot + 1)) {
        const auto colon = line.find_first_not_of(kDigits, dot + 1);
        if (colon == kNoPlace) break;
        if (line[colon] != ':' || (colon + 1 < line.size() && !isBlank(line[colon + 1]))) continue;
        const auto from = line.find_last_of(kBlanks, dot) + 1;
        const auto when = perfTime(line.substr(from, colon - from));
        if (!when) continue;
        if (isWithinName(line.substr(colon + 1))) continue;
        if (tellsWhose(line.substr(0, from))) return TimePlace{from, colon + 1, *when};
        if (!first) first = TimePlace{from, colon + 1, *when};
    }
    return first;
}

/// "VM: 1234 VCPU:001 " in front of the command, of a sample that was taken in a guest. Source: linux/tools/perf/builtin-script.c,
/// perf_sample__fprintf_start()
void takeMachine(std::string_view& before, Head& head)
{
    if (!before.starts_with("VM:")) return;
    auto rest = before.substr(3);
    const auto process = takeFirstWord(rest);
    if (!isDigits(process)) return;
    head.machine = before.substr(0, before.size() - rest.size());
    if (trimmed(rest).starts_with("VCPU:")) takeFirstWord(rest);
    before = trimmed(rest);
}
/// "java 24636/25607 [000] K ": read from its end, since the name of a thread may hold anything. False: no command is there.
bool readWho(std::string_view before, Head& head)
{
    before = trimmed(before);
    takeMachine(before, head);
    auto left = before;
    auto word = takeLastWord(left);
    if (isMisc(word) && !left.empty()) {
        auto further = left;
        const auto next = takeLastWord(further);
        if (isTask(next) || next.ends_with(']')) {
            left = further;
            word = next;
        }
    }
    if (word.size() > 2 && word.starts_with('[') && word.ends_with(']')) {
        if (const auto cpu = number32(word.substr(1, word.size() - 2))) {
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

std::optional<TimePlace> timeIn(std::string_view line)
{
    auto time = timeBehind(line, 0);
    const auto from = std::min(line.find_first_not_of(kBlanks), line.size());
    // The name of a thread may read like a head, "x 1 1.5: 7 c:", where another one follows.
    for (auto at = time; at && at->to - from <= kLongestCommand;) {
        at = timeBehind(line, at->to);
        Head head;
        if (at && tellsWhose(line.substr(0, at->from)) && readWho(line.substr(0, at->from), head) && head.command.size() <= kLongestCommand)
            time = at;
    }
    return time;
}

/// Reads what follows the time: "5 cycles: rest", "sched:sched_switch: rest", or no event at all.
void readEvent(std::string_view behind, Head& head)
{
    auto rest = behind;
    auto word = takeFirstWord(rest);
    if (isDigits(word)) {
        readPeriod(word, head);
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
    for (auto colon = line.find(':'); colon != kNoPlace; colon = line.find(':', colon + 1)) {
        if (colon + 1 < line.size() && !isBlank(line[colon + 1])) continue;
        const auto from = line.find_last_of(kBlanks, colon) + 1;
        if (from == 0 || from == colon) return {};
        Head head;
        head.event = line.substr(from, colon - from);
        head.rest = line.substr(colon + 1);
        auto before = withoutBlanksBehind(line.substr(0, from));
        auto left = before;
        const auto word = takeLastWord(left);
        if (isDigits(word) && before.size() - left.size() > kPeriodColumns) {
            readPeriod(word, head);
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

/// An address is set to the right in sixteen columns. Source: linux/tools/perf/util/evsel_fprintf.c, sample__fprintf_sym()
constexpr std::size_t kAddressColumns = 16;
/// Where the address and the function begin in the line of a sample without a call chain; npos: nowhere.
std::size_t addressIn(std::string_view line)
{
    std::size_t at = 0;
    for (auto field = fieldBehind(line, at); !field.word.empty(); field = fieldBehind(line, at)) {
        const auto end = field.from + field.word.size();
        if (isHexNumber(field.word) && field.width >= kAddressColumns && !fieldBehind(line, end).word.empty()) return field.from;
        at = end;
    }
    return kNoPlace;
}
} // namespace

std::optional<Head> headOf(std::string_view line)
{
    line = trimmed(line);
    const auto time = timeIn(line);
    if (!time) return untimedHead(line);
    Head head;
    head.when = time->when;
    if (!readWho(line.substr(0, time->from), head)) return {};
    readEvent(line.substr(time->to), head);
    return head;
}

bool tellsTime(std::string_view line) { return timeIn(line).has_value(); }

Head looseHead(std::string_view line)
{
    Head head;
    const auto address = addressIn(line);
    if (address != kNoPlace) head.rest = line.substr(address);
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
    if (isDigits(word) && columns >= kPeriodColumns) {
        readPeriod(word, head);
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
    if (isDigits(who) && left.size() - name.size() < kTaskColumns + (name.empty() ? 0 : 1))
        head.command = trimmed(left);
    else
        readWho(left, head);
    return head;
}

bool isSetAsFrame(std::string_view line) { return line.starts_with('\t') && addressIn(line.substr(1)) != kNoPlace; }

std::string plainEvent(std::string_view event)
{
    constexpr std::string_view kModifiers = "ukhIGHpPSDWebR", kCpu = "cpu/";
    const auto colon = event.rfind(':');
    if (colon != kNoPlace && event.find_first_not_of(kModifiers, colon + 1) == kNoPlace) event = event.substr(0, colon);
    const auto slash = event.rfind('/');
    if (slash != kNoPlace && slash > event.find('/') && event.find_first_not_of(kModifiers, slash + 1) == kNoPlace)
        event = event.substr(0, slash);
    if (event.starts_with(kCpu) && event.find('=') == kNoPlace) event.remove_prefix(kCpu.size());
    return std::string(event);
}
std::string_view ofAllProcessors(std::string_view event)
{
    for (const std::string_view kind : {"cpu_core/", "cpu_atom/", "cpu_lowpower/"})
        if (event.starts_with(kind)) return event.substr(kind.size());
    return {};
}
Meaning meaningOf(std::string_view event, bool hasPeriods)
{
    if (!hasPeriods) return {"samples"};
    if (event.empty()) return {"events"}; // without a name
    if (event == "cpu-clock" || event == "task-clock") return {std::string(record::kCpuTime), record::StackUnit::Time};
    return {std::string(event)};
}
} // namespace dscope::text::perf
