#include "engine/text/call_times.h"
#include "engine/text/words.h"
namespace dscope::importers {
namespace {
using text::Guess;
using text::kDigits;
using text::trimmed;

/// "[pid 12] 10:20:30.123456 libc.so.6->malloc(24) = 0x5581 <0.000081>": one call of a library.
struct LibraryCall {
    std::string_view process, library, function;
    std::optional<std::int64_t> took; ///< ns, with option -T
};
/// Source: ltrace(1), options -f, -l, -t, -tt, -ttt, -T.
std::optional<LibraryCall> libraryCall(std::string_view line)
{
    LibraryCall out;
    auto rest = trimmed(line);
    if (rest.starts_with("[pid ")) {
        const auto close = rest.find(']');
        if (close == std::string_view::npos) return {};
        out.process = trimmed(rest.substr(5, close - 5));
        rest = trimmed(rest.substr(close + 1));
    } else if (const auto blank = rest.find(' '); blank != std::string_view::npos && text::isDigits(rest.substr(0, blank))) {
        out.process = rest.substr(0, blank); // of a log (-o)
        rest = trimmed(rest.substr(blank));
    }

    if (const auto blank = rest.find(' '); blank != std::string_view::npos && text::clockText(rest.substr(0, blank)))
        rest = trimmed(rest.substr(blank));
    if (rest.starts_with("<... ")) { // "<... malloc resumed> ) = 0x5581"
        const auto end = rest.find(" resumed>");
        if (end == std::string_view::npos) return {};
        out.function = rest.substr(5, end - 5);
    } else {
        const auto open = rest.find('(');
        if (open == std::string_view::npos || open == 0 || rest.substr(0, open).find(' ') != std::string_view::npos) return {};
        if (rest.ends_with("<unfinished ...>")) return LibraryCall{}; // its end has a line of its own
        out.function = rest.substr(0, open);
    }

    if (const auto arrow = out.function.find("->"); arrow != std::string_view::npos) {
        out.library = out.function.substr(0, arrow);
        out.function.remove_prefix(arrow + 2);
    }

    if (rest.ends_with('>')) {
        const auto from = rest.rfind('<');
        out.took = text::clockText(rest.substr(from + 1, rest.size() - from - 2));
    }
    if (!out.took && rest.find(" = ") == std::string_view::npos && rest.find(") =") == std::string_view::npos) return {};
    return out;
}

/// How a process ended, or a signal that it got.
bool isEvent(std::string_view line) { return line.find("+++ ") != line.npos || line.find("--- ") != line.npos; }

class LtraceReader {
public:
    explicit LtraceReader(text::Imported& out) : m_out(out) { }

    void line(std::string_view line, std::size_t number)
    {
        const auto whole = trimmed(line);
        if (whole.empty() || isEvent(whole)) return;
        const auto call = libraryCall(line);
        if (!call) return m_out.misunderstand(number, line);
        if (call->function.empty()) return;
        const std::string name = (call->library.empty() ? "" : std::string(call->library) + '`') + std::string(call->function);
        m_times.count(call->process.empty() ? "[process]" : "pid " + std::string(call->process), name);
        if (call->took) m_times.took(name, *call->took);
    }

    const text::CallTimes& times() const { return m_times; }

private:
    text::Imported& m_out;
    text::CallTimes m_times;
};

class Ltrace final : public text::Importer {
public:
    std::string_view name() const override { return "ltrace"; }
    std::string_view summary() const override { return "logs of ltrace, best with -f -T: calls of libraries and how long they took"; }

    Guess guess(std::string_view head) const override
    {
        // A log of strace looks the same, but for the library before the function.
        text::Lines lines(head);
        std::string_view line;
        int good = 0, bad = 0;
        while (good + bad < 100 && lines.next(line)) {
            if (isEvent(line)) continue;
            const auto call = libraryCall(line);
            if (call && !call->library.empty()) ++good;
            if (!call && !trimmed(line).empty()) ++bad;
        }
        return good > 0 && good > 4 * bad ? Guess::Yes : Guess::No;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        text::Imported out;
        LtraceReader reader(out);
        text::readAll(lines, reader);
        if (reader.times().empty()) return out.nothing("there is no call in it");
        reader.times().put(out, "function");
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_ltrace() { return std::make_unique<Ltrace>(); }
} // namespace dscope::importers
