#include "engine/text/call_summary.h"
#include "engine/text/call_times.h"
#include "engine/text/strace_lines.h"
#include "engine/text/words.h"
#include <algorithm>
#include <array>
namespace dscope::importers {
namespace {
using text::Guess;
using text::trimmed;

/// "[pid 12] 10:20:30.123456 [0x4011e6] libc.so.6->malloc(24) = 0x5581 <0.000081>": one line of a library's calls.
struct LibraryLine {
    std::string_view process, library, function;
    std::optional<std::int64_t> took; ///< ns, with option -T
    bool isEvent = false;             ///< how a process ended, or a signal that it got: no call
    bool isBegun = false;             ///< a call whose end has a line of its own, or that does not return
    bool isResumed = false;           ///< the end of such a call
};

/// Takes "[pid 12] ", "12 ", the time and "[0x4011e6] " off. Source: ltrace(1), options -f, -o, -t, -tt, -ttt, -r, -i, -n.
std::string_view withoutHead(std::string_view line, LibraryLine& out)
{
    auto rest = trimmed(line);
    constexpr std::string_view kPid = "[pid ";
    if (const auto close = rest.find(']'); rest.starts_with(kPid) && close != std::string_view::npos) {
        out.process = trimmed(rest.substr(kPid.size(), close - kPid.size()));
        rest = trimmed(rest.substr(close + 1));
    } else if (const auto blank = rest.find(' '); blank != std::string_view::npos && text::isDigits(rest.substr(0, blank))) {
        out.process = rest.substr(0, blank); // of a log (-o)
        rest = trimmed(rest.substr(blank));
    }
    if (const auto blank = rest.find(' '); blank != std::string_view::npos && text::clockText(rest.substr(0, blank)))
        rest = trimmed(rest.substr(blank));
    if (const auto close = rest.find("] "); rest.starts_with("[0x") && close != std::string_view::npos)
        rest = trimmed(rest.substr(close + 2));
    return rest;
}

/// "libc.so.6->malloc", and of option -x "malloc@libc.so.6".
void nameFunction(LibraryLine& out, std::string_view name)
{
    out.function = name;
    if (const auto arrow = name.find("->"); arrow != std::string_view::npos) {
        out.library = name.substr(0, arrow);
        out.function.remove_prefix(arrow + 2);
    } else if (const auto at = name.find('@'); at != std::string_view::npos && at > 0) {
        out.library = name.substr(at + 1);
        out.function = name.substr(0, at);
    }
}

/// Nothing where a line is none of ltrace's, or ends within a call. Source: ltrace's output.c, version 0.7.3.
std::optional<LibraryLine> libraryLine(std::string_view line)
{
    LibraryLine out;
    const auto rest = withoutHead(line, out);
    out.isEvent = rest.starts_with("+++ ") || rest.starts_with("--- ");
    if (out.isEvent) return out;
    constexpr std::string_view kBegin = "<... ", kResumed = " resumed>";
    std::string whole;
    if (rest.starts_with(kBegin)) { // "<... malloc resumed> ) = 0x5581"
        const auto end = rest.find(kResumed);
        if (end == std::string_view::npos) return {};
        out.isResumed = true;
        nameFunction(out, rest.substr(kBegin.size(), end - kBegin.size()));
        whole = "f(" + std::string(rest.substr(end + kResumed.size()));
    } else {
        const auto open = rest.find('(');
        if (open == std::string_view::npos || open == 0 || rest.substr(0, open).find(' ') != std::string_view::npos) return {};
        nameFunction(out, rest.substr(0, open));
        out.isBegun = rest.ends_with("<unfinished ...>") || rest.ends_with("<no return ...>");
        whole = rest;
    }
    if (out.function.empty()) return {};
    if (out.isBegun) return out;
    const auto call = text::strace::callOf(whole);
    if (!call) return {};
    out.took = call->took;
    return out;
}

class LtraceReader {
public:
    explicit LtraceReader(text::Imported& out) : m_out(out) { }

    void line(std::string_view line, std::size_t number)
    {
        if (trimmed(line).empty() || m_summary.take(line)) return;
        const auto found = libraryLine(line);
        if (!found) return m_out.misunderstand(number, line);
        if (found->isEvent) return;
        const auto process = found->process.empty() ? std::string("[process]") : "pid " + std::string(found->process);
        const auto name = (found->library.empty() ? "" : std::string(found->library) + '`') + std::string(found->function);
        if (found->isBegun) {
            m_begun[process].push_back(name);
            return;
        }
        if (auto& begun = m_begun[process]; found->isResumed && !begun.empty()) begun.pop_back();
        m_times.count(process, name);
        if (found->took) m_times.took(name, *found->took);
    }

    bool empty() const { return m_times.empty() && m_summary.empty() && m_begun.empty(); }

    void put()
    {
        for (const auto& [process, calls] : m_begun) // exit() and what else did not return
            for (const auto& call : calls)
                m_times.count(process, call);
        if (!m_times.empty()) m_times.put(m_out, "function");
        if (!m_summary.empty()) m_summary.put(m_out, nullptr);
    }

private:
    text::Imported& m_out;
    text::CallTimes m_times;
    text::CallSummary m_summary;
    std::map<std::string, std::vector<std::string>> m_begun; ///< by process, the innermost last
};

class Ltrace final : public text::Importer {
public:
    std::string_view name() const override { return "ltrace"; }
    std::string_view summary() const override { return "logs of ltrace, best with -f -T: calls of libraries and how long they took; -c"; }

    Guess guess(std::string_view head) const override
    {
        // A log of strace looks the same, but for the library before the function and for how it spells some results.
        constexpr std::array<std::string_view, 3> kOwn{"<no return ...>", "+++ exited (status ", "= <void>"};
        text::Lines lines(head);
        std::string_view line;
        int good = 0, bad = 0, own = 0;
        while (good + bad < 100 && lines.next(line)) {
            if (trimmed(line).empty()) continue;
            if (text::CallSummary::isLine(line)) {
                own += trimmed(line).ends_with(" function") ? 1 : 0;
                continue;
            }
            const auto found = libraryLine(line);
            const auto hasMark = [&](std::string_view mark) { return line.find(mark) != std::string_view::npos; };
            const bool isSystemCall = found && found->function.starts_with("SYS_");
            if ((found && !found->library.empty()) || isSystemCall || std::any_of(kOwn.begin(), kOwn.end(), hasMark)) ++own;
            (found ? good : bad) += 1;
        }
        return own > 0 && good >= 4 * bad ? Guess::Yes : Guess::No;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        text::Imported out;
        LtraceReader reader(out);
        text::readAll(lines, reader);
        if (reader.empty()) return out.nothing("there is no call in it");
        reader.put();
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_ltrace() { return std::make_unique<Ltrace>(); }
} // namespace dscope::importers
