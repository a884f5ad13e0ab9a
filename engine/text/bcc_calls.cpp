#include "engine/text/bcc_calls.h"
#include "engine/text/measures.h"
#include "engine/text/words.h"
namespace dscope::text {
namespace {
struct CallHeading {
    bool isByProcess = false;
    int places = 0; ///< of times; 0: there are none
};

/// Takes the last word off.
std::string_view lastWord(std::string_view& line)
{
    const auto blank = line.find_last_of(kBlanks);
    const auto word = blank == std::string_view::npos ? line : line.substr(blank + 1);
    line = withoutBlanksBehind(line.substr(0, line.size() - word.size()));
    if (blank == std::string_view::npos) line = {};
    return word;
}

/// "SYSCALL    COUNT", "PID    COMM    COUNT    TIME (us)".
std::optional<CallHeading> callHeadingOf(std::string_view line)
{
    CallHeading out;
    constexpr int kPlacesOfMicro = 3, kPlacesOfMilli = 6;
    line = withoutBlanksBehind(line);
    for (const auto& [name, places] : {std::pair<std::string_view, int>{"TIME (us)", kPlacesOfMicro}, {"TIME (ms)", kPlacesOfMilli}})
        if (line.ends_with(name)) {
            out.places = places;
            line = withoutBlanksBehind(line.substr(0, line.size() - name.size()));
        }
    if (lastWord(line) != "COUNT") return {};
    const auto last = lastWord(line);
    if (last == "SYSCALL" && line.empty()) return out;
    out.isByProcess = true;
    return last == "COMM" && line == "PID" ? std::optional(out) : std::nullopt;
}
} // namespace

bool BccCalls::isHeading(std::string_view line) { return callHeadingOf(line).has_value(); }

void BccCalls::readTop(std::string_view line)
{
    constexpr std::string_view kTop = "printing top ";
    const auto at = line.find(kTop);
    if (at == std::string_view::npos || line.find("syscalls, ") == std::string_view::npos) return;
    const auto top = leadingInteger(line.substr(at + kTop.size())).value_or(0);
    m_top = top > 0 ? static_cast<std::size_t>(top) : 0;
}

std::string BccCalls::nameOf(std::string_view map) const
{
    if (m_isByProcess == m_firstIsByProcess) return std::string(map);
    return std::string(map) + (m_isByProcess ? "_by_process" : "_by_syscall");
}

bool BccCalls::take(std::string_view line, PrintedMaps& maps, const TimesOfDay& clock)
{
    if (const auto heading = callHeadingOf(line)) {
        m_isOpen = true;
        m_isByProcess = heading->isByProcess;
        m_places = heading->places;
        m_rows = 0;
        if (!m_firstIsByProcess) m_firstIsByProcess = m_isByProcess;
        const auto calls = nameOf("calls"), time = nameOf("time");
        const std::string_view keys = m_isByProcess ? "pid, process" : "syscall";
        maps.begin(calls, clock.now());
        maps.keyName(calls, keys);
        if (m_places == 0) return true;
        maps.begin(time, clock.now());
        maps.keyName(time, keys);
        maps.measure(time, "timestamp - self->start");
        return true;
    }

    line = trimmed(line);
    if (line.empty() || line.starts_with('^')) m_isOpen = false;
    if (!m_isOpen) return false;
    const auto time = m_places > 0 ? decimal(lastWord(line), m_places) : std::optional<std::int64_t>(0);
    const auto count = integer(lastWord(line));
    std::string key(line);
    if (m_isByProcess) {
        const auto blank = line.find_first_of(kBlanks);
        if (!integer(line.substr(0, blank))) return false; // the rest of a name that holds a line end
        const auto name = blank == std::string_view::npos ? std::string_view() : trimmed(line.substr(blank));
        key = std::string(line.substr(0, blank)) + kBetweenKeys + std::string(name.empty() ? std::string_view(" ") : name);
    }
    if (!time || *time < 0 || !count || *count < 0 || key.empty()) return false;

    maps.number(nameOf("calls"), key, *count);
    if (m_places > 0) maps.number(nameOf("time"), key, *time, record::Aggregator::Sum);
    if (++m_rows == m_top) m_isCut = true;
    return true;
}
} // namespace dscope::text
