#include "engine/text/call_summary.h"
#include "engine/text/strace_lines.h"
#include "engine/text/tables.h"
#include "engine/text/words.h"
#include <algorithm>
#include <array>
#include <utility>
namespace dscope::text {
namespace {
constexpr std::int64_t kMicrosecond = 1000; ///< ns
constexpr std::string_view kModeBegin = "System call usage summary for ", kModeEnd = " mode:";

std::string_view takeWord(std::string_view& rest)
{
    rest = trimmed(rest);
    const auto word = rest.substr(0, rest.find_first_of(kBlanks));
    rest.remove_prefix(word.size());
    return word;
}

/// "------ ----------- ----------- --------- --------- ----------------"
bool isRule(std::string_view line) { return line.starts_with("------") && line.find_first_not_of("- ") == std::string_view::npos; }

constexpr std::string_view kPoints = ".,"; ///< strace and ltrace heed LC_NUMERIC here, and nowhere else
/// "17", "0.000123", "0,000123", "-nan" where strace has divided nothing by nothing.
bool isNumeric(std::string_view word)
{
    const auto dot = word.find_first_of(kPoints);
    if (dot == std::string_view::npos) return isDigits(word) || word == "nan" || word == "-nan";
    return isDigits(word.substr(0, dot)) && isDigits(word.substr(dot + 1));
}

std::int64_t sum(std::int64_t a, std::int64_t b)
{
    std::int64_t out = 0;
    return __builtin_add_overflow(a, b, &out) ? INT64_MAX : out;
}

/// Whether the third number ends to the right of the column of the average, which is eleven characters wide.
/// Source: strace's src/count.c, call_summary_pers()
bool isBehindBlanks(const std::vector<std::string_view>& numbers)
{
    constexpr std::ptrdiff_t kColumns = 12; // with the blank in front
    return numbers.size() > 2 && numbers[2].data() + numbers[2].size() - (numbers[1].data() + numbers[1].size()) > kColumns;
}

/// "0.000123" seconds in ns, "17" alone.
std::optional<std::int64_t> number(std::string_view word, bool isTime)
{
    if (isTime) return word.find_first_of(kPoints) == std::string_view::npos ? std::nullopt : strace::seconds(withPoint(word));
    return isDigits(word) ? integer(word) : std::nullopt;
}
} // namespace

std::optional<CallSummary::Heading> CallSummary::headingOf(std::string_view line)
{
    using enum Column;
    static constexpr std::array<std::pair<std::string_view, Column>, 12> kTitles{{{"time", Share}, {"seconds", Time},
        {"usecs/call", Average}, {"calls", Calls}, {"errors", Errors}, {"shortest", Shortest}, {"longest", Longest},
        {"wall-total", WallTime}, {"wall-min", WallShortest}, {"wall-max", WallLongest}, {"wall-avg", WallAverage}, {"syscall", Name}}};
    Heading out;
    auto rest = line;
    for (auto word = takeWord(rest); !word.empty(); word = takeWord(rest)) {
        if (word == "%") continue;
        const bool isFunction = word == "function"; // of ltrace
        const auto known = std::find_if(kTitles.begin(), kTitles.end(), [&](const auto& t) { return t.first == word; });
        if (!isFunction && known == kTitles.end()) return {};
        const auto column = isFunction ? Name : known->second;
        if (std::find(out.columns.begin(), out.columns.end(), column) != out.columns.end()) return {};
        if (column == Name) out.key = word;
        out.columns.push_back(column);
    }
    return out.columns.size() > 1 && !out.key.empty() ? std::optional(out) : std::nullopt;
}

std::optional<std::pair<std::string, CallSummary::Row>> CallSummary::rowOf(std::string_view line, const std::vector<Column>& columns)
{
    using enum Column;
    std::vector<std::string_view> numbers;
    std::pair<std::string, Row> out;
    const bool isNameLast = columns.back() == Name;
    auto rest = trimmed(line);
    while (!rest.empty()) {
        auto behind = rest;
        const auto word = takeWord(behind);
        const bool isNumber = isNumeric(word);
        if (!isNumber && isNameLast) break;
        if (isNumber)
            numbers.push_back(word);
        else if (out.first.empty())
            out.first = word;
        else
            return {};
        rest = trimmed(behind);
    }
    if (isNameLast) out.first = rest; // that of a function of C++ has blanks
    if (out.first.empty() || numbers.size() + 1 > columns.size()) return {};

    // Where nothing failed the errors are blank, and so is the average in the total of ltrace and of strace before 5.3.
    auto missing = columns.size() - 1 - numbers.size();
    const bool hasErrors = std::find(columns.begin(), columns.end(), Errors) != columns.end();
    const bool hasNoAverage = missing > 0 && (!hasErrors || isBehindBlanks(numbers));
    std::size_t next = 0;
    for (const auto column : columns) {
        if (column == Name) continue;
        if (missing > 0 && (column == Errors || (column == Average && hasNoAverage))) {
            --missing;
            continue;
        }
        if (next == numbers.size()) return {};
        const auto word = numbers[next++];
        if (column == Share) continue;
        const bool isCount = column == Calls || column == Errors, isAverage = column == Average || column == WallAverage;
        const auto value = number(word, !isCount && !isAverage);
        if (!value || (isAverage && *value > INT64_MAX / kMicrosecond)) return {};
        out.second[column] = isAverage ? *value * kMicrosecond : *value;
    }
    return missing == 0 ? std::optional(std::move(out)) : std::nullopt;
}

bool CallSummary::isLine(std::string_view line)
{
    if (isRule(line) || line.starts_with(kModeBegin) || headingOf(line)) return true;
    auto rest = line;
    const auto share = takeWord(rest), time = takeWord(rest);
    constexpr std::size_t kShareDecimals = 3, kTimeDecimals = 7; ///< with their point
    const auto hasDecimals = [](std::string_view word, std::size_t size) {
        const auto dot = word.find_first_of(kPoints);
        return dot != std::string_view::npos && word.size() - dot == size && isNumeric(word);
    };
    return hasDecimals(share, kShareDecimals) && hasDecimals(time, kTimeDecimals) && rowOf(line, usual());
}

const std::vector<CallSummary::Column>& CallSummary::usual()
{
    using enum Column;
    static const std::vector<Column> kColumns{Share, Time, Average, Calls, Errors, Name};
    return kColumns;
}

CallSummary::Mode& CallSummary::open(std::string key)
{
    m_open = true;
    return m_modes.emplace_back(Mode{std::exchange(m_nextMode, {}), std::move(key), {}, {}});
}

bool CallSummary::take(std::string_view line)
{
    if (line.starts_with(kModeBegin) && line.ends_with(kModeEnd)) {
        m_nextMode = line.substr(kModeBegin.size(), line.size() - kModeBegin.size() - kModeEnd.size());
        return true;
    }
    if (auto heading = headingOf(line)) {
        m_columns = std::move(heading->columns);
        open(std::move(heading->key));
        return true;
    }
    if (isRule(line)) return true;
    if (!m_open && !isLine(line)) return false;
    auto row = rowOf(line, m_open && !m_columns.empty() ? m_columns : usual());
    if (!row) {
        m_open = false;
        return false;
    }

    auto& mode = m_open ? m_modes.back() : open("syscall"); // its heading was cut off
    if (row->first == "total") {
        mode.total = std::move(row->second);
        m_open = false;
        m_columns.clear();
    } else {
        mode.rows.push_back(std::move(*row));
    }
    return true;
}

void CallSummary::put(Imported& into, const std::map<std::string, std::int64_t>* counted) const
{
    std::map<std::string, std::int64_t> said;
    for (const auto& mode : m_modes) {
        putMode(into, mode, counted != nullptr);
        std::int64_t calls = 0;
        for (const auto& [name, row] : mode.rows)
            if (const auto own = row.find(Column::Calls); own != row.end()) {
                calls = sum(calls, own->second);
                said[name] = sum(said[name], own->second);
            }
        const auto whole = mode.total ? mode.total->find(Column::Calls) : Row::const_iterator{};
        if (!mode.total)
            into.warn("the table of calls ends before its total: rows may be missing");
        else if (whole != mode.total->end() && whole->second != calls)
            into.warn("the table of calls is not whole: its total is " + std::to_string(whole->second) + " calls, its rows have "
                + std::to_string(calls));
    }
    if (!counted) return;
    for (const auto& [name, calls] : said) {
        const auto own = counted->find(name);
        const auto logged = own == counted->end() ? 0 : own->second;
        if (logged == calls) continue;
        into.warn("the table of calls tells of " + std::to_string(calls) + " of " + name + ", the log before it of "
            + std::to_string(logged) + ": one of them is not whole, or the log was filtered");
        return;
    }
}

void CallSummary::putMode(Imported& into, const Mode& mode, bool isBehindLog)
{
    using enum Column;
    struct Shown {
        Column column;
        const char* name;
        record::Aggregator function;
    };
    static constexpr std::array kShown{Shown{Calls, "calls", record::Aggregator::Count}, Shown{Errors, "errors", record::Aggregator::Count},
        Shown{Time, "time", record::Aggregator::Sum}, Shown{WallTime, "wall_time", record::Aggregator::Sum},
        Shown{Average, "average", record::Aggregator::Max}, Shown{WallAverage, "wall_average", record::Aggregator::Max},
        Shown{Shortest, "shortest", record::Aggregator::Min}, Shown{Longest, "longest", record::Aggregator::Max},
        Shown{WallShortest, "wall_shortest", record::Aggregator::Min}, Shown{WallLongest, "wall_longest", record::Aggregator::Max}};
    auto suffix = mode.name.empty() ? std::string() : '_' + mode.name;
    std::replace(suffix.begin(), suffix.end(), ' ', '_');

    Tables tables;
    tables.keyNames({mode.key});
    for (const auto& [column, name, function] : kShown) {
        if (column == Calls && isBehindLog) continue; // the log has them
        // What the others say already: the time by the calls.
        const bool isSaid = (column == Average || column == WallAverage) && !mode.rows.empty()
            && mode.rows.front().second.contains(column == Average ? Time : WallTime) && mode.rows.front().second.contains(Calls);
        if (isSaid) continue;
        tables.name((isBehindLog ? "counted_" : "") + std::string(name) + suffix);
        record::Aggregation shape;
        shape.function = function;
        if (column != Calls && column != Errors) shape.value = "timestamp - self->start";
        for (const auto& [call, row] : mode.rows)
            if (const auto value = row.find(column); value != row.end()) tables.values({call}, shape, {value->second});
    }
    tables.put(into);
}
} // namespace dscope::text
