#include "engine/text/strace_lines.h"
#include "engine/text/words.h"
#include <algorithm>
namespace dscope::text::strace {
namespace {
constexpr auto kNone = std::string_view::npos;
constexpr std::string_view kNames = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
bool isOfName(char c) { return kNames.find(c) != kNone; }

/// "12:34:56", "12:34:56.789012".
std::optional<std::int64_t> timeOfDay(std::string_view word)
{
    if (word.size() < 8 || word[2] != ':' || word[5] != ':') return {};
    if (!isDigits(word.substr(0, 2)) || !isDigits(word.substr(3, 2))) return {};
    const auto hours = integer(word.substr(0, 2)), minutes = integer(word.substr(3, 2));
    const auto rest = seconds(word.substr(6));
    if (!hours || !minutes || *hours > 23 || *minutes > 59 || !rest || *rest > 61 * kSecond) return {};
    return (*hours * 3600 + *minutes * 60) * kSecond + *rest;
}

/// Takes the first `count` characters off, and the blank behind them.
void consume(std::string_view& rest, std::size_t count)
{
    rest.remove_prefix(std::min(count, rest.size()));
    if (rest.starts_with(' ')) rest.remove_prefix(1);
}

/// "[  59] ", "[00007f4f90373ad7] ", "[unconfined_t] ": the number of the call, where it is, whose it is.
bool takeBracket(std::string_view& rest)
{
    if (!rest.starts_with('[') || rest.starts_with("[ Process PID=") || rest.starts_with("[pid ")) return false;
    const auto close = rest.find_first_of("][", 1);
    if (close == kNone || rest[close] != ']' || close + 1 >= rest.size() || rest[close + 1] != ' ') return false;
    consume(rest, close + 1);
    return true;
}

/// " (+     0.000123) ", behind another time. A number that cannot be one is taken all the same.
bool takeBesideTime(std::string_view& rest, Head& head)
{
    if (!rest.starts_with("(+")) return false;
    const auto close = rest.find(')');
    if (close == kNone) return false;
    const auto since = seconds(trimmed(rest.substr(2, close - 2)));
    if (!since) return false;
    if (!head.stamp) head.stamp = Stamp{Stamp::Kind::Relative, *since};
    consume(rest, close + 1);
    return true;
}

/// A time since the line before is set to the right, in six places before its point; one since 1970 is not.
bool takeTime(std::string_view& rest, Head& head)
{
    const auto from = rest.find_first_not_of(' ');
    if (from == kNone || head.stamp) return false;
    const auto end = rest.find(' ', from);
    if (end == kNone) return false;
    const auto word = rest.substr(from, end - from);
    if (const auto at = from == 0 ? timeOfDay(word) : std::nullopt) {
        head.stamp = Stamp{Stamp::Kind::OfDay, *at};
    } else {
        if (word.find_first_not_of("0123456789.") != kNone) return false;
        const auto number = seconds(word);
        constexpr std::size_t kPadded = 6; // of a whole number; one with decimals is surely a time
        constexpr std::int64_t kFirst = 1'000'000'000 * kSecond, kLast = 4'200'000'000 * kSecond; // 2001 to 2103
        const bool isWhole = word.find('.') == kNone;                                             // precision:s
        const bool isPadded = from > 0 && (!isWhole || word.size() + from >= kPadded);
        if (!number || (from > 0 && !isPadded) || (isWhole && !isPadded && (*number < kFirst || *number > kLast))) return false;
        head.stamp = Stamp{isPadded ? Stamp::Kind::Relative : Stamp::Kind::Number, *number};
    }
    consume(rest, end);
    return true;
}

/// "[pid  101] ", "[pid  101<make>] ", "101   ", "101<make> ".
bool takeProcess(std::string_view& rest, Head& head)
{
    constexpr std::string_view kPid = "[pid ";
    constexpr std::size_t kPadded = 5; ///< places that a number has at least where it begins a line
    auto text = rest;
    const bool isInBrackets = text.starts_with(kPid);
    if (isInBrackets) text = text.substr(std::min(text.find_first_not_of(' ', kPid.size()), text.size()));
    const auto end = std::min(text.find_first_not_of(kDigits), text.size());
    const auto pid = processNumber(text.substr(0, end));
    if (!pid || end == text.size()) return false;
    text.remove_prefix(end);

    if (text.starts_with('<')) {
        const auto close = text.find(isInBrackets ? ">] " : "> "); // a name may hold such a sign, too
        if (close == kNone) return false;
        head.command = text.substr(1, close - 1);
        text.remove_prefix(close + 1);
    }
    if (isInBrackets ? !text.starts_with("] ") : !text.starts_with(' ')) return false;
    std::size_t blanks = isInBrackets ? 2 : 1;
    if (!isInBrackets && head.command.empty())
        while (end + blanks <= kPadded && blanks < text.size() && text[blanks] == ' ')
            ++blanks;
    rest = text.substr(blanks);
    head.pid = pid;
    return true;
}

/// Behind "</tmp/a>", "<TCP:[127.0.0.1:1->127.0.0.1:2]>", "</dev/tty<char 5:0>>", which begins at `at`; `at`: it does not close.
std::size_t behindAngles(std::string_view s, std::size_t at)
{
    int angles = 0, brackets = 0;
    for (std::size_t i = at; i < s.size(); ++i) {
        if (s[i] == '[') ++brackets;
        if (s[i] == ']' && brackets > 0) --brackets;
        if (brackets > 0) continue;
        if (s[i] == '<') ++angles;
        if (s[i] == '>' && --angles == 0) return i + 1;
    }
    return at;
}

/// Behind the string that begins at `at`.
std::size_t behindString(std::string_view s, std::size_t at)
{
    for (std::size_t i = at + 1; i < s.size(); ++i) {
        if (s[i] == '\\')
            ++i;
        else if (s[i] == '"')
            return i + 1;
    }
    return s.size();
}

/// Behind the parenthesis that closes the one at `open`; kNone: none does.
std::size_t behindArguments(std::string_view s, std::size_t open)
{
    int depth = 0;
    for (std::size_t i = open; i < s.size();) {
        const char c = s[i];
        if (c == '"') {
            i = behindString(s, i);
            continue;
        }
        if (s.substr(i).starts_with("/*")) {
            const auto end = s.find("*/", i + 2);
            i = end == kNone ? s.size() : end + 2;
            continue;
        }
        if (c == '<' && i > open && isOfName(s[i - 1]) && !s.substr(i).starts_with("<<")) {
            i = std::max(behindAngles(s, i), i + 1);
            continue;
        }
        if (c == '(' || c == '[' || c == '{') ++depth;
        if ((c == ')' || c == ']' || c == '}') && --depth == 0) return i + 1;
        ++i;
    }
    return kNone;
}

/// Where "= 3" begins whose "(...)" opens at `open`; kNone: nowhere.
std::size_t resultAt(std::string_view s, std::size_t open)
{
    if (const auto behind = behindArguments(s, open); behind != kNone) {
        const auto at = s.find_first_not_of(' ', behind);
        if (at != kNone && s.substr(at).starts_with("= ") && s[behind - 1] == ')') return at;
    }
    // What a name of a file or the traced program itself has put between may look like parentheses.
    for (auto at = s.rfind(" = "); at != kNone && at > open; at = s.rfind(" = ", at - 1))
        if (trimmed(s.substr(0, at)).ends_with(')')) return at + 1;
    return kNone;
}

std::size_t behindDigits(std::string_view s, std::size_t at) { return std::min(s.find_first_not_of(kDigits, at), s.size()); }
} // namespace

std::optional<std::int64_t> seconds(std::string_view text)
{
    constexpr std::int64_t kMost = INT64_MAX / kSecond - 3;
    const auto dot = text.find('.');
    if (!isDigits(text.substr(0, dot))) return {};
    const auto whole = integer(text.substr(0, dot));
    if (!whole || *whole > kMost) return {};
    std::int64_t fraction = 0, unit = kSecond / 10;
    for (const char c : dot == kNone ? std::string_view() : text.substr(dot + 1)) {
        if (c < '0' || c > '9') return {};
        fraction += (c - '0') * unit;
        unit /= 10;
    }
    return *whole * kSecond + fraction;
}

std::optional<std::uint32_t> processNumber(std::string_view digits)
{
    constexpr std::int64_t kMost = std::int64_t{1} << 22;
    const auto number = isDigits(digits) ? integer(digits) : std::nullopt;
    return number && *number > 0 && *number <= kMost ? std::optional(static_cast<std::uint32_t>(*number)) : std::nullopt;
}

Head headOf(std::string_view line)
{
    Head head;
    auto rest = line;
    takeProcess(rest, head);
    constexpr int kMostParts = 5; // a context, two times, the number of the call, an address
    for (int i = 0; i < kMostParts; ++i)
        if (!takeBracket(rest) && !takeBesideTime(rest, head) && !takeTime(rest, head)) break;
    head.event = rest.size() == line.size() ? rest : trimmed(rest);
    return head;
}

bool isEvent(std::string_view text)
{
    if (text.starts_with("+++ ") || text.starts_with("--- ") || text.starts_with("<... ") || text.starts_with("[ Process PID="))
        return true;
    const auto open = text.find('(');
    if (open == kNone || open == 0) return false;
    const auto name = text.substr(0, open);
    return name == "????" || (name.find_first_not_of(kNames) == kNone && !isDigits(name.substr(0, 1)));
}

std::optional<Message> messageIn(std::string_view line)
{
    constexpr std::string_view kWho = "strace: ", kProcess = "Process ";
    Message out;
    for (auto at = line.find(kProcess); at != kNone; at = line.find(kProcess, at + 1)) {
        const auto digits = at + kProcess.size(), end = behindDigits(line, digits);
        const auto pid = processNumber(line.substr(digits, end - digits));
        const auto what = line.substr(end);
        const bool isAttached = what.starts_with(" attached"), isDetached = what == " detached";
        if (!pid || !(isAttached || isDetached)) continue;
        constexpr std::string_view kWith = " attached with ", kThreads = " threads", kWaiting = " attached (waiting for parent)";
        if (what.starts_with(kWith) && what.ends_with(kThreads) && what.size() > kWith.size() + kThreads.size()) {
            const auto threads = processNumber(what.substr(kWith.size(), what.size() - kWith.size() - kThreads.size()));
            if (!threads) continue;
            out.threads = *threads;
        } else if (isAttached && what != " attached" && what != kWaiting) {
            continue;
        }
        out.kind = isAttached ? Message::Kind::Attached : Message::Kind::Detached;
        out.pid = *pid;
        out.before = line.substr(0, at);
        if (out.before.ends_with(kWho)) out.before.remove_suffix(kWho.size());
        if (out.before == "^C") out.before = {}; // as a terminal shows it
        if (out.before.ends_with('/')) // "/usr/bin/strace: ": up to the first of the slashes that follow one another
            out.before = out.before.substr(0, std::min(out.before.find('/', out.before.find_last_of(" |(") + 1), out.before.size()));
        return out;
    }
    const auto who = line.substr(0, line.find(' '));
    if (!who.ends_with("strace:") || line.size() == who.size() || !(who == "strace:" || who.starts_with('/'))) return {};
    return out;
}

std::optional<Call> callOf(std::string_view event)
{
    const auto open = event.find('(');
    if (open == kNone) return {};
    const auto at = resultAt(event, open);
    if (at == kNone) return {};
    Call out{event.substr(0, open), event.substr(open + 1), trimmed(event.substr(at + 1)), {}};
    if (out.result.empty()) return {};

    const auto from = out.result.rfind('<'), to = out.result.rfind('>');
    if (from != kNone && (to == kNone || to < from)) return {};
    if (from == kNone || from == 0 || to + 1 != out.result.size() || out.result[from - 1] != ' ') return out;
    out.took = seconds(out.result.substr(from + 1, to - from - 1));
    if (out.took) out.result = trimmed(out.result.substr(0, from));
    return out;
}

std::optional<std::uint32_t> processIn(std::string_view result)
{
    constexpr std::string_view kForStrace = " in strace's PID NS";
    if (const auto at = result.find(kForStrace); at != kNone) {
        const auto blank = result.rfind(' ', at - 1);
        return at == 0 || blank == kNone ? std::nullopt : processNumber(result.substr(blank + 1, at - blank - 1));
    }
    return processNumber(result.substr(0, behindDigits(result, 0)));
}

std::optional<std::string> quoted(std::string_view s, std::size_t& at)
{
    if (at >= s.size() || s[at] != '"') return {};
    const auto end = behindString(s, at);
    const bool isClosed = end > at + 1 && s[end - 1] == '"';
    auto out = unescaped(s.substr(at + 1, end - at - (isClosed ? 2 : 1)));
    at = end;
    if (s.substr(at).starts_with("...")) {
        out += "\u2026";
        at += 3;
    }
    return out;
}

std::string unescaped(std::string_view s)
{
    constexpr std::string_view kFrom = "nrtvf", kTo = "\n\r\t\v\f", kOctal = "01234567", kHex = "0123456789abcdefABCDEF";
    const auto value = [](std::string_view digits, int base) {
        unsigned number = 0;
        std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
        return static_cast<char>(number);
    };
    std::string out;
    for (std::size_t i = 0; i < s.size();) {
        if (s[i] != '\\' || i + 1 >= s.size()) {
            out += s[i++];
            continue;
        }
        const auto at = i + 1;
        const auto octal = std::min({s.find_first_not_of(kOctal, at), s.size(), at + 3});
        const auto hex = std::min({s.find_first_not_of(kHex, at + 1), s.size(), at + 3});
        i = at + 1;
        if (octal > at) {
            out += value(s.substr(at, octal - at), 8);
            i = octal;
        } else if (s[at] == 'x' && hex > at + 1) {
            out += value(s.substr(at + 1, hex - at - 1), 16);
            i = hex;
        } else {
            const auto known = kFrom.find(s[at]);
            out += known == kNone ? s[at] : kTo[known];
        }
    }
    return out;
}

std::string_view withoutColours(std::string_view line, std::string& kept)
{
    constexpr char kEscape = '\x1b';
    if (line.find(kEscape) == kNone) return line;
    kept.clear();
    for (std::size_t i = 0; i < line.size();) {
        if (line[i] != kEscape) {
            kept += line[i++];
            continue;
        }
        const auto end = line.find_first_not_of("[0123456789;", i + 1);
        i = end == kNone ? line.size() : end + 1;
    }
    return kept;
}
} // namespace dscope::text::strace
