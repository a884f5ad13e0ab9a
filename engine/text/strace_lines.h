#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
/// The lines of strace's logs. Source: strace(1); strace's src/strace.c, printleader(), and src/syscall.c, syscall_exiting_trace(),
/// versions 6.1 to 7.2.
namespace dscope::text::strace {
constexpr std::int64_t kSecond = 1'000'000'000; ///< in ns
/// "0.000123" in nanoseconds, of which less than one is left out. Nothing where it is no number, or more than an hour of days can be.
std::optional<std::int64_t> seconds(std::string_view text);
/// A process's number, of 1 to 2^22. Source: linux/include/linux/threads.h, PID_MAX_LIMIT
std::optional<std::uint32_t> processNumber(std::string_view digits);
/// When a line was written.
struct Stamp {
    enum class Kind : std::uint8_t {
        OfDay,    ///< -t, -tt: since midnight
        Number,   ///< -ttt: since 1970
        Relative, ///< -r: since the line before
    } kind = Kind::OfDay;
    std::int64_t at = 0; ///< ns
};
/// What stands before the event that a line tells.
struct Head {
    std::optional<std::uint32_t> pid;
    std::string_view command;   ///< of -Y and --decode-pids=comm, as it is spelled; else empty
    std::optional<Stamp> stamp; ///< of two (-tt -r) the one that is not relative
    std::string_view event;     ///< the rest: "close(3) = 0", "+++ exited with 0 +++"
};
/// Of -f, -t, -tt, -ttt, -r, -n, -i, -Y, --decode-pids and --secontext, each alone or together, in a file or on standard error.
/// Where nothing of it is there, all is the event.
Head headOf(std::string_view line);
/// "close(3) = 0", "<... close resumed>", "+++ exited with 0 +++", "--- SIGCHLD ...", "[ Process PID=7 runs in 32 bit mode. ]".
bool isEvent(std::string_view text);
/// What strace says itself among the lines, which may stand within another: "clone(strace: Process 7 attached".
struct Message {
    enum class Kind : std::uint8_t { Attached, Detached, Other } kind = Kind::Other;
    std::uint32_t pid = 0, threads = 1; ///< of Attached and Detached
    std::string_view before;            ///< what stands before it: the beginning of a line whose rest follows
};
std::optional<Message> messageIn(std::string_view line);
/// A call that returned: "openat(AT_FDCWD, "a = b") = 3</tmp/a> <0.000010>".
struct Call {
    std::string_view name, arguments; ///< arguments: from behind the parenthesis to the end of the line
    std::string_view result;          ///< "3</tmp/a>", "-1 ENOENT (No such file or directory)", "?"; without the time
    std::optional<std::int64_t> took; ///< ns, with option -T
};
/// Nothing where the line ends within the call: before its parenthesis closes, before its result, or within the time behind it.
std::optional<Call> callOf(std::string_view event);
/// The number of the process that a call gave: "101", "101<make>", "2 /* 101 in strace's PID NS */". Nothing where it gave none.
std::optional<std::uint32_t> processIn(std::string_view result);
/// The text of a C string literal at `at`, which is moved behind it; "..." behind it says that it was cut.
std::optional<std::string> quoted(std::string_view text, std::size_t& at);
/// A command's name as -Y spells it, with its escapes undone.
std::string unescaped(std::string_view spelled);
/// Without what colours it (--color=always). `kept` holds the text where there were colours.
std::string_view withoutColours(std::string_view line, std::string& kept);
} // namespace dscope::text::strace
