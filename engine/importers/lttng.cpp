#include "engine/text/call_times.h"
#include "engine/text/words.h"
#include <optional>
namespace dscope::importers {
namespace {
using text::Guess;
using text::trimmed;

/// "[17:43:24.123456789] (+0.000000123) host syscall_entry_openat: { cpu_id = 1 }, { procname = "ls", tid = 12 }, { ... }".
struct LttngEvent {
    std::string_view event, fields;
    std::int64_t when = 0;
};
/// Source: babeltrace2-sink.text.pretty(7), "Output format".
std::optional<LttngEvent> lttngEvent(std::string_view line)
{
    LttngEvent out;
    if (!line.starts_with('[')) return {};
    const auto close = line.find(']');
    if (close == std::string_view::npos) return {};
    auto stamp = line.substr(1, close - 1);
    if (const auto blank = stamp.rfind(' '); blank != std::string_view::npos) stamp = stamp.substr(blank + 1); // with --clock-date
    const auto when = text::clockText(stamp);
    const auto brace = line.find(": {");
    if (!when || brace == std::string_view::npos || brace < close) return {};
    const auto from = line.rfind(' ', brace);
    if (from == std::string_view::npos || from < close) return {};
    out.when = *when;
    out.event = line.substr(from + 1, brace - from - 1);
    out.fields = line.substr(brace + 2);
    return out;
}
/// What a field of the contexts is: procname = "ls", tid = 12. Empty where there is none.
std::string_view fieldOf(std::string_view fields, std::string_view name)
{
    for (auto at = fields.find(name); at != std::string_view::npos; at = fields.find(name, at + 1)) {
        const bool begins = at == 0 || fields[at - 1] == ' ';
        auto rest = fields.substr(at + name.size());
        if (!begins || !rest.starts_with(" = ")) continue;
        rest.remove_prefix(3);
        if (rest.starts_with('"')) return rest.substr(1, rest.find('"', 1) - 1);
        return rest.substr(0, rest.find_first_of(", }"));
    }
    return {};
}

class LttngReader {
public:
    explicit LttngReader(text::Imported& out) : m_out(out) { }

    void line(std::string_view line, std::size_t number)
    {
        if (trimmed(line).empty()) return;
        const auto event = lttngEvent(line);
        if (!event) return m_out.misunderstand(number, line);
        const std::string name(event->event);
        const auto command = fieldOf(event->fields, "procname");
        m_times.count(command.empty() ? "[unknown]" : std::string(command), name);
        // Whose call it is: the thread where the session has it (lttng add-context -t tid), else the processor.
        std::optional<std::int64_t> thread;
        for (const auto* context : {"tid", "vtid", "cpu_id"})
            if (!thread) thread = text::integer(fieldOf(event->fields, context));
        if (!thread) return; // its begin and end could be of different threads
        constexpr std::string_view kEnter = "syscall_entry_", kExit = "syscall_exit_";
        if (name.starts_with(kEnter)) m_times.begin(*thread, name.substr(kEnter.size()), event->when);
        if (name.starts_with(kExit)) m_times.end(*thread, name.substr(kExit.size()), event->when);
    }

    const text::CallTimes& times() const { return m_times; }

private:
    text::Imported& m_out;
    text::CallTimes m_times;
};

class Lttng final : public text::Importer {
public:
    std::string_view name() const override { return "lttng"; }
    std::string_view summary() const override { return "what babeltrace2 prints of LTTng's traces: events and how long system calls took"; }

    Guess guess(std::string_view head) const override
    {
        text::Lines lines(head);
        std::string_view line;
        int good = 0, bad = 0;
        while (good + bad < 100 && lines.next(line))
            if (!trimmed(line).empty()) (lttngEvent(line) ? good : bad) += 1;
        return good > 0 && good > 9 * bad ? Guess::Yes : Guess::No;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        text::Imported out;
        LttngReader reader(out);
        text::readAll(lines, reader);
        if (reader.times().empty()) return out.nothing("there is no event in it");
        reader.times().put(out, "call");
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_lttng() { return std::make_unique<Lttng>(); }
} // namespace dscope::importers
