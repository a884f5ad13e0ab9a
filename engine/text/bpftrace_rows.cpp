#include "engine/text/bpftrace_rows.h"
#include "engine/text/words.h"
#include <algorithm>
namespace dscope::text {
namespace {
/// "512", "-4", "1K", "2M": the letters are powers of 1024.
std::optional<std::int64_t> scaledByLetter(std::string_view s)
{
    int shift = 0;
    if (!s.empty())
        if (const auto unit = std::string_view("KMGTPE").find(s.back()); unit != std::string_view::npos) {
            shift = 10 * static_cast<int>(unit + 1);
            s.remove_suffix(1);
        }
    const auto value = integer(s);
    if (!value || *value > (INT64_MAX >> shift) || *value < (INT64_MIN >> shift)) return {};
    return *value * (std::int64_t{1} << shift);
}
} // namespace

std::optional<PrintedRange> bpftraceRow(std::string_view line)
{
    if (line.empty() || (line.front() != '[' && line.front() != '(') || !line.ends_with('|')) return {};
    const auto close = line.find_first_of("])");
    const auto bar = line.find('|');
    if (close == std::string_view::npos || bar < close) return {};
    const auto count = integer(trimmed(line.substr(close + 1, bar - close - 1)));
    if (!count || *count < 0) return {};
    PrintedRange row;
    row.count = *count;
    const auto range = line.substr(1, close - 1);
    const auto comma = range.find(',');
    const auto low = trimmed(range.substr(0, comma));
    if (low != "..." && !(row.low = scaledByLetter(low))) return {};
    if (comma == std::string_view::npos) {
        row.high = row.low;
        return row.low ? std::optional(row) : std::nullopt;
    }
    const auto high = trimmed(range.substr(comma + 1));
    if (high == "...") return row.low ? std::optional(row) : std::nullopt;
    row.high = scaledByLetter(high);
    if (!row.high) { // 8E, the first number that is none
        return row.low && high == "8E" ? std::optional(row) : std::nullopt;
    }
    if (*row.high == INT64_MIN) return {};
    --*row.high;
    return row;
}

std::vector<std::string> bpftraceKeys(std::string_view list, std::string_view separator)
{
    const auto split = [&](bool heedsBrackets) -> std::optional<std::vector<std::string>> {
        std::vector<std::string> keys;
        std::string open;
        std::size_t from = 0;
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (const auto kind = std::string_view("([{").find(list[i]); kind != std::string_view::npos) open += ")]}"[kind];
            const bool closes = list[i] == ')' || list[i] == ']' || list[i] == '}';
            if (heedsBrackets && closes) {
                if (open.empty() || open.back() != list[i]) return {};
                open.pop_back();
            }
            if ((heedsBrackets && !open.empty()) || list.substr(i, separator.size()) != separator) continue;
            keys.emplace_back(trimmed(list.substr(from, i - from)));
            from = i + separator.size();
            i = from - 1;
        }
        if (heedsBrackets && !open.empty()) return {};
        keys.emplace_back(trimmed(list.substr(from)));
        return keys;
    };
    auto keys = split(true);
    return keys ? *keys : *split(false);
}

std::optional<std::int64_t> bpftraceMember(std::string_view value, std::string_view name)
{
    for (const auto& mark : {"." + std::string(name) + " = ", std::string(name) + " "}) {
        const auto at = value.find(mark);
        if (at == std::string_view::npos) continue;
        auto rest = value.substr(at + mark.size());
        return integer(trimmed(rest.substr(0, std::min(rest.find_first_of(",}"), rest.size()))));
    }
    return {};
}
} // namespace dscope::text
