#pragma once
#include "engine/text/printed_maps.h"
#include "engine/text/times_of_day.h"
#include <optional>
#include <string>
#include <string_view>
namespace dscope::text {
/// The tables of bcc's syscount: how many system calls of each name or of each process there were, with -L how long they took in all.
/// Source: bcc, tools/syscount.py and libbpf-tools/syscount.c
class BccCalls {
public:
    static constexpr char kBetweenKeys = '\x1f'; ///< in keys of processes: of their number and their name
    /// Whether a line is the heading of such a table.
    static bool isHeading(std::string_view line);
    /// Takes a line of such a table into the maps "calls" and "time"; of tables of the other kind than the first into maps of their own,
    /// "calls_by_process" or "calls_by_syscall". False: it is none.
    bool take(std::string_view line, PrintedMaps& maps, const TimesOfDay& clock);
    /// Remembers of "Tracing syscalls, printing top 10..." how long a table may be.
    void readTop(std::string_view line);
    /// How many rows of each table were printed at most, where one has that many; else 0.
    std::size_t cutAt() const { return m_isCut ? m_top : 0; }

private:
    std::string nameOf(std::string_view map) const;
    std::optional<bool> m_firstIsByProcess;
    std::size_t m_top = 0, m_rows = 0;
    int m_places = 0; ///< of times: decimals of a nanosecond; 0: the table has no times
    bool m_isOpen = false, m_isByProcess = false, m_isCut = false;
};
} // namespace dscope::text
