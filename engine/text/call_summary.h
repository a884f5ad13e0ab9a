#pragma once
#include "engine/text/importer.h"
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::text {
/// The table of calls that strace -c, -C and -w, each with -U, and ltrace -c print: how many there were, how many failed, their times.
/// Source: strace's src/count.c, call_summary_pers(), versions 4.8 to 7.2; ltrace's summary.c.
class CallSummary {
public:
    /// Whether a line may be one of such a table, wherever it stands.
    static bool isLine(std::string_view line);
    /// Takes a line that is one of the table. False: it is not.
    bool take(std::string_view line);
    bool empty() const { return m_modes.empty(); }
    /// Whether it is ltrace's: of functions.
    bool isOfLibrary() const { return !m_modes.empty() && m_modes.front().key == "function"; }
    /// As the aggregations @calls, @errors, @time, @shortest, @longest, by name of a call; those of a call's second mode (32 bit) are
    /// called
    /// @calls_32_bit and so on. `counted`: how often calls returned in a log before it, which is what the program says of calls then. It
    /// warns where a table is cut or says other numbers.
    void put(Imported& into, const std::map<std::string, std::int64_t>* counted) const;

private:
    enum class Column : std::uint8_t {
        Share,
        Time,
        Average,
        Calls,
        Errors,
        Shortest,
        Longest,
        WallTime,
        WallShortest,
        WallLongest,
        WallAverage,
        Name
    };
    using Row = std::map<Column, std::int64_t>; ///< times in ns
    struct Mode {
        std::string name; ///< "32 bit"; empty: the machine's own
        std::string key;  ///< what is counted: "syscall", "function"
        std::vector<std::pair<std::string, Row>> rows;
        std::optional<Row> total;
    };
    struct Heading {
        std::vector<Column> columns;
        std::string key;
    };
    static std::optional<Heading> headingOf(std::string_view line);
    static std::optional<std::pair<std::string, Row>> rowOf(std::string_view line, const std::vector<Column>& columns);
    static const std::vector<Column>& usual(); ///< those without option -U
    static void putMode(Imported& into, const Mode& mode, bool isBehindLog);
    Mode& open(std::string key);
    std::vector<Mode> m_modes;
    std::vector<Column> m_columns; ///< of the table that is read; empty: its heading was not seen
    std::string m_nextMode;
    bool m_open = false; ///< a table began and has not ended
};
} // namespace dscope::text
